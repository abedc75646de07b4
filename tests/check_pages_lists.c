/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Pages that are lists: log pages, UUIDs, namespaces. */

#include <errno.h>

#include "page_support.h"

static uint8_t bytes[4096];

static void clear(void)
{
	memset(bytes, 0, sizeof(bytes));
}

/* Whether the list may be set to the text, and reads as it then. */
static bool survives(const struct page *p, const char *column, const char *text)
{
	struct value v = { .type = VALUE_TEXT };
	unsigned index;

	strcpy(v.text, text);
	return field_encode(page_field(p, column, &index), 0, &v, bytes) == 0 &&
	       !strcmp(value_at(p, bytes, column).text, text);
}

START_TEST(test_log_pages_are_listed_in_runs)
{
	check_value(&supported_logs_page, bytes, "log_pages", "absent");
	put_hex(bytes, 0, "01 00 00 00 01 00 00 00 03 00 00 00");
	put_hex(bytes, 4 * 6, "01");
	put_hex(bytes, 4 * 0xff, "01");
	check_value(&supported_logs_page, bytes, "log_pages", "\"00-02 06 ff\"");
	put_hex(bytes, 4 * 6, "02"); /* an index offset alone is no page */
	check_value(&supported_logs_page, bytes, "log_pages", "\"00-02 ff\"");
}
END_TEST

START_TEST(test_a_list_of_log_pages_is_set_by_its_text)
{
	ck_assert(survives(&supported_logs_page, "log_pages", "00-03 06 c0-c9 ff"));
	ck_assert(survives(&supported_logs_page, "log_pages", "02"));
	ck_assert(!survives(&supported_logs_page, "log_pages", "smart"));
	ck_assert(!survives(&supported_logs_page, "log_pages", "06-02"));
	ck_assert(!survives(&supported_logs_page, "log_pages", "02--1"));
	check_value(&supported_logs_page, bytes, "log_pages", "\"02\"");
}
END_TEST

/* Every second of 256 does not fit into a text: absent, not cut off. */
START_TEST(test_a_list_that_does_not_fit_is_absent)
{
	unsigned index;
	struct value v;

	for (unsigned i = 0; i < 256; i += 2)
		bytes[4 * i] = 1;
	ck_assert_int_eq(page_decode(&supported_logs_page,
				     page_field(&supported_logs_page, "log_pages", &index), 0, bytes, &v),
			 -ERANGE);
	ck_assert_int_eq(v.type, VALUE_ABSENT);
}
END_TEST

START_TEST(test_uuids_end_with_the_first_of_zeros)
{
	put_hex(bytes, 32, "01");
	put_hex(bytes, 48, "c1 94 d5 5b e0 94 47 94 a2 1d 29 99 8f 56 be 6f");
	put_hex(bytes, 80, "ff");
	check_value(&uuid_list_page, bytes, "uuid_1", "\"c194d55be0944794a21d29998f56be6f\"");
	check_value(&uuid_list_page, bytes, "uuid_association_1", "1");
	check_value(&uuid_list_page, bytes, "uuid_2", "\"ff000000000000000000000000000000\"");
	check_value(&uuid_list_page, bytes, "uuid_association_2", "0");
	put_hex(bytes, 144, "ff"); /* behind the end */
	check_value(&uuid_list_page, bytes, "uuid_3", "absent");
	check_value(&uuid_list_page, bytes, "uuid_4", "absent");
	check_value(&uuid_list_page, bytes, "uuid_association_4", "absent");
}
END_TEST

START_TEST(test_namespaces_are_listed_up_to_a_zero)
{
	check_value(&namespaces_page, bytes, "nsids", "absent");
	put_hex(bytes, 0, "01 00 00 00 05 00 00 00 fe ff ff ff 00 00 00 00 07");
	check_value(&namespaces_page, bytes, "nsids", "\"1 5 4294967294\"");
	ck_assert(survives(&namespaces_page, "nsids", "1 2 3"));
	ck_assert(!survives(&namespaces_page, "nsids", "one"));
}
END_TEST

/* A drive whose other pages are these bytes, or not known. */
struct facts {
	const uint8_t *identify, *logs, *uuids;
	bool settled;
};

static const uint8_t *bytes_of(const void *userdata, const struct page *p, bool *ret_settled)
{
	const struct facts *f = userdata;
	const uint8_t *known = p == &identify_page	   ? f->identify
			       : p == &supported_logs_page ? f->logs
			       : p == &uuid_list_page	   ? f->uuids
							   : NULL;

	*ret_settled = !known && f->settled;
	return known;
}

static enum page_presence presence(const struct page *p, const struct facts *f)
{
	struct page_facts facts = { .model = "", .firmware = "", .bytes = bytes_of, .userdata = f };

	return page_presence(p, &facts);
}

START_TEST(test_the_list_of_log_pages_decides_where_there_is_one)
{
	uint8_t identify[4096] = { 0 }, logs[1024] = { 0 };
	struct facts f = { 0 };

	ck_assert_int_eq(presence(&identify_page, &f), PAGE_POSSIBLE);
	ck_assert_int_eq(presence(&smart_page, &f), PAGE_POSSIBLE);
	ck_assert_int_eq(presence(&supported_logs_page, &f), PAGE_LATER);
	f.identify = identify;
	ck_assert_int_eq(presence(&supported_logs_page, &f), PAGE_LACKED);
	identify[261] = 1 << 5; /* LPA */
	ck_assert_int_eq(presence(&supported_logs_page, &f), PAGE_POSSIBLE);
	ck_assert_int_eq(presence(&ocp_smart_page, &f), PAGE_LATER);
	f.settled = true; /* neither list is there */
	ck_assert_int_eq(presence(&ocp_smart_page, &f), PAGE_POSSIBLE);
	f.logs = logs;
	ck_assert_int_eq(presence(&ocp_smart_page, &f), PAGE_LACKED);
	logs[4 * 0xc0] = 1;
	ck_assert_int_eq(presence(&ocp_smart_page, &f), PAGE_POSSIBLE);
}
END_TEST

START_TEST(test_the_uuid_list_comes_before_the_pages_it_is_about)
{
	uint8_t identify[4096] = { 0 };
	struct facts f = { .identify = identify };

	identify[97] = 1 << 1; /* CTRATT bit 9 */
	ck_assert_int_eq(presence(&uuid_list_page, &f), PAGE_POSSIBLE);
	identify[97] = 0;
	ck_assert_int_eq(presence(&uuid_list_page, &f), PAGE_LACKED);
	f.logs = memset(bytes, 1, sizeof(bytes));
	ck_assert_int_eq(presence(&ocp_smart_page, &f), PAGE_LATER);
	f.uuids = bytes;
	ck_assert_int_eq(presence(&ocp_smart_page, &f), PAGE_POSSIBLE);
}
END_TEST

START_TEST(test_drives_before_1_1_are_not_asked_for_their_namespaces)
{
	uint8_t identify[4096] = { 0 };
	struct facts f = { .identify = identify };

	ck_assert_int_eq(presence(&namespaces_page, &f), PAGE_LACKED);
	put_number(identify, 80, 4, 0x10000);
	ck_assert_int_eq(presence(&namespaces_page, &f), PAGE_LACKED);
	put_number(identify, 80, 4, 0x10100);
	ck_assert_int_eq(presence(&namespaces_page, &f), PAGE_POSSIBLE);
}
END_TEST

START_TEST(test_instances_have_names)
{
	uint32_t instance = 77;

	ck_assert_ptr_eq(page_find_instance("smart", &instance), &smart_page);
	ck_assert_uint_eq(instance, 0);
	ck_assert_ptr_null(page_find_instance("smart_1", &instance));
	ck_assert_ptr_null(page_find_instance("ocp", &instance));
	ck_assert_ptr_null(page_find_instance("_1", &instance));
	for (unsigned i = 0; pages[i]; i++) {
		char name[PAGE_NAME_MAX];

		page_instance_name(pages[i], 12, name);
		ck_assert_ptr_eq(page_find_instance(name, &instance), pages[i]);
		ck_assert_uint_eq(instance, pages[i]->selector == SELECT_NOTHING ? 0 : 12);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_log_pages_are_listed_in_runs,
		test_a_list_of_log_pages_is_set_by_its_text,
		test_a_list_that_does_not_fit_is_absent,
		test_uuids_end_with_the_first_of_zeros,
		test_namespaces_are_listed_up_to_a_zero,
		test_the_list_of_log_pages_decides_where_there_is_one,
		test_the_uuid_list_comes_before_the_pages_it_is_about,
		test_drives_before_1_1_are_not_asked_for_their_namespaces,
		test_instances_have_names,
		NULL,
	};

	return check_main_with("pages lists", tests, clear, NULL);
}
