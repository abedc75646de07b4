/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Cases about temperature and health in log page 02h. */

#include "cases_support.h"

START_TEST(test_TMP_01_below_zero_is_negative)
{
	static const struct {
		unsigned kelvin;
		const char *celsius;
	} samples[] = {
		{ 265, "-8" }, { 272, "-1" }, { 273, "0" }, { 274, "1" }, { 233, "-40" },
	};
	uint8_t bytes[512];

	smart_at_peace(bytes);
	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		put_number(bytes, 1, 2, samples[i].kelvin);
		put_number(bytes, 200, 2, samples[i].kelvin);
		put_number(bytes, 214, 2, samples[i].kelvin);
		check_smart(bytes, "temperature_celsius", samples[i].celsius);
		check_smart(bytes, "sensor_temperature_celsius_1", samples[i].celsius);
		check_smart(bytes, "sensor_temperature_celsius_8", samples[i].celsius);
	}
}
END_TEST

START_TEST(test_TMP_02_zero_kelvin_is_not_reported)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_number(bytes, 1, 2, 0);
	ck_assert_int_eq(page_check(&smart_page, bytes, 512), PAGE_SOUND);
	check_smart(bytes, "temperature_celsius", "absent");
	check_smart(bytes, "available_spare_ratio", "1");
	ck_assert_int_eq(status_of(bytes), HEALTH_OK);
}
END_TEST

START_TEST(test_TMP_04_sensors_keep_their_number)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_number(bytes, 1, 2, 0x0133);
	put_number(bytes, 200, 2, 0);
	put_number(bytes, 202, 2, 0x0163);
	check_smart(bytes, "temperature_celsius", "34");
	check_smart(bytes, "sensor_temperature_celsius_1", "absent");
	check_smart(bytes, "sensor_temperature_celsius_2", "82");
	check_smart(bytes, "sensor_temperature_celsius_3", "absent");
	ck_assert_int_eq(status_of(bytes), HEALTH_OK);
}
END_TEST

START_TEST(test_TMP_06_a_stuck_temperature_is_shown_and_raises_nothing)
{
	uint8_t bytes[512] = { 0 };

	put_hex(bytes, 0, "00 39 01 64 0a");
	put_number(bytes, 192, 4, 1);
	put_number(bytes, 216, 4, 7);
	check_smart(bytes, "temperature_celsius", "40");
	check_smart(bytes, "temperature_over_warning_seconds", "60");
	check_smart(bytes, "thermal_transitions_1", "7");
	ck_assert_int_eq(status_of(bytes), HEALTH_OK);
}
END_TEST

START_TEST(test_TMP_08_an_unlikely_temperature_is_reported_as_it_is)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_number(bytes, 1, 2, 0x0111);
	check_smart(bytes, "temperature_celsius", "0");
}
END_TEST

START_TEST(test_TMP_12_composite_is_not_recomputed_from_sensors)
{
	static const unsigned kelvin[] = { 330, 323, 317, 316, 330, 323, 317, 316 };
	static const char *const celsius[] = { "57", "50", "44", "43", "57", "50", "44", "43" };
	char column[64];
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_number(bytes, 1, 2, 311);
	for (unsigned i = 0; i < 8; i++)
		put_number(bytes, 200 + 2 * i, 2, kelvin[i]);
	check_smart(bytes, "temperature_celsius", "38");
	for (unsigned i = 0; i < 8; i++) {
		snprintf(column, sizeof(column), "sensor_temperature_celsius_%u", i + 1);
		check_smart(bytes, column, celsius[i]);
	}
}
END_TEST

START_TEST(test_HLT_01_endurance_used_goes_beyond_its_rating)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	bytes[5] = 0x68;
	check_smart(bytes, "endurance_used_ratio", "1.04");
	bytes[5] = 0x82;
	check_smart(bytes, "endurance_used_ratio", "1.3");
	bytes[5] = 0xff;
	check_smart(bytes, "endurance_used_ratio", "2.55");
}
END_TEST

START_TEST(test_HLT_03_a_reserved_threshold_is_not_reported)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_hex(bytes, 3, "64 ff ff");
	check_smart(bytes, "available_spare_ratio", "1");
	check_smart(bytes, "available_spare_threshold_ratio", "absent");
	check_smart(bytes, "endurance_used_ratio", "2.55");
	ck_assert_int_eq(status_of(bytes), HEALTH_OK);
}
END_TEST

START_TEST(test_HLT_05_a_threshold_of_zero_is_a_value)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	bytes[4] = 0;
	check_smart(bytes, "available_spare_threshold_ratio", "0");
	ck_assert_int_eq(status_of(bytes), HEALTH_OK);
}
END_TEST

START_TEST(test_HLT_07_each_warning_bit_is_its_own_value)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_hex(bytes, 0, "04 2d 01 64 0a 64");
	check_smart(bytes, "critical_warning_raw", "4");
	check_smart(bytes, "critical_warning_reliability", "1");
	check_smart(bytes, "critical_warning_spare", "0");
	check_smart(bytes, "critical_warning_read_only", "0");
	check_smart(bytes, "available_spare_ratio", "1");
	check_smart(bytes, "endurance_used_ratio", "1");
	check_smart(bytes, "temperature_celsius", "28");
}
END_TEST

START_TEST(test_HLT_08_failed_backup_is_named)
{
	uint8_t bytes[512];
	struct health h;

	smart_at_peace(bytes);
	bytes[0] = 0x10;
	check_smart(bytes, "critical_warning_backup_failed", "1");
	health_assess(bytes, &well, &h);
	ck_assert_int_ne(h.status, HEALTH_OK);
	ck_assert_uint_eq(h.n_reasons, 1);
	ck_assert_ptr_nonnull(strstr(h.reasons[0], "backup"));
}
END_TEST

START_TEST(test_HLT_11_spare_below_100_is_no_alarm)
{
	uint8_t bytes[512];

	smart_at_peace(bytes);
	put_hex(bytes, 3, "62 0a 00");
	check_smart(bytes, "available_spare_ratio", "0.98");
	check_smart(bytes, "endurance_used_ratio", "0");
	ck_assert_int_eq(status_of(bytes), HEALTH_OK);
}
END_TEST

START_TEST(test_PRM_10_warning_byte_and_bits_agree)
{
	static const char *const columns[] = {
		"critical_warning_spare", "critical_warning_temperature",
		"critical_warning_reliability", "critical_warning_read_only",
		"critical_warning_backup_failed", "critical_warning_pmr",
		"critical_warning_personality",
	};
	uint8_t bytes[512];

	smart_at_peace(bytes);
	for (unsigned raw = 0; raw < 256; raw++) {
		bytes[0] = (uint8_t)raw;
		ck_assert_int_eq(value_at(&smart_page, bytes, "critical_warning_raw").integer, raw);
		for (unsigned bit = 0; bit < ELEMENTS(columns); bit++)
			check_smart(bytes, columns[bit], raw >> bit & 1 ? "1" : "0");
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_TMP_01_below_zero_is_negative,
		test_TMP_02_zero_kelvin_is_not_reported,
		test_TMP_04_sensors_keep_their_number,
		test_TMP_06_a_stuck_temperature_is_shown_and_raises_nothing,
		test_TMP_08_an_unlikely_temperature_is_reported_as_it_is,
		test_TMP_12_composite_is_not_recomputed_from_sensors,
		test_HLT_01_endurance_used_goes_beyond_its_rating,
		test_HLT_03_a_reserved_threshold_is_not_reported,
		test_HLT_05_a_threshold_of_zero_is_a_value,
		test_HLT_07_each_warning_bit_is_its_own_value,
		test_HLT_08_failed_backup_is_named,
		test_HLT_11_spare_below_100_is_no_alarm,
		test_PRM_10_warning_byte_and_bits_agree,
		NULL,
	};

	return check_main("cases", tests);
}
