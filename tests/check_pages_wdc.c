/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* WDC's and HGST's log pages CAh, D0h, FBh and C0h from before OCP, by hand. */

#include "vendor_support.h"

static const struct expected smart_values[] = {
	{ "nand_written_bytes", "1108152157446" }, { "nand_read_bytes", "1108152157702" },
	{ "bad_nand_blocks_normalized_ratio", "0.99" }, { "bad_nand_blocks", "6618611909121" },
	{ "uncorrectable_read_errors", "4294967297" }, { "soft_ecc_errors", "4294967298" },
	{ "end_to_end_detected_errors", "16777219" }, { "end_to_end_corrected_errors", "16777220" },
	{ "data_used_ratio", "1.3" }, { "erase_cycles_max", "16777221" },
	{ "erase_cycles_min", "16777222" }, { "refreshes", "4294967303" },
	{ "program_failures", "4294967304" }, { "user_erase_failures", "4294967305" },
	{ "system_erase_failures", "4294967306" }, { "throttled", "1" },
	{ "thermal_throttle_events", "200" }, { "pcie_correctable_errors", "4294967307" },
	{ "incomplete_shutdowns", "16777228" }, { "free_blocks_ratio", "0.42" },
};

static void smart_fill(uint8_t bytes[static 120])
{
	memset(bytes, 0, 120);
	put_number(bytes, 0, 8, 0x10203040506);
	put_number(bytes, 16, 8, 0x10203040606);
	put_hex(bytes, 32, "63 00 01 02 03 04 05 06"); /* the reverse of OCP's: 99 %, raw */
	put_number(bytes, 40, 8, 0x100000001);
	put_number(bytes, 48, 8, 0x100000002);
	put_number(bytes, 56, 4, 0x1000003);
	put_number(bytes, 60, 4, 0x1000004);
	bytes[64] = 130;
	put_number(bytes, 65, 4, 0x1000005);
	put_number(bytes, 69, 4, 0x1000006);
	put_number(bytes, 73, 8, 0x100000007);
	put_number(bytes, 81, 8, 0x100000008);
	put_number(bytes, 89, 8, 0x100000009);
	put_number(bytes, 97, 8, 0x10000000a);
	put_hex(bytes, 105, "01 c8"); /* status, count: the reverse too */
	put_number(bytes, 107, 8, 0x10000000b);
	put_number(bytes, 115, 4, 0x100000c);
	bytes[119] = 42;
}

START_TEST(test_cah_is_what_the_reference_says)
{
	uint8_t bytes[120];

	smart_fill(bytes);
	ck_assert_int_eq(page_check(&wdc_smart_page, bytes, 120), PAGE_SOUND);
	check_values(&wdc_smart_page, bytes, smart_values, ELEMENTS(smart_values));
	ck_assert_uint_eq(page_columns(&wdc_smart_page), ELEMENTS(smart_values));
}
END_TEST

START_TEST(test_another_layout_under_cah_is_not_believed)
{
	static const uint8_t spoilt[][2] = { { 8, 1 }, { 15, 1 }, { 24, 1 }, { 31, 1 } };
	uint8_t bytes[120];

	for (size_t i = 0; i < ELEMENTS(spoilt); i++) {
		smart_fill(bytes);
		bytes[spoilt[i][0]] = spoilt[i][1];
		ck_assert_int_eq(page_check(&wdc_smart_page, bytes, 120), PAGE_WRONG_LAYOUT);
	}
	/* The list of items that boot drives have: fields 0 to 9, one each 12 bytes. */
	memset(bytes, 0, sizeof(bytes));
	for (unsigned i = 0; i < 10; i++)
		put_item12(bytes, i, (uint8_t)i, 100, "01");
	ck_assert_int_eq(page_check(&wdc_smart_page, bytes, 120), PAGE_WRONG_LAYOUT);
}
END_TEST

static const struct expected vu_values[] = {
	{ "reallocated_blocks", "16777217" }, { "power_on_seconds", "36000000" },
	{ "uncorrectable_ecc_errors", "16777218" }, { "write_amplification_raw", "16777219" },
	{ "hourly_write_amplification_raw", "16777220" }, { "reserve_blocks", "16777221" },
	{ "program_failures", "16777222" }, { "erase_failures", "16777223" },
	{ "die_failures", "16777224" }, { "link_rate_raw", "16777225" },
	{ "clean_shutdowns", "16777226" }, { "unclean_shutdowns", "16777227" },
	{ "temperature_raw", "38" }, { "temperature_max_raw", "71" }, { "retired_blocks", "16777228" },
	{ "read_disturb_events", "16777229" }, { "nand_written_raw", "4294967310" },
	{ "capacitor_health_raw", "16777231" }, { "host_written_raw", "4294967312" },
	{ "host_read_raw", "4294967313" }, { "throttle_events", "16777234" },
	{ "erase_cycles_remaining_ratio", "0.97" },
};

static void vu_fill(uint8_t bytes[static 104])
{
	memset(bytes, 0, 104);
	put_number(bytes, 4, 4, 0x1000001);
	put_number(bytes, 8, 4, 10000);
	for (unsigned i = 0; i < 10; i++)
		put_number(bytes, 12 + 4 * i, 4, 0x1000002 + i);
	put_number(bytes, 52, 4, 38);
	put_number(bytes, 56, 4, 71);
	put_number(bytes, 60, 4, 0x100000c);
	put_number(bytes, 64, 4, 0x100000d);
	put_number(bytes, 68, 8, 0x10000000e);
	put_number(bytes, 76, 4, 0x100000f);
	put_number(bytes, 80, 8, 0x100000010);
	put_number(bytes, 88, 8, 0x100000011);
	put_number(bytes, 96, 4, 0x1000012);
	put_number(bytes, 100, 4, 97);
}

START_TEST(test_d0h_is_what_the_reference_says)
{
	uint8_t bytes[104];

	vu_fill(bytes);
	ck_assert_int_eq(page_check(&wdc_vu_smart_page, bytes, 104), PAGE_SOUND);
	check_values(&wdc_vu_smart_page, bytes, vu_values, ELEMENTS(vu_values));
	ck_assert_uint_eq(page_columns(&wdc_vu_smart_page), ELEMENTS(vu_values));
	bytes[101] = 1;
	check_value(&wdc_vu_smart_page, bytes, "erase_cycles_remaining_ratio", "absent");
}
END_TEST

START_TEST(test_fbh_of_versions_1_and_2_is_what_the_reference_says)
{
	static const struct expected values[] = {
		{ "tlc_written_raw", "4294967297" }, { "slc_written_raw", "4294967298" },
		{ "program_failures", "16777219" }, { "erase_failures", "16777220" },
		{ "bad_nand_blocks", "16777221" }, { "recovery_trigger_events", "4294967302" },
		{ "end_to_end_errors", "4294967303" }, { "resize_events", "4294967304" },
		{ "log_page_version", "2" },
	};
	uint8_t bytes[512] = { 0 };

	put_number(bytes, 0, 8, 0x100000001);
	put_number(bytes, 16, 8, 0x100000002);
	put_number(bytes, 32, 4, 0x1000003);
	put_number(bytes, 36, 4, 0x1000004);
	put_number(bytes, 40, 4, 0x1000005);
	put_number(bytes, 44, 8, 0x100000006);
	put_number(bytes, 52, 8, 0x100000007);
	put_number(bytes, 60, 8, 0x100000008);
	put_number(bytes, 510, 2, 2);
	check_values(&wdc_nand_statistics_v2_page, bytes, values, ELEMENTS(values));
	ck_assert_uint_eq(page_columns(&wdc_nand_statistics_v2_page), ELEMENTS(values));
	for (unsigned version = 0; version < 5; version++) {
		put_number(bytes, 510, 2, version);
		ck_assert_int_eq(page_check(&wdc_nand_statistics_v2_page, bytes, 512),
				 version == 1 || version == 2 ? PAGE_SOUND : PAGE_WRONG_LAYOUT);
		ck_assert_int_eq(page_check(&wdc_nand_statistics_v3_page, bytes, 512),
				 version == 3 ? PAGE_SOUND : PAGE_WRONG_LAYOUT);
	}
	put_number(bytes, 510, 2, 0x103);
	ck_assert_int_eq(page_check(&wdc_nand_statistics_v3_page, bytes, 512), PAGE_WRONG_LAYOUT);
}
END_TEST

START_TEST(test_fbh_of_version_3_is_what_the_reference_says)
{
	static const struct {
		unsigned offset, size;
		const char *column;
	} places[] = {
		{ 0, 16, "tlc_written_raw" }, { 16, 16, "slc_written_raw" },
		{ 32, 8, "bad_user_nand_blocks_raw" }, { 40, 8, "xor_recoveries" },
		{ 48, 8, "uncorrectable_read_errors" }, { 56, 16, "end_to_end_corrections_raw" },
		{ 73, 8, "erase_cycles_1" }, { 81, 8, "erase_cycles_2" }, { 89, 8, "erase_cycles_3" },
		{ 97, 8, "erase_cycles_4" }, { 105, 8, "program_failures_raw" },
		{ 113, 8, "erase_failures_raw" }, { 121, 8, "pcie_correctable_errors" },
		{ 130, 8, "security_version_number" }, { 165, 8, "soft_ecc_errors" },
		{ 173, 8, "refreshes" }, { 181, 8, "bad_system_nand_blocks_raw" },
		{ 189, 16, "endurance_estimate_raw" }, { 205, 2, "throttle_raw" },
		{ 207, 8, "unaligned_ios" }, { 215, 16, "media_read_raw" },
	};
	uint8_t bytes[512] = { 0 };
	char number[24];

	for (unsigned i = 0; i < ELEMENTS(places); i++)
		put_number(bytes, places[i].offset, places[i].size, 0x101 + i);
	put_hex(bytes, 72, "02");
	put_hex(bytes, 129, "03");
	put_hex(bytes, 138, "04");
	put_hex(bytes, 139, "01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 "
			    "19");
	put_hex(bytes, 164, "05");
	put_number(bytes, 510, 2, 3);
	for (unsigned i = 0; i < ELEMENTS(places); i++) {
		snprintf(number, sizeof(number), "%u", 0x101 + i);
		check_value(&wdc_nand_statistics_v3_page, bytes, places[i].column, number);
	}
	check_value(&wdc_nand_statistics_v3_page, bytes, "data_used_ratio", "0.02");
	check_value(&wdc_nand_statistics_v3_page, bytes, "free_user_blocks_ratio", "0.03");
	check_value(&wdc_nand_statistics_v3_page, bytes, "free_system_blocks_ratio", "0.04");
	check_value(&wdc_nand_statistics_v3_page, bytes, "back_pressure_ratio", "0.05");
	check_value(&wdc_nand_statistics_v3_page, bytes, "trim_raw",
		    "\"0102030405060708090a0b0c0d0e0f10111213141516171819\"");
	check_value(&wdc_nand_statistics_v3_page, bytes, "log_page_version", "3");
	ck_assert_uint_eq(page_columns(&wdc_nand_statistics_v3_page), ELEMENTS(places) + 6);
}
END_TEST

START_TEST(test_the_old_c0h_is_what_the_reference_says)
{
	static const struct expected values[] = {
		{ "reallocated_blocks", "16777217" }, { "write_amplification_raw", "130" },
		{ "life_remaining_ratio", "0.88" }, { "program_failures", "16777218" },
		{ "erase_failures", "16777219" }, { "raw_read_error_rate_raw", "16777220" },
	};
	uint8_t bytes[512] = { 0 };

	put_number(bytes, 76, 4, 0x1000001);
	put_number(bytes, 84, 4, 130);
	put_number(bytes, 88, 4, 88);
	put_number(bytes, 96, 4, 0x1000002);
	put_number(bytes, 100, 4, 0x1000003);
	put_number(bytes, 108, 4, 0x1000004);
	ck_assert_int_eq(page_check(&wdc_eol_page, bytes, 512), PAGE_SOUND);
	check_values(&wdc_eol_page, bytes, values, ELEMENTS(values));
	ck_assert_uint_eq(page_columns(&wdc_eol_page), ELEMENTS(values));
	/* With a GUID it is somebody else's. */
	bytes[496] = 0x65;
	ck_assert_int_eq(page_check(&wdc_eol_page, bytes, 512), PAGE_WRONG_LAYOUT);
	bytes[496] = 0;
	bytes[88] = 101;
	check_value(&wdc_eol_page, bytes, "life_remaining_ratio", "absent");
}
END_TEST

enum { CA = 1, D0 = 2, FB = 4, C0 = 8 };

static const struct {
	struct asked_drive drive;
	unsigned pages; /* of which it is asked */
} drives[] = {
	{ { 0x1c58, "HUSPR3232ADP301", HAS, LACKS, LACKS, LACKS, 0, NULL }, CA },
	{ { 0x1c58, "HUSMR7638BDP3Y1", HAS, LACKS, LACKS, LACKS, 0, NULL }, CA },
	{ { 0x1b96, "WUS4BB038D7P3E1", HAS, LACKS, LACKS, LACKS, 0, NULL }, CA | D0 | C0 },
	{ { 0x1b96, "WDC WUS4BB038D7P3E1", HAS, LACKS, LACKS, LACKS, 0, NULL }, CA | D0 | C0 },
	{ { 0x1b96, "WUS5EA138ESP7E1", HAS, LACKS, LACKS, HAS, 0, NULL }, 0 },
	{ { 0x1b96, "WUS5EA138ESP7E1", HAS, LACKS, LACKS, UNREAD, 0, NULL }, 0 },
	{ { 0x1b96, "WUS5EA138ESP7E1", HAS, HAS, LACKS, HAS, 0xca, NULL }, CA },
	{ { 0x15b7, "WDC CL SN720 SDAQNTW-512G-2000", HAS, LACKS, LACKS, LACKS, 0, NULL }, FB },
	{ { 0x15b7, "WDS500G3X0C-00SJG0", HAS, LACKS, LACKS, LACKS, 0, NULL }, 0 },
	{ { 0x15b7, "WD_BLACK SN850X 2000GB", HAS, HAS, LACKS, LACKS, 0xca, NULL }, 0 },
	{ { 0x144d, "SAMSUNG MZQL23T8HCLS-00A07", HAS, LACKS, LACKS, LACKS, 0, NULL }, 0 },
	{ { 0x1e0f, "KCD6XLUL15T3", HAS, LACKS, LACKS, LACKS, 0, NULL }, 0 },
	{ { 0x1bb1, "Seagate FireCuda 530 ZP1000GM30013", HAS, LACKS, LACKS, LACKS, 0, NULL }, 0 },
	{ { 0x8086, "INTEL SSDPE2KX040T7", HAS, LACKS, LACKS, LACKS, 0, NULL }, 0 },
	{ { 0x1344, "Micron_9300_MTFDHAL3T8TDP", HAS, LACKS, LACKS, LACKS, 0, NULL }, 0 },
};

START_TEST(test_each_is_asked_of_the_drives_that_may_have_it)
{
	for (size_t i = 0; i < ELEMENTS(drives); i++) {
		const struct asked_drive *d = &drives[i].drive;
		unsigned found = 0;

		found |= asked(&wdc_smart_page, d) == PAGE_POSSIBLE ? CA : 0;
		found |= asked(&wdc_vu_smart_page, d) == PAGE_POSSIBLE ? D0 : 0;
		found |= asked(&wdc_nand_statistics_v2_page, d) == PAGE_POSSIBLE ? FB : 0;
		found |= asked(&wdc_eol_page, d) == PAGE_POSSIBLE ? C0 : 0;
		ck_assert_msg(found == drives[i].pages, "%s: %u, not %u", d->model, found,
			      drives[i].pages);
		ck_assert_int_eq(asked(&wdc_nand_statistics_v3_page, d),
				 asked(&wdc_nand_statistics_v2_page, d));
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_cah_is_what_the_reference_says,
		test_another_layout_under_cah_is_not_believed,
		test_d0h_is_what_the_reference_says,
		test_fbh_of_versions_1_and_2_is_what_the_reference_says,
		test_fbh_of_version_3_is_what_the_reference_says,
		test_the_old_c0h_is_what_the_reference_says,
		test_each_is_asked_of_the_drives_that_may_have_it,
		NULL,
	};

	return check_main("pages wdc", tests);
}
