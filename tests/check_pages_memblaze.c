/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Memblaze's log page CAh in the versions 0, 2 and 3 and as it was before, and D0h, by hand. */

#include "vendor_support.h"

struct item {
	uint8_t id;
	const char *raw;
};

static void put_items(uint8_t bytes[static 512], uint8_t version, const struct item *items, unsigned n,
		      bool backwards)
{
	memset(bytes, 0, 512);
	bytes[511] = version;
	for (unsigned i = 0; i < n; i++) {
		unsigned slot = backwards ? n - 1 - i : i;

		if (version == 3)
			put_item10(bytes, slot, items[i].id, (uint8_t)(100 - i), items[i].raw);
		else
			put_item12(bytes, slot, items[i].id, (uint8_t)(100 - i), items[i].raw);
	}
}

static void check_layout(const struct page *p, uint8_t version, const struct item *items, unsigned n,
			 const struct expected *values, size_t n_values)
{
	uint8_t bytes[512];

	for (unsigned backwards = 0; backwards < 2; backwards++) {
		put_items(bytes, version, items, n, backwards);
		ck_assert_int_eq(page_check(p, bytes, 512), PAGE_SOUND);
		check_values(p, bytes, values, n_values);
		/* Each item has its rating, and there is a row of the version from 2 on. */
		ck_assert_uint_eq(values_present(p, bytes), n + n_values + (version > 0));
		ck_assert_uint_eq(page_columns(p), n + n_values + (version > 0));
	}
	/* What nobody knows is ignored. */
	if (version == 3)
		put_item10(bytes, n, 0x11, 1, "ff ff ff ff ff ff");
	else
		put_item12(bytes, n, 0x11, 1, "ff ff ff ff ff ff");
	check_values(p, bytes, values, n_values);
	for (unsigned other = 0; other < 256; other++) {
		bytes[511] = (uint8_t)other;
		ck_assert_int_eq(page_check(p, bytes, 512),
				 other == version ? PAGE_SOUND : PAGE_WRONG_LAYOUT);
	}
}

static const struct item v0_items[] = {
	{ 0xab, "01 00 00 00 00 01" }, { 0xac, "02" }, { 0xad, "10 00 20 01 18 00" },
	{ 0xaf, "3f 01 21 01 35 01" }, /* 319, 289, 309 K */
	{ 0xb8, "03" }, { 0xc7, "04" }, { 0xe2, "dc 05" }, { 0xe3, "06" }, { 0xe4, "07" },
	{ 0xe7, "5b 01 11 01 35 01" }, /* 347, 273, 309 K */
	{ 0xe8, "19 00 04 00 0d 00" }, { 0xea, "08" }, { 0xeb, "01 02 00 00 01" },
	{ 0xec, "64" }, { 0xed, "09" }, { 0xf0, "0a" }, { 0xf2, "0b" }, { 0xf3, "0c" },
	{ 0xf4, "40 42 0f" }, { 0xf5, "20 a1 07" }, { 0xf6, "0d" }, { 0xfa, "0e" },
};

static const struct expected v0_values[] = {
	{ "program_failures", "1099511627777" }, { "erase_failures", "2" },
	{ "erase_cycles_min", "16" }, { "erase_cycles_max", "288" }, { "erase_cycles_avg", "24" },
	{ "boot_temperature_max_celsius", "46" }, { "boot_temperature_min_celsius", "16" },
	{ "boot_temperature_celsius", "36" }, { "end_to_end_errors", "3" }, { "crc_errors", "4" },
	{ "timed_workload_media_wear_ratio", "0.015" }, /* 1500 / 1000 % */
	{ "timed_workload_host_reads_raw", "6" }, { "timed_workload_timer_raw", "7" },
	{ "life_temperature_max_celsius", "74" }, { "life_temperature_min_celsius", "0" },
	{ "life_temperature_celsius", "36" }, { "power_max_watts", "25" }, { "power_min_watts", "4" },
	{ "power_watts", "13" }, { "thermal_throttle_raw", "8" }, { "throttled", "1" },
	{ "throttle_time_raw", "16777218" }, { "power_loss_protection_raw", "100" },
	{ "flash_media_errors", "9" }, { "retry_buffer_overflow_events", "10" },
	{ "read_failures", "11" }, { "pll_lock_loss_events", "12" },
	{ "nand_written_bytes", "33554432000000" }, { "host_written_bytes", "16777216000000" },
	{ "system_area_life_remaining_raw", "13" }, { "nand_read_bytes", "469762048" },
};

START_TEST(test_version_0_is_what_the_reference_says)
{
	check_layout(&memblaze_smart_v0_page, 0, v0_items, ELEMENTS(v0_items), v0_values,
		     ELEMENTS(v0_values));
}
END_TEST

static const struct item v2_items[] = {
	{ 0xab, "01" }, { 0xac, "02" }, { 0xad, "10 00 20 01 18 00" }, { 0xaf, "3f 01 21 01 35 01" },
	{ 0xb8, "03" }, { 0xc7, "04" }, { 0xe2, "dc 05" }, { 0xe3, "06" }, { 0xe4, "07" },
	{ 0xe5, "08" }, { 0xe6, "09" }, { 0xe7, "5b 01 11 01 35 01" }, { 0xe8, "19 00 04 00 0d 00" },
	{ 0xea, "01 02 00 00 01" }, { 0xeb, "02 03 00 00 01" }, { 0xec, "e8 03 b0 04 20 03" },
	{ 0xed, "0a" }, { 0xf0, "0b" }, { 0xf3, "0c" }, { 0xf4, "40 42 0f" }, { 0xf5, "20 a1 07" },
	{ 0xf6, "0d" }, { 0xf8, "0e" }, { 0xf9, "0f" }, { 0xfa, "10" }, { 0xfb, "11" }, { 0xfc, "12" },
	{ 0xfd, "13" }, { 0xfe, "14" },
};

static const struct expected v2_values[] = {
	{ "program_failures", "1" }, { "erase_failures", "2" },
	{ "erase_cycles_min", "16" }, { "erase_cycles_max", "288" }, { "erase_cycles_avg", "24" },
	{ "boot_temperature_max_celsius", "46" }, { "boot_temperature_min_celsius", "16" },
	{ "boot_temperature_celsius", "36" }, { "end_to_end_errors", "3" }, { "crc_errors", "4" },
	{ "timed_workload_media_wear_ratio", "0.015" }, { "timed_workload_host_reads_raw", "6" },
	{ "timed_workload_timer_raw", "7" }, { "in_flight_read_commands", "8" },
	{ "in_flight_write_commands", "9" }, { "life_temperature_max_celsius", "74" },
	{ "life_temperature_min_celsius", "0" }, { "life_temperature_celsius", "36" },
	{ "power_max_watts", "25" }, { "power_min_watts", "4" }, { "power_watts", "13" },
	{ "thermal_throttled", "1" }, { "thermal_throttle_events", "16777218" }, { "throttled", "2" },
	{ "throttle_time_raw", "16777219" }, { "capacitor_raw", "1000" },
	{ "capacitor_nominal_raw", "1200" }, { "capacitor_threshold_raw", "800" },
	{ "free_super_blocks", "10" }, { "lifetime_write_amplification_raw", "11" },
	{ "pll_lock_loss_events", "12" }, { "nand_written_bytes", "33554432000000" },
	{ "host_written_bytes", "16777216000000" }, { "system_area_life_remaining_raw", "13" },
	{ "nand_read_raw", "14" }, { "firmware_update_events", "15" },
	{ "dram_correctable_errors", "16" }, { "dram_uncorrectable_errors", "17" },
	{ "xor_pass_events", "18" }, { "xor_failures", "19" }, { "xor_invoked_events", "20" },
};

START_TEST(test_version_2_is_what_the_reference_says)
{
	check_layout(&memblaze_smart_v2_page, 2, v2_items, ELEMENTS(v2_items), v2_values,
		     ELEMENTS(v2_values));
}
END_TEST

static const struct item v3_items[] = {
	{ 0xab, "01 00 00 00 00 01" }, { 0xac, "02" }, { 0xad, "10 00 20 01 18 00" }, { 0xc7, "03" },
	{ 0xd0, "04" }, { 0xd1, "05" }, { 0xd2, "06" }, { 0xd3, "07" }, { 0xd4, "08" }, { 0xd5, "09" },
	{ 0xd6, "0a" }, { 0xd7, "0b" }, { 0xd8, "0c 01 ff ff 0d 01" }, { 0xd9, "01 00 02 00 03 00" },
	{ 0xda, "0e" }, { 0xdb, "0f" }, { 0xdc, "10" }, { 0xdd, "11" }, { 0xde, "62" },
	{ 0xdf, "04 00 05 00 06 00" }, { 0xe1, "12" }, { 0xe5, "13" }, { 0xe7, "14" },
	{ 0xe9, "07 00 08 00 09 00" }, { 0xea, "01 02 00 00 01" }, { 0xf4, "40 42 0f" },
	{ 0xf5, "20 a1 07" }, { 0xf6, "15 00 00 01" }, { 0xf7, "16 00 00 01" }, { 0xf8, "17 00 00 01" },
	{ 0xf9, "18 00 00 01" }, { 0xfa, "19 00 1a 00" },
};

static const struct expected v3_values[] = {
	{ "program_failures", "1099511627777" }, { "erase_failures", "2" },
	{ "erase_cycles_min", "16" }, { "erase_cycles_max", "288" }, { "erase_cycles_avg", "24" },
	{ "crc_errors", "3" }, { "reallocated_blocks", "4" }, { "uncorrectable_blocks", "5" },
	{ "nand_uncorrectable_errors", "6" }, { "nand_xor_correction_events", "7" },
	{ "garbage_collection_events", "8" }, { "dram_uncorrectable_errors", "9" },
	{ "sram_uncorrectable_errors", "10" }, { "raid_recovery_failures", "11" },
	{ "in_flight_io_commands", "268" }, { "in_flight_admin_commands", "269" },
	{ "internal_end_to_end_errors_1", "1" }, { "internal_end_to_end_errors_2", "2" },
	{ "internal_end_to_end_errors_3", "3" }, { "die_failures", "14" },
	{ "wear_leveling_events", "15" }, { "read_disturb_events", "16" },
	{ "data_retention_events", "17" }, { "capacitor_health_raw", "98" },
	{ "external_end_to_end_errors_1", "4" }, { "external_end_to_end_errors_2", "5" },
	{ "external_end_to_end_errors_3", "6" }, { "block_padding_events", "18" },
	{ "host_trimmed_blocks", "19" }, { "host_zeroed_blocks", "20" },
	{ "firmware_updates_without_reset", "7" }, { "firmware_updates_with_reset", "8" },
	{ "firmware_updates_failed", "9" }, { "thermal_throttled", "1" },
	{ "thermal_throttle_events", "16777218" }, { "nand_written_bytes", "33554432000000" },
	{ "host_written_bytes", "16777216000000" }, { "dram_correctable_errors", "16777237" },
	{ "dram_correctable_error_address", "16777238" }, { "sram_correctable_errors", "16777239" },
	{ "sram_correctable_error_address", "16777240" }, { "write_throttle_raw", "25" },
	{ "write_throttle_life_raw", "26" },
};

START_TEST(test_version_3_is_what_the_reference_says)
{
	check_layout(&memblaze_smart_v3_page, 3, v3_items, ELEMENTS(v3_items), v3_values,
		     ELEMENTS(v3_values));
}
END_TEST

START_TEST(test_ratings_stand_beside_their_items)
{
	uint8_t bytes[512];

	put_items(bytes, 0, v0_items, ELEMENTS(v0_items), false);
	check_value(&memblaze_smart_v0_page, bytes, "wear_leveling_normalized_ratio", "0.98");
	put_items(bytes, 3, v3_items, ELEMENTS(v3_items), true);
	check_value(&memblaze_smart_v3_page, bytes, "wear_leveling_normalized_ratio", "0.98");
	bytes[10 * (ELEMENTS(v3_items) - 3) + 1] = 101;
	check_value(&memblaze_smart_v3_page, bytes, "wear_leveling_normalized_ratio", "absent");
	check_value(&memblaze_smart_v3_page, bytes, "log_page_version", "3");
}
END_TEST

/* The last slot ends before the version byte: it is no item, and no item reaches into it. */
START_TEST(test_the_version_is_no_item)
{
	uint8_t bytes[512];

	put_items(bytes, 3, v3_items, 1, false);
	put_item10(bytes, 50, 0xac, 100, "07");
	check_value(&memblaze_smart_v3_page, bytes, "erase_failures", "7");
	bytes[500] = 0;
	bytes[510] = 0xac;
	check_value(&memblaze_smart_v3_page, bytes, "erase_failures", "absent");
}
END_TEST

static const struct expected old_values[] = {
	{ "total_written_bytes", "1000000000000" }, { "total_read_bytes", "2000000000000" },
	{ "thermal_throttled", "1" }, { "thermal_throttle_seconds", "420" },
	{ "life_temperature_max_celsius", "74" }, { "life_temperature_min_celsius", "0" },
	{ "life_temperature_celsius", "36" }, { "power_max_watts", "25" }, { "power_min_watts", "4" },
	{ "power_watts", "13" }, { "boot_temperature_max_celsius", "46" },
	{ "boot_temperature_min_celsius", "16" }, { "power_loss_protection_normalized_ratio", "0.98" },
	{ "wear_leveling_normalized_ratio", "0.97" }, { "erase_cycles_min", "16" },
	{ "erase_cycles_max", "288" }, { "erase_cycles_avg", "24" },
	{ "host_written_bytes", "1073741824000" }, { "throttled", "0" },
	{ "throttle_events", "16777221" },
	{ "pcie_correctable_errors_0", "6" }, { "pcie_correctable_errors_1", "7" },
	{ "end_to_end_errors", "8" }, { "erase_failures", "9" }, { "program_failures", "10" },
	{ "read_failures", "11" },
};

START_TEST(test_the_old_layout_is_what_the_reference_says)
{
	static const struct item items[] = {
		{ 0x01, "e8 03" }, { 0x02, "d0 07" }, { 0x03, "01 07" }, { 0x04, "5b 01 11 01 35 01" },
		{ 0x05, "19 00 04 00 0d 00" }, { 0x06, "3f 01 21 01" }, { 0xec, "00" },
		{ 0xad, "10 00 20 01 18 00" }, { 0xf5, "e8 03" }, { 0xeb, "00 05 00 00 01" },
		{ 0xed, "06" }, { 0xee, "07" }, { 0xef, "08" }, { 0xf0, "09" }, { 0xf1, "0a" },
		{ 0xf2, "0b" },
	};
	uint8_t bytes[512] = { 0 };

	for (unsigned i = 0; i < ELEMENTS(items); i++)
		put_item12(bytes, i, items[i].id, i == 6 ? 98 : i == 7 ? 97 : 0, items[i].raw);
	ck_assert_int_eq(page_check(&memblaze_smart_old_page, bytes, 512), PAGE_SOUND);
	check_values(&memblaze_smart_old_page, bytes, old_values, ELEMENTS(old_values));
	ck_assert_uint_eq(page_columns(&memblaze_smart_old_page), ELEMENTS(old_values));
	/* Another id there: the item is another. */
	bytes[12 * 8 + 2] = 1;
	check_value(&memblaze_smart_old_page, bytes, "host_written_bytes", "absent");
	for (unsigned i = 6; i < 16; i++)
		bytes[12 * i] = 0x77;
	ck_assert_int_eq(page_check(&memblaze_smart_old_page, bytes, 512), PAGE_WRONG_LAYOUT);
}
END_TEST

START_TEST(test_latencies_are_what_the_reference_says)
{
	uint8_t bytes[648] = { 0 };
	char column[64], number[24];
	static const struct {
		const char *op;
		unsigned offset;
	} ops[] = { { "read", 8 }, { "write", 264 }, { "trim", 520 } };

	put_number(bytes, 0, 4, 7);
	put_number(bytes, 4, 4, 2);
	for (unsigned i = 0; i < 3 * 32; i++)
		put_number(bytes, ops[i / 32].offset + 4 * (i % 32), 4, 0x1000000 + i);
	ck_assert_int_eq(page_check(&memblaze_latency_page, bytes, 648), PAGE_SOUND);
	for (unsigned i = 0; i < 3 * 32; i++) {
		snprintf(column, sizeof(column), "%s_latency_bucket_ios_%u", ops[i / 32].op, i % 32 + 1);
		snprintf(number, sizeof(number), "%u", 0x1000000 + i);
		check_value(&memblaze_latency_page, bytes, column, number);
	}
	check_value(&memblaze_latency_page, bytes, "log_page_version", "2");
	check_value(&memblaze_latency_page, bytes, "log_page_minor_version", "7");
	ck_assert_uint_eq(page_columns(&memblaze_latency_page), 3 * 32 + 2);
	put_number(bytes, 4, 4, 3);
	ck_assert_int_eq(page_check(&memblaze_latency_page, bytes, 648), PAGE_WRONG_LAYOUT);
}
END_TEST

static const struct {
	uint32_t vendor;
	const char *model;
	enum known identify, logs;
	uint8_t lid;
	enum page_presence new, old, latency;
} drives[] = {
	{ 0x1c5f, "P6530DT0384M00", HAS, LACKS, 0, PAGE_POSSIBLE, PAGE_LACKED, PAGE_POSSIBLE },
	{ 0x1c5f, "P6536DT0320M00", HAS, LACKS, 0, PAGE_POSSIBLE, PAGE_LACKED, PAGE_POSSIBLE },
	{ 0x1c5f, "D6920DT0768M00", HAS, LACKS, 0, PAGE_POSSIBLE, PAGE_LACKED, PAGE_POSSIBLE },
	{ 0x1c5f, "P5920DH0320T00", HAS, LACKS, 0, PAGE_POSSIBLE, PAGE_LACKED, PAGE_LACKED },
	{ 0x1c5f, "P5910DH0320T00", HAS, LACKS, 0, PAGE_LACKED, PAGE_POSSIBLE, PAGE_LACKED },
	{ 0x1c5f, "P6530DT0384M00", HAS, HAS, 0xca, PAGE_POSSIBLE, PAGE_LACKED, PAGE_LACKED },
	{ 0x1c5f, "P6530DT0384M00", HAS, HAS, 0xc0, PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ 0x1c5f, "P6530DT0384M00", UNREAD, UNREAD, 0, PAGE_LATER, PAGE_LATER, PAGE_LATER },
	{ 0, "P6530DT0384M00", UNREAD, LACKS, 0, PAGE_LATER, PAGE_LATER, PAGE_LATER },
	{ 0x144d, "SAMSUNG MZQL23T8HCLS-00A07", HAS, LACKS, 0, PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ 0x1e0f, "KCD6XLUL15T3", HAS, LACKS, 0, PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ 0x1bb1, "Seagate FireCuda 530 ZP1000GM30013", HAS, LACKS, 0, PAGE_LACKED, PAGE_LACKED,
	  PAGE_LACKED },
	{ 0x8086, "INTEL SSDPE2KX040T7", HAS, LACKS, 0, PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
	{ 0x1c58, "HUSPR3232ADP301", HAS, LACKS, 0, PAGE_LACKED, PAGE_LACKED, PAGE_LACKED },
};

START_TEST(test_only_memblazes_drives_are_asked)
{
	static const struct page *const asked_for[] = {
		&memblaze_smart_v0_page, &memblaze_smart_v2_page, &memblaze_smart_v3_page,
	};

	for (size_t i = 0; i < ELEMENTS(drives); i++)
		for (size_t k = 0; k < ELEMENTS(asked_for); k++) {
			const struct asked_drive d = {
				.vendor = drives[i].vendor, .model = drives[i].model,
				.identify = drives[i].identify, .logs = drives[i].logs,
				.uuids = LACKS, .ocp = LACKS, .lid = drives[i].lid,
			};
			ck_assert_msg(asked(asked_for[k], &d) == drives[i].new, "%zu %s", i, d.model);
			ck_assert_msg(asked(&memblaze_smart_old_page, &d) == drives[i].old, "%zu %s", i,
				      d.model);
			ck_assert_msg(asked(&memblaze_latency_page, &d) == drives[i].latency, "%zu %s",
				      i, d.model);
		}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_version_0_is_what_the_reference_says,
		test_version_2_is_what_the_reference_says,
		test_version_3_is_what_the_reference_says,
		test_ratings_stand_beside_their_items,
		test_the_version_is_no_item,
		test_the_old_layout_is_what_the_reference_says,
		test_latencies_are_what_the_reference_says,
		test_only_memblazes_drives_are_asked,
		NULL,
	};

	return check_main("pages memblaze", tests);
}
