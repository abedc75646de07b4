/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Pages: which bytes are believed, and the list of pages itself. */

#include <ctype.h>
#include <errno.h>

#include "page_support.h"

static const char guid_hex[] = "c5 af 10 28 ea bf f2 a4 9c 4f 6f 7c c9 14 d5 af";

START_TEST(test_pages_are_well_formed)
{
	for (unsigned i = 0; pages[i]; i++) {
		const struct page *p = pages[i];

		for (const char *c = p->name; *c; c++)
			ck_assert(islower((unsigned char)*c) || isdigit((unsigned char)*c) ||
				  *c == '_');
		ck_assert_ptr_eq(page_find(p->name), p);
		ck_assert_uint_eq(page_index(p), i);
		ck_assert_str_ne(p->title, "");
		ck_assert_str_ne(p->prefix, "");
		ck_assert_uint_eq(p->size % 4, 0);
		ck_assert_uint_le(p->size, PAGE_SIZE_MAX);
		ck_assert((p->uuid != ocp_uuid) || p->guid || p->command == PAGE_FEATURE);
		ck_assert(!p->guid || p->guid_offset + 16 <= p->size);
		ck_assert(!p->version_size || p->version_offset + p->version_size <= p->size);
		ck_assert_uint_le(p->size_min, p->size);
		ck_assert_int_eq(p->instance != NULL, p->selector != SELECT_NOTHING);
		ck_assert_int_eq(p->instances != NULL, p->selector != SELECT_NOTHING);
		ck_assert_int_eq(p->cdw11_instance != 0, p->selector == SELECT_CDW11);
		ck_assert_uint_eq(p->cdw11 & p->cdw11_instance, 0);
		ck_assert_uint_gt(p->n_fields, 0);
	}
	ck_assert_ptr_null(pages[page_total()]);
}
END_TEST

/* Of such a row nothing but 0 is absent: whatever is not there is a 0. */
START_TEST(test_what_identify_vouches_for_is_a_plain_count)
{
	unsigned index;

	for (unsigned i = 0; pages[i]; i++)
		for (size_t n = 0; n < pages[i]->n_fields; n++) {
			const struct field *f = &pages[i]->fields[n];

			if (!f->zero_where)
				continue;
			ck_assert_ptr_nonnull(page_field(&identify_page, f->zero_where, &index));
			ck_assert_int_eq(f->absent, ABSENT_ZERO);
			ck_assert_int_eq(f->kind, FIELD_COUNTER);
			ck_assert_int_eq(field_value_type(f), VALUE_INTEGER);
			ck_assert(!f->max && !f->min && !f->bias && !f->since && !f->item &&
				  !f->reported && !f->conversion);
		}
}
END_TEST

START_TEST(test_counts_of_0_are_counts_where_identify_says_so)
{
	static const char *const columns[] = { "thermal_transitions_1", "thermal_transitions_2",
					       "thermal_throttle_seconds_1", "thermal_throttle_seconds_2",
					       "energy_joules" };
	uint8_t smart[512] = { 0 }, identify[4096] = { 0 };
	struct value v;
	unsigned index;

	for (unsigned i = 0; i < ELEMENTS(columns); i++) {
		const struct field *f = page_field(&smart_page, columns[i], &index);

		identify[322] = 0xfe;
		ck_assert_int_eq(page_decode(&smart_page, f, index, smart, &v), -ENODATA);
		ck_assert_int_eq(page_decode_identified(&smart_page, f, index, smart, NULL, &v), -ENODATA);
		ck_assert_int_eq(page_decode_identified(&smart_page, f, index, smart, identify, &v),
				 -ENODATA);
		ck_assert_int_eq(v.type, VALUE_ABSENT);
		identify[322] = 1;
		int r = page_decode_identified(&smart_page, f, index, smart, identify, &v);
		if (!f->zero_where) {
			ck_assert_int_eq(r, -ENODATA);
			continue;
		}
		ck_assert_int_eq(r, 0);
		ck_assert_int_eq(v.type, VALUE_INTEGER);
		ck_assert_int_eq(v.integer, 0);
		smart[216 + 4 * i] = 3;
		ck_assert_int_eq(page_decode_identified(&smart_page, f, index, smart, identify, &v), 0);
		ck_assert_int_eq(v.integer, 3);
	}
}
END_TEST

/* The tables of history.db that are no pages. */
START_TEST(test_page_names_are_free_in_history)
{
	ck_assert_ptr_null(page_find("drives"));
	ck_assert_ptr_null(page_find("events"));
	ck_assert_ptr_null(page_find("benchmarks"));
	ck_assert_ptr_null(page_find(""));
	ck_assert_ptr_null(page_find("SMART"));
}
END_TEST

START_TEST(test_a_page_with_a_guid_shows_guid_and_version)
{
	for (unsigned i = 0; pages[i]; i++) {
		unsigned index;
		const struct field *guid = page_field(pages[i], "log_page_guid", &index);
		const struct field *version = page_field(pages[i], "log_page_version", &index);

		ck_assert_int_eq(guid != NULL, pages[i]->guid != NULL);
		ck_assert_int_eq(version != NULL, pages[i]->version_size != 0);
		if (guid)
			ck_assert(guid->type == FIELD_HEX_LE && guid->size == 16 &&
				  guid->offset == pages[i]->guid_offset);
		if (version)
			ck_assert(version->size == pages[i]->version_size &&
				  version->offset == pages[i]->version_offset);
	}
}
END_TEST

START_TEST(test_columns_are_found_by_their_whole_name)
{
	unsigned index = 77;

	ck_assert_ptr_null(page_field(&smart_page, "", &index));
	ck_assert_ptr_null(page_field(&smart_page, "temperature", &index));
	ck_assert_ptr_null(page_field(&smart_page, "sensor_temperature_celsius", &index));
	ck_assert_ptr_null(page_field(&smart_page, "sensor_temperature_celsius_0", &index));
	ck_assert_ptr_null(page_field(&smart_page, "sensor_temperature_celsius_9", &index));
	ck_assert_ptr_null(page_field(&smart_page, "sensor_temperature_celsius_01", &index));
	ck_assert_ptr_null(page_field(&smart_page, "temperature_celsius_1", &index));
	ck_assert_uint_eq(index, 77);
	ck_assert_ptr_nonnull(page_field(&smart_page, "sensor_temperature_celsius_8", &index));
	ck_assert_uint_eq(index, 7);
}
END_TEST

START_TEST(test_a_whole_number_is_had_by_its_column)
{
	uint8_t bytes[512] = { 0 };
	int64_t number = -7;

	bytes_put(bytes + 1, 2, 273 + 41);
	bytes[3] = 90;
	ck_assert(page_integer(&smart_page, bytes, "temperature_celsius", &number));
	ck_assert_int_eq(number, 41);
	number = -7;
	ck_assert(!page_integer(&smart_page, NULL, "temperature_celsius", &number));
	ck_assert(!page_integer(&smart_page, bytes, "no_such_column", &number));
	/* Neither a part nor a text is one, nor is what the drive does not report. */
	ck_assert(!page_integer(&smart_page, bytes, "available_spare_ratio", &number));
	ck_assert(!page_integer(&smart_page, bytes, "sensor_temperature_celsius_1", &number));
	ck_assert_int_eq(number, -7);
}
END_TEST

START_TEST(test_a_page_of_another_size_is_not_believed)
{
	uint8_t bytes[PAGE_SIZE_MAX + 4];

	memset(bytes, 1, sizeof(bytes));
	put_hex(bytes, 496, guid_hex);
	for (unsigned i = 0; pages[i]; i++)
		for (size_t length = 0; length <= sizeof(bytes); length++)
			ck_assert_int_eq(page_check(pages[i], bytes, length) == PAGE_WRONG_SIZE,
					 length > pages[i]->size ||
					 length < (pages[i]->size_min ? pages[i]->size_min : pages[i]->size));
}
END_TEST

START_TEST(test_LOG_15_all_zero_is_a_failed_read)
{
	for (unsigned i = 0; pages[i]; i++) {
		uint8_t bytes[PAGE_SIZE_MAX] = { 0 };

		ck_assert_int_eq(page_check(pages[i], bytes, pages[i]->size) == PAGE_ALL_ZERO,
				 !pages[i]->may_be_zero);
		bytes[pages[i]->size - 1] = 1;
		ck_assert_int_ne(page_check(pages[i], bytes, pages[i]->size), PAGE_ALL_ZERO);
		bytes[pages[i]->size - 1] = 0;
		bytes[0] = 1;
		ck_assert_int_ne(page_check(pages[i], bytes, pages[i]->size), PAGE_ALL_ZERO);
		memset(bytes, 0xff, sizeof(bytes));
		ck_assert_int_ne(page_check(pages[i], bytes, pages[i]->size), PAGE_ALL_ZERO);
	}
}
END_TEST

START_TEST(test_one_wrong_byte_makes_another_guid)
{
	uint8_t bytes[512] = { 1 };

	put_hex(bytes, 496, guid_hex);
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, sizeof(bytes)), PAGE_SOUND);
	for (unsigned bit = 0; bit < 128; bit++) {
		bytes[496 + bit / 8] ^= (uint8_t)(1 << bit % 8);
		ck_assert_int_eq(page_check(&ocp_smart_page, bytes, sizeof(bytes)),
				 PAGE_WRONG_GUID);
		bytes[496 + bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	/* As the specification prints it: the wrong way round on the wire. */
	put_hex(bytes, 496, "af d5 14 c9 7c 6f 4f 9c a4 f2 bf ea 28 10 af c5");
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, sizeof(bytes)), PAGE_WRONG_GUID);
	/* The older Hyperscale NVMe Boot SSD page of the same LID. */
	put_hex(bytes, 496, "65 43 88 78 ac d8 78 a1 66 42 1e 0f 92 d7 6d c4");
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, sizeof(bytes)), PAGE_WRONG_GUID);
}
END_TEST

START_TEST(test_faults_have_words)
{
	ck_assert_str_eq(page_fault_name(PAGE_WRONG_SIZE), "size");
	ck_assert_str_eq(page_fault_name(PAGE_ALL_ZERO), "zero");
	ck_assert_str_eq(page_fault_name(PAGE_WRONG_GUID), "guid");
}
END_TEST

static bool is_nothing(const struct value *v)
{
	if (v->type == VALUE_TEXT)
		return !v->text[0];
	return v->type == VALUE_REAL ? v->real == 0 : v->integer == 0;
}

/* Version and GUID apart. */
START_TEST(test_a_blank_page_claims_nothing)
{
	for (unsigned i = 0; pages[i]; i++) {
		uint8_t bytes[PAGE_SIZE_MAX];

		memset(bytes, 0xa5, sizeof(bytes));
		page_blank(pages[i], bytes);
		if (pages[i]->guid)
			ck_assert_int_eq(page_check(pages[i], bytes, pages[i]->size), PAGE_SOUND);
		for (size_t k = 0; k < pages[i]->n_fields; k++) {
			const struct field *f = &pages[i]->fields[k];
			struct value v;

			if ((pages[i]->guid && f->offset >= pages[i]->version_offset) ||
			    !strcmp(f->name, "log_page_version"))
				continue;
			if (page_decode(pages[i], f, 0, bytes, &v) == 0)
				ck_assert_msg(is_nothing(&v), "%s", f->name);
		}
		ck_assert_uint_eq(page_overflows(pages[i], bytes), 0);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_pages_are_well_formed,
		test_what_identify_vouches_for_is_a_plain_count,
		test_counts_of_0_are_counts_where_identify_says_so,
		test_page_names_are_free_in_history,
		test_a_page_with_a_guid_shows_guid_and_version,
		test_columns_are_found_by_their_whole_name,
		test_a_whole_number_is_had_by_its_column,
		test_a_page_of_another_size_is_not_believed,
		test_LOG_15_all_zero_is_a_failed_read,
		test_one_wrong_byte_makes_another_guid,
		test_faults_have_words,
		test_a_blank_page_claims_nothing,
		NULL,
	};

	return check_main("page", tests);
}
