/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Endurance groups, rotational media and power measurement: bytes as the specification lays them out,
 * values as it means them, and of which drive they are asked. */

#include "page_facts.h"
#include "sim_support.h"

#define check_group(bytes, column, expected) check_value(&endurance_group_page, bytes, column, expected)
#define check_media(bytes, column, expected) check_value(&rotational_media_page, bytes, column, expected)
#define check_power(bytes, column, expected) check_value(&power_measurement_page, bytes, column, expected)

static uint8_t identify[4096];

static void clear(void)
{
	memset(identify, 0, sizeof(identify));
}

/* Identify Controller, and no list of log pages. */
static void know_identify(struct known *k)
{
	known_set(k, &supported_logs_page, NULL);
	known_set(k, &identify_page, identify);
}

START_TEST(test_endurance_group)
{
	uint8_t bytes[512] = { 0 };

	put_hex(bytes, 0, "0d 01 00 63 0a 79 02 00");
	put_number(bytes, 32, 16, 7008000); /* 10^9 bytes each */
	put_number(bytes, 48, 16, 310000);
	put_number(bytes, 64, 16, 95000);
	put_number(bytes, 80, 16, 133000);
	put_number(bytes, 96, 16, 1000001);
	put_number(bytes, 112, 16, 1000002);
	put_number(bytes, 128, 16, 3);
	put_number(bytes, 144, 16, 4);
	put_number(bytes, 160, 16, 3840755982336);
	put_number(bytes, 176, 16, 5);
	check_group(bytes, "critical_warning_raw", "13");
	check_group(bytes, "critical_warning_spare", "1");
	check_group(bytes, "critical_warning_reliability", "1");
	check_group(bytes, "critical_warning_read_only", "1");
	check_group(bytes, "features", "1");
	check_group(bytes, "available_spare_ratio", "0.99");
	check_group(bytes, "available_spare_threshold_ratio", "0.1");
	check_group(bytes, "endurance_used_ratio", "1.21");
	check_group(bytes, "domainid", "2");
	check_group(bytes, "endurance_estimate_bytes", "7008000000000000");
	check_group(bytes, "host_read_bytes", "310000000000000");
	check_group(bytes, "host_written_bytes", "95000000000000");
	check_group(bytes, "media_written_bytes", "133000000000000");
	check_group(bytes, "host_read_commands", "1000001");
	check_group(bytes, "host_write_commands", "1000002");
	check_group(bytes, "media_errors", "3");
	check_group(bytes, "error_log_entries", "4");
	check_group(bytes, "capacity_bytes", "3840755982336");
	check_group(bytes, "unallocated_bytes", "5");
}
END_TEST

START_TEST(test_what_a_group_does_not_report_is_absent)
{
	uint8_t bytes[512] = { 0, 0, 0, 100, 10 };

	check_group(bytes, "endurance_estimate_bytes", "absent");
	check_group(bytes, "host_read_bytes", "absent");
	check_group(bytes, "media_written_bytes", "absent");
	check_group(bytes, "capacity_bytes", "absent");
	check_group(bytes, "domainid", "absent");
	check_group(bytes, "media_errors", "0");
	put_number(bytes, 72, 8, 1); /* an upper half */
	check_group(bytes, "host_written_bytes", "absent");
	ck_assert_uint_eq(page_overflows(&endurance_group_page, bytes), 1);
}
END_TEST

START_TEST(test_identify_says_which_groups_there_are)
{
	struct known k = { 0 };

	ck_assert_str_eq(instances_of(&endurance_group_page, &k), "later");
	know_identify(&k);
	put_number(identify, 340, 2, 3); /* ENDGIDMAX */
	ck_assert_str_eq(instances_of(&endurance_group_page, &k), "");
	ck_assert_int_eq(presence_of(&endurance_group_page, &k), PAGE_LACKED);
	identify[96] = 0x10; /* CTRATT bit 4 */
	ck_assert_str_eq(instances_of(&endurance_group_page, &k), "1 2 3");
	ck_assert_int_eq(presence_of(&endurance_group_page, &k), PAGE_POSSIBLE);
	put_number(identify, 340, 2, 0);
	ck_assert_str_eq(instances_of(&endurance_group_page, &k), "");
	put_number(identify, 340, 2, 0xffff);
	ck_assert_str_eq(instances_of(&endurance_group_page, &k), "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
}
END_TEST

START_TEST(test_rotational_media)
{
	uint8_t bytes[512] = { 0 };

	put_hex(bytes, 0, "01 00 02 00 20 1c 00 00 0a 00 00 00 0b 00 00 00 0c 00 00 00 0d 00 00 00");
	check_media(bytes, "endgid", "1");
	check_media(bytes, "actuators", "2");
	check_media(bytes, "nominal_rotation_per_minute", "7200");
	check_media(bytes, "spinup_events", "10");
	check_media(bytes, "failed_spinup_events", "11");
	check_media(bytes, "load_events", "12");
	check_media(bytes, "failed_load_events", "13");
}
END_TEST

START_TEST(test_only_what_spins_has_rotational_media)
{
	uint8_t group[512] = { 0 };
	struct known k = { 0 };

	know_identify(&k);
	ck_assert_int_eq(presence_of(&rotational_media_page, &k), PAGE_LACKED);
	identify[96] = 0x10;
	put_number(identify, 340, 2, 2);
	ck_assert_int_eq(presence_of(&rotational_media_page, &k), PAGE_LATER);
	ck_assert_str_eq(instances_of(&rotational_media_page, &k), "later");
	known_set(&k, &endurance_group_page, group);
	ck_assert_int_eq(presence_of(&rotational_media_page, &k), PAGE_LACKED);
	ck_assert_str_eq(instances_of(&rotational_media_page, &k), "");
	group[1] = 1; /* EGFEAT */
	ck_assert_int_eq(presence_of(&rotational_media_page, &k), PAGE_POSSIBLE);
	ck_assert_str_eq(instances_of(&rotational_media_page, &k), "1 2");
	known_set(&k, &endurance_group_page, NULL); /* refused */
	ck_assert_int_eq(presence_of(&rotational_media_page, &k), PAGE_LACKED);
}
END_TEST

START_TEST(test_power_measurement)
{
	uint8_t bytes[576] = { 0 };

	put_hex(bytes, 0, "01 07 0d 00 58 00 00 00 80 51 01 00 02 00 3c 00");
	put_hex(bytes, 16, "00 38 51 c4 a0 01 03 00"); /* 1790000052224 ms, set by the host, may have stopped */
	put_hex(bytes, 24, "08 00 f4 01 40 00 10 00 05 00 00 00");
	put_hex(bytes, 40, "98 03 02 00 10 27 01 00"); /* 9.2 W, 1 W */
	put_hex(bytes, 48, "00 38 51 c4 a0 01 00 00"); /* since a reset */
	bytes[56] = 3;
	put_hex(bytes, 64, "0a 00 00 00 00 00 00 00 14 00 00 00 f4 01 00 00 1e 00 00 00");
	check_power(bytes, "version", "1");
	check_power(bytes, "generation", "7");
	check_power(bytes, "attributes", "13");
	check_power(bytes, "size_bytes", "88");
	check_power(bytes, "samples", "86400");
	check_power(bytes, "histogram_bins", "2");
	check_power(bytes, "stop_seconds", "3600");
	check_power(bytes, "start_timestamp_seconds", "1790000052.224");
	check_power(bytes, "histogram_bin_watts", "0.5");
	check_power(bytes, "nphds", "64");
	check_power(bytes, "vss", "16");
	check_power(bytes, "histogram_overflow_samples", "5");
	check_power(bytes, "interval_power_avg_watts", "9.2");
	check_power(bytes, "interval_power_max_watts", "1");
	check_power(bytes, "interval_power_max_timestamp_seconds", "absent");
	check_power(bytes, "error_ratio", "0.03");
	check_power(bytes, "histogram_samples_1", "10");
	check_power(bytes, "histogram_lower_raw_1", "0");
	check_power(bytes, "histogram_samples_2", "20");
	check_power(bytes, "histogram_lower_raw_2", "500");
	check_power(bytes, "histogram_samples_3", "absent");
	bytes[24] = 16; /* bins of another size */
	check_power(bytes, "histogram_samples_1", "absent");
	bytes[56] = 0xff;
	check_power(bytes, "error_ratio", "absent");
	memset(bytes + 16, 0xff, 8);
	check_power(bytes, "start_timestamp_seconds", "absent");
	memset(bytes + 40, 0, 8);
	check_power(bytes, "interval_power_avg_watts", "absent");
}
END_TEST

START_TEST(test_only_what_measures_has_power_measurement)
{
	struct known k = { 0 };

	know_identify(&k);
	ck_assert_int_eq(presence_of(&power_measurement_page, &k), PAGE_LACKED);
	put_number(identify, 96, 4, 1 << 21);
	ck_assert_int_eq(presence_of(&power_measurement_page, &k), PAGE_POSSIBLE);
}
END_TEST

START_TEST(test_a_simulated_group_lives_with_its_drive)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[endurance_group_1]\nhost_written_bytes = 1000000000\n"
		       "[behaviour]\nworkload = steady\nwrite = 100M\n");
	double smart = (double)integer_at(s, DAY, &smart_page, "host_written_bytes");

	ck_assert_double_eq_tol((double)integer_at(s, DAY, &endurance_group_page, "host_written_bytes") - 1e9,
				smart, 1e9);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_endurance_group,
		test_what_a_group_does_not_report_is_absent,
		test_identify_says_which_groups_there_are,
		test_rotational_media,
		test_only_what_spins_has_rotational_media,
		test_power_measurement,
		test_only_what_measures_has_power_measurement,
		test_a_simulated_group_lives_with_its_drive,
		NULL,
	};

	return check_main_with("pages groups", tests, clear, NULL);
}
