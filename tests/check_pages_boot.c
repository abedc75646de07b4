/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The boot drives' log page C0h, by hand. */

#include "vendor_support.h"

static const struct place places[] = {
	{ 0, 16, "tlc_written_bytes" }, { 16, 16, "slc_written_bytes" },
	{ 34, 6, "bad_user_nand_blocks" }, { 40, 8, "xor_recoveries" },
	{ 48, 8, "uncorrectable_read_errors" }, { 56, 8, "end_to_end_corrected_errors" },
	{ 64, 8, "end_to_end_detected_errors" }, { 72, 8, "end_to_end_uncorrected_errors" },
	{ 84, 8, "tlc_erase_cycles_min" }, { 92, 8, "tlc_erase_cycles_max" },
	{ 100, 8, "tlc_erase_cycles_avg" }, { 108, 8, "slc_erase_cycles_min" },
	{ 116, 8, "slc_erase_cycles_max" }, { 124, 8, "slc_erase_cycles_avg" },
	{ 134, 6, "program_failures" }, { 142, 6, "erase_failures" },
	{ 148, 8, "pcie_correctable_errors" }, { 160, 8, "security_version_number" },
	{ 172, 16, "deallocate_commands" }, { 188, 8, "namespace_used_blocks" },
	{ 196, 2, "format_commands" }, { 202, 8, "soft_ecc_errors" }, { 210, 8, "refreshes" },
	{ 220, 6, "bad_system_nand_blocks" }, { 226, 16, "endurance_estimate_raw" },
	{ 242, 1, "throttled" }, { 243, 1, "thermal_throttle_events" }, { 244, 8, "unaligned_ios" },
	{ 252, 16, "media_read_bytes" }, { 268, 4, "read_timeouts" }, { 272, 4, "write_timeouts" },
	{ 276, 4, "trim_timeouts" }, { 284, 8, "pcie_link_retrains" },
	{ 292, 8, "power_state_changes" }, { 308, 4, "ftl_unit" }, { 312, 4, "tcg_ownership" },
};

static const struct expected others[] = {
	{ "bad_user_nand_blocks_normalized_ratio", "0.99" }, { "system_data_used_ratio", "0.02" },
	{ "program_failures_normalized_ratio", "0.98" }, { "erase_failures_normalized_ratio", "0.97" },
	{ "free_user_blocks_ratio", "0.03" }, { "free_system_blocks_ratio", "0.04" },
	{ "back_pressure_ratio", "0.05" }, { "bad_system_nand_blocks_normalized_ratio", "0.96" },
	{ "specification_version_raw", "\"0102030405060708\"" }, { "log_page_version", "1" },
	{ "log_page_guid", "\"c46dd7920f1e4266a178d8ac78884365\"" },
};

static void fill(uint8_t bytes[static 512])
{
	memset(bytes, 0, 512);
	put_places(bytes, places, ELEMENTS(places));
	put_hex(bytes, 32, "63 00");
	put_hex(bytes, 80, "02");
	put_hex(bytes, 132, "62 00");
	put_hex(bytes, 140, "61 00");
	put_hex(bytes, 156, "03");
	put_hex(bytes, 168, "04");
	put_hex(bytes, 198, "05");
	put_hex(bytes, 218, "60 00");
	put_hex(bytes, 300, "08 07 06 05 04 03 02 01");
	put_hex(bytes, 494, "01 00 65 43 88 78 ac d8 78 a1 66 42 1e 0f 92 d7 6d c4");
}

START_TEST(test_every_value_is_what_the_reference_says)
{
	uint8_t bytes[512];

	fill(bytes);
	ck_assert_int_eq(page_check(&hyperscale_boot_smart_page, bytes, 512), PAGE_SOUND);
	check_places(&hyperscale_boot_smart_page, bytes, places, ELEMENTS(places));
	check_values(&hyperscale_boot_smart_page, bytes, others, ELEMENTS(others));
	ck_assert_uint_eq(page_columns(&hyperscale_boot_smart_page),
			  ELEMENTS(places) + ELEMENTS(others));
}
END_TEST

START_TEST(test_of_the_pages_under_c0h_one_is_believed)
{
	uint8_t bytes[512];

	fill(bytes);
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, 512), PAGE_WRONG_GUID);
	ck_assert_int_eq(page_check(&wdc_eol_page, bytes, 512), PAGE_WRONG_LAYOUT);
	put_hex(bytes, 496, "c5 af 10 28 ea bf f2 a4 9c 4f 6f 7c c9 14 d5 af");
	ck_assert_int_eq(page_check(&hyperscale_boot_smart_page, bytes, 512), PAGE_WRONG_GUID);
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, 512), PAGE_SOUND);
	memset(bytes + 494, 0, 18);
	ck_assert_int_eq(page_check(&hyperscale_boot_smart_page, bytes, 512), PAGE_WRONG_GUID);
	/* OCP's is asked for first. */
	ck_assert_uint_lt(page_index(&ocp_smart_page), page_index(&hyperscale_boot_smart_page));
	ck_assert_uint_lt(page_index(&hyperscale_boot_smart_page), page_index(&wdc_eol_page));
}
END_TEST

static const struct {
	struct asked_drive drive;
	enum page_presence presence;
} drives[] = {
	{ { 0x15b7, "WDC CL SN720 SDAQNTW-512G-2000", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_POSSIBLE },
	{ { 0x15b7, "WDC CL SN720 SDAQNTW-512G-2000", HAS, LACKS, LACKS, UNREAD, 0, NULL }, PAGE_LATER },
	{ { 0x15b7, "WDC CL SN720 SDAQNTW-512G-2000", HAS, LACKS, LACKS, HAS, 0, NULL }, PAGE_LACKED },
	{ { 0x15b7, "WDS500G3X0C-00SJG0", HAS, LACKS, LACKS, LACKS, 0, NULL }, PAGE_LACKED },
	{ { 0x15b7, "WDS500G3X0C-00SJG0", HAS, HAS, LACKS, LACKS, 0xc0, NULL }, PAGE_POSSIBLE },
	{ { 0x1344, "Micron_7300_MTFDHBE3T8TDF", HAS, LACKS, LACKS, LACKS, 0, NULL }, PAGE_LACKED },
	{ { 0x1344, "Micron_7300_MTFDHBE3T8TDF", HAS, HAS, LACKS, LACKS, 0xc0, NULL }, PAGE_POSSIBLE },
	{ { 0x1344, "Micron_7300_MTFDHBE3T8TDF", HAS, HAS, LACKS, LACKS, 0xca, NULL }, PAGE_LACKED },
	{ { 0x144d, "SAMSUNG MZQL23T8HCLS-00A07", HAS, HAS, LACKS, LACKS, 0xc0, NULL }, PAGE_LACKED },
	{ { 0x1e0f, "KCD6XLUL15T3", HAS, HAS, LACKS, LACKS, 0xc0, NULL }, PAGE_LACKED },
	{ { 0x1bb1, "Seagate FireCuda 530 ZP1000GM30013", HAS, HAS, LACKS, LACKS, 0xc0, NULL },
	  PAGE_LACKED },
};

START_TEST(test_only_boot_drives_and_those_that_list_it_are_asked)
{
	for (size_t i = 0; i < ELEMENTS(drives); i++)
		ck_assert_msg(asked(&hyperscale_boot_smart_page, &drives[i].drive) == drives[i].presence,
			      "%zu %s", i, drives[i].drive.model);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_every_value_is_what_the_reference_says,
		test_of_the_pages_under_c0h_one_is_believed,
		test_only_boot_drives_and_those_that_list_it_are_asked,
		NULL,
	};

	return check_main("pages boot", tests);
}
