/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Log page 01h: entries by hand, what is new among them, and whose fault they are. */

#include "nvmewatch/error_log.h"
#include "page_facts.h"
#include "sim_support.h"

static uint8_t log_bytes[4096];
static struct error_entry entries[ERROR_ENTRIES_MAX];

/* Entry `at` of the page. The status is as on the wire, with its flag bits and the phase. */
static uint8_t *put_entry(unsigned at, uint64_t count, uint16_t wire)
{
	uint8_t *e = log_bytes + (size_t)64 * at;

	memset(e, 0, 64);
	put_number(e, 0, 8, count);
	put_number(e, 12, 2, wire);
	return e;
}

static void clear(void)
{
	memset(log_bytes, 0, sizeof(log_bytes));
}

/* The numbers of the new entries: "5 6 7". */
static const char *fresh(uint64_t last_seen)
{
	static char shown[1024];
	unsigned n = error_log_new(log_bytes, sizeof(log_bytes), last_seen, entries);
	int used = 0;

	shown[0] = 0;
	for (unsigned i = 0; i < n; i++)
		used += snprintf(shown + used, sizeof(shown) - (size_t)used, "%s%" PRIu64, i ? " " : "",
				 entries[i].count);
	return shown;
}

/* Case ERR-02: Invalid Field of the administration queue at byte 28h. */
START_TEST(test_ERR_02_an_entry_of_an_invalid_field_is_the_hosts)
{
	uint8_t *e = put_entry(0, 14644, 0xc004); /* 6002h, and a phase of 0 */

	put_number(e, 10, 2, 28681);
	put_number(e, 14, 2, 0x0028);
	put_number(e, 16, 8, UINT64_MAX);
	put_number(e, 32, 8, UINT64_MAX);
	ck_assert_str_eq(fresh(14643), "14644");
	ck_assert_uint_eq(entries[0].status, 0x002);
	ck_assert_int_eq(entries[0].cause, ERROR_HOST);
	ck_assert_int_eq(entries[0].sqid, 0);
	ck_assert_int_eq(entries[0].cid, 28681);
	ck_assert_int_eq(entries[0].parameter_byte, 0x28);
	ck_assert_int_eq(entries[0].parameter_bit, 0);
	ck_assert(!entries[0].has_opcode);
	check_value(&error_information_page, log_bytes, "error_count_1", "14644");
	check_value(&error_information_page, log_bytes, "status_1", "2");
	check_value(&error_information_page, log_bytes, "submission_queue_1", "0");
	check_value(&error_information_page, log_bytes, "command_id_1", "28681");
	check_value(&error_information_page, log_bytes, "parameter_byte_1", "40");
	check_value(&error_information_page, log_bytes, "lba_1", "absent");
	check_value(&error_information_page, log_bytes, "command_information_1", "absent");
	check_value(&error_information_page, log_bytes, "opcode_1", "absent");
	check_value(&error_information_page, log_bytes, "error_count_2", "absent");
	check_value(&error_information_page, log_bytes, "status_2", "absent");
	ck_assert_uint_eq(page_overflows(&error_information_page, log_bytes), 0);
}
END_TEST

START_TEST(test_every_part_of_an_entry)
{
	uint8_t *e = put_entry(0, 7, 0x0503); /* SCT 2, SC 81h, and the phase */

	put_hex(e, 8, "03 00 39 30");
	put_hex(e, 14, "0c 05"); /* byte 12, bit 5 */
	put_number(e, 16, 8, 123456789012);
	put_hex(e, 24, "02 00 00 00 c0 03 00 02 88 77 66 55 44 33 22 11 0d 0c");
	e[63] = 1;
	ck_assert_str_eq(fresh(0), "7");
	ck_assert_uint_eq(entries[0].status, 0x281);
	ck_assert_int_eq(entries[0].cause, ERROR_DEVICE);
	ck_assert_int_eq(entries[0].sqid, 3);
	ck_assert_int_eq(entries[0].cid, 12345);
	ck_assert_int_eq(entries[0].parameter_byte, 12);
	ck_assert_int_eq(entries[0].parameter_bit, 5);
	ck_assert_uint_eq(entries[0].lba, 123456789012);
	ck_assert_uint_eq(entries[0].nsid, 2);
	ck_assert_uint_eq(entries[0].vendor_log, 0xc0);
	ck_assert_uint_eq(entries[0].transport, 3);
	ck_assert(entries[0].has_opcode);
	ck_assert_uint_eq(entries[0].csi, 0);
	ck_assert_uint_eq(entries[0].opcode, 2);
	check_value(&error_information_page, log_bytes, "status_1", "641");
	check_value(&error_information_page, log_bytes, "parameter_byte_1", "12");
	check_value(&error_information_page, log_bytes, "parameter_bit_1", "5");
	check_value(&error_information_page, log_bytes, "lba_1", "123456789012");
	check_value(&error_information_page, log_bytes, "nsid_1", "2");
	check_value(&error_information_page, log_bytes, "vendor_log_page_1", "192");
	check_value(&error_information_page, log_bytes, "transport_type_1", "3");
	check_value(&error_information_page, log_bytes, "command_set_1", "0");
	check_value(&error_information_page, log_bytes, "opcode_1", "2");
	check_value(&error_information_page, log_bytes, "command_information_1", "\"1122334455667788\"");
	check_value(&error_information_page, log_bytes, "transport_information_1", "3085");
}
END_TEST

START_TEST(test_ffff_is_no_queue_no_command_and_no_place)
{
	uint8_t *e = put_entry(0, 1, 0x000c);

	put_hex(e, 8, "ff ff ff ff");
	put_hex(e, 14, "ff ff");
	put_number(e, 16, 8, UINT64_MAX);
	ck_assert_str_eq(fresh(0), "1");
	ck_assert_int_eq(entries[0].sqid, -1);
	ck_assert_int_eq(entries[0].cid, -1);
	ck_assert_int_eq(entries[0].parameter_byte, -1);
	check_value(&error_information_page, log_bytes, "submission_queue_1", "absent");
	check_value(&error_information_page, log_bytes, "command_id_1", "absent");
	check_value(&error_information_page, log_bytes, "parameter_byte_1", "absent");
	check_value(&error_information_page, log_bytes, "parameter_bit_1", "absent");
	check_value(&error_information_page, log_bytes, "vendor_log_page_1", "absent");
	check_value(&error_information_page, log_bytes, "transport_type_1", "absent");
}
END_TEST

START_TEST(test_only_newer_entries_are_new)
{
	for (unsigned i = 0; i < 64; i++)
		put_entry(i, 1000 - i, 4);
	ck_assert_uint_eq(error_log_newest(log_bytes, sizeof(log_bytes)), 1000);
	ck_assert_str_eq(fresh(1000), "");
	ck_assert_str_eq(fresh(997), "998 999 1000");
	/* More than the page holds have come: those that are there. */
	ck_assert_uint_eq(error_log_new(log_bytes, sizeof(log_bytes), 5, entries), 64);
	ck_assert_uint_eq(entries[0].count, 937);
	ck_assert_uint_eq(entries[63].count, 1000);
	/* A short read ends with its last whole entry. */
	ck_assert_uint_eq(error_log_new(log_bytes, 3 * 64 + 63, 0, entries), 3);
	ck_assert_uint_eq(error_log_new(log_bytes, 63, 0, entries), 0);
}
END_TEST

START_TEST(test_order_and_doubles_make_no_difference)
{
	static const uint64_t counts[] = { 5, 7, 6, 7, 9, 5, 8 };

	for (unsigned i = 0; i < ELEMENTS(counts); i++)
		put_entry(i, counts[i], 4);
	ck_assert_uint_eq(error_log_newest(log_bytes, sizeof(log_bytes)), 9);
	ck_assert_str_eq(fresh(0), "5 6 7 8 9");
	ck_assert_str_eq(fresh(6), "7 8 9");
}
END_TEST

START_TEST(test_an_entry_without_number_ends_the_log)
{
	put_entry(0, 3, 4);
	put_entry(1, 0, 4);
	put_entry(2, 2, 4);
	ck_assert_str_eq(fresh(0), "3");
	put_entry(1, UINT64_MAX, 4); /* rubbish, which would hide all that follows it */
	ck_assert_str_eq(fresh(0), "3");
	check_value(&error_information_page, log_bytes, "status_1", "2");
	put_entry(0, 0, 0);
	ck_assert_str_eq(fresh(3), "");
	ck_assert_uint_eq(error_log_newest(log_bytes, sizeof(log_bytes)), 0);
	check_value(&error_information_page, log_bytes, "status_1", "absent");
}
END_TEST

/* Case CNT-05: the numbers begin anew, or never were those of log page 02h. */
START_TEST(test_CNT_05_a_log_that_counts_anew_is_new)
{
	for (unsigned i = 0; i < 21; i++)
		put_entry(i, 21 - i, 0xc004);
	ck_assert_str_eq(fresh(423), "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21");
	ck_assert_str_eq(fresh(20), "21");
	ck_assert_str_eq(fresh(21), "");
	/* The power was off: the entries are gone, which is no news. */
	clear();
	ck_assert_str_eq(fresh(21), "");
}
END_TEST

START_TEST(test_causes)
{
	static const uint16_t host[] = {
		0x001, 0x002, 0x003, 0x00b, 0x00c, 0x013, 0x015, 0x01d, 0x020, 0x080, 0x083, 0x084,
		0x101, 0x106, 0x107, 0x109, 0x10a, 0x10d, 0x10e, 0x10f, 0x115, 0x11d, 0x181, 0x1b8, 0x1bc,
		0x285, 0x286, 0x287,
	};
	static const uint16_t device[] = {
		0x000, 0x004, 0x005, 0x006, 0x019, 0x01c, 0x021, 0x022, 0x024, 0x082, 0x088, 0x125, 0x1ba,
		0x1bb, 0x280, 0x281, 0x282, 0x283, 0x284, 0x300, 0x371, 0x7ff,
	};

	for (size_t i = 0; i < ELEMENTS(host); i++)
		ck_assert_msg(error_cause_of(host[i]) == ERROR_HOST, "%x", host[i]);
	for (size_t i = 0; i < ELEMENTS(device); i++)
		ck_assert_msg(error_cause_of(device[i]) == ERROR_DEVICE, "%x", device[i]);
	ck_assert_str_eq(error_cause_name(ERROR_HOST), "host");
	ck_assert_str_eq(error_cause_name(ERROR_DEVICE), "device");
}
END_TEST

START_TEST(test_any_bytes_are_survived)
{
	uint64_t seed = 7;

	for (unsigned round = 0; round < 2000; round++) {
		for (size_t i = 0; i < sizeof(log_bytes); i++)
			log_bytes[i] = (uint8_t)random_next(&seed);
		unsigned n = error_log_new(log_bytes, random_next(&seed) % 4097, random_next(&seed), entries);
		ck_assert_uint_le(n, ERROR_ENTRIES_MAX);
		for (unsigned i = 1; i < n; i++)
			ck_assert_uint_lt(entries[i - 1].count, entries[i].count);
	}
}
END_TEST

/* Drives refuse to be asked for more entries than they keep (log-pages.md, quirk 7). */
START_TEST(test_no_more_entries_are_asked_for_than_there_are)
{
	uint8_t identify[4096] = { 0 };
	struct known k = { 0 };
	struct page_facts facts = facts_of(&k);

	ck_assert_int_eq(presence_of(&error_information_page, &k), PAGE_LATER);
	known_set(&k, &supported_logs_page, NULL);
	known_set(&k, &identify_page, identify);
	ck_assert_int_eq(presence_of(&error_information_page, &k), PAGE_POSSIBLE);
	ck_assert_uint_eq(page_length(&error_information_page, &facts), 64);
	identify[262] = 62;
	ck_assert_uint_eq(page_length(&error_information_page, &facts), 63 * 64);
	identify[262] = 63;
	ck_assert_uint_eq(page_length(&error_information_page, &facts), 4096);
	identify[262] = 255;
	ck_assert_uint_eq(page_length(&error_information_page, &facts), 4096);
}
END_TEST

START_TEST(test_a_simulated_drive_logs_what_it_refuses)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[identify]\nelpe = 3\n[smart]\nerror_log_entries = 100\n"
		       "[error_information]\nerror_count_1 = 100\nstatus_1 = 641\n");
	struct command c = get_log(1);

	ck_assert_uint_eq(run(s, 0, c).status, 0x002); /* 512 bytes are more than 4 entries */
	c.length = 256;
	struct reply r = run(s, 0, c);
	ck_assert_uint_eq(r.status, 0);
	memcpy(log_bytes, r.data, 256);
	ck_assert_str_eq(fresh(0), "100 101");
	ck_assert_uint_eq(entries[0].status, 0x281);
	ck_assert_uint_eq(entries[1].status, 0x002);
	ck_assert_uint_eq(run(s, 0, get_log(0xc0)).status, 0x109);
	r = run(s, 0, c);
	memcpy(log_bytes, r.data, 256);
	ck_assert_str_eq(fresh(101), "102");
	ck_assert_uint_eq(entries[0].status, 0x109);
	ck_assert_int_eq(integer_at(s, 0, &smart_page, "error_log_entries"), 102);
	for (unsigned i = 0; i < 10; i++)
		run(s, 0, get_log(0xc0));
	r = run(s, 0, c);
	memcpy(log_bytes, r.data, 256);
	ck_assert_str_eq(fresh(0), "109 110 111 112");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_ERR_02_an_entry_of_an_invalid_field_is_the_hosts,
		test_every_part_of_an_entry,
		test_ffff_is_no_queue_no_command_and_no_place,
		test_only_newer_entries_are_new,
		test_order_and_doubles_make_no_difference,
		test_an_entry_without_number_ends_the_log,
		test_CNT_05_a_log_that_counts_anew_is_new,
		test_causes,
		test_any_bytes_are_survived,
		test_no_more_entries_are_asked_for_than_there_are,
		test_a_simulated_drive_logs_what_it_refuses,
		NULL,
	};

	return check_main_with("error log", tests, clear, NULL);
}
