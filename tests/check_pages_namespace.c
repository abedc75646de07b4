/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Identify Namespace: bytes as the specification lays them out, values as it means them, and which
 * namespaces are asked for. */

#include "page_facts.h"
#include "sim_support.h"

#define check_ns(bytes, column, expected) check_value(&namespace_page, bytes, column, expected)

START_TEST(test_identify_namespace)
{
	uint8_t bytes[4096] = { 0 };

	put_number(bytes, 0, 8, 937684566);  /* NSZE */
	put_number(bytes, 8, 8, 937684560);  /* NCAP */
	put_number(bytes, 16, 8, 123456);    /* NUSE */
	put_hex(bytes, 24, "1a 01 01 03 1f 00 01");
	put_hex(bytes, 32, "e3 09");         /* FPI: 99 % left */
	put_number(bytes, 46, 2, 256);
	put_number(bytes, 48, 16, 3840755982336);
	put_hex(bytes, 64, "1f 00 07 00 ff 00 0f 00 ff ff");
	put_number(bytes, 92, 4, 7);
	bytes[99] = 1;
	put_number(bytes, 100, 2, 2);
	put_number(bytes, 102, 2, 3);
	put_hex(bytes, 104, "36 44 43 30 4e 30 00 01 00 25 38 5a 00 00 00 02");
	put_hex(bytes, 120, "00 25 38 41 71 00 12 34");
	put_hex(bytes, 128, "00 00 09 02 08 00 0c 00");
	check_ns(bytes, "block_bytes", "4096");
	check_ns(bytes, "metadata_bytes", "8");
	check_ns(bytes, "size_bytes", "3840755982336");
	check_ns(bytes, "capacity_bytes", "3840755957760");
	check_ns(bytes, "used_bytes", "505675776");
	check_ns(bytes, "nsfeat", "26");
	check_ns(bytes, "nlbaf", "1");
	check_ns(bytes, "flbas", "1");
	check_ns(bytes, "mc", "3");
	check_ns(bytes, "dpc", "31");
	check_ns(bytes, "dps", "0");
	check_ns(bytes, "nmic", "1");
	check_ns(bytes, "format_remaining_ratio", "0.99");
	check_ns(bytes, "dlfeat", "9");
	check_ns(bytes, "noiob_blocks", "256");
	check_ns(bytes, "nvmcap_bytes", "3840755982336");
	check_ns(bytes, "npwg_blocks", "32");
	check_ns(bytes, "npwa_blocks", "8");
	check_ns(bytes, "npdg_blocks", "256");
	check_ns(bytes, "npda_blocks", "16");
	check_ns(bytes, "nows_blocks", "65536");
	check_ns(bytes, "anagrpid", "7");
	check_ns(bytes, "nsattr", "1");
	check_ns(bytes, "nvmsetid", "2");
	check_ns(bytes, "endgid", "3");
	check_ns(bytes, "nguid", "\"364443304e3000010025385a00000002\"");
	check_ns(bytes, "eui64", "\"0025384171001234\"");
}
END_TEST

START_TEST(test_a_namespace_of_old_reports_little)
{
	uint8_t bytes[4096] = { 0 };

	put_number(bytes, 0, 8, 1000);
	bytes[130] = 9;
	check_ns(bytes, "size_bytes", "512000");
	check_ns(bytes, "used_bytes", "0");
	check_ns(bytes, "format_remaining_ratio", "absent");
	check_ns(bytes, "noiob_blocks", "absent");
	check_ns(bytes, "nvmcap_bytes", "absent");
	check_ns(bytes, "npwg_blocks", "absent");
	check_ns(bytes, "endgid", "absent");
	check_ns(bytes, "nguid", "absent");
	check_ns(bytes, "eui64", "absent");
}
END_TEST

/* NVMe 2.0 has 64 formats: bits 6:5 of FLBAS are the upper half of the number. */
START_TEST(test_the_format_in_use_is_found)
{
	uint8_t bytes[4096] = { 0 };

	put_number(bytes, 0, 8, 10);
	for (unsigned i = 0; i < 64; i++) {
		bytes[26] = (uint8_t)((i & 0xf) | (i >> 4) << 5 | 0x90);
		bytes[128 + 4 * i + 2] = 12;
		check_ns(bytes, "size_bytes", "40960");
		bytes[128 + 4 * i + 2] = 0;
		check_ns(bytes, "size_bytes", "absent");
	}
	bytes[26] = 0;
	bytes[130] = 8; /* no block is smaller than 512 bytes */
	check_ns(bytes, "size_bytes", "absent");
	bytes[130] = 255;
	check_ns(bytes, "size_bytes", "absent");
	check_ns(bytes, "block_bytes", "absent");
}
END_TEST

START_TEST(test_an_inactive_namespace_has_no_size)
{
	uint8_t bytes[4096] = { 0 };

	ck_assert_int_eq(page_check(&namespace_page, bytes, sizeof(bytes)), PAGE_SOUND);
	check_ns(bytes, "size_bytes", "absent");
	check_ns(bytes, "used_bytes", "absent");
}
END_TEST

/* Cases DEC-01 and DEC-02: 8 TB in bytes, and what is not of 64 bits. */
START_TEST(test_DEC_02_sizes_are_computed_in_64_bits)
{
	uint8_t bytes[4096] = { 0 };

	put_number(bytes, 0, 8, 15628053168);
	put_number(bytes, 16, 8, 15628053168);
	bytes[130] = 9;
	check_ns(bytes, "size_bytes", "8001563222016");
	check_ns(bytes, "used_bytes", "8001563222016");
	put_number(bytes, 0, 8, 1000000);
	bytes[130] = 12;
	check_ns(bytes, "size_bytes", "4096000000");
	put_number(bytes, 0, 8, UINT64_C(1) << 51);
	check_ns(bytes, "size_bytes", "absent");
	put_number(bytes, 0, 8, (UINT64_C(1) << 51) - 1);
	check_ns(bytes, "size_bytes", "9223372036854771712");
	put_number(bytes, 0, 8, UINT64_MAX);
	ck_assert_uint_eq(page_overflows(&namespace_page, bytes), 1);
}
END_TEST

/* Case DEC-11: data units are 512000 bytes whatever the format. */
START_TEST(test_DEC_11_the_format_does_not_change_data_units)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "capacity = 1T\n[namespace_1]\nblock_bytes = 4096\n[raw]\n"
		       "smart.48 = 02 e4 62 09\n"); /* 157475842 */
	struct reply r = run(s, 0, read_page(&namespace_page));

	ck_assert_uint_eq(bytes_get(r.data, 8), UINT64_C(1000000000000) / 4096);
	ck_assert_int_eq(integer_at(s, 0, &smart_page, "host_written_bytes"), INT64_C(157475842) * 512000);
}
END_TEST

/* ---- Which namespaces. ---- */

static void check_namespaces(const struct known *k, const char *expected)
{
	ck_assert_str_eq(instances_of(&namespace_page, k), expected);
	ck_assert_str_eq(instances_of(&block_page, k), expected);
}

START_TEST(test_the_active_list_says_which_there_are)
{
	uint8_t identify[4096] = { 0 }, list[4096] = { 0 };
	struct known k = { 0 };

	check_namespaces(&k, "later");
	known_set(&k, &identify_page, identify);
	/* Case DEC-04: NN is no bound. */
	put_hex(identify, 516, "ff ef ff ff");
	check_namespaces(&k, "later");
	known_set(&k, &namespaces_page, list);
	/* Case CAP-04: none is active. */
	check_namespaces(&k, "");
	put_hex(list, 0, "01 00 00 00 05 00 00 00 00 ef ff ff");
	check_namespaces(&k, "1 5 4294962944");
	/* Rubbish ends it: the list rises, and FFFFFFFFh is all namespaces. */
	put_hex(list, 8, "05 00 00 00");
	check_namespaces(&k, "1 5");
	put_hex(list, 4, "ff ff ff ff");
	check_namespaces(&k, "1");
	for (unsigned i = 0; i < 1024; i++)
		put_number(list, 4 * i, 4, i + 1);
	struct page_facts facts = facts_of(&k);
	uint32_t numbers[PAGE_INSTANCES_MAX];
	ck_assert_int_eq(namespace_page.instances(&facts, numbers, PAGE_INSTANCES_MAX), PAGE_INSTANCES_MAX);
}
END_TEST

START_TEST(test_drives_without_a_list_number_their_namespaces)
{
	uint8_t identify[4096] = { 0 };
	struct known k = { 0 };

	known_set(&k, &identify_page, identify);
	known_set(&k, &namespaces_page, NULL);
	put_number(identify, 516, 4, 2);
	check_namespaces(&k, "1 2");
	put_hex(identify, 516, "ff ef ff ff");
	check_namespaces(&k, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
}
END_TEST

/* ---- Simulated drives. ---- */

START_TEST(test_a_simulated_drive_has_one_namespace_of_its_capacity)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "capacity = 1T\n[namespace_1]\nused_bytes = 4096\neui64 = 0025384171001234\n"
		       "[change]\nat = 60s\ncapacity = 2T\n");

	ck_assert_int_eq(integer_at(s, 0, &namespace_page, "size_bytes"), INT64_C(1000000000000));
	ck_assert_int_eq(integer_at(s, 0, &namespace_page, "used_bytes"), 4096);
	ck_assert_int_eq(integer_at(s, 60 * SECOND, &namespace_page, "size_bytes"), INT64_C(2000000000000));
	struct reply r = run(s, 0, command_for_page(&namespace_page, 2, 0));
	ck_assert_uint_eq(r.status, 0x002);
}
END_TEST

START_TEST(test_namespaces_of_the_list_are_there)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "capacity = 1T\n[namespaces]\nnsids = 1 7\n[namespace_7]\nblock_bytes = 4096\n"
		       "size_bytes = 8192000\n");
	struct reply r = run(s, 0, command_for_page(&namespace_page, 7, 0));

	ck_assert_uint_eq(r.status, 0);
	ck_assert_uint_eq(bytes_get(r.data, 8), 2000);
	r = run(s, 0, command_for_page(&namespace_page, 1, 0));
	ck_assert_uint_eq(r.status, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_identify_namespace,
		test_a_namespace_of_old_reports_little,
		test_the_format_in_use_is_found,
		test_an_inactive_namespace_has_no_size,
		test_DEC_02_sizes_are_computed_in_64_bits,
		test_DEC_11_the_format_does_not_change_data_units,
		test_the_active_list_says_which_there_are,
		test_drives_without_a_list_number_their_namespaces,
		test_a_simulated_drive_has_one_namespace_of_its_capacity,
		test_namespaces_of_the_list_are_there,
		NULL,
	};

	return check_main("pages namespace", tests);
}
