/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The SMART and OCP samples of real drives. */

#include "drive_samples.h"

static void check_smart_sample(json_t *smart)
{
	uint8_t bytes[512] = { 0 };
	json_t *sensors = json_object_get(smart, "sensor_k"), *celsius;
	char column[64];

	for (size_t i = 0; i < json_array_size(sensors); i++)
		put_number(bytes, 200 + 2 * (unsigned)i, 2,
			   (uint64_t)json_integer_value(json_array_get(sensors, i)));
	numbers(&smart_page, smart_keys, smart, bytes);
	ck_assert_int_eq(page_check(&smart_page, bytes, sizeof(bytes)), PAGE_SOUND);
	for (size_t i = 0; i < 8; i++) {
		const struct sample_key key = { .column = column, .unit = KELVIN };

		snprintf(column, sizeof(column), "sensor_temperature_celsius_%zu", i + 1);
		compare_number(&smart_page, bytes, &key,
			       json_integer_value(json_array_get(sensors, i)));
	}
	/* As the drive's own tool printed it. */
	celsius = json_object_get(smart, "composite_c");
	if (celsius)
		ck_assert_int_eq(value_at(&smart_page, bytes, "temperature_celsius").integer,
				 json_integer_value(celsius));
}

static void check_ocp_sample(json_t *ocp)
{
	uint8_t bytes[512] = { 0 };
	const char *guid = json_string_value(json_object_get(ocp, "log_page_guid"));
	char quoted[64];

	for (unsigned i = 0; i < 16; i++) /* printed from its last byte to its first */
		put_hex(bytes, 511 - i, (char[]){ guid[2 + 2 * i], guid[3 + 2 * i], 0 });
	numbers(&ocp_smart_page, ocp_keys, ocp, bytes);
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, sizeof(bytes)), PAGE_SOUND);
	snprintf(quoted, sizeof(quoted), "\"%s\"", guid + 2);
	compare(&ocp_smart_page, bytes, "log_page_guid", quoted);
}

static void check_logs(json_t *drive)
{
	json_t *smart = json_object_get(drive, "smart_02"), *ocp = json_object_get(drive, "ocp_c0");

	if (json_is_object(smart))
		check_smart_sample(smart);
	if (json_is_object(ocp))
		check_ocp_sample(ocp);
}

START_TEST(test_every_published_value_comes_back)
{
	each_drive(check_logs, 1438);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_every_published_value_comes_back, NULL };

	return check_main("drives", tests);
}
