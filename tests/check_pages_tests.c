/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Self-test and sanitize: bytes as the specification lays them out, values as it means them. */

#include "page_facts.h"
#include "sim_support.h"

#define check_test(bytes, column, expected) check_value(&self_test_page, bytes, column, expected)
#define check_sanitize(bytes, column, expected) check_value(&sanitize_page, bytes, column, expected)

/* Every result unused. */
static void no_results(uint8_t *bytes)
{
	memset(bytes, 0, 564);
	for (unsigned i = 0; i < 20; i++)
		bytes[4 + 28 * i] = 0x0f;
}

START_TEST(test_self_test)
{
	uint8_t bytes[564];

	no_results(bytes);
	put_hex(bytes, 0, "02 25");
	put_hex(bytes, 4, "10 00 00 00 e8 03 00 00 00 00 00 00"); /* short, passed, 1000 h */
	put_hex(bytes, 4 + 28, "27 05 0f 00 0a 00 00 00 00 00 00 00 03 00 00 00 "
			       "15 cd 5b 07 00 00 00 00 02 81 34 12"); /* extended, failed in segment 5 */
	put_hex(bytes, 4 + 19 * 28, "e8");
	check_test(bytes, "self_test_operation", "2");
	check_test(bytes, "self_test_progress_ratio", "0.37");
	check_test(bytes, "result_1", "0");
	check_test(bytes, "operation_1", "1");
	check_test(bytes, "segment_1", "absent");
	check_test(bytes, "power_on_seconds_1", "3600000");
	check_test(bytes, "nsid_1", "absent");
	check_test(bytes, "lba_1", "absent");
	check_test(bytes, "status_code_type_1", "absent");
	check_test(bytes, "status_code_1", "absent");
	check_test(bytes, "result_2", "7");
	check_test(bytes, "operation_2", "2");
	check_test(bytes, "segment_2", "5");
	check_test(bytes, "diagnostics_valid_2", "15");
	check_test(bytes, "power_on_seconds_2", "36000");
	check_test(bytes, "nsid_2", "3");
	check_test(bytes, "lba_2", "123456789");
	check_test(bytes, "status_code_type_2", "2");
	check_test(bytes, "status_code_2", "129");
	check_test(bytes, "vendor_specific_2", "4660");
	check_test(bytes, "result_3", "absent");
	check_test(bytes, "power_on_seconds_3", "absent");
	check_test(bytes, "result_20", "8");
	check_test(bytes, "operation_20", "14");
	/* Each bit of byte 2 speaks for one. */
	bytes[4 + 28 + 2] = 0x02;
	check_test(bytes, "nsid_2", "absent");
	check_test(bytes, "lba_2", "123456789");
	check_test(bytes, "status_code_2", "absent");
}
END_TEST

/* Case SAN-04: "0 % complete and still in progress" when nothing runs. */
START_TEST(test_SAN_04_without_a_test_there_is_no_progress)
{
	uint8_t bytes[564];

	no_results(bytes);
	check_test(bytes, "self_test_operation", "0");
	check_test(bytes, "self_test_progress_ratio", "absent");
	bytes[1] = 50;
	check_test(bytes, "self_test_progress_ratio", "absent");
	bytes[0] = 0x0e;
	check_test(bytes, "self_test_progress_ratio", "0.5");
	bytes[1] = 0x80 | 100; /* bit 7 is reserved */
	check_test(bytes, "self_test_progress_ratio", "1");
}
END_TEST

/* Case SAN-07: results that nobody has heard of are numbers. */
START_TEST(test_SAN_07_unknown_results_are_kept)
{
	uint8_t bytes[564];
	char expected[8];

	no_results(bytes);
	for (unsigned result = 9; result < 0xf; result++) {
		bytes[4] = (uint8_t)(0x20 | result);
		snprintf(expected, sizeof(expected), "%u", result);
		check_test(bytes, "result_1", expected);
		check_test(bytes, "operation_1", "2");
	}
	bytes[4] = 0; /* before the first test some drives have zeros */
	check_test(bytes, "result_1", "absent");
	check_test(bytes, "power_on_seconds_1", "absent");
	bytes[4] = 0x2f;
	check_test(bytes, "result_1", "absent");
	check_test(bytes, "operation_1", "absent");
}
END_TEST

static void never_sanitized(uint8_t *bytes)
{
	memset(bytes, 0, 512);
	put_hex(bytes, 0, "ff ff");
	memset(bytes + 8, 0xff, 28);
}

START_TEST(test_sanitize)
{
	uint8_t bytes[512];

	never_sanitized(bytes);
	check_sanitize(bytes, "sanitize_status", "0");
	check_sanitize(bytes, "sanitize_progress_ratio", "absent");
	check_sanitize(bytes, "overwrite_estimate_seconds", "absent");
	check_sanitize(bytes, "post_verification_deallocation_estimate_seconds", "absent");
	check_sanitize(bytes, "sanitize_state", "0");
	check_sanitize(bytes, "sanitize_failed_state", "absent");
	put_hex(bytes, 0, "00 80 1a 07 83 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 "
			  "05 00 00 00 06 00 00 00 07 00 00 00 21 00 00 00 04 00 00 00 09 00 00 00");
	check_sanitize(bytes, "sanitize_status", "2");
	check_sanitize(bytes, "sanitize_progress_ratio", "0.5");
	check_sanitize(bytes, "overwrite_passes", "3");
	check_sanitize(bytes, "global_data_erased", "1");
	check_sanitize(bytes, "media_verification_cancelled", "1");
	check_sanitize(bytes, "namespace_data_erased", "1");
	check_sanitize(bytes, "sanitize_command", "131");
	check_sanitize(bytes, "overwrite_estimate_seconds", "1");
	check_sanitize(bytes, "block_erase_estimate_seconds", "2");
	check_sanitize(bytes, "crypto_erase_estimate_seconds", "3");
	check_sanitize(bytes, "overwrite_no_deallocate_estimate_seconds", "4");
	check_sanitize(bytes, "block_erase_no_deallocate_estimate_seconds", "5");
	check_sanitize(bytes, "crypto_erase_no_deallocate_estimate_seconds", "6");
	check_sanitize(bytes, "post_verification_deallocation_estimate_seconds", "7");
	check_sanitize(bytes, "sanitize_state", "1");
	check_sanitize(bytes, "sanitize_failed_state", "2");
	check_sanitize(bytes, "namespaces_at_once_max", "4");
	check_sanitize(bytes, "namespace_sanitized", "9");
}
END_TEST

/* Case SAN-01: a block erase that is stuck at 1 %. */
START_TEST(test_SAN_01_progress_of_a_sanitize)
{
	uint8_t bytes[512];

	never_sanitized(bytes);
	put_number(bytes, 0, 2, 655);
	put_number(bytes, 2, 2, 2);
	ck_assert_int_eq(page_check(&sanitize_page, bytes, sizeof(bytes)), PAGE_SOUND);
	check_sanitize(bytes, "sanitize_status", "2");
	check_sanitize(bytes, "sanitize_progress_ratio", "0.0099945068359375");
	check_sanitize(bytes, "crypto_erase_estimate_seconds", "absent");
	put_number(bytes, 0, 2, 0xffff);
	check_sanitize(bytes, "sanitize_progress_ratio", "absent");
}
END_TEST

/* Case SAN-03: zeros are no page, see LOG-15. */
START_TEST(test_SAN_03_zeros_are_no_sanitize_status)
{
	uint8_t bytes[512] = { 0 };

	ck_assert_int_eq(page_check(&sanitize_page, bytes, sizeof(bytes)), PAGE_ALL_ZERO);
}
END_TEST

START_TEST(test_capabilities_decide)
{
	uint8_t identify[4096] = { 0 };
	struct known k = { 0 };

	known_set(&k, &supported_logs_page, NULL);
	ck_assert_int_eq(presence_of(&self_test_page, &k), PAGE_LATER);
	ck_assert_int_eq(presence_of(&sanitize_page, &k), PAGE_LATER);
	known_set(&k, &identify_page, identify);
	ck_assert_int_eq(presence_of(&self_test_page, &k), PAGE_LACKED);
	ck_assert_int_eq(presence_of(&sanitize_page, &k), PAGE_LACKED);
	identify[256] = 0x10; /* OACS bit 4 */
	identify[331] = 0x80; /* SANICAP */
	ck_assert_int_eq(presence_of(&self_test_page, &k), PAGE_POSSIBLE);
	ck_assert_int_eq(presence_of(&sanitize_page, &k), PAGE_POSSIBLE);
}
END_TEST

START_TEST(test_a_simulated_drive_has_what_identify_says)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(SERIAL "[identify]\noacs = 0x10\nsanicap = 2\n");
	_cleanup_(sim_freep) struct sim *plain = drive_of(SERIAL);
	struct reply r = run(s, 0, read_page(&self_test_page));

	ck_assert_uint_eq(r.status, 0);
	ck_assert_uint_eq(r.data[4], 0x0f);
	ck_assert_uint_eq(r.data[4 + 19 * 28], 0x0f);
	r = run(s, 0, read_page(&sanitize_page));
	ck_assert_uint_eq(r.status, 0);
	ck_assert_uint_eq(bytes_get(r.data, 2), 0xffff);
	ck_assert_uint_eq(run(plain, 0, read_page(&self_test_page)).status, 0x109);
	ck_assert_uint_eq(run(plain, 0, read_page(&sanitize_page)).status, 0x109);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_self_test,
		test_SAN_04_without_a_test_there_is_no_progress,
		test_SAN_07_unknown_results_are_kept,
		test_sanitize,
		test_SAN_01_progress_of_a_sanitize,
		test_SAN_03_zeros_are_no_sanitize_status,
		test_capabilities_decide,
		test_a_simulated_drive_has_what_identify_says,
		NULL,
	};

	return check_main("pages tests", tests);
}
