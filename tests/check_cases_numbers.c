/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Cases about numbers: exact, unsigned, absent where they are not reported. */

#include "cases_support.h"

START_TEST(test_DEC_01_unsigned_and_exact)
{
	uint8_t bytes[4096] = { 0 };

	put_number(bytes, 328, 4, 2684354563);
	put_number(bytes, 280, 16, UINT64_C(960197124096));
	check_identify(bytes, "sanicap", "2684354563");
	check_identify(bytes, "tnvmcap_bytes", "960197124096");
}
END_TEST

/* The case's namespace size belongs to Identify Namespace; this is the same drive's capacity. */
START_TEST(test_DEC_02_sizes_are_not_clipped_to_int)
{
	uint8_t bytes[4096] = { 0 };

	put_number(bytes, 280, 16, UINT64_C(15628053168) * 512);
	check_identify(bytes, "tnvmcap_bytes", "8001563222016");
	put_number(bytes, 296, 16, INT64_MAX);
	check_identify(bytes, "unvmcap_bytes", "9223372036854775807");
}
END_TEST

START_TEST(test_DEC_04_highest_namespace_id_is_unsigned)
{
	uint8_t bytes[4096] = { 0 };

	put_hex(bytes, 516, "ff ef ff ff");
	put_number(bytes, 272, 4, UINT32_MAX);
	put_number(bytes, 276, 4, UINT32_MAX);
	check_identify(bytes, "nn", "4294963199");
	check_identify(bytes, "hmpre_bytes", "17592186040320");
	check_identify(bytes, "hmmin_bytes", "17592186040320");
}
END_TEST

START_TEST(test_DEC_08_guid_is_sixteen_bytes_in_hexadecimal)
{
	uint8_t bytes[512] = { 1 };

	put_hex(bytes, 496, "c5 af 10 28 ea bf f2 a4 9c 4f 6f 7c c9 14 d5 af");
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, 512), PAGE_SOUND);
	check_value(&ocp_smart_page, bytes, "log_page_guid",
		    "\"afd514c97c6f4f9ca4f2bfea2810afc5\"");
}
END_TEST

START_TEST(test_DEC_11_data_units_do_not_know_the_block_size)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_number(bytes, 48, 16, 157474818);
	check_smart(bytes, "host_written_bytes", "80627106816000");
	put_number(bytes, 48, 16, 0); /* may mean "not reported" */
	check_smart(bytes, "host_written_bytes", "absent");
}
END_TEST

START_TEST(test_DEC_13_bytes_beyond_what_a_double_holds_are_exact)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_hex(bytes, 48, "3c e0 14 8a 07 00 00 00");
	check_smart(bytes, "host_written_bytes", "16579274242048000");
	put_hex(bytes, 48, "3d e0 14 8a 07 00 00 00");
	check_smart(bytes, "host_written_bytes", "16579274242560000");
}
END_TEST

START_TEST(test_DEC_15_contradicting_counters_are_kept)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_number(bytes, 96, 16, 1184621);
	put_number(bytes, 128, 16, 482);
	ck_assert_int_eq(page_check(&smart_page, bytes, 512), PAGE_SOUND);
	check_smart(bytes, "controller_busy_seconds", "71077260");
	check_smart(bytes, "power_on_seconds", "1735200");
}
END_TEST

START_TEST(test_CNT_01_power_on_time_is_not_corrected)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_number(bytes, 128, 16, 8);
	check_smart(bytes, "power_on_seconds", "28800");
}
END_TEST

/* A counter that fell to nothing is still a page; its data units say "not reported". */
START_TEST(test_CNT_03_a_reset_drive_is_believed)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	memset(bytes + 32, 0, 160);
	ck_assert_int_eq(page_check(&smart_page, bytes, 512), PAGE_SOUND);
	check_smart(bytes, "power_on_seconds", "0");
	check_smart(bytes, "host_read_bytes", "absent");
}
END_TEST

START_TEST(test_ERR_08_error_entries_are_as_many_as_there_are)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_number(bytes, 176, 16, 119699);
	check_smart(bytes, "error_log_entries", "119699");
	put_number(bytes, 176, 16, UINT64_C(1) << 40);
	check_smart(bytes, "error_log_entries", "1099511627776");
	ck_assert_int_eq(status_of(bytes), HEALTH_OK);
}
END_TEST

START_TEST(test_TMP_10_limits_of_zero_are_absent)
{
	uint8_t bytes[4096] = { 0 };

	check_identify(bytes, "wctemp_celsius", "absent");
	check_identify(bytes, "cctemp_celsius", "absent");
	put_hex(bytes, 266, "ff ff ff ff");
	check_identify(bytes, "wctemp_celsius", "absent");
	check_identify(bytes, "cctemp_celsius", "absent");
	put_number(bytes, 266, 2, 350);
	put_number(bytes, 268, 2, 358);
	check_identify(bytes, "wctemp_celsius", "77");
	check_identify(bytes, "cctemp_celsius", "85");
}
END_TEST

START_TEST(test_CAP_01_no_total_capacity_without_namespace_management)
{
	uint8_t bytes[4096] = { 0 };

	check_identify(bytes, "tnvmcap_bytes", "absent");
	check_identify(bytes, "unvmcap_bytes", "0");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_DEC_01_unsigned_and_exact,
		test_DEC_02_sizes_are_not_clipped_to_int,
		test_DEC_04_highest_namespace_id_is_unsigned,
		test_DEC_08_guid_is_sixteen_bytes_in_hexadecimal,
		test_DEC_11_data_units_do_not_know_the_block_size,
		test_DEC_13_bytes_beyond_what_a_double_holds_are_exact,
		test_DEC_15_contradicting_counters_are_kept,
		test_CNT_01_power_on_time_is_not_corrected,
		test_CNT_03_a_reset_drive_is_believed,
		test_ERR_08_error_entries_are_as_many_as_there_are,
		test_TMP_10_limits_of_zero_are_absent,
		test_CAP_01_no_total_capacity_without_namespace_management,
		NULL,
	};

	return check_main("cases numbers", tests);
}
