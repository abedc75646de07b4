/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Micron's log pages D0h and E1h, by hand. */

#include "vendor_support.h"

static const struct place health[] = {
	{ 2, 2, "log_page_version" }, { 4, 4, "grown_bad_blocks" },
	{ 8, 4, "sram_single_bit_errors" }, { 12, 4, "sram_double_bit_errors" },
	{ 16, 4, "write_protect_reason_raw" }, { 20, 4, "erase_cycles" }, { 24, 4, "erase_failures" },
	{ 28, 4, "program_failures" }, { 72, 4, "power_loss_cycles" },
	{ 76, 4, "pln_asserted_events" }, { 80, 4, "pln_deasserted_events" },
	{ 84, 4, "pla_asserted_events" }, { 88, 4, "pla_deasserted_events" },
	{ 92, 4, "correctable_nand_errors" }, { 96, 4, "uncorrectable_read_errors" },
	{ 100, 4, "tlc_erase_cycles_min" }, { 104, 4, "tlc_erase_cycles_avg" },
	{ 108, 4, "tlc_erase_cycles_max" }, { 112, 2, "asic_temperature_min_raw" },
	{ 114, 2, "asic_temperature_max_raw" }, { 116, 2, "nand_temperature_min_raw" },
	{ 118, 2, "nand_temperature_max_raw" }, { 120, 4, "slc_erase_cycles_min" },
	{ 124, 4, "slc_erase_cycles_avg" }, { 128, 4, "slc_erase_cycles_max" },
	{ 132, 2, "slc_life_used_raw" }, { 134, 2, "tlc_life_used_raw" }, { 136, 8, "unmapped_blocks" },
	{ 144, 4, "threshold_1_raw" }, { 148, 4, "threshold_2_raw" },
};

START_TEST(test_d0h_is_what_the_reference_says)
{
	uint8_t bytes[152] = { 0 };

	put_places(bytes, health, ELEMENTS(health));
	ck_assert_int_eq(page_check(&micron_health_page, bytes, 152), PAGE_SOUND);
	check_places(&micron_health_page, bytes, health, ELEMENTS(health));
	ck_assert_uint_eq(page_columns(&micron_health_page), ELEMENTS(health));
}
END_TEST

START_TEST(test_latencies_under_d0h_are_not_believed)
{
	uint8_t bytes[152] = { 0 };

	for (unsigned version = 1; version < 0x10000; version *= 2) {
		put_number(bytes, 0, 8, version);
		put_number(bytes, 8, 8, 123456);
		ck_assert_int_eq(page_check(&micron_health_page, bytes, 152), PAGE_WRONG_LAYOUT);
	}
}
END_TEST

static const struct place smart[] = {
	{ 12, 4, "grown_bad_blocks" }, { 16, 4, "block_erase_cycles" },
	{ 48, 4, "write_protect_reason_raw" }, { 64, 8, "capacity_raw" }, { 80, 8, "erase_cycles" },
	{ 88, 8, "life_use_rate_raw" }, { 96, 8, "erase_failures" },
	{ 112, 8, "uncorrectable_read_errors" }, { 144, 16, "program_failures" },
	{ 160, 16, "read_bytes" }, { 176, 16, "written_bytes" }, { 208, 4, "translation_unit_raw" },
	{ 212, 4, "block_stripes_raw" }, { 216, 4, "free_block_stripes_raw" },
	{ 220, 8, "block_stripe_size_raw" }, { 244, 4, "user_erase_cycles_min" },
	{ 248, 4, "user_erase_cycles_avg" }, { 252, 4, "user_erase_cycles_max" },
};

START_TEST(test_e1h_is_what_the_reference_says)
{
	uint8_t bytes[256] = { 0 };

	put_places(bytes, smart, ELEMENTS(smart));
	put_number(bytes, 20, 4, 61);
	check_places(&micron_smart_page, bytes, smart, ELEMENTS(smart));
	check_value(&micron_smart_page, bytes, "power_on_seconds", "3660");
	ck_assert_uint_eq(page_columns(&micron_smart_page), ELEMENTS(smart) + 1);
}
END_TEST

static const struct {
	struct asked_drive drive;
	enum page_presence health, smart;
} drives[] = {
	{ { 0x1344, "Micron_9300_MTFDHAL3T8TDP", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_POSSIBLE, PAGE_POSSIBLE },
	{ { 0x1344, "Micron_7300_MTFDHBE3T8TDF", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_POSSIBLE, PAGE_POSSIBLE },
	{ { 0x1344, "Micron_7450_MTFDKCC3T8TFR", HAS, LACKS, HAS, UNREAD, 0, NULL },
	  PAGE_LATER, PAGE_LATER },
	{ { 0x1344, "Micron_7450_MTFDKCC3T8TFR", HAS, LACKS, HAS, HAS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED },
	{ { 0x1344, "Micron_7450_MTFDKCC3T8TFR", HAS, HAS, HAS, HAS, 0xe1, NULL },
	  PAGE_LACKED, PAGE_POSSIBLE },
	{ { 0x1344, "Micron_2210_MTFDHBA512QFD", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED },
	{ { 0xc0a9, "CT1000P5PSSD8", HAS, LACKS, LACKS, LACKS, 0, NULL }, PAGE_LACKED, PAGE_LACKED },
	{ { 0x144d, "SAMSUNG MZQL23T8HCLS-00A07", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED },
	{ { 0x1e0f, "KCD6XLUL15T3", HAS, LACKS, LACKS, LACKS, 0, NULL }, PAGE_LACKED, PAGE_LACKED },
	{ { 0x1bb1, "Seagate FireCuda 530 ZP1000GM30013", HAS, LACKS, LACKS, LACKS, 0, NULL },
	  PAGE_LACKED, PAGE_LACKED },
	{ { 0x1b96, "WUS4BB038D7P3E1", HAS, LACKS, LACKS, LACKS, 0, NULL }, PAGE_LACKED, PAGE_LACKED },
};

START_TEST(test_only_microns_data_centre_drives_are_asked)
{
	for (size_t i = 0; i < ELEMENTS(drives); i++) {
		const struct asked_drive *d = &drives[i].drive;

		ck_assert_msg(asked(&micron_health_page, d) == drives[i].health, "%zu %s", i, d->model);
		ck_assert_msg(asked(&micron_smart_page, d) == drives[i].smart, "%zu %s", i, d->model);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_d0h_is_what_the_reference_says,
		test_latencies_under_d0h_are_not_believed,
		test_e1h_is_what_the_reference_says,
		test_only_microns_data_centre_drives_are_asked,
		NULL,
	};

	return check_main("pages micron", tests);
}
