/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* When a drive is asked again and when it is left alone: asleep, not ready, hung, paused, or one that
 * answers nonsense. */

#include "harm_support.h"

/* ---- Sleep. ---- */

/* Case PWR-06: a drive that goes to low power by itself is read at most once a minute. */
START_TEST(test_PWR_06_a_drive_with_apst_is_read_once_a_minute)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP
					 "[identify]\napsta = 1\nwctemp_celsius = 30\n"
					 "[smart]\ntemperature_celsius = 60\n");

	host_start();
	host_run(MINUTE);
	unsigned before = d->woken;
	host_run(60 * MINUTE);
	ck_assert_uint_ge(d->asked[2], 60);
	/* 02h and C0h (it is hot) each minute, and whatever else is due together with them. */
	ck_assert_uint_le(d->woken - before, 60 + 1);
}
END_TEST

START_TEST(test_a_suspended_drive_is_not_woken)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	d->found.may_sleep = true;
	host_start();
	host_run(MINUTE);
	unsigned before = d->commands;
	ck_assert_uint_gt(before, 0);
	d->suspended = true;
	host_run(60 * MINUTE);
	ck_assert_uint_eq(d->commands, before);
	ck_assert(host_shown("S0")->drive.responding);
	d->suspended = false;
	host_run(MINUTE);
	ck_assert_uint_gt(d->commands, before);
}
END_TEST

/* Nor by a reset of its state, an event, or a reload. */
START_TEST(test_a_suspended_drive_is_not_woken_by_an_event)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	d->found.may_sleep = d->suspended = true;
	host_start();
	host_event(d, false, 0x010002);
	host_run(MINUTE);
	ck_assert_uint_eq(d->commands, 0);
}
END_TEST

/* ---- Retain asynchronous event. ---- */

#define NO_RAE(what) "[smart]\npower_cycles = 5\n[fault]\npage = smart\nrae = 1\nwhat = " what "\n"

static void check_rae_fallback(const char *text)
{
	struct fake_drive *d = fake_plug("nvme0", text);

	host_start();
	host_run(2 * SECOND);
	ck_assert_int_eq(host_value("S0", &smart_page, "power_cycles"), 5);
	/* With it, and without. */
	ck_assert_uint_eq(d->asked[2], 2);
	ck_assert_uint_eq(d->clearing, 1);
	host_run(10 * MINUTE);
	/* The next poll tries with it once more, to be sure; then it is kept to: one read per poll. */
	ck_assert_uint_eq(d->asked[2], 2 + 40 + 1);
	ck_assert_uint_eq(d->clearing, 1 + 40);
	ck_assert_uint_eq(host_shown("S0")->n_errors, 1); /* of C0h */
}

START_TEST(test_zeros_where_the_event_is_retained)
{
	check_rae_fallback(MODEL("S0", "M1", "FW1") NO_RAE("zero"));
}
END_TEST

START_TEST(test_garbage_where_the_event_is_retained)
{
	check_rae_fallback(MODEL("S0", "M1", "FW1") NO_RAE("garbage"));
}
END_TEST

/* Case AEN-01: a good answer is never asked for again without. */
START_TEST(test_AEN_01_the_event_is_retained)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	host_start();
	host_run(60 * MINUTE);
	ck_assert_uint_ge(d->asked[2], 240);
	ck_assert_uint_eq(d->clearing, 0);
}
END_TEST

/* One odd answer is no proof that the event is to blame. */
START_TEST(test_one_bad_answer_does_not_end_the_retaining)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") "[smart]\npower_cycles = 5\n"
					 "[fault]\npage = smart\ntimes = 1\nwhat = zero\n");

	host_start();
	host_run(10 * MINUTE);
	ck_assert_int_eq(host_value("S0", &smart_page, "power_cycles"), 5);
	ck_assert_uint_eq(d->clearing, 1);
}
END_TEST

/* Zeros either way: tried once, and then never again. */
START_TEST(test_a_drive_that_answers_zeros_anyway_is_asked_once_more)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1")
					 "[fault]\npage = smart\nwhat = zero\n");

	host_start();
	host_run(10 * MINUTE);
	ck_assert_uint_eq(d->clearing, 1);
	ck_assert_int_eq(host_value("S0", &smart_page, "power_cycles"), -1);
}
END_TEST

START_TEST(test_a_model_that_is_known_for_it_is_not_asked_in_vain)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "WDS100T3X0C-00SJG0", "111110WD")
					 NO_RAE("zero"));

	host_start();
	host_run(MINUTE);
	ck_assert_int_eq(host_value("S0", &smart_page, "power_cycles"), 5);
	ck_assert_uint_eq(d->asked[2], d->clearing);
}
END_TEST

/* ---- Retries. ---- */

static unsigned asked_in_first_second(const char *fault)
{
	char text[512];

	snprintf(text, sizeof(text), MODEL("S0", "M1", "FW1") "[fault]\npage = smart\nwhat = %s\n",
		 fault);
	struct fake_drive *d = fake_plug("nvme0", text);
	host_start();
	/* Behind a poll, so that the next one is 15 s away. */
	while (!d->asked[2])
		host_run(SECOND / 100);
	host_run(SECOND);
	return d->asked[2];
}

/* Case HNG-10: "will be ready soon", and is. */
START_TEST(test_HNG_10_a_drive_that_is_not_ready_is_asked_once_more)
{
	ck_assert_uint_eq(asked_in_first_second("status 0x82\ntimes = 1"), 2);
	ck_assert_int_ge(host_value("S0", &smart_page, "power_cycles"), 0);
	/* It does not count as a failure. */
	ck_assert_uint_eq(host_shown("S0")->n_errors, 1); /* C0h */
}
END_TEST

START_TEST(test_HNG_10_once_and_no_more)
{
	ck_assert_uint_eq(asked_in_first_second("status 0x82"), 2);
}
END_TEST

START_TEST(test_HNG_10_busy_is_not_ready)
{
	ck_assert_uint_eq(asked_in_first_second("errno EAGAIN\ntimes = 1"), 2);
	ck_assert(host_shown("S0")->drive.responding);
}
END_TEST

START_TEST(test_HNG_10_nothing_else_is_asked_twice)
{
	ck_assert_uint_eq(asked_in_first_second("status 0x6"), 1);
}
END_TEST

START_TEST(test_HNG_10_no_errno_is_asked_twice)
{
	ck_assert_uint_eq(asked_in_first_second("errno EIO"), 1);
}
END_TEST

/* ---- Hung drives, and readers that cannot be killed. ---- */

/* Case HNG-01: no second command, no second process, whatever the kernel says meanwhile. */
START_TEST(test_HNG_01_a_hung_drive_is_left_alone)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	host_start();
	host_run(2 * SECOND);
	d->hangs = true;
	host_run(MINUTE);
	unsigned before = d->commands;
	ck_assert(!host_shown("S0")->drive.responding);
	host_event(d, false, 0);
	host_run(60 * MINUTE);
	ck_assert_uint_eq(d->commands, before);
	ck_assert_uint_eq(d->readers, 1);
	d->hangs = false;
	host_run(MINUTE);
	ck_assert(host_shown("S0")->drive.responding);
	ck_assert_int_ge(host_value("S0", &smart_page, "power_cycles"), 0);
	ck_assert_str_eq(host_events("S0"),
			 "attach nvme0, unresponsive no answer in poll.timeout, responsive ");
}
END_TEST

START_TEST(test_an_earlier_reader_is_waited_for)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	d->locked = true;
	host_start();
	host_run(10 * MINUTE);
	ck_assert_uint_eq(d->commands, 0);
	ck_assert(!host_shown("S0")->drive.responding && host_shown("S0")->drive.present);
	d->locked = false;
	host_run(2 * MINUTE);
	ck_assert(host_shown("S0")->drive.responding);
	ck_assert_int_ge(host_value("S0", &smart_page, "power_cycles"), 0);
	ck_assert_str_eq(host_events("S0"), "attach nvme0, unresponsive an earlier reader still waits "
					    "for it, responsive ");
}
END_TEST

START_TEST(test_a_pause_is_kept_and_ends)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	host_start();
	host_run(2 * SECOND);
	pause_drive("S0", 1800);
	unsigned before = d->commands;
	host_run(29 * MINUTE);
	host_event(d, false, 0x010002);
	ck_assert_uint_eq(d->commands, before);
	ck_assert(host_shown("S0")->drive.present && host_shown("S0")->drive.responding);
	host_run(2 * MINUTE);
	ck_assert_uint_gt(d->commands, before);
	/* 0 ends one. */
	pause_drive("S0", 1800);
	before = d->commands;
	pause_drive("S0", 0);
	host_run(20 * SECOND);
	ck_assert_uint_gt(d->commands, before);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_PWR_06_a_drive_with_apst_is_read_once_a_minute,
		test_a_suspended_drive_is_not_woken,
		test_a_suspended_drive_is_not_woken_by_an_event,
		test_zeros_where_the_event_is_retained,
		test_garbage_where_the_event_is_retained,
		test_AEN_01_the_event_is_retained,
		test_one_bad_answer_does_not_end_the_retaining,
		test_a_drive_that_answers_zeros_anyway_is_asked_once_more,
		test_a_model_that_is_known_for_it_is_not_asked_in_vain,
		test_HNG_10_a_drive_that_is_not_ready_is_asked_once_more,
		test_HNG_10_once_and_no_more,
		test_HNG_10_busy_is_not_ready,
		test_HNG_10_nothing_else_is_asked_twice,
		test_HNG_10_no_errno_is_asked_twice,
		test_HNG_01_a_hung_drive_is_left_alone,
		test_an_earlier_reader_is_waited_for,
		test_a_pause_is_kept_and_ends,
		NULL,
	};

	return check_main_with("harm_answers", tests, host_setup, host_teardown);
}
