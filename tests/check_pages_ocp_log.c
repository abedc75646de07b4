/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The OCP pages beside C0h, C3h and C6h, and features: every value of pages made by hand, and which
 * drives are asked. */

#include "pages_ocp_support.h"

/* ---- C1h ---- */

static const struct golden recovery_bytes[] = {
	{ 0, "dc 05 2a 04 08 07 06 05 04 03 02 81" }, /* 1500 ms, actions, panic id */
	{ 12, "03 00 00 00 c1" },
	{ 20, "11 22 33 44 55 66 77 88" },
	{ 28, "0a 15 1e 05" },
	{ 32, "01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 a0" },
	{ 48, "00 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00" },
	{ 494, "03 00 44 d9 31 21 fe 30 34 ae ab 4d fd 3d ba 83 19 5a" },
};

static const struct expected recovery_values[] = {
	{ "panic_reset_wait_seconds", "1.5" },
	{ "panic_reset_action_raw", "42" },
	{ "device_recovery_action_1_raw", "4" },
	{ "panic", "1" },
	{ "panic_id_raw", "\"8102030405060708\"" },
	{ "device_capabilities_raw", "3" },
	{ "vendor_recovery_opcode", "193" },
	{ "vendor_recovery_cdw12", "1144201745" },
	{ "vendor_recovery_cdw13", "2289526357" },
	{ "vendor_recovery_timeout_seconds", "10" },
	{ "device_recovery_action_2_raw", "21" },
	{ "device_recovery_action_2_timeout_seconds", "30" },
	{ "panics", "5" },
	{ "previous_panic_id_1", "\"0000000000000001\"" },
	{ "previous_panic_id_2", "\"a000000000000002\"" },
	{ "previous_panic_id_3", "absent" },
	{ "previous_panic_id_4", "\"0000000000000004\"" },
	{ "log_page_version", "3" },
	{ "log_page_guid", "\"5a1983ba3dfd4dabae3430fe2131d944\"" },
};

START_TEST(test_error_recovery_values)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	golden_fill(&ocp_error_recovery_page, bytes, recovery_bytes, ELEMENTS(recovery_bytes));
	golden_check(&ocp_error_recovery_page, bytes, recovery_values, ELEMENTS(recovery_values));
	ck_assert_uint_eq(page_columns(&ocp_error_recovery_page), ELEMENTS(recovery_values));
}
END_TEST

START_TEST(test_no_panic_is_a_value_and_has_no_id)
{
	const struct page *p = &ocp_error_recovery_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	golden_fill(p, bytes, recovery_bytes, ELEMENTS(recovery_bytes));
	memset(bytes + 4, 0, 8);
	check_value(p, bytes, "panic", "0");
	check_value(p, bytes, "panic_id_raw", "absent");
	/* Every one of the 64 bits is one of an id. */
	for (unsigned bit = 0; bit < 64; bit++) {
		put_number(bytes, 4, 8, UINT64_C(1) << bit);
		check_value(p, bytes, "panic", "1");
	}
}
END_TEST

START_TEST(test_error_recovery_fields_appear_with_their_version)
{
	static const unsigned versions[] = { 1, 2, 3, 9, 65535 };
	const struct page *p = &ocp_error_recovery_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	golden_fill(p, bytes, recovery_bytes, ELEMENTS(recovery_bytes));
	for (size_t i = 0; i < ELEMENTS(versions); i++) {
		put_number(bytes, 494, 2, versions[i]);
		check_value(p, bytes, "panic", "1");
		check_value(p, bytes, "vendor_recovery_timeout_seconds", versions[i] < 2 ? "absent" : "10");
		check_value(p, bytes, "device_recovery_action_2_raw", versions[i] < 2 ? "absent" : "21");
		check_value(p, bytes, "device_recovery_action_2_timeout_seconds",
			    versions[i] < 2 ? "absent" : "30");
		check_value(p, bytes, "panics", versions[i] < 3 ? "absent" : "5");
		check_value(p, bytes, "previous_panic_id_2",
			    versions[i] < 3 ? "absent" : "\"a000000000000002\"");
	}
}
END_TEST

START_TEST(test_a_panic_can_be_written)
{
	const struct page *p = &ocp_error_recovery_page;
	struct value v = { .type = VALUE_INTEGER, .integer = 1 };
	uint8_t bytes[PAGE_SIZE_MAX];
	unsigned index;
	const struct field *f = page_field(p, "panic", &index);

	page_blank(p, bytes);
	ck_assert_int_eq(field_encode(f, 0, &v, bytes), 0);
	ck_assert_uint_eq(bytes_get(bytes + 4, 8), 1);
	put_number(bytes, 4, 8, 0x1234);
	ck_assert_int_eq(field_encode(f, 0, &v, bytes), 0);
	ck_assert_uint_eq(bytes_get(bytes + 4, 8), 0x1234);
	v.integer = 0;
	ck_assert_int_eq(field_encode(f, 0, &v, bytes), 0);
	ck_assert_uint_eq(bytes_get(bytes + 4, 8), 0);
	v.integer = 2;
	ck_assert_int_lt(field_encode(f, 0, &v, bytes), 0);
}
END_TEST

/* ---- C2h ---- */

/* Entry 0 is the 21st activation, entry 1 the second. */
static const struct golden activation_bytes[] = {
	{ 0, "c2" },
	{ 4, "02 00 00 00" },
	{ 8, "01 40 ee ee 15 00 00 68 e5 cf 8b 01 02 00 ee ee ee ee ee ee ee ee" },
	{ 30, "07 00 00 00 00 00 00 01" },
	{ 38, "46 57 31 20 20 20 20 20 46 57 32 2e 30 30 30 31 02 03 0a 01" },
	{ 72, "01 40 ee ee 02 00 10 27 00 00 00 00 00 00" },
	{ 94, "02 00 00 00 00 00 00 00" },
	{ 102, "46 57 30 00 00 00 00 00 46 57 31 20 20 20 20 20 01 01 00 00" },
	{ 4078, "01 00 6d 79 9a 76 b4 da f6 a3 e2 4d b2 8a ac f3 1c d1" },
};

static const struct expected activation_values[] = {
	{ "entries", "2" },
	{ "activation_count_0", "21" },
	{ "activation_timestamp_seconds_0", "1700000000" },
	{ "activation_power_cycles_0", "72057594037927943" },
	{ "activation_previous_firmware_0", "\"FW1\"" },
	{ "activation_new_firmware_0", "\"FW2.0001\"" },
	{ "activation_slot_0", "2" },
	{ "activation_commit_action_0", "3" },
	{ "activation_result_0", "266" },
	{ "activation_count_1", "2" },
	{ "activation_timestamp_seconds_1", "absent" }, /* since a reset */
	{ "activation_power_cycles_1", "2" },
	{ "activation_previous_firmware_1", "\"FW0\"" },
	{ "activation_new_firmware_1", "\"FW1\"" },
	{ "activation_slot_1", "1" },
	{ "activation_commit_action_1", "1" },
	{ "activation_result_1", "0" },
	{ "activation_count_2", "absent" },
	{ "activation_new_firmware_19", "absent" },
	{ "log_page_version", "1" },
	{ "log_page_guid", "\"d11cf3ac8ab24de2a3f6dab4769a796d\"" },
};

START_TEST(test_activation_history_values)
{
	const struct page *p = &ocp_firmware_activation_history_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	golden_fill(p, bytes, activation_bytes, ELEMENTS(activation_bytes));
	golden_check(p, bytes, activation_values, ELEMENTS(activation_values));
	ck_assert_uint_eq(page_columns(p), 3 + 20 * 8);
}
END_TEST

START_TEST(test_there_are_at_most_20_activations)
{
	const struct page *p = &ocp_firmware_activation_history_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	golden_fill(p, bytes, activation_bytes, ELEMENTS(activation_bytes));
	put_number(bytes, 4, 4, 20);
	put_number(bytes, 8 + 19 * 64 + 4, 2, 20);
	check_value(p, bytes, "entries", "20");
	check_value(p, bytes, "activation_count_19", "20");
	put_number(bytes, 4, 4, UINT32_MAX);
	check_value(p, bytes, "entries", "absent");
	put_number(bytes, 4, 4, 0);
	check_value(p, bytes, "entries", "0");
	check_value(p, bytes, "activation_count_0", "absent");
	check_value(p, bytes, "activation_previous_firmware_0", "absent");
	/* All ones are no time. */
	put_number(bytes, 4, 4, 1);
	memset(bytes + 14, 0xff, 8);
	check_value(p, bytes, "activation_timestamp_seconds_0", "absent");
}
END_TEST

/* ---- C4h ---- */

static const struct golden capability_bytes[] = {
	{ 0, "02 00 05 80 1f 80 0f 80 03 80 0f 80 01 80 05 00" },
	{ 4078, "01 00 97 42 05 0d d1 e1 c9 98 5d 49 58 4b 91 3c 05 b7" },
};

static const struct expected capability_values[] = {
	{ "pcie_ports", "2" },
	{ "oob_management_support_raw", "32773" },
	{ "write_zeroes_support_raw", "32799" },
	{ "sanitize_support_raw", "32783" },
	{ "dataset_management_support_raw", "32771" },
	{ "write_uncorrectable_support_raw", "32783" },
	{ "fused_operation_support_raw", "32769" },
	{ "minimum_dssd_power_state_watts", "5" },
	{ "dssd_power_states", "\"1:31 5-7:3 8:2 14:1 25:0 127:4\"" },
	{ "log_page_version", "1" },
	{ "log_page_guid", "\"b7053c914b58495d98c9e1d10d054297\"" },
};

static void capability_fill(uint8_t *bytes)
{
	golden_fill(&ocp_device_capabilities_page, bytes, capability_bytes, ELEMENTS(capability_bytes));
	memset(bytes + 17, 0x03, 127); /* not valid */
	bytes[16] = 0x9f;              /* reserved: no state of 0 W */
	bytes[17] = 0xff;              /* 1 W; 6:5 are reserved */
	memset(bytes + 21, 0x83, 3);   /* 5 W to 7 W */
	bytes[22] |= 0x20;
	bytes[24] = 0x82;
	bytes[30] = 0x81;
	bytes[41] = 0x80;
	bytes[143] = 0x84;
}

START_TEST(test_device_capability_values)
{
	const struct page *p = &ocp_device_capabilities_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	capability_fill(bytes);
	golden_check(p, bytes, capability_values, ELEMENTS(capability_values));
	ck_assert_uint_eq(page_columns(p), ELEMENTS(capability_values));
	memset(bytes + 17, 0x7f, 127);
	check_value(p, bytes, "dssd_power_states", "absent");
}
END_TEST

/* Every watt another state, up and down: more than a text holds, and not a byte beyond it. */
START_TEST(test_power_states_that_fill_more_than_a_text_are_absent)
{
	const struct page *p = &ocp_device_capabilities_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	capability_fill(bytes);
	for (unsigned i = 0; i < 127; i++)
		bytes[17 + i] = (uint8_t)(0x80 | (i & 1));
	check_value(p, bytes, "dssd_power_states", "absent");
	ck_assert_uint_eq(page_overflows(p, bytes), 1);
	memset(bytes + 17, 0x9f, 127);
	check_value(p, bytes, "dssd_power_states", "\"1-127:31\"");
}
END_TEST

START_TEST(test_power_states_can_be_written)
{
	static const char *const bad[] = { "0:1", "5-4:1", "128:1", "5:32", "5", "5:", "x", "5:1,6:2" };
	const struct page *p = &ocp_device_capabilities_page;
	uint8_t bytes[PAGE_SIZE_MAX], before[PAGE_SIZE_MAX];
	struct value v = { .type = VALUE_TEXT, .text = "5-9:4 14:1 25:0 100-127:31" };
	unsigned index;
	const struct field *f = page_field(p, "dssd_power_states", &index);

	page_blank(p, bytes);
	ck_assert_int_eq(field_encode(f, 0, &v, bytes), 0);
	check_value(p, bytes, "dssd_power_states", "\"5-9:4 14:1 25:0 100-127:31\"");
	ck_assert_uint_eq(bytes[30], 0x81);
	ck_assert_uint_eq(bytes[143], 0x9f);
	ck_assert_uint_eq(bytes[144], 0);
	memcpy(before, bytes, sizeof(before));
	for (size_t i = 0; i < ELEMENTS(bad); i++) {
		strcpy(v.text, bad[i]);
		ck_assert_msg(field_encode(f, 0, &v, bytes) < 0, "%s", bad[i]);
		ck_assert_mem_eq(bytes, before, sizeof(before));
	}
}
END_TEST

/* ---- C5h ---- */

static const struct golden requirement_bytes[] = {
	{ 0, "03 00" },
	{ 16, "4e 56 4d 65 2d 49 4f 2d 31 00 00 00 00 00 00 00" },
	{ 32, "54 54 52 2d 31 32 33 34 35 36 37 38 39 30 31 32" }, /* 16, without an end */
	{ 48, "53 45 43 2d 31 00 00 00 00 00 00 00 00 00 00 00" },
	{ 4078, "01 00 2f 72 9c 0e 99 23 2c bb 63 48 32 d0 b7 98 bb c7" },
};

START_TEST(test_unsupported_requirement_values)
{
	const struct page *p = &ocp_unsupported_requirements_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	golden_fill(p, bytes, requirement_bytes, ELEMENTS(requirement_bytes));
	check_value(p, bytes, "requirements_unsupported", "3");
	check_value(p, bytes, "requirement_1", "\"NVMe-IO-1\"");
	check_value(p, bytes, "requirement_2", "\"TTR-123456789012\"");
	check_value(p, bytes, "requirement_3", "\"SEC-1\"");
	check_value(p, bytes, "requirement_4", "absent");
	check_value(p, bytes, "requirement_16", "absent");
	check_value(p, bytes, "log_page_version", "1");
	check_value(p, bytes, "log_page_guid", "\"c7bb98b7d0324863bb2c23990e9c722f\"");
	ck_assert_uint_eq(page_columns(p), 3 + 16);
}
END_TEST

START_TEST(test_more_requirements_than_the_page_holds_are_no_number)
{
	const struct page *p = &ocp_unsupported_requirements_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	golden_fill(p, bytes, requirement_bytes, ELEMENTS(requirement_bytes));
	put_number(bytes, 0, 2, 253);
	check_value(p, bytes, "requirements_unsupported", "253");
	put_number(bytes, 0, 2, 254);
	check_value(p, bytes, "requirements_unsupported", "absent");
	put_number(bytes, 0, 2, 65535);
	check_value(p, bytes, "requirements_unsupported", "absent");
	check_value(p, bytes, "requirement_1", "\"NVMe-IO-1\"");
	put_number(bytes, 0, 2, 0);
	check_value(p, bytes, "requirements_unsupported", "0");
	check_value(p, bytes, "requirement_1", "absent");
}
END_TEST

/* ---- C7h ---- */

static const struct golden tcg_bytes[] = {
	{ 0, "81" },
	{ 4, "01 02 03 04 05 06 07 08 09 0a 0b" },
	{ 16, "11 01 00 00 12 02 00 00 13 03 00 00 14 04 00 00 15 05 00 00 16 06" },
	{ 494, "02 00 06 40 24 bd 7e e0 e6 83 c0 47 54 fa 9d 2a e0 54" },
};

static const struct expected tcg_values[] = {
	{ "tcg_state_raw", "129" },
	{ "locking_sp_activations", "1" },
	{ "tper_reverts", "2" },
	{ "locking_sp_reverts", "3" },
	{ "locking_objects", "4" },
	{ "locking_objects_single_user", "5" },
	{ "locking_objects_range", "6" },
	{ "locking_objects_namespace", "7" },
	{ "locking_objects_read_locked", "8" },
	{ "locking_objects_write_locked", "9" },
	{ "locking_objects_read_unlocked", "10" },
	{ "locking_objects_write_unlocked", "11" },
	{ "sid_authentication_tries", "273" },
	{ "sid_authentication_try_limit", "530" },
	{ "programmatic_tcg_resets", "787" },
	{ "programmatic_reset_locks", "1044" },
	{ "tcg_errors", "1301" },
	{ "locking_objects_namespace_extended", "1558" },
	{ "log_page_version", "2" },
	{ "log_page_guid", "\"54e02a9dfa5447c083e6e07ebd244006\"" },
};

START_TEST(test_tcg_configuration_values)
{
	const struct page *p = &ocp_tcg_configuration_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	golden_fill(p, bytes, tcg_bytes, ELEMENTS(tcg_bytes));
	golden_check(p, bytes, tcg_values, ELEMENTS(tcg_values));
	ck_assert_uint_eq(page_columns(p), ELEMENTS(tcg_values));
	put_number(bytes, 494, 2, 1);
	check_value(p, bytes, "locking_objects_namespace_extended", "absent");
	check_value(p, bytes, "tcg_errors", "1301");
	put_number(bytes, 494, 2, 9);
	check_value(p, bytes, "locking_objects_namespace_extended", "1558");
}
END_TEST

/* ---- C9h ---- */

static const struct golden string_bytes[] = {
	{ 0, "01" },
	{ 16, "44 aa 57 00 94 95 a4 9e 8b 40 8f 1a 69 83 3a b1" },
	{ 32, "00 02 00 00 00 00 00 00" },
	{ 72, "10 00 00 00 00 00 00 00" },
	{ 88, "20 00 00 00 00 00 00 00" },
	{ 104, "00 00 00 00 00 00 00 00" },
	{ 120, "ff ff ff ff ff ff ff 1f" },
	{ 128, "46 49 46 4f 20 30 20 20 20 20 20 20 20 20 20 20" },
	{ 144, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00" },
	{ 368, "31 32 33 34 35 36 37 38 39 30 31 32 33 34 35 36" },
};

START_TEST(test_telemetry_string_values)
{
	const struct page *p = &ocp_telemetry_strings_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	golden_fill(p, bytes, string_bytes, ELEMENTS(string_bytes));
	check_value(p, bytes, "log_page_version", "1");
	check_value(p, bytes, "log_page_guid", "\"b13a83691a8f408b9ea495940057aa44\"");
	check_value(p, bytes, "log_size_bytes", "2048");
	check_value(p, bytes, "statistic_table_bytes", "64");
	check_value(p, bytes, "event_table_bytes", "128");
	check_value(p, bytes, "vendor_event_table_bytes", "0");
	check_value(p, bytes, "ascii_table_bytes", "9223372036854775804");
	check_value(p, bytes, "fifo_name_0", "\"FIFO 0\"");
	check_value(p, bytes, "fifo_name_1", "absent");
	check_value(p, bytes, "fifo_name_15", "\"1234567890123456\"");
	ck_assert_uint_eq(page_columns(p), 7 + 16);
	put_number(bytes, 120, 8, UINT64_C(1) << 61);
	check_value(p, bytes, "ascii_table_bytes", "absent");
	ck_assert_uint_eq(page_overflows(p, bytes), 1);
}
END_TEST

/* ---- Features ---- */

static void check_feature(const struct page *p, const char *column, uint32_t dword,
			  const char *expected)
{
	uint8_t bytes[4];

	put_number(bytes, 0, 4, dword);
	ck_assert_int_eq(page_check(p, bytes, sizeof(bytes)), PAGE_SOUND);
	check_value(p, bytes, column, expected);
	ck_assert_uint_eq(page_columns(p), 1);
}

START_TEST(test_feature_values)
{
	check_feature(&ocp_plp_failure_mode_page, "plp_failure_mode", 0xc0000002, "2");
	check_feature(&ocp_ieee1667_silo_page, "ieee1667_silo", 0x80000001, "1");
	check_feature(&ocp_ieee1667_silo_page, "ieee1667_silo", 0x80000000, "0");
	check_feature(&ocp_plp_health_check_page, "plp_health_check_interval_seconds", 0x0001000f, "900");
	check_feature(&ocp_plp_health_check_page, "plp_health_check_interval_seconds", 0, "0");
	check_feature(&ocp_plp_health_check_page, "plp_health_check_interval_seconds", 0xffff, "3932100");
	check_feature(&ocp_power_state_page, "dssd_power_state_watts", 0xffffff99, "25");
	check_feature(&ocp_power_state_page, "dssd_power_state_watts", 0xffffff80, "absent");
	check_feature(&ocp_async_event_configuration_page, "panic_notices", 0xffffffff, "1");
	check_feature(&ocp_async_event_configuration_page, "panic_notices", 0xfffffffe, "0");
}
END_TEST

/* ---- Who is asked ---- */

/* The versions of C0h with which a drive may have it. */
static const struct {
	const struct page *page;
	uint8_t id;
	unsigned least, most;
} asked[] = {
	{ &ocp_error_recovery_page, 0xc1, 0, 65535 },
	{ &ocp_firmware_activation_history_page, 0xc2, 0, 3 },
	{ &ocp_device_capabilities_page, 0xc4, 0, 65535 },
	{ &ocp_unsupported_requirements_page, 0xc5, 0, 65535 },
	{ &ocp_hardware_components_page, 0xc6, 4, 65535 },
	{ &ocp_tcg_configuration_page, 0xc7, 4, 65535 },
	{ &ocp_telemetry_strings_page, 0xc9, 4, 65535 },
	{ &ocp_plp_failure_mode_page, 0xc2, 0, 65535 },
	{ &ocp_ieee1667_silo_page, 0xc4, 0, 65535 },
	{ &ocp_plp_health_check_page, 0xc6, 0, 65535 },
	{ &ocp_power_state_page, 0xc7, 3, 65535 },
	{ &ocp_async_event_configuration_page, 0xc9, 4, 65535 },
};

START_TEST(test_only_drives_of_ocp_are_asked_and_by_their_version)
{
	static const unsigned versions[] = { 0, 1, 2, 3, 4, 5, 6, 9, 65535 };

	for (size_t i = 0; i < ELEMENTS(asked); i++) {
		const struct page *p = asked[i].page;

		ck_assert_uint_eq(p->id, asked[i].id);
		ck_assert_ptr_eq(p->uuid, ocp_uuid);
		ck_assert_msg(presence_without(p, false) == PAGE_LATER, "%s", p->name);
		ck_assert_msg(presence_without(p, true) == PAGE_LACKED, "%s", p->name);
		for (size_t k = 0; k < ELEMENTS(versions); k++)
			ck_assert_msg(presence_with(p, versions[k]) ==
				      (versions[k] >= asked[i].least && versions[k] <= asked[i].most
					       ? PAGE_POSSIBLE : PAGE_LACKED),
				      "%s %u", p->name, versions[k]);
	}
}
END_TEST

/* A vendor's own page under the same id. */
START_TEST(test_a_page_of_another_guid_is_not_believed)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	for (size_t i = 0; i < ELEMENTS(asked); i++) {
		const struct page *p = asked[i].page;

		page_blank(p, bytes);
		if (!p->guid)
			continue;
		ck_assert_int_eq(page_check(p, bytes, p->size), PAGE_SOUND);
		bytes[p->guid_offset + 15] ^= 1;
		ck_assert_int_eq(page_check(p, bytes, p->size), PAGE_WRONG_GUID);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_error_recovery_values,
		test_no_panic_is_a_value_and_has_no_id,
		test_error_recovery_fields_appear_with_their_version,
		test_a_panic_can_be_written,
		test_activation_history_values,
		test_there_are_at_most_20_activations,
		test_device_capability_values,
		test_power_states_that_fill_more_than_a_text_are_absent,
		test_power_states_can_be_written,
		test_unsupported_requirement_values,
		test_more_requirements_than_the_page_holds_are_no_number,
		test_tcg_configuration_values,
		test_telemetry_string_values,
		test_feature_values,
		test_only_drives_of_ocp_are_asked_and_by_their_version,
		test_a_page_of_another_guid_is_not_believed,
		NULL,
	};

	return check_main("pages ocp log", tests);
}
