/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Cases about commands and statuses, and the UUID list. */

#include <string.h>

#include "check_main.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/command.h"

START_TEST(test_LOG_06_smart_is_asked_of_all_namespaces)
{
	struct command c = command_for_page(&smart_page, 0, 0);

	ck_assert_uint_eq(c.opcode, 0x02);
	ck_assert_uint_eq(c.nsid, 0xffffffff);
}
END_TEST

START_TEST(test_LOG_14_every_page_is_asked_for_by_its_own_id)
{
	ck_assert_uint_eq(command_for_page(&smart_page, 0, 0).id, 0x02);
	ck_assert_uint_eq(command_for_page(&ocp_smart_page, 0, 0).id, 0xc0);
	ck_assert_uint_eq(command_for_page(&identify_page, 0, 0).id, 0x01);
	ck_assert_uint_eq(command_for_page(&identify_page, 0, 0).opcode, 0x06);
	ck_assert_uint_eq(command_for_page(&identify_page, 0, 0).nsid, 0);
}
END_TEST

/* Bridges hang at more than 560 bytes; NUMD counts dwords, so lengths are multiples of 4. */
START_TEST(test_LOG_17_log_pages_are_read_in_512_bytes)
{
	ck_assert_uint_eq(command_for_page(&smart_page, 0, 0).length, 512);
	ck_assert_uint_eq(command_for_page(&ocp_smart_page, 0, 0).length, 512);
}
END_TEST

START_TEST(test_AEN_01_asynchronous_events_are_retained)
{
	for (unsigned i = 0; pages[i]; i++)
		ck_assert_uint_eq(command_for_page(pages[i], 0, 0).rae, pages[i]->command == PAGE_LOG);
}
END_TEST

START_TEST(test_only_ocp_pages_take_the_uuid_index)
{
	ck_assert_uint_eq(command_for_page(&ocp_smart_page, 0, 3).uuid_index, 3);
	ck_assert_uint_eq(command_for_page(&smart_page, 0, 3).uuid_index, 0);
	ck_assert_uint_eq(command_for_page(&identify_page, 0, 3).uuid_index, 0);
}
END_TEST

/* LOG-01, LOG-02: the page is not there. DEC-17: the flag bits are gone by then
 * (check_source_linux). */
START_TEST(test_LOG_01_refusals_are_told_from_failures)
{
	static const uint16_t refusals[] = { 0x001, 0x002, 0x109 };

	for (unsigned status = 0; status <= 0x7ff; status++) {
		bool refusal = false;

		for (size_t i = 0; i < ELEMENTS(refusals); i++)
			refusal |= status == refusals[i];
		ck_assert_int_eq(status_is_refusal((uint16_t)status), refusal);
	}
}
END_TEST

/* A self-test or sanitize in progress, not ready, internal error: it may be there tomorrow. */
START_TEST(test_SAN_01_temporary_statuses_are_no_refusals)
{
	static const uint16_t temporary[] = { 0x004, 0x006, 0x007, 0x013, 0x01c, 0x01d,
					      0x021, 0x022, 0x024, 0x082, 0x11d };

	for (size_t i = 0; i < ELEMENTS(temporary); i++)
		ck_assert(!status_is_refusal(temporary[i]));
}
END_TEST

/* They say nothing of the drive, not even that it is alive. */
START_TEST(test_statuses_of_the_host_are_told_from_those_of_the_drive)
{
	for (unsigned status = 0; status <= 0x7ff; status++)
		ck_assert_int_eq(status_is_of_host((uint16_t)status),
				 status >= 0x370 && status <= 0x37f);
}
END_TEST

START_TEST(test_DEC_17_statuses_are_said_in_words)
{
	char text[128];

	ck_assert_ptr_nonnull(strstr(status_text(0x109, text, sizeof(text)), "Invalid Log Page"));
	ck_assert_ptr_nonnull(strstr(text, "(SCT 1h, SC 09h)"));
	ck_assert_ptr_nonnull(strstr(status_text(0x002, text, sizeof(text)), "(SCT 0h, SC 02h)"));
	for (unsigned status = 0; status <= 0x7ff; status++)
		ck_assert_uint_gt(strlen(status_text((uint16_t)status, text, sizeof(text))), 10);
	status_text(0x109, text, 8);
	ck_assert_uint_eq(strlen(text), 7);
}
END_TEST

static const uint8_t ocp[16] = { 0xc1, 0x94, 0xd5, 0x5b, 0xe0, 0x94, 0x47, 0x94,
				 0xa2, 0x1d, 0x29, 0x99, 0x8f, 0x56, 0xbe, 0x6f };

/* Entry `index` of the list: 32 bytes, the UUID in its upper half. */
static void put_uuid(uint8_t *list, unsigned index, const uint8_t *uuid)
{
	memcpy(list + 32 * index + 16, uuid, 16);
}

START_TEST(test_the_ocp_uuid_is_found_wherever_it_stands)
{
	static const uint8_t other[16] = { 1, 2, 3 };

	for (unsigned index = 1; index <= 127; index++) {
		uint8_t list[4096] = { 0 };

		for (unsigned i = 1; i < 128; i++)
			put_uuid(list, i, other);
		ck_assert_uint_eq(uuid_index_of(list, ocp_uuid), 0);
		put_uuid(list, index, ocp);
		ck_assert_uint_eq(uuid_index_of(list, ocp_uuid), index);
	}
}
END_TEST

START_TEST(test_the_uuid_list_ends_with_zeros)
{
	uint8_t list[4096] = { 0 };

	ck_assert_uint_eq(uuid_index_of(list, ocp_uuid), 0);
	put_uuid(list, 2, ocp); /* behind the end */
	ck_assert_uint_eq(uuid_index_of(list, ocp_uuid), 0);
	memset(list, 0, sizeof(list));
	put_uuid(list, 0, ocp); /* the first entry is reserved */
	ck_assert_uint_eq(uuid_index_of(list, ocp_uuid), 0);
	memcpy(list + 32, ocp, 16); /* not where the UUID is */
	ck_assert_uint_eq(uuid_index_of(list, ocp_uuid), 0);
}
END_TEST

START_TEST(test_a_uuid_that_differs_in_a_bit_is_another)
{
	for (unsigned bit = 0; bit < 128; bit++) {
		uint8_t list[4096] = { 0 };

		put_uuid(list, 1, ocp);
		list[48 + bit / 8] ^= (uint8_t)(1 << bit % 8);
		ck_assert_uint_eq(uuid_index_of(list, ocp_uuid), 0);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_LOG_06_smart_is_asked_of_all_namespaces,
		test_LOG_14_every_page_is_asked_for_by_its_own_id,
		test_LOG_17_log_pages_are_read_in_512_bytes,
		test_AEN_01_asynchronous_events_are_retained,
		test_only_ocp_pages_take_the_uuid_index,
		test_LOG_01_refusals_are_told_from_failures,
		test_SAN_01_temporary_statuses_are_no_refusals,
		test_statuses_of_the_host_are_told_from_those_of_the_drive,
		test_DEC_17_statuses_are_said_in_words,
		test_the_ocp_uuid_is_found_wherever_it_stands,
		test_the_uuid_list_ends_with_zeros,
		test_a_uuid_that_differs_in_a_bit_is_another,
		NULL,
	};

	return check_main("command cases", tests);
}
