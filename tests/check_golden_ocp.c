/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Log page C0h: every value of a page made by hand, under every log page version. */

#include "golden_ocp.h"

START_TEST(test_every_value_is_what_the_specification_says)
{
	uint8_t bytes[512];

	ocp_fill(bytes);
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, sizeof(bytes)), PAGE_SOUND);
	ck_assert_uint_eq(page_version(&ocp_smart_page, bytes), 6);
	for (size_t i = 0; i < ELEMENTS(ocp_values); i++)
		check_value(&ocp_smart_page, bytes, ocp_values[i].column, ocp_values[i].value);
}
END_TEST

/* A new row needs its bytes here too. */
START_TEST(test_no_value_is_left_out)
{
	ck_assert_uint_eq(ELEMENTS(ocp_values), page_columns(&ocp_smart_page));
}
END_TEST

static void check_version(unsigned version)
{
	uint8_t bytes[512];
	char shown[8];

	ocp_fill(bytes);
	put_number(bytes, 494, 2, version);
	snprintf(shown, sizeof(shown), "%u", version);
	for (size_t i = 0; i < ELEMENTS(ocp_values); i++)
		if (!strcmp(ocp_values[i].column, "log_page_version"))
			check_value(&ocp_smart_page, bytes, ocp_values[i].column, shown);
		else
			check_value(&ocp_smart_page, bytes, ocp_values[i].column,
				    ocp_values[i].version > version ? "absent"
								    : ocp_values[i].value);
}

/* Cases LOG-08: an unknown newer version still gives the known fields. */
START_TEST(test_LOG_08_fields_appear_with_the_version_that_added_them)
{
	static const unsigned versions[] = { 0, 1, 2, 3, 4, 5, 6, 7, 255, 256, 65535 };

	for (size_t i = 0; i < ELEMENTS(versions); i++)
		check_version(versions[i]);
}
END_TEST

START_TEST(test_what_is_not_reported_is_absent)
{
	uint8_t bytes[512];

	ocp_fill(bytes);
	memset(bytes + 40, 0xff, 8);  /* not split: the user count covers all */
	memset(bytes + 128, 0xff, 2); /* no power-loss protection */
	memset(bytes + 38, 0xff, 2);  /* more than 100 % left */
	memset(bytes + 176, 0, 16);
	memset(bytes + 208, 0, 150);
	check_value(&ocp_smart_page, bytes, "bad_system_nand_blocks", "absent");
	check_value(&ocp_smart_page, bytes, "bad_system_nand_blocks_normalized_ratio", "absent");
	check_value(&ocp_smart_page, bytes, "bad_user_nand_blocks_normalized_ratio", "absent");
	check_value(&ocp_smart_page, bytes, "bad_user_nand_blocks", "6618611909121");
	check_value(&ocp_smart_page, bytes, "capacitor_health_ratio", "absent");
	check_value(&ocp_smart_page, bytes, "endurance_estimate_bytes", "absent");
	check_value(&ocp_smart_page, bytes, "lowest_permitted_firmware", "absent");
	check_value(&ocp_smart_page, bytes, "media_dies", "absent");
	check_value(&ocp_smart_page, bytes, "temperature_recorded_max_celsius", "absent");
	check_value(&ocp_smart_page, bytes, "form_factor", "absent");
	check_value(&ocp_smart_page, bytes, "dssd_firmware_build_uuid", "absent");
	check_value(&ocp_smart_page, bytes, "dssd_firmware_build_label", "absent");
	/* A count of nothing is a count. */
	check_value(&ocp_smart_page, bytes, "media_dies_offline", "0");
	check_value(&ocp_smart_page, bytes, "command_timeouts", "0");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_every_value_is_what_the_specification_says,
		test_no_value_is_left_out,
		test_LOG_08_fields_appear_with_the_version_that_added_them,
		test_what_is_not_reported_is_absent,
		NULL,
	};

	return check_main("golden ocp", tests);
}
