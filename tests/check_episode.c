/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Self-tests and sanitize operations that begin and end between two reads. */

#include "nvmewatch/episode.h"
#include "page_support.h"

static uint8_t before[564], now[564];
static char text[128];

static void setup(void)
{
	memset(before, 0, sizeof(before));
	for (unsigned i = 0; i < 20; i++)
		before[4 + 28 * i] = 0x0f; /* unused */
	memcpy(now, before, sizeof(now));
	strcpy(text, "untouched");
}

/* ---- Self-test. ---- */

static enum episode self_test(void)
{
	return episode_self_test(before, now, text, sizeof(text));
}

/* SAN-04: 0 % of nothing is not a test that runs. */
START_TEST(test_SAN_04_nothing_runs_nothing_begins)
{
	ck_assert_int_eq(self_test(), EPISODE_SAME);
	ck_assert_int_eq(episode_self_test(NULL, now, text, sizeof(text)), EPISODE_SAME);
	ck_assert_str_eq(text, "untouched");
}
END_TEST

START_TEST(test_a_self_test_begins_and_ends_with_its_result)
{
	now[0] = 2;
	now[1] = 10;
	ck_assert_int_eq(self_test(), EPISODE_BEGUN);
	ck_assert_str_eq(text, "extended");
	memcpy(before, now, sizeof(before));
	now[1] = 60;
	ck_assert_int_eq(self_test(), EPISODE_SAME);
	now[0] = now[1] = 0;
	now[4] = 0x27; /* extended, failed in a known segment */
	ck_assert_int_eq(self_test(), EPISODE_ENDED);
	ck_assert_str_eq(text, "extended, failed, the segment is known");
}
END_TEST

START_TEST(test_a_self_test_that_runs_at_the_first_read_has_begun)
{
	now[0] = 1;
	ck_assert_int_eq(episode_self_test(NULL, now, text, sizeof(text)), EPISODE_BEGUN);
	ck_assert_str_eq(text, "short");
	now[0] = 0;
	now[4] = 0x10; /* an old result is no event */
	ck_assert_int_eq(episode_self_test(NULL, now, text, sizeof(text)), EPISODE_SAME);
}
END_TEST

/* A short test takes two minutes, less than it may take to the next read. */
START_TEST(test_a_self_test_between_two_reads_has_ended)
{
	now[4] = 0x10;
	ck_assert_int_eq(self_test(), EPISODE_ENDED);
	ck_assert_str_eq(text, "short, passed");
	memcpy(before, now, sizeof(before));
	now[8] = 7; /* another one like it, seven hours later */
	ck_assert_int_eq(self_test(), EPISODE_ENDED);
	memcpy(before, now, sizeof(before));
	ck_assert_int_eq(self_test(), EPISODE_SAME);
}
END_TEST

/* SAN-07: result 9, and those that are reserved. */
START_TEST(test_SAN_07_reserved_results_are_told_as_such)
{
	now[4] = 0x29;
	ck_assert_int_eq(self_test(), EPISODE_ENDED);
	ck_assert_str_eq(text, "extended, aborted by a sanitize");
	for (unsigned result = 0xa; result < 0xf; result++) {
		now[4] = (uint8_t)(0x20 | result);
		ck_assert_int_eq(self_test(), EPISODE_ENDED);
		ck_assert_str_eq(text, "extended, ended for a reason that is reserved");
	}
	now[4] = 0x50; /* a test that is reserved */
	self_test();
	ck_assert_str_eq(text, "unknown, passed");
}
END_TEST

START_TEST(test_a_self_test_may_end_without_a_result)
{
	before[0] = 0xe;
	ck_assert_int_eq(self_test(), EPISODE_ENDED);
	ck_assert_str_eq(text, "vendor's, without a result");
}
END_TEST

/* Drives that keep zeros in place of unused results. */
START_TEST(test_zeros_are_no_result)
{
	memset(before, 0, sizeof(before));
	before[4] = 0x10;
	memset(now, 0, sizeof(now));
	ck_assert_int_eq(self_test(), EPISODE_SAME);
}
END_TEST

/* ---- Sanitize. ---- */

START_TEST(test_SAN_01_a_sanitize_begins_and_goes_on)
{
	memset(before, 0, sizeof(before));
	memset(now, 0, sizeof(now));
	put_hex(now, 0, "8f 02 02 00 02 00 00 00");
	ck_assert_int_eq(episode_sanitize(before, now, text, sizeof(text)), EPISODE_BEGUN);
	ck_assert_str_eq(text, "block erase");
	ck_assert_int_eq(episode_sanitize(NULL, now, text, sizeof(text)), EPISODE_BEGUN);
	ck_assert_int_eq(episode_sanitize(now, now, text, sizeof(text)), EPISODE_SAME);
}
END_TEST

START_TEST(test_a_sanitize_ends_well_or_not)
{
	static const struct {
		uint8_t status, action;
		const char *text;
	} ends[] = {
		{ 1, 4, "crypto erase, done" },
		{ 3, 3, "overwrite, failed" },
		{ 4, 2, "block erase, done, deallocated although that was not asked for" },
		{ 0, 0, "unknown action, ended" },
	};

	memset(before, 0, sizeof(before));
	memset(now, 0, sizeof(now));
	before[2] = 2;
	now[2] = ends[_i].status;
	now[3] = 1; /* global data erased: none of the status' bits */
	now[4] = ends[_i].action;
	ck_assert_int_eq(episode_sanitize(before, now, text, sizeof(text)), EPISODE_ENDED);
	ck_assert_str_eq(text, ends[_i].text);
	ck_assert_int_eq(episode_sanitize(NULL, now, text, sizeof(text)), EPISODE_SAME);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("episode");
	TCase *tcase = tcase_create("episode");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, test_SAN_04_nothing_runs_nothing_begins);
	tcase_add_test(tcase, test_a_self_test_begins_and_ends_with_its_result);
	tcase_add_test(tcase, test_a_self_test_that_runs_at_the_first_read_has_begun);
	tcase_add_test(tcase, test_a_self_test_between_two_reads_has_ended);
	tcase_add_test(tcase, test_SAN_07_reserved_results_are_told_as_such);
	tcase_add_test(tcase, test_a_self_test_may_end_without_a_result);
	tcase_add_test(tcase, test_zeros_are_no_result);
	tcase_add_test(tcase, test_SAN_01_a_sanitize_begins_and_goes_on);
	tcase_add_loop_test(tcase, test_a_sanitize_ends_well_or_not, 0, 4);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
