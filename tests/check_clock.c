/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Clocks that step, are wrong, or stand still while the host sleeps: nothing is erased or twice, the order of a
 * drive's rows is that in which they were read, counters grow by what they grew. */

#include "archive_support.h"

#define HOUR (3600 * SECOND)

static int64_t mono; /* of the next sample */
static int n;        /* samples so far; the n-th has power_cycles = 10 n */

static void setup(void)
{
	archive_setup();
	mono = MONO;
	n = 0;
}

static void teardown(void)
{
	archive_teardown();
	archive = NULL;
}

static void put(const char *boot, int64_t time)
{
	uint8_t bytes[512] = { 0 };
	struct archive_entry e = { .what = ARCHIVE_PAGE, .key = "S1", .name = "smart", .time = time,
				  .mono = mono,
				   .boot_id = boot, .bytes = bytes, .size = sizeof(bytes) };

	bytes_put(bytes + 112, 8, (uint64_t)++n * 10);
	mono += 60 * SECOND;
	ck_assert_int_eq(archive_put(archive, &e, 1), 0);
}

/* So many minutes from then on, in as many flushes. What is due is packed, as it comes. */
static void go_on(const char *boot, int64_t time, int minutes, int flushes)
{
	for (int i = 0; i < minutes; i++) {
		put(boot, time + i * 60 * SECOND);
		if ((i + 1) % (minutes / flushes) == 0) {
			ck_assert_int_eq(archive_flush(archive), 0);
			if (archive_is_due(archive, time + i * 60 * SECOND))
				pack();
		}
	}
}

/* All rows, in their order, and what the hours and days make of them. */
static void check_all(void)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	char sums[64];

	pack();
	_cleanup_(sheet_freep) struct sheet *rows = rows_of(&smart_page, &l);
	int column = layout_find(l, "power_cycles");
	struct value v;
	ck_assert_uint_eq(rows->n_rows, (size_t)n);
	for (int i = 0; i < n; i++) {
		sheet_get(rows, (size_t)i, (size_t)column, &v);
		ck_assert_int_eq(v.integer, 10 * (i + 1));
		if (i && sheet_fixed(rows, (size_t)i, SHEET_BOOT) == sheet_fixed(rows, (size_t)i - 1,
										 SHEET_BOOT))
			ck_assert_int_gt(sheet_fixed(rows, (size_t)i, SHEET_MONO),
					 sheet_fixed(rows, (size_t)i - 1, SHEET_MONO) - 100);
	}
	snprintf(sums, sizeof(sums), "%d|%d|0", n, 10 * (n - 1));
	ck_assert_str_eq(query("SELECT sum(count), sum(power_cycles_increase), sum(resets) FROM smart_hourly"), sums);
	ck_assert_str_eq(query("SELECT sum(count), sum(power_cycles_increase), sum(resets) FROM smart_daily"), sums);
	/* Each in the hour of its time. */
	ck_assert_str_eq(query("SELECT count(*) FROM smart_hourly WHERE last_time NOT BETWEEN time AND time + 3599999"),
			 "0");
	ck_assert_str_eq(query("SELECT count(*) FROM events WHERE type = 'history_dropped'"), "0");
}

static void bound(uint64_t keep)
{
	const struct archive_bounds b = { keep, keep, UINT64_MAX, 0 };

	archive_bound(archive, &b);
}

START_TEST(test_CLK_01_a_step_back_by_an_hour_erases_nothing)
{
	bound(DAY);
	go_on("a", TIME + HOUR, 120, 4);
	archive_reopen();
	bound(DAY);
	go_on("a", TIME + HOUR, 120, 4);
	check_all();
}
END_TEST

START_TEST(test_CLK_02_a_boot_in_2038_and_then_the_right_time)
{
	bound(3 * DAY);
	go_on("a", TIME, 120, 4);
	go_on("b", INT64_C(2147483000000000), 60, 4);
	for (int day = 1; day < 3; day++)
		go_on("b", TIME + day * DAY, 120, 4);
	check_all();
	ck_assert_str_eq(query("SELECT sum(count) FROM smart_daily WHERE time > 2147000000000"), "60");
}
END_TEST

START_TEST(test_CLK_02_a_boot_in_1970)
{
	bound(3 * DAY);
	go_on("a", TIME, 120, 4);
	go_on("b", 20 * SECOND, 30, 3);
	go_on("b", TIME + HOUR * 3, 120, 4);
	go_on("b", TIME + DAY, 120, 4);
	check_all();
	ck_assert_str_eq(query("SELECT time, count FROM smart_hourly ORDER BY time"), "0|30");
}
END_TEST

START_TEST(test_CLK_05_times_that_overlap_after_a_step)
{
	go_on("a", TIME, 90, 3);
	pack();
	go_on("a", TIME + HOUR / 2, 90, 3);
	pack();
	go_on("a", TIME - HOUR, 90, 3);
	check_all();
}
END_TEST

START_TEST(test_steps_within_one_flush)
{
	for (int i = 0; i < 40; i++)
		put("a", TIME + (i % 4 - 2) * 3 * HOUR + i * 60 * SECOND);
	ck_assert_int_eq(archive_flush(archive), 0);
	check_all();
}
END_TEST

START_TEST(test_steps_by_days_both_ways)
{
	bound(30 * DAY);
	for (int i = 0; i < 12; i++)
		go_on("a", TIME + (i % 2 ? 9 : -7) * DAY + i * HOUR, 20, 2);
	check_all();
}
END_TEST

START_TEST(test_a_night_of_sleep)
{
	go_on("a", TIME, 60, 3);
	mono += 9 * HOUR; /* CLOCK_BOOTTIME goes on in suspend, as the other does */
	go_on("a", TIME + 10 * HOUR, 60, 3);
	check_all();
	ck_assert_str_eq(query("SELECT max(last_mono) - min(last_mono) > 9 * 3600000 FROM smart_hourly"),
			 "1");
}
END_TEST

START_TEST(test_a_new_boot_starts_its_clock_anew)
{
	go_on("a", TIME, 60, 3);
	mono = 5 * SECOND;
	go_on("b", TIME + HOUR, 60, 3);
	check_all();
	ck_assert_str_eq(query("SELECT count(*) FROM boots"), "2");
}
END_TEST

/* Retention counts days of which there are rows, and looks at the clock besides. */
START_TEST(test_an_hour_in_2040_makes_nothing_older)
{
	bound(3 * DAY);
	for (int day = 0; day < 3; day++)
		go_on("a", TIME + day * DAY, 60, 2);
	go_on("a", INT64_C(2208988800000000), 60, 2);
	go_on("a", TIME + 2 * DAY + 3 * HOUR, 60, 2);
	check_all();
}
END_TEST

START_TEST(test_a_host_that_was_off_for_years_has_its_history)
{
	bound(3 * DAY);
	go_on("a", TIME, 60, 2);
	mono = SECOND;
	go_on("b", TIME + 1000 * DAY, 60, 2);
	go_on("b", TIME + 1001 * DAY, 60, 2);
	check_all();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_CLK_01_a_step_back_by_an_hour_erases_nothing,
		test_CLK_02_a_boot_in_2038_and_then_the_right_time,
		test_CLK_02_a_boot_in_1970,
		test_CLK_05_times_that_overlap_after_a_step,
		test_steps_within_one_flush,
		test_steps_by_days_both_ways,
		test_a_night_of_sleep,
		test_a_new_boot_starts_its_clock_anew,
		test_an_hour_in_2040_makes_nothing_older,
		test_a_host_that_was_off_for_years_has_its_history,
		NULL,
	};

	return check_main_with("clock", tests, setup, teardown);
}
