/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Cases about OCP pages, power states and identity strings. */

#include "cases_support.h"

/* The dump's lines are an offset and up to 16 bytes. Returns how many bytes there were. */
static size_t read_dump(const char *path, uint8_t *bytes, size_t size)
{
	_cleanup_(fclosep) FILE *f = fopen(source_path(path), "r");
	char line[128];
	unsigned offset, byte;
	size_t n = 0;
	int used;

	ck_assert_msg(f != NULL, "%s", source_path(path));
	while (fgets(line, sizeof(line), f)) {
		const char *p = line;

		ck_assert_int_eq(sscanf(p, "%x%n", &offset, &used), 1);
		ck_assert_uint_eq(offset, n);
		for (p += used; n < size && sscanf(p, "%2x%n", &byte, &used) == 1; p += used)
			bytes[n++] = (uint8_t)byte;
	}
	return n;
}

START_TEST(test_LOG_10_a_short_page_without_guid_is_not_trusted)
{
	uint8_t bytes[512] = { 0 };
	size_t n = read_dump("tests/data/cases/LOG-10.hex", bytes, sizeof(bytes));

	ck_assert_uint_eq(n, 299);
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, n), PAGE_WRONG_SIZE);
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, 512), PAGE_WRONG_GUID);
	/* It is one, nevertheless, of a version that is not there. */
	put_hex(bytes, 496, "c5 af 10 28 ea bf f2 a4 9c 4f 6f 7c c9 14 d5 af");
	ck_assert_int_eq(page_check(&ocp_smart_page, bytes, 512), PAGE_SOUND);
	check_value(&ocp_smart_page, bytes, "physical_media_written_bytes", "4867569061888");
	check_value(&ocp_smart_page, bytes, "bad_user_nand_blocks_normalized_ratio", "1");
	check_value(&ocp_smart_page, bytes, "pcie_link_retrains", "absent");
}
END_TEST

START_TEST(test_LOG_12_few_free_blocks_and_no_used_ones_are_values)
{
	uint8_t bytes[512] = { 0 };

	put_hex(bytes, 496, "c5 af 10 28 ea bf f2 a4 9c 4f 6f 7c c9 14 d5 af");
	put_number(bytes, 494, 2, 2);
	bytes[120] = 1;
	put_number(bytes, 144, 8, 0x10001);
	check_value(&ocp_smart_page, bytes, "free_blocks_ratio", "0.01");
	check_value(&ocp_smart_page, bytes, "namespace_used_blocks", "0");
	check_value(&ocp_smart_page, bytes, "security_version_number", "65537");
}
END_TEST

static void put_state(uint8_t *bytes, unsigned state, unsigned power, unsigned flags)
{
	put_number(bytes, 2048 + 32 * state, 2, power);
	bytes[2048 + 32 * state + 3] = (uint8_t)flags;
	if (bytes[263] < state)
		bytes[263] = (uint8_t)state;
}

START_TEST(test_PWR_01_the_scale_of_each_state_is_used)
{
	uint8_t bytes[4096] = { 0 };

	put_state(bytes, 0, 600, 0);
	put_state(bytes, 1, 380, 0);
	put_state(bytes, 2, 240, 0);
	put_state(bytes, 3, 700, 3);
	put_state(bytes, 4, 70, 3);
	check_identify(bytes, "power_state_max_watts_0", "6");
	check_identify(bytes, "power_state_max_watts_1", "3.8");
	check_identify(bytes, "power_state_max_watts_2", "2.4");
	check_identify(bytes, "power_state_max_watts_3", "0.07");
	check_identify(bytes, "power_state_max_watts_4", "0.007");
	check_identify(bytes, "power_state_max_watts_5", "absent");
}
END_TEST

START_TEST(test_PWR_02_watts_keep_four_decimals)
{
	uint8_t bytes[4096] = { 0 };

	put_state(bytes, 3, 490, 3);
	put_state(bytes, 4, 18, 3);
	put_number(bytes, 2048 + 4 * 32 + 4, 4, 25000);
	put_number(bytes, 2048 + 4 * 32 + 8, 4, 25000);
	check_identify(bytes, "power_state_max_watts_3", "0.049");
	check_identify(bytes, "power_state_max_watts_4", "0.0018");
	check_identify(bytes, "power_state_non_operational_4", "1");
	check_identify(bytes, "power_state_entry_seconds_4", "0.025");
	check_identify(bytes, "power_state_exit_seconds_4", "0.025");
}
END_TEST

START_TEST(test_PWR_04_powers_without_a_scale_are_absent)
{
	uint8_t bytes[4096] = { 0 };

	put_number(bytes, 2048 + 16, 2, 500);
	put_number(bytes, 2048 + 20, 2, 500);
	check_identify(bytes, "power_state_idle_watts_0", "absent");
	check_identify(bytes, "power_state_active_watts_0", "absent");
	bytes[2048 + 18] = bytes[2048 + 22] = 0xc0;
	check_identify(bytes, "power_state_idle_watts_0", "absent");
	check_identify(bytes, "power_state_active_watts_0", "absent");
}
END_TEST

/* PWR-10, in part: five states from 8.25 W, eight states from 25 W. */
START_TEST(test_PWR_10_every_drive_has_its_own_states)
{
	uint8_t small[4096] = { 0 }, large[4096] = { 0 };

	put_state(small, 0, 825, 0);
	put_state(small, 4, 30, 3);
	put_state(large, 0, 2500, 0);
	put_state(large, 7, 800, 0);
	check_identify(small, "power_state_max_watts_0", "8.25");
	check_identify(small, "power_state_max_watts_7", "absent");
	check_identify(large, "power_state_max_watts_0", "25");
	check_identify(large, "power_state_max_watts_7", "8");
}
END_TEST

START_TEST(test_IDN_01_texts_end_with_their_field)
{
	uint8_t bytes[4096];

	memset(bytes, 0x41, sizeof(bytes));
	memcpy(bytes + 64, "DNA8DNA8", 8);
	check_identify(bytes, "fr", "\"DNA8DNA8\"");
	check_identify(bytes, "mn", "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"");
	check_identify(bytes, "sn", "\"AAAAAAAAAAAAAAAAAAAA\"");
	ck_assert_uint_eq(strlen(value_at(&identify_page, bytes, "subnqn").text), 256);
}
END_TEST

START_TEST(test_IDN_06_a_blank_model_is_absent)
{
	uint8_t bytes[4096] = { 0 };

	memcpy(bytes + 4, "SERIAL              ", 20);
	check_identify(bytes, "mn", "absent");
	check_identify(bytes, "sn", "\"SERIAL\"");
	memset(bytes + 24, ' ', 40);
	check_identify(bytes, "mn", "absent");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_LOG_10_a_short_page_without_guid_is_not_trusted,
		test_LOG_12_few_free_blocks_and_no_used_ones_are_values,
		test_PWR_01_the_scale_of_each_state_is_used,
		test_PWR_02_watts_keep_four_decimals,
		test_PWR_04_powers_without_a_scale_are_absent,
		test_PWR_10_every_drive_has_its_own_states,
		test_IDN_01_texts_end_with_their_field,
		test_IDN_06_a_blank_model_is_absent,
		NULL,
	};

	return check_main("cases pages", tests);
}
