/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Features and the firmware slots: bytes as the specification lays them out, values as it means them,
 * and of which drive they are asked. */

#include "page_facts.h"
#include "sim_support.h"

/* Identify Controller of NVMe 1.4 without any capability, and a list of log pages that it lacks. */
static void know_identify(struct known *k, uint8_t *identify)
{
	put_number(identify, 80, 4, 0x10400);
	known_set(k, &supported_logs_page, NULL);
	known_set(k, &identify_page, identify);
}

/* ---- Bytes. ---- */

START_TEST(test_power_management)
{
	uint8_t bytes[4] = { 0x00 };

	ck_assert_int_eq(page_check(&power_management_page, bytes, 4), PAGE_SOUND);
	check_value(&power_management_page, bytes, "power_state", "0");
	put_hex(bytes, 0, "44 ff ff ff"); /* PS 4, WH 2 */
	check_value(&power_management_page, bytes, "power_state", "4");
	check_value(&power_management_page, bytes, "workload_hint", "2");
}
END_TEST

START_TEST(test_temperature_thresholds)
{
	uint8_t bytes[4];

	put_hex(bytes, 0, "5e 01 40 01"); /* 350 K, hysteresis 5 */
	check_value(&over_temperature_threshold_page, bytes, "over_temperature_threshold_celsius", "77");
	check_value(&over_temperature_threshold_page, bytes, "over_temperature_hysteresis_celsius", "5");
	put_hex(bytes, 0, "0b 01 10 00"); /* 267 K, TMPSEL and THSEL are no value */
	check_value(&under_temperature_threshold_page, bytes, "under_temperature_threshold_celsius", "-6");
	check_value(&under_temperature_threshold_page, bytes, "under_temperature_hysteresis_celsius", "0");
}
END_TEST

/* Case TMP-04: limits of 0 K and FFFFh, a sensor 2 without a sensor 1. */
START_TEST(test_TMP_04_thresholds_of_0_and_ffff_are_none_and_sensors_keep_their_number)
{
	uint8_t bytes[4], identify[4096] = { 0 }, smart[512] = { 0 };
	struct known k = { 0 };

	put_hex(bytes, 0, "00 00 00 00");
	check_value(&under_temperature_threshold_page, bytes, "under_temperature_threshold_celsius", "absent");
	put_hex(bytes, 0, "ff ff 00 00");
	check_value(&over_temperature_threshold_page, bytes, "over_temperature_threshold_celsius", "absent");
	put_hex(smart, 1, "33 01");
	put_hex(smart, 200, "00 00 63 01");
	know_identify(&k, identify);
	known_set(&k, &smart_page, smart);
	ck_assert_str_eq(instances_of(&over_temperature_threshold_page, &k), "0 2");
	check_value(&smart_page, smart, "sensor_temperature_celsius_1", "absent");
	check_value(&smart_page, smart, "sensor_temperature_celsius_2", "82");
}
END_TEST

/* Case TMP-10: without WCTEMP and CCTEMP there is no limit. */
START_TEST(test_TMP_10_limits_of_0_are_absent)
{
	uint8_t identify[4096] = { 0 }, bytes[4] = { 0 };

	check_value(&identify_page, identify, "wctemp_celsius", "absent");
	check_value(&identify_page, identify, "cctemp_celsius", "absent");
	check_value(&thermal_management_page, bytes, "tmt1_celsius", "absent");
	check_value(&thermal_management_page, bytes, "tmt2_celsius", "absent");
}
END_TEST

START_TEST(test_thermal_management)
{
	uint8_t bytes[4];

	put_hex(bytes, 0, "62 01 59 01"); /* TMT2 354 K, TMT1 345 K */
	check_value(&thermal_management_page, bytes, "tmt1_celsius", "72");
	check_value(&thermal_management_page, bytes, "tmt2_celsius", "81");
}
END_TEST

START_TEST(test_async_event_configuration)
{
	uint8_t bytes[4];

	put_hex(bytes, 0, "1f 43 01 00"); /* warnings 0 to 4; 8, 9, 14 and 16 */
	check_value(&async_event_configuration_page, bytes, "smart_events", "31");
	check_value(&async_event_configuration_page, bytes, "notices", "323"); /* 143h */
}
END_TEST

START_TEST(test_apst)
{
	uint8_t bytes[260] = { 0 };

	put_hex(bytes, 0, "01 00 00 00");
	put_hex(bytes, 4, "18 64 00 00");          /* state 0: after 100 ms to 3 */
	put_hex(bytes, 4 + 3 * 8, "20 d0 07 00"); /* state 3: after 2000 ms to 4 */
	put_hex(bytes, 4 + 31 * 8, "f8 ff ff ff"); /* state 31: 31, 16777215 ms */
	check_value(&apst_page, bytes, "apst_enabled", "1");
	check_value(&apst_page, bytes, "apst_target_state_0", "3");
	check_value(&apst_page, bytes, "apst_idle_seconds_0", "0.1");
	check_value(&apst_page, bytes, "apst_target_state_1", "absent");
	check_value(&apst_page, bytes, "apst_idle_seconds_1", "absent");
	check_value(&apst_page, bytes, "apst_target_state_3", "4");
	check_value(&apst_page, bytes, "apst_idle_seconds_3", "2");
	check_value(&apst_page, bytes, "apst_target_state_31", "31");
	check_value(&apst_page, bytes, "apst_idle_seconds_31", "16777.215");
}
END_TEST

/* Case PWR-08: the table is all zero while the feature is on. */
START_TEST(test_PWR_08_a_table_of_zeros_is_no_transition)
{
	uint8_t bytes[260] = { 1 };
	char column[64];

	ck_assert_int_eq(page_check(&apst_page, bytes, sizeof(bytes)), PAGE_SOUND);
	check_value(&apst_page, bytes, "apst_enabled", "1");
	for (unsigned i = 0; i < 32; i++) {
		snprintf(column, sizeof(column), "apst_target_state_%u", i);
		check_value(&apst_page, bytes, column, "absent");
	}
	ck_assert_uint_eq(page_overflows(&apst_page, bytes), 0);
}
END_TEST

/* Case FWU-05: three slots with the same revision, AFI 33h. */
START_TEST(test_FWU_05_slots_are_told_by_bits)
{
	uint8_t bytes[512] = { 0x33 };

	for (unsigned slot = 1; slot <= 3; slot++)
		memcpy(bytes + 8 * slot, "MN14MN14", 8);
	check_value(&firmware_slots_page, bytes, "firmware_slot_active", "3");
	check_value(&firmware_slots_page, bytes, "firmware_slot_next", "3");
	check_value(&firmware_slots_page, bytes, "firmware_slot_revision_1", "\"MN14MN14\"");
	check_value(&firmware_slots_page, bytes, "firmware_slot_revision_3", "\"MN14MN14\"");
	check_value(&firmware_slots_page, bytes, "firmware_slot_revision_4", "absent");
}
END_TEST

/* Case FWU-06: slots 3 to 7 are empty. */
START_TEST(test_FWU_06_empty_slots_are_absent)
{
	uint8_t bytes[512] = { 0x11 };

	memcpy(bytes + 8, "001C    ", 8);
	memcpy(bytes + 16, "001C    ", 8);
	check_value(&firmware_slots_page, bytes, "firmware_slot_active", "1");
	check_value(&firmware_slots_page, bytes, "firmware_slot_revision_2", "\"001C\"");
	check_value(&firmware_slots_page, bytes, "firmware_slot_revision_3", "absent");
	check_value(&firmware_slots_page, bytes, "firmware_slot_revision_7", "absent");
	bytes[0] = 0x01;
	check_value(&firmware_slots_page, bytes, "firmware_slot_next", "absent");
}
END_TEST

/* ---- Which drive is asked. ---- */

START_TEST(test_capabilities_decide)
{
	uint8_t identify[4096] = { 0 };
	struct known k = { 0 };

	ck_assert_int_eq(presence_of(&apst_page, &k), PAGE_LATER);
	ck_assert_int_eq(presence_of(&thermal_management_page, &k), PAGE_LATER);
	know_identify(&k, identify);
	ck_assert_int_eq(presence_of(&apst_page, &k), PAGE_LACKED);
	ck_assert_int_eq(presence_of(&thermal_management_page, &k), PAGE_LACKED);
	identify[265] = 1; /* APSTA */
	ck_assert_int_eq(presence_of(&apst_page, &k), PAGE_POSSIBLE);
	identify[322] = 1; /* HCTMA */
	ck_assert_int_eq(presence_of(&thermal_management_page, &k), PAGE_POSSIBLE);
	ck_assert_int_eq(presence_of(&firmware_slots_page, &k), PAGE_POSSIBLE);
	ck_assert_int_eq(presence_of(&power_management_page, &k), PAGE_POSSIBLE);
	ck_assert_int_eq(presence_of(&async_event_configuration_page, &k), PAGE_POSSIBLE);
}
END_TEST

START_TEST(test_a_list_of_log_pages_without_the_slots_is_believed)
{
	uint8_t identify[4096] = { 0 }, list[1024] = { 0 };
	struct known k = { 0 };

	know_identify(&k, identify);
	list[4 * 2] = 1;
	known_set(&k, &supported_logs_page, list);
	ck_assert_int_eq(presence_of(&firmware_slots_page, &k), PAGE_LACKED);
	list[4 * 3] = 1;
	ck_assert_int_eq(presence_of(&firmware_slots_page, &k), PAGE_POSSIBLE);
}
END_TEST

/* NVMe 1.1 does not look at the bits that select another threshold, and would answer with that one. */
START_TEST(test_old_drives_have_one_threshold)
{
	uint8_t identify[4096] = { 0 }, smart[512] = { 0 };
	struct known k = { 0 };

	ck_assert_str_eq(instances_of(&over_temperature_threshold_page, &k), "later");
	know_identify(&k, identify);
	ck_assert_str_eq(instances_of(&over_temperature_threshold_page, &k), "later");
	put_hex(smart, 200, "2d 01 2d 01");
	known_set(&k, &smart_page, smart);
	ck_assert_str_eq(instances_of(&over_temperature_threshold_page, &k), "0 1 2");
	ck_assert_int_eq(presence_of(&under_temperature_threshold_page, &k), PAGE_POSSIBLE);
	put_number(identify, 80, 4, 0x10100);
	ck_assert_str_eq(instances_of(&over_temperature_threshold_page, &k), "0");
	ck_assert_int_eq(presence_of(&under_temperature_threshold_page, &k), PAGE_LACKED);
}
END_TEST

START_TEST(test_the_command_says_which_threshold)
{
	uint32_t instance;
	struct command c = command_for_page(&over_temperature_threshold_page, 2, 0);

	ck_assert_uint_eq(c.cdw11, 0x20000);
	c = command_for_page(&under_temperature_threshold_page, 8, 0);
	ck_assert_uint_eq(c.cdw11, 0x180000);
	ck_assert(!command_is_for_page(&c, &over_temperature_threshold_page, &instance));
	ck_assert(command_is_for_page(&c, &under_temperature_threshold_page, &instance));
	ck_assert_uint_eq(instance, 8);
}
END_TEST

/* ---- Simulated drives. ---- */

START_TEST(test_a_simulated_drive_has_what_every_drive_has)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "firmware = FW7\n[identify]\nwctemp_celsius = 77\n"
		       "[smart]\nsensor_temperature_celsius_2 = 40\n[change]\nat = 60s\nfirmware = FW8\n");
	struct reply r = run(s, 0, command_for_page(&over_temperature_threshold_page, 0, 0));

	ck_assert_uint_eq(bytes_get(r.data, 4), 350);
	r = run(s, 0, command_for_page(&over_temperature_threshold_page, 2, 0));
	ck_assert_uint_eq(bytes_get(r.data, 4), 0xffff);
	r = run(s, 0, command_for_page(&over_temperature_threshold_page, 1, 0));
	ck_assert_uint_eq(r.status, 0x002);
	r = run(s, 0, command_for_page(&under_temperature_threshold_page, 0, 0));
	ck_assert_uint_eq(r.status, 0);
	ck_assert_int_eq(integer_at(s, 0, &power_management_page, "power_state"), 0);
	ck_assert_int_eq(integer_at(s, 0, &firmware_slots_page, "firmware_slot_active"), 1);
	r = run(s, 0, read_page(&firmware_slots_page));
	ck_assert_mem_eq(r.data + 8, "FW7     ", 8);
	r = run(s, 60 * SECOND, read_page(&firmware_slots_page));
	ck_assert_mem_eq(r.data + 8, "FW8     ", 8);
	r = run(s, 60 * SECOND, read_page(&apst_page));
	ck_assert_uint_eq(r.status, 0x002);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_power_management,
		test_temperature_thresholds,
		test_TMP_04_thresholds_of_0_and_ffff_are_none_and_sensors_keep_their_number,
		test_TMP_10_limits_of_0_are_absent,
		test_thermal_management,
		test_async_event_configuration,
		test_apst,
		test_PWR_08_a_table_of_zeros_is_no_transition,
		test_FWU_05_slots_are_told_by_bits,
		test_FWU_06_empty_slots_are_absent,
		test_capabilities_decide,
		test_a_list_of_log_pages_without_the_slots_is_believed,
		test_old_drives_have_one_threshold,
		test_the_command_says_which_threshold,
		test_a_simulated_drive_has_what_every_drive_has,
		NULL,
	};

	return check_main("pages features", tests);
}
