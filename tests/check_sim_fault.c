/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The faults of a simulated drive: what, of which commands, when. */

#include <errno.h>
#include <stdlib.h>

#include "check_main.h"
#include "sim_support.h"

START_TEST(test_a_fault_without_more_is_of_every_command_for_ever)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(SERIAL "[fault]\nwhat = status 6\n");

	ck_assert_uint_eq(run(s, 0, get_log(2)).status, 6);
	ck_assert_uint_eq(run(s, 0, identify_cns(1)).status, 6);
	ck_assert_uint_eq(run(s, YEAR, get_log(0xca)).status, 6);
}
END_TEST

START_TEST(test_faults_begin_and_end)
{
	static const char *const ends[] = { "until = 1m", "for = 40s" };
	char text[256];

	for (size_t i = 0; i < ELEMENTS(ends); i++) {
		snprintf(text, sizeof(text), SERIAL "[fault]\npage = smart\nwhat = status 6\n%s\n"
			 "at = 20s\n", ends[i]);
		_cleanup_(sim_freep) struct sim *s = drive_of(text);
		ck_assert_uint_eq(run(s, 20 * SECOND - 1, get_log(2)).status, 0);
		ck_assert_uint_eq(run(s, 20 * SECOND, get_log(2)).status, 6);
		ck_assert_uint_eq(run(s, 20 * SECOND, identify_cns(1)).status, 0);
		ck_assert_uint_eq(run(s, 60 * SECOND - 1, get_log(2)).status, 6);
		ck_assert_uint_eq(run(s, 60 * SECOND, get_log(2)).status, 0);
	}
}
END_TEST

START_TEST(test_several_faults_make_a_timeline)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault 1]\nwhat = status 6\nat = 10s\nfor = 10s\n"
		       "[fault 2]\nwhat = errno EIO\nat = 20s\nfor = 10s\n"
		       "[fault 3]\npage = smart\nwhat = zero\nat = 30s\n");

	ck_assert_uint_eq(run(s, 0, get_log(2)).status, 0);
	ck_assert_uint_eq(run(s, 15 * SECOND, get_log(2)).status, 6);
	ck_assert_int_eq(run(s, 25 * SECOND, get_log(2)).error, -EIO);
	struct reply r = run(s, 35 * SECOND, get_log(2));
	ck_assert_int_eq(page_check(&smart_page, r.data, r.length), PAGE_ALL_ZERO);
}
END_TEST

START_TEST(test_the_first_fault_of_a_kind_wins)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		OCP_DRIVE "[fault a]\npage = smart\nwhat = status 0x6002\n[fault b]\nwhat = status 0x201d\n"
			  "[fault c]\nwhat = delay 3s\n[fault d]\nwhat = delay 9s\n");
	struct command c = get_log(2);

	ck_assert_uint_eq(run(s, 0, c).status, 0x002);
	ck_assert_uint_eq(run(s, 0, identify_cns(1)).status, 0x01d);
	ck_assert_uint_eq(sim_delay_us(s, 0, &c), 3 * SECOND);
}
END_TEST

/* ---- Which commands. ---- */

static struct command command_with(uint32_t length, uint32_t nsid, uint8_t rae)
{
	struct command c = get_log(2);

	c.length = length;
	c.nsid = nsid;
	c.rae = rae;
	return c;
}

START_TEST(test_faults_choose_by_length_nsid_and_rae)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault length]\nlength = 256\nwhat = status 0x13\n"
		       "[fault nsid]\nnsid = 0\npage = smart\nwhat = status 0x0b\n"
		       "[fault rae]\nrae = 0\npage = smart\nwhat = status 0x15\n");

	ck_assert_uint_eq(run(s, 0, command_with(512, NSID_ALL, 1)).status, 0);
	ck_assert_uint_eq(run(s, 0, command_with(256, NSID_ALL, 1)).status, 0x13);
	ck_assert_uint_eq(run(s, 0, command_with(512, 0, 1)).status, 0x0b);
	ck_assert_uint_eq(run(s, 0, command_with(512, NSID_ALL, 0)).status, 0x15);
}
END_TEST

START_TEST(test_nsids_are_32_bits)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault]\nnsid = 0xffffffff\nwhat = status 6\n");

	ck_assert_uint_eq(run(s, 0, get_log(2)).status, 6);
	ck_assert_uint_eq(run(s, 0, identify_cns(1)).status, 0);
}
END_TEST

/* Also pages that the table does not know. */
START_TEST(test_pages_have_names_or_numbers)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		OCP_DRIVE "[fault a]\npage = log 0x09\nwhat = status 0x15\n"
			  "[fault b]\npage = identify 0x17\nwhat = status 6\n"
			  "[fault c]\npage = identify\nwhat = status 7\n");

	ck_assert_uint_eq(run(s, 0, get_log(9)).status, 0x15);
	ck_assert_uint_eq(run(s, 0, get_log(0x17)).status, 0x109);
	ck_assert_uint_eq(run(s, 0, identify_cns(0x17)).status, 6);
	ck_assert_uint_eq(run(s, 0, identify_cns(1)).status, 7);
	ck_assert_uint_eq(run(s, 0, read_page(&error_information_page)).status, 0);
}
END_TEST

START_TEST(test_every_nth_and_the_first_few)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault every]\npage = smart\nevery = 3\ntimes = 2\nwhat = status 6\n"
		       "[fault times]\npage = identify\ntimes = 2\nwhat = status 7\n");

	for (int i = 1; i <= 12; i++) {
		ck_assert_uint_eq(run(s, 0, get_log(2)).status, i == 3 || i == 6 ? 6 : 0);
		ck_assert_uint_eq(run(s, 0, identify_cns(1)).status, i <= 2 ? 7 : 0);
	}
}
END_TEST

/* What comes before its time is not counted. */
START_TEST(test_counting_begins_with_the_fault)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault]\nat = 10s\ntimes = 1\nwhat = status 6\n");

	for (uint64_t t = 0; t < 20; t++)
		ck_assert_uint_eq(run(s, t * SECOND, get_log(2)).status, t == 10 ? 6 : 0);
}
END_TEST

/* ---- What. ---- */

START_TEST(test_delays_hangs_and_crashes)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		OCP_DRIVE "[fault 1]\npage = smart\nwhat = delay 10s\n"
			  "[fault 2]\npage = ocp_smart\nwhat = hang\nat = 5s\n"
			  "[fault 3]\npage = identify\nwhat = crash\n");
	struct command smart = get_log(2), ocp = get_log(0xc0), identify = identify_cns(1);

	ck_assert_uint_eq(sim_delay_us(s, 0, &smart), 10 * SECOND);
	ck_assert_uint_eq(sim_delay_us(s, 0, &ocp), 0);
	ck_assert_uint_eq(sim_delay_us(s, 5 * SECOND, &ocp), UINT64_MAX);
	ck_assert(sim_crashes(s, 0, &identify));
	ck_assert(!sim_crashes(s, 0, &smart));
}
END_TEST

/* A hang lasts as long as its fault, or until the kernel gives the drive up. */
START_TEST(test_what_ends_a_hang)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault 1]\nwhat = hang\nat = 10s\nfor = 30s\n[fault 2]\nwhat = hang\nat = 100s\n"
		       "[fault 3]\nwhat = reset\nat = 160s\nfor = 3s\n");
	struct command c = get_log(2);

	ck_assert_uint_eq(sim_delay_us(s, 15 * SECOND, &c), 25 * SECOND);
	ck_assert_uint_eq(sim_delay_us(s, 50 * SECOND, &c), 0);
	ck_assert_uint_eq(sim_delay_us(s, 100 * SECOND, &c), 60 * SECOND);
	ck_assert_int_eq(run(s, 160 * SECOND, c).error, -EAGAIN);
	ck_assert_uint_eq(sim_delay_us(s, 163 * SECOND, &c), UINT64_MAX);
}
END_TEST

START_TEST(test_errno_faults_carry_no_status)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault a]\nwhat = errno ENODEV\nat = 1s\nuntil = 2s\n"
		       "[fault b]\nwhat = errno 11\nat = 2s\n");

	ck_assert_int_eq(run(s, 0, get_log(2)).error, 0);
	struct reply r = run(s, SECOND, get_log(2));
	ck_assert_int_eq(r.error, -ENODEV);
	ck_assert_uint_eq(r.status, 0);
	ck_assert_uint_eq(r.length, 0);
	ck_assert_int_eq(run(s, 2 * SECOND, get_log(2)).error, -EAGAIN);
}
END_TEST

START_TEST(test_spoiled_bytes)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		OCP_DRIVE "[fault a]\npage = smart\nwhat = garbage\n[fault b]\npage = identify\nwhat = zero\n"
			  "[fault c]\npage = ocp_smart\nwhat = truncate 300\n");
	struct reply a = run(s, 0, get_log(2)), b = run(s, SECOND, get_log(2));

	ck_assert_uint_eq(a.length, 512);
	ck_assert_mem_ne(a.data, b.data, 512);
	a = run(s, SECOND, identify_cns(1));
	ck_assert_int_eq(page_check(&identify_page, a.data, a.length), PAGE_ALL_ZERO);
	ck_assert_uint_eq(run(s, SECOND, get_log(0xc0)).length, 300);
	/* None of it is a failed command. */
	ck_assert_uint_eq(sim_wire_status(s), 0);
}
END_TEST

START_TEST(test_the_wire_has_the_flag_bits)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault]\npage = smart\nwhat = status 0x7802\ntimes = 1\n");

	ck_assert_uint_eq(run(s, 0, get_log(2)).status, 0x002);
	ck_assert_uint_eq(sim_wire_status(s), 0x7802);
	run(s, 0, get_log(2));
	ck_assert_uint_eq(sim_wire_status(s), 0);
	run(s, 0, get_log(0xc0));
	ck_assert_uint_eq(sim_wire_status(s), 0x4109);
}
END_TEST

/* case ERR-01: what ends with a status is in the drive's error log, and nothing else. */
START_TEST(test_failing_commands_count_into_the_error_log)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[smart]\nerror_log_entries = 40\n"
		       "[fault a]\npage = identify\nwhat = status 6\ntimes = 3\n"
		       "[fault b]\npage = identify\nwhat = errno EIO\n");

	for (int i = 0; i < 10; i++)
		run(s, 0, identify_cns(1));
	ck_assert_int_eq(integer_at(s, 0, &smart_page, "error_log_entries"), 43);
}
END_TEST

/* ---- Bad files. ---- */

static const struct {
	const char *text, *error; /* behind FILE */
} bad[] = {
	{ "[fault]\ncolour = red\n", ":2: [fault] has no key \"colour\"; allowed are what, at, until, "
				     "for, page, length, nsid, rae, every, times" },
	{ "[fault x]\nwhat = fire\n", ":2: [fault x] what = fire: allowed are status 0x109 or with "
				      "CRD, More and DNR 0x4109, errno EAGAIN, delay 10s, hang, " },
	{ "[fault]\nwhat = status\n", ":2: [fault] what = status: allowed are " },
	{ "[fault]\nwhat = status 0x10000\n", ":2: [fault] what = status 0x10000: allowed are " },
	{ "[fault]\nwhat = status 0x4000\n", ":2: [fault] what = status 0x4000: allowed are " },
	{ "[fault]\nwhat = errno EFOO\n", ":2: [fault] what = errno EFOO: allowed are " },
	{ "[fault]\nwhat = errno 0\n", ":2: [fault] what = errno 0: allowed are " },
	{ "[fault]\nwhat = delay 3\n", ":2: [fault] what = delay 3: allowed are " },
	{ "[fault]\nwhat = hang 3s\n", ":2: [fault] what = hang 3s: allowed are " },
	{ "[fault]\nwhat = truncate 4096\n", ":2: [fault] what = truncate 4096: allowed are " },
	{ "[fault]\nwhat = hang\nwhat = crash\n", ":3: [fault] says what twice" },
	{ "[fault]\npage = foo\n", ":2: [fault] page = foo: allowed are the pages of " },
	{ "[fault]\npage = log 0x100\n", ":2: [fault] page = log 0x100: allowed are " },
	{ "[fault]\nevery = 0\n", ":2: [fault] every = 0: allowed is a whole number from 1 to " },
	{ "[fault]\nrae = 2\n", ":2: [fault] rae = 2: allowed is a whole number from 0 to 1" },
	{ "[fault]\nlength = -1\n", ":2: [fault] length = -1: allowed is a whole number from 4 to " },
	{ SERIAL "[fault 7]\nat = 3s\n", ": [fault 7] lacks what" },
	{ SERIAL "[fault]\nwhat = hang\nat = 3s\nuntil = 3s\n", ": [fault] ends before it begins" },
	{ SERIAL "[fault]\nwhat = hang\nfor = 3s\nuntil = 3s\n", ": [fault] has until and for" },
	{ SERIAL "[fault]\nwhat = reset\npage = smart\n", ": [fault] is of the whole drive" },
	{ SERIAL "[fault]\nwhat = remove\ntimes = 1\n", ": [fault] is of the whole drive" },
	{ "[faults]\nwhat = hang\n", ":2: unknown section [faults]" },
};

START_TEST(test_bad_faults_say_what_is_allowed)
{
	struct sim *s = NULL;
	char error[4096] = "";
	int r = load_text(bad[_i].text, &s, error, sizeof(error));
	const char *message = strchr(error, ':');

	ck_assert_int_lt(r, 0);
	ck_assert_ptr_null(s);
	ck_assert_msg(message && !strncmp(message, bad[_i].error, strlen(bad[_i].error)),
		      "\"%s\" is not \"%s\"", error, bad[_i].error);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_fault_without_more_is_of_every_command_for_ever,
		test_faults_begin_and_end,
		test_several_faults_make_a_timeline,
		test_the_first_fault_of_a_kind_wins,
		test_faults_choose_by_length_nsid_and_rae,
		test_nsids_are_32_bits,
		test_pages_have_names_or_numbers,
		test_every_nth_and_the_first_few,
		test_counting_begins_with_the_fault,
		test_delays_hangs_and_crashes,
		test_what_ends_a_hang,
		test_errno_faults_carry_no_status,
		test_spoiled_bytes,
		test_the_wire_has_the_flag_bits,
		test_failing_commands_count_into_the_error_log,
	};
	Suite *suite = suite_create("sim fault");
	TCase *tcase = tcase_create("sim fault");

	tcase_set_timeout(tcase, CHECK_TIMEOUT);
	for (size_t i = 0; i < ELEMENTS(tests); i++)
		tcase_add_test(tcase, tests[i]);
	tcase_add_loop_test(tcase, test_bad_faults_say_what_is_allowed, 0, (int)ELEMENTS(bad));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
