/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Wear: drives that are written at a known rate show it, over resets, gaps, restarts and formats; and what
 * is not known stays absent. */

#include <math.h>

#include "nvmewatch/wear.h"
#include "page_support.h"

#define SECOND INT64_C(1000000)
#define HOUR (3600 * SECOND)
#define DAY (24 * HOUR)
#define START (INT64_C(1790000000) * SECOND)

/* A drive that is written to at an even rate, and its host. */
struct life {
	struct wear_moment at;
	double capacity, writes_per_day, amplification; /* 0: it does not tell of its media */
	double rated_per_day, rated_written;
	double host, media;                   /* bytes in its counters */
	double used_scale;                    /* bytes that wear it out, by its percentage used */
	int64_t powered;                      /* microseconds */
};

static struct wear *w;
static struct life d;
static struct wear_report r;

static void setup(void)
{
	ck_assert_int_eq(wear_new(&w), 0);
	d = (struct life){
		.at = { .time = START, .mono = 100 * SECOND, .boot = 1 },
		.capacity = 15.36e12, .writes_per_day = 0.7, .rated_per_day = 0.58,
		.rated_written = 16.25856e15, .used_scale = 16.25856e15,
		.host = 1e15, .media = 2e15, .powered = 100 * DAY,
	};
}

static void teardown(void)
{
	wear_free(w);
}

static void pass(int64_t elapsed)
{
	double written = d.writes_per_day * d.capacity * (double)elapsed / DAY;

	d.at.time += elapsed;
	d.at.mono += elapsed;
	d.powered += elapsed;
	d.host += written;
	d.media += written * d.amplification;
}

static struct wear_sample sample(void)
{
	return (struct wear_sample){
		.at = d.at,
		.capacity = d.capacity,
		.host_written = (int64_t)d.host / 512000 * 512000,
		.media_written = d.amplification ? (int64_t)d.media : WEAR_UNKNOWN,
		.used_percent = d.used_scale ? (int)fmin(d.host / d.used_scale * 100, 255) : WEAR_UNKNOWN,
	};
}

static void add(void)
{
	struct wear_sample s = sample();

	ck_assert_int_eq(wear_add(w, &s), 0);
}

/* Read at that interval for so long, from now on. */
static void run(int64_t length, int64_t interval)
{
	for (int64_t t = 0; t < length; t += interval) {
		add();
		pass(interval);
	}
	add();
}

static void report(void)
{
	struct wear_facts f = {
		.capacity = d.capacity, .rated_written = d.rated_written,
		.drive_writes_per_day = d.rated_per_day, .power_on_seconds = d.powered / SECOND / 3600 * 3600,
	};

	wear_report(w, &d.at, &f, &r);
}

/* In percent of what is expected. */
static void check_near(double x, double expected, double percent)
{
	ck_assert_msg(fabs(x - expected) <= fabs(expected) * percent / 100, "%g is not %g", x, expected);
}

static void check_window(enum wear_span span, double expected)
{
	if (expected < 0)
		ck_assert_msg(r.windows[span].drive_writes_per_day < 0, "%s is %g", wear_span_name(span),
			      r.windows[span].drive_writes_per_day);
	else
		check_near(r.windows[span].drive_writes_per_day, expected, 1);
}

static void check_windows(double hour, double day, double week, double month)
{
	report();
	check_window(WEAR_1H, hour);
	check_window(WEAR_24H, day);
	check_window(WEAR_7D, week);
	check_window(WEAR_30D, month);
}

static double until(int64_t timestamp)
{
	return (double)(timestamp - d.at.time / SECOND);
}

START_TEST(test_a_P5430_at_0_7_drive_writes_per_day_shows_them_and_when_it_ends)
{
	run(31 * DAY, 15 * SECOND);
	check_windows(0.7, 0.7, 0.7, 0.7);
	for (enum wear_span i = WEAR_1H; i < WEAR_LIFE; i++) {
		check_near(r.windows[i].rated_fraction, 0.7 / 0.58, 1);
		ck_assert(r.windows[i].rated_fraction > 1);
	}
	const struct wear_end *end = &r.ends[WEAR_RATED];
	double left = (d.rated_written - d.host) / (0.7 * d.capacity) * 86400;
	check_near(until(end->expected), left, 1);
	check_near(until(end->earliest), left, 1);
	check_near(until(end->latest), left, 1);
	ck_assert(end->earliest <= end->expected && end->expected <= end->latest);
	/* Not known: what the drive does not tell. */
	ck_assert_int_eq(r.ends[WEAR_OCP].expected, 0);
	ck_assert_int_eq(r.ends[WEAR_ENDURANCE_GROUP].expected, 0);
	ck_assert(r.windows[WEAR_24H].write_amplification < 0);
}
END_TEST

/* The other drives of the catalogue: by drive writes, and by bytes. */
static const struct {
	double capacity, rated_per_day, rated_written, writes;
} others[] = {
	{ 7.68e12, 1, 14.016e15, 0.25 },          /* D6920 */
	{ 3.84e12, 1.5, 10.512e15, 1.5 },         /* 6530 */
	{ 1.6e12, 3, 8.76e15, 6 },                /* SN150 */
	{ 2e12, 3600.0 / 2 / 5 / 365, 3600e12, 0.4 }, /* Rocket 4.0 */
};

START_TEST(test_other_drives_show_their_writes_too)
{
	for (size_t i = 0; i < ELEMENTS(others); i++) {
		teardown();
		setup();
		d.capacity = others[i].capacity;
		d.rated_per_day = others[i].rated_per_day;
		d.rated_written = d.used_scale = others[i].rated_written;
		d.writes_per_day = others[i].writes;
		run(30 * DAY, 5 * 60 * SECOND);
		check_windows(others[i].writes, others[i].writes, others[i].writes, others[i].writes);
		check_near(r.windows[WEAR_7D].rated_fraction, others[i].writes / others[i].rated_per_day, 1);
		check_near(until(r.ends[WEAR_RATED].expected),
			   (d.rated_written - d.host) / (d.writes_per_day * d.capacity) * 86400, 1);
	}
}
END_TEST

START_TEST(test_a_first_start_knows_the_life_only)
{
	report();
	for (enum wear_span i = 0; i < WEAR_SPANS; i++)
		check_window(i, -1);
	add();
	check_windows(-1, -1, -1, -1);
	check_near(r.windows[WEAR_LIFE].drive_writes_per_day, 1e15 / 15.36e12 / 100, 0.1);
	for (enum wear_basis b = 0; b < WEAR_BASES; b++)
		ck_assert_int_eq(r.ends[b].expected, 0);
	d.powered = DAY - 1;
	report();
	check_window(WEAR_LIFE, -1); /* hours are too coarse for that */
}
END_TEST

START_TEST(test_a_window_is_known_from_half_of_it_on)
{
	run(29 * 60 * SECOND, 15 * SECOND);
	check_windows(-1, -1, -1, -1);
	check_near(r.windows[WEAR_24H].covered_seconds, 29 * 60, 0.1);
	run(60 * SECOND, 15 * SECOND);
	check_windows(0.7, -1, -1, -1);
	run(12 * HOUR, 15 * SECOND);
	check_windows(0.7, 0.7, -1, -1);
	ck_assert_int_eq(r.ends[WEAR_RATED].expected, 0); /* a day is no trend */
	run(3 * DAY, 15 * SECOND);
	check_windows(0.7, 0.7, 0.7, -1);
	ck_assert_int_gt(r.ends[WEAR_RATED].expected, 0);
	check_near(r.windows[WEAR_1H].covered_seconds, 3600, 0.5);
	check_near(r.windows[WEAR_24H].covered_seconds, 86400, 0.5);
}
END_TEST

START_TEST(test_windows_tell_what_was_from_what_is)
{
	d.writes_per_day = 1;
	run(24 * DAY, 60 * SECOND);
	d.writes_per_day = 4;
	run(6 * DAY, 60 * SECOND);
	d.writes_per_day = 0;
	run(HOUR, 15 * SECOND);
	report();
	ck_assert_double_eq_tol(r.windows[WEAR_1H].drive_writes_per_day, 0, 0.03);
	check_window(WEAR_24H, 4 * 23 / 24.0);
	check_near(r.windows[WEAR_7D].drive_writes_per_day, (4 * 6 + 23 / 24.0) / 7, 2);
	check_near(r.windows[WEAR_30D].drive_writes_per_day, (4 * 6 + 24) / 30.0, 2);
	/* The range is that of the windows. */
	double day = (d.rated_written - d.host) / d.capacity * 86400;
	check_near(until(r.ends[WEAR_RATED].expected), day / 1.6, 2);
	check_near(until(r.ends[WEAR_RATED].earliest), day / (4 * 23 / 24.0), 2);
	check_near(until(r.ends[WEAR_RATED].latest), day / 1.6, 2);
}
END_TEST

START_TEST(test_an_idle_drive_does_not_end)
{
	d.writes_per_day = 0;
	run(30 * DAY, 10 * 60 * SECOND);
	report();
	ck_assert(r.windows[WEAR_30D].drive_writes_per_day >= 0);
	ck_assert_double_eq_tol(r.windows[WEAR_30D].drive_writes_per_day, 0, 1e-9);
	ck_assert_int_eq(r.ends[WEAR_RATED].expected, 0);
	ck_assert_int_eq(r.ends[WEAR_PERCENTAGE_USED].expected, 0);
	ck_assert(r.windows[WEAR_30D].write_amplification < 0);
}
END_TEST

START_TEST(test_CNT_03_a_reset_is_a_hole_and_nothing_negative)
{
	run(2 * DAY, 60 * SECOND);
	d.host = d.media = 0;
	run(2 * HOUR, 60 * SECOND);
	check_windows(0.7, 0.7, 0.7 * -1, -1);
	check_near(r.windows[WEAR_24H].covered_seconds, 86400 - 60, 0.01);
	/* A day of resets. */
	for (int i = 0; i < 24 * 60; i++) {
		pass(60 * SECOND);
		d.host = i * 512000.0;
		add();
		d.host = 0;
	}
	report();
	for (enum wear_span i = 0; i < WEAR_LIFE; i++)
		ck_assert(r.windows[i].drive_writes_per_day < 1);
}
END_TEST

START_TEST(test_a_counter_that_leaps_is_another_one)
{
	run(DAY, 60 * SECOND);
	d.host += 3e15; /* repaired, with the counters of another board */
	run(2 * HOUR, 60 * SECOND);
	check_windows(0.7, 0.7, -1, -1);
}
END_TEST

START_TEST(test_what_was_written_in_a_gap_counts)
{
	run(3 * DAY, 60 * SECOND);
	pass(4 * HOUR); /* the collector was down */
	run(4 * HOUR, 60 * SECOND);
	check_windows(0.7, 0.7, -1, -1);
	check_near(r.windows[WEAR_24H].covered_seconds, 86400, 0.1);
	/* One that reaches into the window from outside is left out: nobody knows when in it was written. */
	run(18 * HOUR, 60 * SECOND);
	check_windows(0.7, 0.7, 0.7, -1);
	check_near(r.windows[WEAR_24H].covered_seconds, 22 * 3600, 0.5);
	pass(45 * 60 * SECOND);
	run(10 * 60 * SECOND, 60 * SECOND);
	report();
	check_window(WEAR_1H, 0.7);
	pass(2 * HOUR);
	run(10 * 60 * SECOND, 60 * SECOND);
	report();
	check_window(WEAR_1H, -1);
}
END_TEST

static void reboot(int64_t off)
{
	d.at.time += off;
	d.at.mono = 20 * SECOND;
	d.at.boot++;
}

START_TEST(test_a_restart_goes_on_by_the_real_clock)
{
	run(DAY, 60 * SECOND);
	reboot(HOUR); /* switched off: nothing is written */
	run(DAY / 2, 60 * SECOND);
	report();
	check_window(WEAR_24H, 0.7 * 23 / 24);
	ck_assert_double_eq_tol(r.windows[WEAR_24H].covered_seconds, 86400, 400);
}
END_TEST

START_TEST(test_CLK_a_clock_that_steps_within_a_boot_changes_nothing)
{
	run(DAY, 60 * SECOND);
	d.at.time -= 3000 * DAY;
	run(DAY, 60 * SECOND);
	check_windows(0.7, 0.7, -1, -1);
	d.at.time += 6000 * DAY;
	run(2 * DAY, 60 * SECOND);
	check_windows(0.7, 0.7, 0.7, -1);
}
END_TEST

START_TEST(test_CLK_what_was_before_a_boot_with_a_wrong_clock_is_forgotten)
{
	run(20 * DAY, 600 * SECOND);
	reboot(-HOUR);
	run(HOUR, 60 * SECOND);
	check_windows(0.7, -1, -1, -1);
	reboot(10000 * DAY);
	run(HOUR, 60 * SECOND);
	check_windows(0.7, -1, -1, -1);
}
END_TEST

START_TEST(test_a_changed_capacity_changes_what_a_drive_write_is)
{
	run(12 * HOUR, 60 * SECOND);
	d.capacity /= 2; /* the same host writes half the bytes per drive write */
	run(12 * HOUR, 60 * SECOND);
	check_windows(0.7, 0.7, -1, -1);
	/* No capacity, no drive writes: a hole, not a division by zero. */
	struct wear_sample s = sample();
	s.capacity = 0;
	s.at.mono += SECOND;
	s.at.time += SECOND;
	ck_assert_int_eq(wear_add(w, &s), 0);
	report();
	check_window(WEAR_1H, 0.7);
}
END_TEST

START_TEST(test_what_is_not_told_is_a_hole)
{
	struct wear_sample s;

	run(DAY, 60 * SECOND);
	for (int i = 0; i < 30; i++) {
		pass(60 * SECOND);
		s = sample();
		s.host_written = s.media_written = s.used_percent = WEAR_UNKNOWN;
		ck_assert_int_eq(wear_add(w, &s), 0);
	}
	run(HOUR, 60 * SECOND);
	check_windows(0.7, 0.7, -1, -1);
	ck_assert_double_eq_tol(r.windows[WEAR_24H].covered_seconds, 86400 - 31 * 60, 1);
}
END_TEST

START_TEST(test_write_amplification_is_that_of_the_window)
{
	d.amplification = 2;
	run(29 * DAY, 300 * SECOND);
	d.amplification = 5;
	run(DAY, 300 * SECOND);
	report();
	check_near(r.windows[WEAR_1H].write_amplification, 5, 1);
	check_near(r.windows[WEAR_24H].write_amplification, 5, 1);
	check_near(r.windows[WEAR_30D].write_amplification, (2 * 29 + 5) / 30.0, 1);
	check_near(r.windows[WEAR_LIFE].write_amplification, d.media / d.host, 0.1);
}
END_TEST

/* OCP drives are asked for their media counter less often than for 02h. */
START_TEST(test_media_counters_may_come_less_often)
{
	d.amplification = 3;
	for (int i = 0; i < 2 * 24 * 240; i++) {
		struct wear_sample s = sample();
		if (i % 20)
			s.media_written = WEAR_UNKNOWN;
		ck_assert_int_eq(wear_add(w, &s), 0);
		pass(15 * SECOND);
	}
	report();
	check_near(r.windows[WEAR_1H].write_amplification, 3, 1);
	check_near(r.windows[WEAR_24H].write_amplification, 3, 1);
	ck_assert(r.windows[WEAR_7D].write_amplification < 0);
}
END_TEST

START_TEST(test_resets_of_either_counter_do_not_amplify)
{
	d.amplification = 3;
	run(DAY / 2, 60 * SECOND);
	d.host = 0;
	run(HOUR, 60 * SECOND);
	d.media = 0;
	run(HOUR, 60 * SECOND);
	report();
	check_near(r.windows[WEAR_1H].write_amplification, 3, 1);
	check_near(r.windows[WEAR_24H].write_amplification, 3, 1);
}
END_TEST

START_TEST(test_the_drives_own_estimate_is_of_what_the_media_take)
{
	d.amplification = 2.5;
	run(30 * DAY, 300 * SECOND);
	struct wear_facts f = { .capacity = d.capacity, .ocp_estimate = 40e15, .group_estimate = 30e15 };
	wear_report(w, &d.at, &f, &r);
	double rate = 0.7 * 2.5 * d.capacity / 86400;
	check_near(until(r.ends[WEAR_OCP].expected), (40e15 - d.media) / rate, 1);
	check_near(until(r.ends[WEAR_ENDURANCE_GROUP].expected), (30e15 - d.media) / rate, 1);
	f.group_media_written = 20000000000000000;
	wear_report(w, &d.at, &f, &r);
	check_near(until(r.ends[WEAR_ENDURANCE_GROUP].expected), 10e15 / rate, 1);
	ck_assert_int_eq(r.ends[WEAR_RATED].expected, 0);
}
END_TEST

START_TEST(test_percentage_used_ends_by_its_steps)
{
	/* 1.04 days a percent. */
	d.writes_per_day = 10;
	run(20 * DAY, 300 * SECOND);
	report();
	double per_day = d.writes_per_day * d.capacity / d.used_scale * 100;
	check_near(r.used_percent_per_day, per_day, 1);
	const struct wear_end *end = &r.ends[WEAR_PERCENTAGE_USED];
	check_near(until(end->expected), (100 - d.host / d.used_scale * 100) / per_day * 86400, 3);
	ck_assert(end->earliest <= end->expected && end->expected <= end->latest);
}
END_TEST

START_TEST(test_percentage_used_needs_two_steps)
{
	d.host = d.used_scale * 0.1 - 7 * 0.7 * d.capacity;
	run(20 * DAY, 600 * SECOND); /* 15 days a percent: one step */
	report();
	ck_assert(r.used_percent_per_day < 0);
	ck_assert_int_eq(r.ends[WEAR_PERCENTAGE_USED].expected, 0);
	run(15 * DAY, 600 * SECOND);
	report();
	check_near(r.used_percent_per_day, 100 * 0.7 * d.capacity / d.used_scale, 1);
	/* Long before what windows hold. */
	run(200 * DAY, 3600 * SECOND);
	report();
	check_near(r.used_percent_per_day, 100 * 0.7 * d.capacity / d.used_scale, 1);
}
END_TEST

START_TEST(test_a_step_that_is_overdue_makes_it_later)
{
	d.writes_per_day = 10;
	run(10 * DAY, 300 * SECOND);
	report();
	int64_t before = r.ends[WEAR_PERCENTAGE_USED].expected;
	d.writes_per_day = 0.01;
	run(20 * DAY, 300 * SECOND);
	report();
	ck_assert_int_gt(r.ends[WEAR_PERCENTAGE_USED].expected, before + 20 * 86400);
	ck_assert(r.used_percent_per_day < 5);
}
END_TEST

START_TEST(test_HLT_01_what_is_past_its_end_says_since_when)
{
	d.writes_per_day = 10;
	d.host = d.used_scale * 1.1;
	run(20 * DAY, 300 * SECOND);
	report();
	double over = (d.host - d.rated_written) / (d.writes_per_day * d.capacity) * 86400;
	check_near(until(r.ends[WEAR_RATED].expected), -over, 1);
	check_near(until(r.ends[WEAR_PERCENTAGE_USED].expected), -over, 5);
	for (enum wear_basis b = 0; b <= WEAR_RATED; b++)
		ck_assert(r.ends[b].earliest <= r.ends[b].expected && r.ends[b].expected <= r.ends[b].latest);
}
END_TEST

START_TEST(test_a_percentage_that_falls_starts_anew)
{
	d.writes_per_day = 10;
	run(10 * DAY, 300 * SECOND);
	d.used_scale *= 3; /* a firmware that counts otherwise */
	run(HOUR, 300 * SECOND);
	report();
	ck_assert(r.used_percent_per_day < 0);
}
END_TEST

START_TEST(test_a_sample_that_comes_twice_or_late_is_ignored)
{
	run(DAY, 60 * SECOND);
	struct wear_sample s = sample();
	s.at.mono -= HOUR;
	s.host_written = 5;
	ck_assert_int_eq(wear_add(w, &s), 0);
	s = sample();
	ck_assert_int_eq(wear_add(w, &s), 0);
	check_windows(0.7, 0.7, -1, -1);
}
END_TEST

START_TEST(test_a_drive_that_was_away_for_long_starts_anew)
{
	run(2 * DAY, 60 * SECOND);
	pass(400 * DAY);
	run(HOUR, 60 * SECOND);
	check_windows(0.7, -1, -1, -1);
}
END_TEST

START_TEST(test_silence_makes_windows_unknown)
{
	run(2 * DAY, 60 * SECOND);
	d.at.time += 40 * 60 * SECOND;
	d.at.mono += 40 * 60 * SECOND;
	check_windows(-1, 0.7, -1, -1);
	ck_assert_double_eq_tol(r.windows[WEAR_24H].covered_seconds, 86400 - 2400, 60);
}
END_TEST

/* Whatever comes: no number that is none, no negative rate, no order upside down. */
START_TEST(test_nothing_comes_of_nonsense)
{
	uint64_t state = 1;

	for (int i = 0; i < 200000; i++) {
		uint64_t n = random_next(&state);
		struct wear_sample s = sample();

		switch (n % 40) {
		case 0: s.host_written = (int64_t)(random_next(&state) >> 1); break;
		case 1: s.host_written = INT64_MAX; break;
		case 2: s.media_written = (int64_t)(random_next(&state) >> 1); break;
		case 3: s.capacity = (double)(random_next(&state) % 3); break;
		case 4: s.used_percent = (int)(random_next(&state) % 256); break;
		case 5: s.at.boot = n >> 60; break;
		case 6: s.at.time = (int64_t)random_next(&state); break;
		case 7: s.at.mono = (int64_t)random_next(&state); break;
		case 8: d.host = 0; break;
		default: break;
		}
		ck_assert_int_eq(wear_add(w, &s), 0);
		pass((int64_t)(random_next(&state) % (n % 97 ? (uint64_t)(60 * SECOND) : (uint64_t)(3 * DAY))));
		if (n % 50)
			continue;
		report();
		for (enum wear_span k = 0; k < WEAR_SPANS; k++) {
			const struct wear_window *v = &r.windows[k];
			ck_assert(isfinite(v->drive_writes_per_day) && isfinite(v->covered_seconds));
			ck_assert(isfinite(v->write_amplification) && isfinite(v->rated_fraction));
			ck_assert(v->drive_writes_per_day >= 0 || v->drive_writes_per_day == -1);
			ck_assert(v->write_amplification >= 0 || v->write_amplification == -1);
			ck_assert(v->covered_seconds >= 0);
		}
		for (enum wear_basis b = 0; b < WEAR_BASES; b++) {
			const struct wear_end *e = &r.ends[b];
			ck_assert(!e->earliest || e->earliest <= e->expected);
			ck_assert(!e->latest || e->latest >= e->expected);
		}
	}
}
END_TEST

/* However often and however unevenly a steady drive is read, it shows what it is written. */
START_TEST(test_any_rhythm_of_reading_shows_the_same)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		uint64_t state = seed;
		teardown();
		setup();
		d.amplification = 2;
		d.writes_per_day = (double)(random_next(&state) % 300 + 1) / 100;
		for (int64_t t = 0, step; t < 32 * DAY; t += step) {
			add();
			step = (int64_t)(random_next(&state) % (uint64_t)(seed * 60 * SECOND)) + SECOND;
			pass(step);
		}
		add();
		check_windows(d.writes_per_day, d.writes_per_day, d.writes_per_day, d.writes_per_day);
		check_near(r.windows[WEAR_30D].write_amplification, 2, 1);
	}
}
END_TEST

START_TEST(test_the_page_shows_the_report)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	r = (struct wear_report){
		.windows = { [WEAR_1H] = { 3600, 0.7, 1.206897, 2.5 }, [WEAR_24H] = { 60, -1, -1, -1 },
			     [WEAR_7D] = { 0, -1, -1, -1 } },
		.used_percent_per_day = 0.066,
		.ends = { [WEAR_RATED] = { 1900000000, 1890000000, 0 } },
	};
	wear_put(&r, bytes);
	check_value(&wear_page, bytes, "drive_writes_per_day_1h", "0.7");
	check_value(&wear_page, bytes, "rated_fraction_1h_ratio", "1.206897");
	check_value(&wear_page, bytes, "write_amplification_1h_ratio", "2.5");
	check_value(&wear_page, bytes, "covered_1h_seconds", "3600");
	check_value(&wear_page, bytes, "drive_writes_per_day_24h", "absent");
	check_value(&wear_page, bytes, "covered_24h_seconds", "60");
	check_value(&wear_page, bytes, "covered_7d_seconds", "absent");
	check_value(&wear_page, bytes, "endurance_used_per_day_ratio", "0.00066");
	check_value(&wear_page, bytes, "exhaustion_rated_tbw_timestamp_seconds", "1900000000");
	check_value(&wear_page, bytes, "exhaustion_rated_tbw_earliest_timestamp_seconds", "1890000000");
	check_value(&wear_page, bytes, "exhaustion_rated_tbw_latest_timestamp_seconds", "absent");
	check_value(&wear_page, bytes, "exhaustion_percentage_used_timestamp_seconds", "absent");
	/* Nothing written is a value. */
	r.windows[WEAR_24H].drive_writes_per_day = 0;
	wear_put(&r, bytes);
	check_value(&wear_page, bytes, "drive_writes_per_day_24h", "0");
}
END_TEST

START_TEST(test_every_window_and_basis_has_its_columns)
{
	char column[FIELD_COLUMN_MAX];
	unsigned index;

	for (enum wear_span i = 0; i < WEAR_SPANS; i++) {
		snprintf(column, sizeof(column), "drive_writes_per_day_%s", wear_span_name(i));
		ck_assert_ptr_nonnull(page_field(&wear_page, column, &index));
	}
	for (enum wear_basis i = 0; i < WEAR_BASES; i++) {
		snprintf(column, sizeof(column), "exhaustion_%s_timestamp_seconds", wear_basis_name(i));
		ck_assert_ptr_nonnull(page_field(&wear_page, column, &index));
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_P5430_at_0_7_drive_writes_per_day_shows_them_and_when_it_ends,
		test_other_drives_show_their_writes_too,
		test_a_first_start_knows_the_life_only,
		test_a_window_is_known_from_half_of_it_on,
		test_windows_tell_what_was_from_what_is,
		test_an_idle_drive_does_not_end,
		test_CNT_03_a_reset_is_a_hole_and_nothing_negative,
		test_a_counter_that_leaps_is_another_one,
		test_what_was_written_in_a_gap_counts,
		test_a_restart_goes_on_by_the_real_clock,
		test_CLK_a_clock_that_steps_within_a_boot_changes_nothing,
		test_CLK_what_was_before_a_boot_with_a_wrong_clock_is_forgotten,
		test_a_changed_capacity_changes_what_a_drive_write_is,
		test_what_is_not_told_is_a_hole,
		test_write_amplification_is_that_of_the_window,
		test_media_counters_may_come_less_often,
		test_resets_of_either_counter_do_not_amplify,
		test_the_drives_own_estimate_is_of_what_the_media_take,
		test_percentage_used_ends_by_its_steps,
		test_percentage_used_needs_two_steps,
		test_a_step_that_is_overdue_makes_it_later,
		test_HLT_01_what_is_past_its_end_says_since_when,
		test_a_percentage_that_falls_starts_anew,
		test_a_sample_that_comes_twice_or_late_is_ignored,
		test_a_drive_that_was_away_for_long_starts_anew,
		test_silence_makes_windows_unknown,
		test_nothing_comes_of_nonsense,
		test_any_rhythm_of_reading_shows_the_same,
		test_the_page_shows_the_report,
		test_every_window_and_basis_has_its_columns,
		NULL,
	};

	return check_main_with("wear", tests, setup, teardown);
}
