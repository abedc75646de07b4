/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Log page 02h by hand: bytes as the specification lays them out, values as it means them. */

#include "page_support.h"

static const struct {
	unsigned offset;
	const char *bytes;
} page_bytes[] = {
	{ 0, "55" },                       /* critical warning: bits 0, 2, 4, 6 */
	{ 1, "4b 01" },                    /* composite temperature, 331 K */
	{ 3, "61" },                       /* available spare, 97 % */
	{ 4, "0a" },                       /* its threshold */
	{ 5, "83" },                       /* percentage used, 131 % */
	{ 6, "05" },                       /* endurance group warnings */
	{ 32, "01 02 03 04 00 00 00 00" }, /* data units read: 67305985 */
	{ 48, "03 04 05 06 07 00 00 00" }, /* data units written: 30165763075 */
	{ 64, "11 22 33 44 55 66 77 08" }, /* read commands */
	{ 80, "88 77 66 55 44 33 22 11" }, /* write commands */
	{ 96, "39 30" },                   /* busy, 12345 minutes */
	{ 112, "d2 04" },                  /* power cycles */
	{ 128, "c5 84" },                  /* power on, 33989 hours */
	{ 144, "2a" },                     /* unsafe shutdowns */
	{ 160, "07" },                     /* media errors */
	{ 176, "93 d3 01" },               /* error log entries */
	{ 192, "0b 00 00 00" },            /* over warning temperature, minutes */
	{ 196, "02 00 00 00" },            /* over critical temperature, minutes */
	{ 200, "2d 01 00 00 09 01 63 01 c8 00 90 01 91 01 c7 00" }, /* sensors, 301 K, … */
	{ 216, "05 00 00 00 ff ff ff ff" }, /* thermal management transitions */
	{ 224, "10 0e 00 00 00 00 00 00" }, /* and their seconds */
	{ 232, "e8 03 00 00 00 00 00 00" }, /* energy, 1000 Wh */
	{ 240, "dd 05 02 00" },             /* power, 1501 of 0.01 W */
};

static const struct {
	const char *column, *value;
} values[] = {
	{ "critical_warning_raw", "85" },
	{ "critical_warning_spare", "1" },
	{ "critical_warning_temperature", "0" },
	{ "critical_warning_reliability", "1" },
	{ "critical_warning_read_only", "0" },
	{ "critical_warning_backup_failed", "1" },
	{ "critical_warning_pmr", "0" },
	{ "critical_warning_personality", "1" },
	{ "temperature_celsius", "58" },
	{ "available_spare_ratio", "0.97" },
	{ "available_spare_threshold_ratio", "0.1" },
	{ "endurance_used_ratio", "1.31" },
	{ "endurance_group_warning_raw", "5" },
	{ "host_read_bytes", "34460664320000" },
	{ "host_written_bytes", "15444870694400000" },
	{ "host_read_commands", "610068790934446609" },
	{ "host_write_commands", "1234605616436508552" },
	{ "controller_busy_seconds", "740700" },
	{ "power_cycles", "1234" },
	{ "power_on_seconds", "122360400" },
	{ "unsafe_shutdowns", "42" },
	{ "media_errors", "7" },
	{ "error_log_entries", "119699" },
	{ "temperature_over_warning_seconds", "660" },
	{ "temperature_over_critical_seconds", "120" },
	{ "sensor_temperature_celsius_1", "28" },
	{ "sensor_temperature_celsius_2", "absent" },
	{ "sensor_temperature_celsius_3", "-8" },
	{ "sensor_temperature_celsius_4", "82" },
	{ "sensor_temperature_celsius_5", "-73" },
	{ "sensor_temperature_celsius_6", "127" },
	{ "sensor_temperature_celsius_7", "absent" },
	{ "sensor_temperature_celsius_8", "absent" },
	{ "thermal_transitions_1", "5" },
	{ "thermal_transitions_2", "4294967295" },
	{ "thermal_throttle_seconds_1", "3600" },
	{ "thermal_throttle_seconds_2", "absent" },
	{ "energy_joules", "3600000" },
	{ "power_watts", "15.01" },
};

static void fill(uint8_t *bytes)
{
	/* What is reserved must not matter. */
	memset(bytes, 0xee, 512);
	for (unsigned at = 32; at < 192; at += 16)
		memset(bytes + at, 0, 16);
	for (size_t i = 0; i < ELEMENTS(page_bytes); i++)
		put_hex(bytes, page_bytes[i].offset, page_bytes[i].bytes);
}

START_TEST(test_every_value_is_what_the_specification_says)
{
	uint8_t bytes[512];

	fill(bytes);
	ck_assert_int_eq(page_check(&smart_page, bytes, sizeof(bytes)), PAGE_SOUND);
	for (size_t i = 0; i < ELEMENTS(values); i++)
		check_value(&smart_page, bytes, values[i].column, values[i].value);
}
END_TEST

/* A new row needs its bytes here too. */
START_TEST(test_no_value_is_left_out)
{
	ck_assert_uint_eq(ELEMENTS(values), page_columns(&smart_page));
}
END_TEST

START_TEST(test_the_bytes_come_back)
{
	uint8_t bytes[512], again[512];
	char column[FIELD_COLUMN_MAX];

	fill(bytes);
	memset(again, 0, sizeof(again));
	for (size_t i = 0; i < smart_page.n_fields; i++)
		for (unsigned n = 0; n < field_count(&smart_page.fields[i]); n++) {
			struct value v;

			field_column(&smart_page.fields[i], n, column);
			page_decode(&smart_page, &smart_page.fields[i], n, bytes, &v);
			ck_assert_msg(field_encode(&smart_page.fields[i], n, &v, again) == 0, "%s",
				      column);
		}
	for (size_t i = 0; i < ELEMENTS(values); i++)
		check_value(&smart_page, again, values[i].column, values[i].value);
	ck_assert_mem_eq(again + 32, bytes + 32, 160);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_every_value_is_what_the_specification_says,
		test_no_value_is_left_out,
		test_the_bytes_come_back,
		NULL,
	};

	return check_main("golden smart", tests);
}
