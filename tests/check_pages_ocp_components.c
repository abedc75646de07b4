/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The OCP hardware component log, C6h, whose descriptors are packed: sound ones, and such as lie about
 * their size. */

#include "pages_ocp_support.h"

static const struct page *const page = &ocp_hardware_components_page;

/* The second has a date of 8 bytes and 4 bytes of more, the third nothing behind it. */
static const struct golden sound[] = {
	{ 0, "02 00" },
	{ 16, "dc 57 0f 9f b9 31 6b b7 d0 4e cd 30 1f 82 b6 bc" },
	{ 32, "d4 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00" }, /* 64 + 44 + 56 + 48 */
	{ 64, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00" },
	{ 84, "41 63 6d 65 20 20 20 20 41 31 20 20 20 20 20 20 30 30 37 00 00 00 00 00" },
	{ 108, "02 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00" },
	{ 128, "46 6c 61 73 68 43 6f 2e 42 32 33 34 35 36 37 38 20 20 20 20 20 20 20 20" },
	{ 152, "32 30 32 36 57 30 31 20 00 01 ff 02" },
	{ 164, "00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 03 80 00 00" },
	{ 184, "56 20 20 20 20 20 20 20 31 20 20 20 20 20 20 20 78 20 20 20 20 20 20 20" },
	{ 208, "61 62 63 00" },
};

static const struct expected sound_values[] = {
	{ "log_page_version", "2" },
	{ "log_page_guid", "\"bcb6821f30cd4ed0b76b31b99f0f57dc\"" },
	{ "log_size_bytes", "212" },
	{ "component_id_1", "1" },
	{ "component_manufacturer_1", "\"Acme\"" },
	{ "component_revision_1", "\"A1\"" },
	{ "component_manufacturer_code_1", "\"007\"" },
	{ "component_date_lot_1", "absent" },
	{ "component_additional_1", "absent" },
	{ "component_id_2", "2" },
	{ "component_manufacturer_2", "\"FlashCo.\"" },
	{ "component_revision_2", "\"B2345678\"" },
	{ "component_manufacturer_code_2", "absent" },
	{ "component_date_lot_2", "\"2026W01\"" },
	{ "component_additional_2", "\"0001ff02\"" },
	{ "component_id_3", "32771" },
	{ "component_manufacturer_3", "\"V\"" },
	{ "component_date_lot_3", "absent" },
	{ "component_additional_3", "\"abc\"" },
	{ "component_id_4", "absent" },
	{ "component_manufacturer_24", "absent" },
};

static void fill(uint8_t *bytes)
{
	golden_fill(page, bytes, sound, ELEMENTS(sound));
}

START_TEST(test_descriptors_are_found_one_after_the_other)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	fill(bytes);
	golden_check(page, bytes, sound_values, ELEMENTS(sound_values));
	ck_assert_uint_eq(page_columns(page), 3 + 24 * 6);
	ck_assert_uint_eq(page_overflows(page, bytes), 0);
}
END_TEST

START_TEST(test_version_1_counts_dwords_and_later_ones_bytes)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	fill(bytes);
	put_number(bytes, 0, 2, 1);
	put_number(bytes, 32, 16, 53);
	check_value(page, bytes, "log_size_bytes", "212");
	check_value(page, bytes, "component_id_3", "32771");
	check_value(page, bytes, "component_id_4", "absent");
	put_number(bytes, 32, 16, 212);
	put_number(bytes, 0, 2, 9);
	check_value(page, bytes, "log_size_bytes", "212");
	check_value(page, bytes, "component_id_3", "32771");
	/* None ever was 0. */
	put_number(bytes, 0, 2, 0);
	check_value(page, bytes, "log_size_bytes", "absent");
	check_value(page, bytes, "component_id_1", "absent");
}
END_TEST

/* Whatever the size of the log, no descriptor is taken that ends behind it. */
START_TEST(test_a_log_ends_where_it_says)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	for (unsigned size = 0; size < 300; size++) {
		fill(bytes);
		put_number(bytes, 32, 16, size);
		/* Behind it there is nothing to be taken for a descriptor. */
		memset(bytes + 212, 0xff, 300);
		check_value(page, bytes, "component_id_1", size >= 108 ? "1" : "absent");
		check_value(page, bytes, "component_id_2", size >= 164 ? "2" : "absent");
		check_value(page, bytes, "component_additional_3", size >= 212 ? "\"abc\"" : "absent");
		check_value(page, bytes, "component_id_4", "absent");
	}
}
END_TEST

/* Sizes of what follows the second descriptor that cannot be. */
START_TEST(test_sizes_that_lie_end_the_list)
{
	static const uint64_t lies[] = {
		100, 1000, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX / 4, UINT64_MAX / 4 + 1,
		UINT64_C(1) << 62, UINT64_C(1) << 63, (UINT64_C(1) << 62) - 11, UINT32_MAX,
		UINT64_C(1) << 32, (UINT64_C(1) << 30) - 11,
	};
	uint8_t bytes[PAGE_SIZE_MAX];

	for (size_t i = 0; i < ELEMENTS(lies); i++)
		for (unsigned which = 0; which < 3; which++) {
			fill(bytes);
			if (which != 1)
				put_number(bytes, 108, 8, lies[i]);
			if (which != 0)
				put_number(bytes, 116, 8, lies[i]);
			check_value(page, bytes, "component_id_1", "1");
			check_value(page, bytes, "component_id_2", "absent");
			check_value(page, bytes, "component_date_lot_2", "absent");
			check_value(page, bytes, "component_id_3", "absent");
		}
}
END_TEST

/* The log is larger than what is read of it: of what lies behind nothing is shown. */
START_TEST(test_what_lies_behind_the_bytes_read_is_absent)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	fill(bytes);
	put_number(bytes, 32, 8, INT64_MAX);
	put_number(bytes, 108, 8, 1000000); /* dwords */
	check_value(page, bytes, "log_size_bytes", "9223372036854775807");
	check_value(page, bytes, "component_id_2", "2");
	check_value(page, bytes, "component_date_lot_2", "absent");
	check_value(page, bytes, "component_additional_2", "absent");
	check_value(page, bytes, "component_id_3", "absent");
	put_number(bytes, 108, 8, (4096 - 152) / 4); /* to the last byte, and too long for a text */
	check_value(page, bytes, "component_date_lot_2", "absent");
	check_value(page, bytes, "component_additional_2", "absent");
	check_value(page, bytes, "component_id_3", "absent");
	put_number(bytes, 40, 8, 1);
	check_value(page, bytes, "log_size_bytes", "absent");
	check_value(page, bytes, "component_id_1", "absent");
}
END_TEST

/* More than the columns there are, each of them as small as can be. */
START_TEST(test_the_24_first_are_shown)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	fill(bytes);
	memset(bytes + 64, 0, PAGE_SIZE_MAX - 64);
	put_number(bytes, 32, 16, PAGE_SIZE_MAX);
	for (unsigned i = 0; i < 91; i++)
		put_number(bytes, 64 + 44 * i + 16, 4, 100 + i);
	check_value(page, bytes, "component_id_1", "100");
	check_value(page, bytes, "component_id_24", "123");
}
END_TEST

START_TEST(test_noise_is_never_read_beyond_the_page)
{
	uint64_t seed = 7;
	struct value v;

	for (unsigned round = 0; round < 2000; round++) {
		uint8_t *bytes = malloc(PAGE_SIZE_MAX); /* so that a sanitizer sees its end */

		ck_assert_ptr_nonnull(bytes);
		fill(bytes);
		for (unsigned i = 64; i < PAGE_SIZE_MAX; i++)
			bytes[i] = random_next(&seed) % 8 ? 0 : (uint8_t)random_next(&seed);
		put_number(bytes, 32, 16, random_next(&seed) % 8192);
		for (size_t i = 0; i < page->n_fields; i++)
			for (unsigned n = 0; n < field_count(&page->fields[i]); n++)
				page_decode(page, &page->fields[i], n, bytes, &v);
		free(bytes);
	}
}
END_TEST

static int put(uint8_t *bytes, const char *column, const char *text)
{
	struct value v = { .type = VALUE_TEXT };
	unsigned index;
	const struct field *f = page_field(page, column, &index);

	if (f->type == FIELD_NUMBER)
		v = (struct value){ .type = VALUE_INTEGER, .integer = atoll(text) };
	else
		strcpy(v.text, text);
	return field_encode(f, index, &v, bytes);
}

START_TEST(test_descriptors_can_be_written_in_their_order)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	page_blank(page, bytes);
	put_number(bytes, 0, 2, 2);
	ck_assert_int_lt(put(bytes, "component_id_2", "2"), 0);
	ck_assert_int_eq(put(bytes, "component_id_1", "1"), 0);
	ck_assert_int_eq(put(bytes, "component_manufacturer_1", "Acme"), 0);
	ck_assert_int_eq(put(bytes, "component_date_lot_1", "2026W01"), 0);
	ck_assert_int_eq(put(bytes, "component_additional_1", "abc"), 0);
	ck_assert_int_lt(put(bytes, "component_date_lot_1", "again"), 0);
	ck_assert_int_eq(put(bytes, "component_id_2", "2"), 0);
	ck_assert_int_lt(put(bytes, "component_additional_1", "late"), 0);
	ck_assert_int_eq(put(bytes, "component_revision_2", "B2"), 0);
	ck_assert_int_lt(put(bytes, "component_revision_2", "too long for it"), 0);
	check_value(page, bytes, "log_size_bytes", "164");
	check_value(page, bytes, "component_id_1", "1");
	check_value(page, bytes, "component_manufacturer_1", "\"Acme\"");
	check_value(page, bytes, "component_date_lot_1", "\"2026W01\"");
	check_value(page, bytes, "component_additional_1", "\"abc\"");
	check_value(page, bytes, "component_id_2", "2");
	check_value(page, bytes, "component_revision_2", "\"B2\"");
	check_value(page, bytes, "component_manufacturer_2", "absent");
	check_value(page, bytes, "component_id_3", "absent");
	/* The same in dwords, and where no version tells the unit not at all. */
	page_blank(page, bytes);
	ck_assert_int_eq(put(bytes, "component_date_lot_1", "2026"), 0);
	ck_assert_uint_eq(bytes_get(bytes + 32, 8), 28);
	check_value(page, bytes, "component_date_lot_1", "\"2026\"");
	page_blank(page, bytes);
	put_number(bytes, 0, 2, 0);
	ck_assert_int_lt(put(bytes, "component_id_1", "1"), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_descriptors_are_found_one_after_the_other,
		test_version_1_counts_dwords_and_later_ones_bytes,
		test_a_log_ends_where_it_says,
		test_sizes_that_lie_end_the_list,
		test_what_lies_behind_the_bytes_read_is_absent,
		test_the_24_first_are_shown,
		test_noise_is_never_read_beyond_the_page,
		test_descriptors_can_be_written_in_their_order,
		NULL,
	};

	return check_main("pages ocp components", tests);
}
