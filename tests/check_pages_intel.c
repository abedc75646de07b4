/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Log pages CAh, C5h and D5h of Intel and Solidigm drives. */

#include <errno.h>

#include "vendor_support.h"

static const uint8_t solidigm[16] = {
	0x96, 0x19, 0x58, 0x6e, 0xc1, 0x1b, 0x43, 0xad, 0xaa, 0xaa, 0x65, 0x41, 0x87, 0xf6, 0xbb, 0xb2,
};

static const struct {
	uint8_t id, normalized;
	const char *raw;
} items[] = {
	{ 0xab, 100, "01 00 00 00 00 01" }, { 0xac, 99, "02 00 00 00 00 00" },
	{ 0xad, 98, "10 00 20 01 18 00" },  { 0xb8, 97, "03 00 00 00 00 00" },
	{ 0xc7, 96, "04 00 00 00 00 00" },  { 0xe2, 95, "00 06 00 00 00 00" },
	{ 0xe3, 94, "32 00 00 00 00 00" },  { 0xe4, 93, "05 00 00 00 00 00" },
	{ 0xea, 92, "19 07 00 00 01 00" },  { 0xf0, 91, "06 00 00 00 00 00" },
	{ 0xf3, 90, "01 00 02 00 03 00" },  { 0xf4, 89, "40 42 0f 00 00 00" },
	{ 0xf5, 88, "20 a1 07 00 00 00" },
};

static const struct expected values[] = {
	{ "program_failures", "1099511627777" }, { "program_failures_normalized_ratio", "1" },
	{ "erase_failures", "2" }, { "erase_failures_normalized_ratio", "0.99" },
	{ "erase_cycles_min", "16" }, { "erase_cycles_max", "288" }, { "erase_cycles_avg", "24" },
	{ "wear_leveling_normalized_ratio", "0.98" },
	{ "end_to_end_errors", "3" }, { "end_to_end_errors_normalized_ratio", "0.97" },
	{ "crc_errors", "4" }, { "bad_tlp_errors", "absent" },
	{ "crc_or_tlp_errors_normalized_ratio", "0.96" },
	{ "timed_workload_media_wear_ratio", "0.015" }, /* 1536 / 1024 % */
	{ "timed_workload_media_wear_rating_normalized_ratio", "0.95" },
	{ "timed_workload_host_reads_ratio", "0.5" },
	{ "timed_workload_host_reads_rating_normalized_ratio", "0.94" },
	{ "timed_workload_seconds", "300" }, { "timed_workload_timer_normalized_ratio", "0.93" },
	{ "thermal_throttle_ratio", "0.25" }, { "thermal_throttle_events", "16777223" },
	{ "thermal_throttle_normalized_ratio", "0.92" },
	{ "retry_buffer_overflow_events", "6" },
	{ "retry_buffer_overflow_events_normalized_ratio", "0.91" },
	{ "pll_lock_loss_raw", "\"0001000200030000\"" }, { "pll_lock_loss_normalized_ratio", "0.9" },
	{ "nand_written_raw", "1000000" }, { "nand_written_normalized_ratio", "0.89" },
	{ "host_written_raw", "500000" }, { "host_written_normalized_ratio", "0.88" },
	{ "reallocated_blocks", "absent" }, { "in_flight_read_commands", "absent" },
};

static void fill(uint8_t bytes[static 512], bool backwards)
{
	memset(bytes, 0, 512);
	for (unsigned i = 0; i < ELEMENTS(items); i++)
		put_item12(bytes, backwards ? 41 - 2 * i : i, items[i].id, items[i].normalized,
			   items[i].raw);
}

START_TEST(test_items_are_found_in_any_order)
{
	uint8_t bytes[512];

	for (unsigned backwards = 0; backwards < 2; backwards++) {
		fill(bytes, backwards);
		ck_assert_int_eq(page_check(&intel_smart_page, bytes, 512), PAGE_SOUND);
		check_values(&intel_smart_page, bytes, values, ELEMENTS(values));
		ck_assert_uint_eq(values_present(&intel_smart_page, bytes), ELEMENTS(values) - 3);
	}
}
END_TEST

START_TEST(test_the_later_items_have_their_names)
{
	static const struct {
		uint8_t id;
		const char *column;
	} later[] = {
		{ 0xf6, "host_context_wear_used_raw" }, { 0xf7, "performance_status_raw" },
		{ 0x05, "reallocated_blocks" }, { 0x0d, "soft_ecc_error_rate_raw" },
		{ 0xae, "unexpected_power_loss_events" }, { 0xe5, "in_flight_read_commands" },
		{ 0xe6, "in_flight_write_commands" }, { 0xe7, "bad_dllp_errors" },
		{ 0xe8, "receiver_errors" }, { 0xee, "re_sku_events" }, { 0xf8, "media_read_raw" },
		{ 0xf9, "firmware_downgrades_available_raw" }, { 0xfa, "host_read_collision_events" },
		{ 0xfb, "host_write_collision_events" }, { 0xfc, "xor_pass_events" },
		{ 0xfd, "xor_failures" }, { 0xfe, "xor_invoked_events" },
	};

	for (size_t i = 0; i < ELEMENTS(later); i++) {
		uint8_t bytes[512] = { 0 };

		put_item12(bytes, 40, later[i].id, 50, "77 00 00 00 00 01");
		check_value(&intel_smart_page, bytes, later[i].column, "1099511627895");
		ck_assert_uint_eq(values_present(&intel_smart_page, bytes), 2);
	}
}
END_TEST

START_TEST(test_c7h_counts_bad_tlps_where_the_other_pcie_errors_are_counted)
{
	static const uint8_t others[] = { 0xe7, 0xe8 };

	for (size_t i = 0; i < ELEMENTS(others); i++) {
		uint8_t bytes[512] = { 0 };

		put_item12(bytes, 0, 0xc7, 100, "09 00 00 00 00 00");
		put_item12(bytes, 9, others[i], 100, "01 00 00 00 00 00");
		check_value(&intel_smart_page, bytes, "bad_tlp_errors", "9");
		check_value(&intel_smart_page, bytes, "crc_errors", "absent");
	}
}
END_TEST

START_TEST(test_unknown_items_are_ignored)
{
	uint8_t bytes[512];

	fill(bytes, false);
	put_item12(bytes, 20, 0x33, 1, "ff ff ff ff ff ff");
	ck_assert_int_eq(page_check(&intel_smart_page, bytes, 512), PAGE_SOUND);
	check_values(&intel_smart_page, bytes, values, ELEMENTS(values));
	/* Another vendor's list: nothing of it is believed. */
	for (unsigned i = 0; i < 20; i++)
		put_item12(bytes, i, (uint8_t)(0x40 + i), 100, "01 00 00 00 00 00");
	ck_assert_int_eq(page_check(&intel_smart_page, bytes, 512), PAGE_WRONG_LAYOUT);
}
END_TEST

static void set(uint8_t *bytes, const char *column, struct value v, int code)
{
	unsigned index;
	const struct field *f = page_field(&intel_smart_page, column, &index);

	ck_assert_int_eq(field_encode(f, index, &v, bytes), code);
}

START_TEST(test_values_are_put_into_their_item_or_a_free_slot)
{
	const struct value seven = { .type = VALUE_INTEGER, .integer = 7 };
	const struct value none = { .type = VALUE_ABSENT };
	uint8_t bytes[512] = { 0 };

	set(bytes, "crc_errors", none, 0);
	ck_assert_uint_eq(bytes[0], 0);
	set(bytes, "crc_errors", seven, 0);
	set(bytes, "program_failures", seven, 0);
	set(bytes, "erase_cycles_max", seven, 0);
	set(bytes, "crc_errors", (struct value){ .type = VALUE_INTEGER, .integer = -1 }, -ERANGE);
	ck_assert_uint_eq(bytes[0], 0xc7);
	ck_assert_uint_eq(bytes[5], 7);
	ck_assert_uint_eq(bytes[12], 0xab);
	ck_assert_uint_eq(bytes[24], 0xad);
	ck_assert_uint_eq(bytes[24 + 7], 7);
	set(bytes, "program_failures", none, 0);
	ck_assert_uint_eq(bytes[12], 0);
	set(bytes, "erase_failures", seven, 0);
	ck_assert_uint_eq(bytes[12], 0xac);
	for (unsigned at = 0; at < 504; at += 12)
		bytes[at] = 0x33;
	set(bytes, "erase_failures", seven, -ERANGE);
}
END_TEST

START_TEST(test_temperatures_stand_in_64_bits_each)
{
	static const struct expected degrees[] = {
		{ "temperature_celsius", "38" }, { "overtemperature_last_raw", "0" },
		{ "overtemperature_life_raw", "1" }, { "temperature_highest_celsius", "71" },
		{ "temperature_lowest_celsius", "16" }, { "operating_temperature_max_celsius", "70" },
		{ "operating_temperature_min_celsius", "0" }, { "temperature_offset_celsius", "5" },
	};
	static const struct page *const pair[] = { &intel_temperature_page, &solidigm_temperature_page };
	uint8_t bytes[104] = { 0 };

	bytes[0] = 38;
	bytes[16] = 1;
	bytes[24] = 71;
	bytes[32] = 16;
	bytes[80] = 70;
	bytes[96] = 5;
	for (size_t i = 0; i < ELEMENTS(pair); i++) {
		ck_assert_int_eq(page_check(pair[i], bytes, 104), PAGE_SOUND);
		check_values(pair[i], bytes, degrees, ELEMENTS(degrees));
		ck_assert_uint_eq(page_columns(pair[i]), ELEMENTS(degrees));
	}
	/* What no sensor can tell is no temperature. */
	bytes[31] = 0x80;
	bytes[32] = 201;
	check_value(pair[0], bytes, "temperature_highest_celsius", "absent");
	check_value(pair[0], bytes, "temperature_lowest_celsius", "absent");
}
END_TEST

static const struct {
	struct asked_drive drive;
	enum page_presence smart, c5, d5;
} drives[] = {
	/* Before OCP: DC P4500, D5-P5316. */
	{ { 0x8086, "INTEL SSDPE2KX040T7", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_POSSIBLE, PAGE_POSSIBLE, PAGE_LACKED },
	{ { 0x025e, "INTEL SSDPF2NV307TZ", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_POSSIBLE, PAGE_POSSIBLE, PAGE_LACKED },
	/* The vendor by Identify. */
	{ { 0, "INTEL SSDPE2KX040T7", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ { 0, "INTEL SSDPE2KX040T7", UNREAD, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LATER, PAGE_LATER, PAGE_LATER },
	/* OCP is asked first. */
	{ { 0x8086, "INTEL SSDPE2KX040T7", HAS, LACKS, LACKS, UNREAD, 0, NULL },
	  PAGE_LATER, PAGE_LATER, PAGE_LATER },
	{ { 0x025e, "SOLIDIGM SBFPF2BV153T", HAS, LACKS, HAS, HAS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ { 0x025e, "SOLIDIGM SBFPF2BV153T", HAS, LACKS, HAS, HAS, 0, solidigm },
	  PAGE_POSSIBLE, PAGE_LACKED, PAGE_POSSIBLE },
	{ { 0x025e, "SOLIDIGM SBFPF2BV153T", HAS, HAS, HAS, HAS, 0xca, NULL },
	  PAGE_POSSIBLE, PAGE_LACKED, PAGE_LACKED },
	/* 670p, P41 Plus. */
	{ { 0x8086, "INTEL SSDPEKNU512GZ", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ { 0x025e, "SOLIDIGM SSDPFKNU512GZ", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	/* Samsung, Kioxia, Seagate, Micron. */
	{ { 0x144d, "SAMSUNG MZQL23T8HCLS-00A07", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ { 0x1e0f, "KCD6XLUL15T3", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ { 0x1bb1, "Seagate FireCuda 530 ZP1000GM30013", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ { 0x1344, "Micron_9300_MTFDHAL3T8TDP", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
};

START_TEST(test_only_intels_and_solidigms_older_drives_are_asked)
{
	for (size_t i = 0; i < ELEMENTS(drives); i++) {
		const struct asked_drive *d = &drives[i].drive;

		ck_assert_msg(asked(&intel_smart_page, d) == drives[i].smart, "%zu %s CAh", i, d->model);
		ck_assert_msg(asked(&intel_temperature_page, d) == drives[i].c5, "%zu %s C5h", i,
			      d->model);
		ck_assert_msg(asked(&solidigm_temperature_page, d) == drives[i].d5, "%zu %s D5h", i,
			      d->model);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_items_are_found_in_any_order,
		test_the_later_items_have_their_names,
		test_c7h_counts_bad_tlps_where_the_other_pcie_errors_are_counted,
		test_unknown_items_are_ignored,
		test_values_are_put_into_their_item_or_a_free_slot,
		test_temperatures_stand_in_64_bits_each,
		test_only_intels_and_solidigms_older_drives_are_asked,
		NULL,
	};

	return check_main("pages intel", tests);
}
