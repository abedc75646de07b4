/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A collector that is started anew knows from history how its drives have worn. */

#include "archive_support.h"
#include "collect/past.h"

#define MINUTE (60 * SECOND)
#define TB 1e12
#define CAPACITY (15.36 * TB)
#define UNIT 512000

/* Drive writes per day, and as much again to the media for garbage collection. */
static void write_days(const char *key, int days, double drive_writes, double amplification)
{
	for (int64_t t = 0; t <= days * DAY; t += MINUTE) {
		double written = drive_writes * CAPACITY * (double)t / (double)DAY;
		uint8_t smart[512] = { 0 }, ocp[512];

		bytes_put(smart + 48, 8, (uint64_t)(written / UNIT));
		smart[5] = 3;
		ck_assert_int_eq(archive_sample(key, &smart_page, 0, TIME + t, smart), 0);
		if (t % (5 * MINUTE))
			continue;
		page_blank(&ocp_smart_page, ocp);
		bytes_put(ocp, 8, (uint64_t)(1 + written * amplification));
		ck_assert_int_eq(archive_sample(key, &ocp_smart_page, 0, TIME + t + SECOND, ocp), 0);
	}
	ck_assert_int_eq(archive_flush(archive), 0);
}

static struct past *past_at(int64_t time)
{
	struct past *p = NULL;

	ck_assert_int_eq(past_load(folder, folder, time, &p), 0);
	return p;
}

static struct wear_report report_of(const struct past_drive *d, int64_t time)
{
	const struct wear_facts facts = { .capacity = CAPACITY, .drive_writes_per_day = 0.58 };
	const struct wear_moment now = { .time = time, .mono = MONO, .boot = 0 };
	_cleanup_(wear_freep) struct wear *w = NULL;
	struct wear_report report;

	ck_assert_int_eq(wear_new(&w), 0);
	for (size_t i = 0; i < d->n_samples; i++) {
		struct wear_sample s = d->samples[i];

		s.capacity = CAPACITY;
		ck_assert_int_eq(wear_add(w, &s), 0);
	}
	wear_report(w, &now, &facts, &report);
	return report;
}

/* As rated for 0.58 a day, and written at 0.7. */
START_TEST(test_windows_are_known_at_once)
{
	_cleanup_(past_freep) struct past *p = NULL;
	int64_t end = TIME + 8 * DAY;

	write_days("S1", 8, 0.7, 2.5);
	p = past_at(end);
	ck_assert_uint_eq(p->n_drives, 1);
	ck_assert_str_eq(p->drives[0].key, "S1");
	struct wear_report r = report_of(&p->drives[0], end);
	for (int i = WEAR_1H; i <= WEAR_7D; i++) {
		ck_assert_double_eq_tol(r.windows[i].drive_writes_per_day, 0.7, 0.007);
		ck_assert_double_eq_tol(r.windows[i].rated_fraction, 0.7 / 0.58, 0.0121);
		ck_assert_double_eq_tol(r.windows[i].write_amplification, 2.5, 0.025);
	}
	ck_assert_double_lt(r.windows[WEAR_30D].drive_writes_per_day, 0);
}
END_TEST

START_TEST(test_packed_days_tell_the_same)
{
	_cleanup_(past_freep) struct past *p = NULL;
	int64_t end = TIME + 3 * DAY;

	write_days("S1", 3, 0.3, 1.2);
	pack();
	p = past_at(end);
	struct wear_report r = report_of(&p->drives[0], end);
	ck_assert_double_eq_tol(r.windows[WEAR_24H].drive_writes_per_day, 0.3, 0.003);
	ck_assert_double_eq_tol(r.windows[WEAR_24H].write_amplification, 1.2, 0.012);
	/* Five minutes of a day, hours of the others. */
	ck_assert_uint_lt(p->drives[0].n_samples, 2 * (24 * 12 + 2 * 24) + 10);
	ck_assert_int_eq(p->drives[0].samples[0].used_percent, 3);
}
END_TEST

START_TEST(test_drives_without_a_past_have_none)
{
	_cleanup_(past_freep) struct past *p = NULL;

	sample("OLD", TIME - 90 * DAY, 1);
	sample("S1", TIME, 1);
	ck_assert_int_eq(archive_flush(archive), 0);
	p = past_at(TIME + DAY);
	ck_assert_uint_eq(p->n_drives, 1);
	ck_assert_str_eq(p->drives[0].key, "S1");
	ck_assert_uint_eq(p->drives[0].n_samples, 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_windows_are_known_at_once,
		test_packed_days_tell_the_same,
		test_drives_without_a_past_have_none,
		NULL,
	};

	return check_main_with("past", tests, archive_setup, archive_teardown);
}
