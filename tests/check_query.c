/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What becomes of rows: buckets, growth of counters, gaps. */

#include <errno.h>

#include "query_support.h"

/* ---- Buckets ---- */

START_TEST(test_buckets_begin_at_multiples_of_the_step)
{
	put_row(60 * S - 1, TEMPERATURE, 40);
	put_row(60 * S, TEMPERATURE, 41);
	put_row(120 * S - 1, TEMPERATURE, 43);
	put_row(120 * S, TEMPERATURE, 50);
	ask(TEMPERATURE, QUERY_MEAN, 59 * S, 121 * S, 60 * S);
	ck_assert_int_eq(result->times[0], 0);
	ck_assert_int_eq(result->times[2], 120 * S);
	ck_assert_str_eq(answer(), "40 42 50");
}
END_TEST

START_TEST(test_an_end_at_a_multiple_begins_no_bucket)
{
	put_row(0, TEMPERATURE, 40);
	put_row(60 * S, TEMPERATURE, 41);
	ask(TEMPERATURE, QUERY_LAST, 0, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "40");
	ck_assert_int_eq(result->plan.end, 60 * S);
}
END_TEST

START_TEST(test_a_moment_is_one_bucket)
{
	put_row(60 * S, TEMPERATURE, 41);
	ask(TEMPERATURE, QUERY_LAST, 60 * S, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "41");
}
END_TEST

START_TEST(test_buckets_before_1970_lie_in_line)
{
	put_row(-1, TEMPERATURE, 40);
	put_row(-60 * S, TEMPERATURE, 42);
	put_row(0, TEMPERATURE, 50);
	ask(TEMPERATURE, QUERY_MEAN, -30 * S, 30 * S, 60 * S);
	ck_assert_int_eq(result->times[0], -60 * S);
	ck_assert_str_eq(answer(), "41 50");
}
END_TEST

START_TEST(test_a_bucket_is_answered_as_a_whole)
{
	put_row(1 * S, TEMPERATURE, 40);
	put_row(59 * S, TEMPERATURE, 50);
	ask(TEMPERATURE, QUERY_MEAN, 30 * S, 40 * S, 60 * S);
	ck_assert_str_eq(answer(), "45");
}
END_TEST

START_TEST(test_every_agg)
{
	static const struct {
		enum query_agg agg;
		const char *answer;
	} cases[] = {
		{ QUERY_MIN, "38 7" },  { QUERY_MAX, "44 7" },   { QUERY_MEAN, "40.6666667 7" },
		{ QUERY_SUM, "122 7" }, { QUERY_COUNT, "4 1" },  { QUERY_LAST, "44 7" },
		{ QUERY_DEFAULT, "40.6666667 7" },
	};

	put_row(0, TEMPERATURE, 40);
	put_row(15 * S, TEMPERATURE, 38);
	put_row(30 * S, TEMPERATURE, ABSENT);
	put_row(45 * S, TEMPERATURE, 44);
	put_row(60 * S, TEMPERATURE, 7);
	for (size_t i = 0; i < ELEMENTS(cases); i++) {
		ask(TEMPERATURE, cases[i].agg, 0, 120 * S, 60 * S);
		ck_assert_msg(!strcmp(answer(), cases[i].answer), "%s: %s",
			      query_agg_name(cases[i].agg), answer());
		query_result_free(TAKE(result));
		query_run_free(TAKE(run));
	}
}
END_TEST

START_TEST(test_reals_have_the_same)
{
	put_real(0, SPARE, 0.5);
	put_real(30 * S, SPARE, 0.25);
	ask(SPARE, QUERY_MIN, 0, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "0.25");
	query_result_free(TAKE(result));
	query_run_free(TAKE(run));
	ask(SPARE, QUERY_SUM, 0, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "0.75");
}
END_TEST

START_TEST(test_negative_numbers_are_less)
{
	put_row(0, TEMPERATURE, -5);
	put_row(30 * S, TEMPERATURE, -7);
	ask(TEMPERATURE, QUERY_MAX, 0, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "-5");
}
END_TEST

START_TEST(test_integers_are_exact_near_2_63)
{
	put_row(0, WRITTEN, INT64_MAX - 2);
	put_row(30 * S, WRITTEN, INT64_MAX - 1);
	put_row(61 * S, WRITTEN, INT64_MAX);
	ask(WRITTEN, QUERY_LAST, 0, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "9223372036854775806 9223372036854775807");
	query_result_free(TAKE(result));
	query_run_free(TAKE(run));
	ask(WRITTEN, QUERY_INCREASE, 0, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "1 1");
	query_result_free(TAKE(result));
	query_run_free(TAKE(run));
	ask(WRITTEN, QUERY_MEAN, 0, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "9.22337204e+18");
}
END_TEST

START_TEST(test_a_sum_that_does_not_fit_is_absent)
{
	put_row(0, TEMPERATURE, INT64_MAX);
	put_row(1 * S, TEMPERATURE, 1);
	put_row(61 * S, TEMPERATURE, INT64_MAX);
	ask(TEMPERATURE, QUERY_SUM, 0, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "- 9223372036854775807");
}
END_TEST

/* ---- Counters ---- */

START_TEST(test_growth_belongs_to_the_bucket_that_saw_it)
{
	put_row(50 * S, WRITTEN, 100);
	put_row(70 * S, WRITTEN, 150);
	put_row(110 * S, WRITTEN, 190);
	put_row(130 * S, WRITTEN, 200);
	ask(WRITTEN, QUERY_INCREASE, 60 * S, 180 * S, 60 * S);
	ck_assert_str_eq(answer(), "90 10");
}
END_TEST

START_TEST(test_the_first_value_is_no_growth)
{
	put_row(10 * S, WRITTEN, 100);
	put_row(70 * S, WRITTEN, 100);
	ask(WRITTEN, QUERY_INCREASE, 0, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "- 0");
}
END_TEST

START_TEST(test_a_rate_is_per_second_of_the_time_it_was_seen_in)
{
	put_row(50 * S, WRITTEN, 100);
	put_row(70 * S, WRITTEN, 150);
	put_row(90 * S, WRITTEN, 190);
	ask(WRITTEN, QUERY_RATE, 60 * S, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "2.25");
}
END_TEST

START_TEST(test_a_reset_is_no_growth_and_marked)
{
	put_row(0, WRITTEN, 1000);
	put_row(15 * S, WRITTEN, 1100);
	put_row(30 * S, WRITTEN, 20);
	put_row(45 * S, WRITTEN, 25);
	put_row(60 * S, WRITTEN, 30);
	ask(WRITTEN, QUERY_INCREASE, 0, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "105r 5");
	query_result_free(TAKE(result));
	query_run_free(TAKE(run));
	/* Nor is the time in which it happened. */
	ask(WRITTEN, QUERY_RATE, 0, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "3.5r");
}
END_TEST

START_TEST(test_nothing_but_a_reset_is_no_rate)
{
	put_row(0, WRITTEN, 1000);
	put_row(60 * S, WRITTEN, 1);
	ask(WRITTEN, QUERY_RATE, 60 * S, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "-r");
	query_result_free(TAKE(result));
	query_run_free(TAKE(run));
	ask(WRITTEN, QUERY_INCREASE, 60 * S, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "0r");
}
END_TEST

START_TEST(test_last_tells_of_resets_too)
{
	put_row(0, WRITTEN, 1000);
	put_row(60 * S, WRITTEN, 1);
	ask(WRITTEN, QUERY_LAST, 0, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "1000 1r");
}
END_TEST

START_TEST(test_growth_over_absent_values)
{
	put_row(0, WRITTEN, 100);
	put_row(20 * S, WRITTEN, ABSENT);
	put_row(40 * S, WRITTEN, 180);
	ask(WRITTEN, QUERY_RATE, 0, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "2");
}
END_TEST

/* Time goes by the clock that cannot be set. */
START_TEST(test_a_step_of_the_clock_makes_no_rate)
{
	size_t row = put_row(0, WRITTEN, 100);

	set_integer(rows, row, SHEET_MONO, 500 * S);
	row = put_row(3000 * S, WRITTEN, 200); /* 10 s later, the clock went forward */
	set_integer(rows, row, SHEET_MONO, 510 * S);
	ask(WRITTEN, QUERY_RATE, 3000 * S, 3060 * S, 60 * S);
	ck_assert_str_eq(answer(), "10g"); /* in wall time there is a hole */
}
END_TEST

START_TEST(test_a_clock_set_back_neither_repeats_nor_subtracts)
{
	size_t row = put_row(100 * S, WRITTEN, 100);

	set_integer(rows, row, SHEET_MONO, 500 * S);
	row = put_row(40 * S, WRITTEN, 150); /* 20 s later */
	set_integer(rows, row, SHEET_MONO, 520 * S);
	row = put_row(60 * S, WRITTEN, 170);
	set_integer(rows, row, SHEET_MONO, 540 * S);
	ask(WRITTEN, QUERY_RATE, 0, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "2.5 1");
}
END_TEST

START_TEST(test_over_boots_time_goes_by_the_wall_clock)
{
	put_row(0, WRITTEN, 100);
	size_t row = put_row(100 * S, WRITTEN, 300);

	set_integer(rows, row, SHEET_BOOT, 2);
	set_integer(rows, row, SHEET_MONO, 5 * S);
	ask(WRITTEN, QUERY_RATE, 60 * S, 120 * S, 60 * S);
	ck_assert_str_eq(answer(), "2");
}
END_TEST

START_TEST(test_a_boot_with_a_clock_set_back_has_growth_but_no_rate)
{
	put_row(100 * S, WRITTEN, 100);
	size_t row = put_row(20 * S, WRITTEN, 300);

	set_integer(rows, row, SHEET_BOOT, 2);
	ask(WRITTEN, QUERY_RATE, 0, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "-");
	query_result_free(TAKE(result));
	query_run_free(TAKE(run));
	ask(WRITTEN, QUERY_INCREASE, 0, 60 * S, 60 * S);
	ck_assert_str_eq(answer(), "200");
}
END_TEST

START_TEST(test_growth_goes_on_from_sheet_to_sheet)
{
	begin(WRITTEN, QUERY_INCREASE, 0, 120 * S, 60 * S);
	put_row(10 * S, WRITTEN, 100);
	ck_assert_int_eq(query_add_rows(run, rows), 0);
	sheet_clear(rows);
	put_row(70 * S, WRITTEN, 130);
	ck_assert_int_eq(query_add_rows(run, rows), 0);
	finish();
	ck_assert_str_eq(answer(), "- 30");
}
END_TEST

/* Whatever counters do, no rate is negative and all growth is found. */
START_TEST(test_random_counters)
{
	uint64_t seed = 3;
	__int128 grown = 0, total = 0;
	int64_t value = 0;

	for (int i = 0; i < 5000; i++) {
		int64_t step = (int64_t)(random_next(&seed) >> (1 + random_next(&seed) % 62));
		int64_t next = random_next(&seed) % 50 == 0 || step > INT64_MAX - value ? step : value + step;
		grown += i && next > value ? next - value : 0;
		value = next;
		put_row(i * 15 * S, WRITTEN, value);
	}
	ask(WRITTEN, QUERY_INCREASE, 0, 75000 * S, 15 * S);
	for (size_t i = 0; i < result->n_points; i++) {
		struct value v;
		query_result_get(result, 0, i, &v);
		ck_assert(i == 0 ? v.type == VALUE_ABSENT : v.integer >= 0);
		total += i ? v.integer : 0;
	}
	ck_assert(total == grown);
	query_result_free(TAKE(result));
	query_run_free(TAKE(run));
	ask(WRITTEN, QUERY_RATE, 0, 75000 * S, 3600 * S);
	for (size_t i = 0; i < result->n_points; i++) {
		struct value v;
		query_result_get(result, 0, i, &v);
		ck_assert(v.type == VALUE_REAL && v.real >= 0);
	}
}
END_TEST

/* A damaged file may hold any number as a time. */
START_TEST(test_times_that_are_none)
{
	static const int64_t times[] = { INT64_MIN, INT64_MAX, 0, INT64_MIN + 1, 60, INT64_MAX - 1, -1 };

	for (size_t i = 0; i < ELEMENTS(times); i++)
		for (size_t k = 0; k < ELEMENTS(times); k++) {
			size_t row = put_row(0, WRITTEN, (int64_t)k);
			set_integer(rows, row, SHEET_TIME, times[i]);
			set_integer(rows, row, SHEET_MONO, times[k]);
			set_integer(rows, row, SHEET_BOOT, (int64_t)(k % 2));
		}
	for (enum query_agg agg = QUERY_DEFAULT; agg <= QUERY_RATE; agg++) {
		if (agg == QUERY_SUM)
			continue;
		ask(WRITTEN, agg, 0, 60 * S, 30 * S);
		query_result_free(TAKE(result));
		query_run_free(TAKE(run));
	}
	ask(WRITTEN, QUERY_DEFAULT, 0, 60 * S, 0);
	ck_assert_uint_eq(result->n_points, 14);
}
END_TEST

/* ---- Gaps ---- */

static void put_minutes(int from, int to)
{
	for (int i = from; i < to; i++)
		put_row(i * 60 * S, TEMPERATURE, 40);
}

START_TEST(test_a_hole_is_marked_and_what_ends_it)
{
	put_minutes(0, 10);
	put_minutes(20, 30);
	ask(TEMPERATURE, QUERY_MEAN, 0, 1800 * S, 300 * S);
	ck_assert_str_eq(answer(), "40 40 -g -g 40g 40");
}
END_TEST

START_TEST(test_a_hole_shorter_than_the_step_is_none)
{
	put_minutes(0, 10);
	put_minutes(20, 60);
	ask(TEMPERATURE, QUERY_MEAN, 0, 3600 * S, 1200 * S);
	ck_assert_str_eq(answer(), "40 40 40");
}
END_TEST

/* A page that is read every five minutes has no gaps in buckets of one. */
START_TEST(test_what_is_read_seldom_has_no_gaps)
{
	for (int i = 0; i < 4; i++)
		put_row(i * 300 * S, TEMPERATURE, 40 + i);
	ask(TEMPERATURE, QUERY_LAST, 0, 901 * S, 150 * S);
	ck_assert_str_eq(answer(), "40 - 41 - 42 - 43");
}
END_TEST

START_TEST(test_nothing_at_all_is_a_gap)
{
	ask(TEMPERATURE, QUERY_MEAN, 0, 180 * S, 60 * S);
	ck_assert_str_eq(answer(), "-g -g -g");
}
END_TEST

START_TEST(test_gaps_at_both_ends)
{
	put_minutes(10, 20);
	ask(TEMPERATURE, QUERY_MEAN, 0, 1800 * S, 300 * S);
	ck_assert_str_eq(answer(), "-g -g 40 40 -g -g");
}
END_TEST

/* The last bucket may just not have its row yet. */
START_TEST(test_what_is_due_is_no_gap)
{
	put_minutes(0, 10);
	ask(TEMPERATURE, QUERY_MEAN, 300 * S, 650 * S, 60 * S);
	ck_assert_str_eq(answer(), "40 40 40 40 40 -");
}
END_TEST

START_TEST(test_a_hole_from_before_the_start_is_known)
{
	put_minutes(0, 10);
	put_minutes(30, 40);
	ask(TEMPERATURE, QUERY_MEAN, 1500 * S, 2100 * S, 300 * S);
	ck_assert_str_eq(answer(), "-g 40g");
}
END_TEST

START_TEST(test_a_suspended_host_is_a_gap)
{
	put_minutes(0, 60);
	for (int i = 600; i < 660; i++)
		put_row(i * 60 * S, TEMPERATURE, 41);
	ask(TEMPERATURE, QUERY_MEAN, 0, 11 * HOUR, HOUR);
	ck_assert_str_eq(answer(), "40 -g -g -g -g -g -g -g -g -g 41g");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_buckets_begin_at_multiples_of_the_step,
		test_an_end_at_a_multiple_begins_no_bucket,
		test_a_moment_is_one_bucket,
		test_buckets_before_1970_lie_in_line,
		test_a_bucket_is_answered_as_a_whole,
		test_every_agg,
		test_reals_have_the_same,
		test_negative_numbers_are_less,
		test_integers_are_exact_near_2_63,
		test_a_sum_that_does_not_fit_is_absent,
		test_growth_belongs_to_the_bucket_that_saw_it,
		test_the_first_value_is_no_growth,
		test_a_rate_is_per_second_of_the_time_it_was_seen_in,
		test_a_reset_is_no_growth_and_marked,
		test_nothing_but_a_reset_is_no_rate,
		test_last_tells_of_resets_too,
		test_growth_over_absent_values,
		test_a_step_of_the_clock_makes_no_rate,
		test_a_clock_set_back_neither_repeats_nor_subtracts,
		test_over_boots_time_goes_by_the_wall_clock,
		test_a_boot_with_a_clock_set_back_has_growth_but_no_rate,
		test_growth_goes_on_from_sheet_to_sheet,
		test_random_counters,
		test_times_that_are_none,
		test_a_hole_is_marked_and_what_ends_it,
		test_a_hole_shorter_than_the_step_is_none,
		test_what_is_read_seldom_has_no_gaps,
		test_nothing_at_all_is_a_gap,
		test_gaps_at_both_ends,
		test_what_is_due_is_no_gap,
		test_a_hole_from_before_the_start_is_known,
		test_a_suspended_host_is_a_gap,
		NULL,
	};

	return check_main_with("query", tests, query_setup, query_teardown);
}
