/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What may be asked, from what it is answered, raw rows, and rollups with a tail of rows. */

#include <errno.h>

#include "nvmewatch/history_read.h"
#include "query_support.h"

static int check(const char *column, enum query_agg agg, int64_t start, int64_t end, int64_t step)
{
	size_t wrong;

	return query_check(query_of(column, agg, start, end, step), &wrong);
}

START_TEST(test_what_cannot_be_asked)
{
	ck_assert_int_eq(check(TEMPERATURE, QUERY_MEAN, 10, 9, S), -EINVAL);
	ck_assert_int_eq(check(TEMPERATURE, QUERY_MEAN, 0, 9, -1), -EINVAL);
	ck_assert_int_eq(check(TEMPERATURE, QUERY_MEAN, INT64_MIN, 9, S), -EINVAL);
	ck_assert_int_eq(check(TEMPERATURE, QUERY_MEAN, 0, INT64_MAX, 0), -EINVAL);
	ck_assert_int_eq(check("no_such_column", QUERY_MEAN, 0, 9, S), -ENOENT);
	ck_assert_int_eq(check(TEMPERATURE, QUERY_RATE, 0, 9, S), -EDOM);
	ck_assert_int_eq(check(TEMPERATURE, QUERY_INCREASE, 0, 9, S), -EDOM);
	ck_assert_int_eq(check(WRITTEN, QUERY_SUM, 0, 9, S), -EDOM);
	ck_assert_int_eq(check(WRITTEN, QUERY_RATE, 0, 9, S), 0);
}
END_TEST

START_TEST(test_texts_have_a_last_value_only)
{
	static const char *column = "log_page_guid";
	struct query q = { .page = &ocp_smart_page, .columns = &column, .n_columns = 1, .end = S };
	size_t wrong;

	for (q.agg = QUERY_DEFAULT; q.agg <= QUERY_RATE; q.agg++) {
		bool fine = q.agg == QUERY_DEFAULT || q.agg == QUERY_LAST || q.agg == QUERY_COUNT;
		ck_assert_int_eq(query_check(&q, &wrong), fine ? 0 : -EDOM);
	}
}
END_TEST

START_TEST(test_eleven_thousand_points_and_no_more)
{
	ck_assert_int_eq(check(TEMPERATURE, QUERY_MEAN, 0, 11000 * S, S), 0);
	ck_assert_int_eq(check(TEMPERATURE, QUERY_MEAN, 0, 11000 * S + 1, S), -E2BIG);
}
END_TEST

START_TEST(test_names_of_aggs_can_be_read)
{
	enum query_agg agg;

	for (unsigned i = QUERY_LAST; i <= QUERY_RATE; i++) {
		ck_assert_int_eq(query_agg_parse(query_agg_name(i), &agg), 0);
		ck_assert_int_eq(agg, i);
	}
	ck_assert_int_eq(query_agg_parse("default", &agg), -EINVAL);
	ck_assert_int_eq(query_agg_parse("median", &agg), -EINVAL);
}
END_TEST

/* ---- The plan ---- */

static struct query_sources sources(uint64_t n_rows, int64_t until)
{
	return (struct query_sources){ .rows = n_rows, .hours = true, .days = true, .until = until,
				       .raw_since = INT64_MIN };
}

static struct query_plan plan_of(const char *column, enum query_agg agg, int64_t start, int64_t end,
				 int64_t step, int64_t until)
{
	const struct query_sources from = sources(100000, until);
	struct query_plan plan;

	ck_assert_int_eq(query_plan(query_of(column, agg, start, end, step), &from, &plan), 0);
	return plan;
}

START_TEST(test_few_rows_are_answered_as_they_are)
{
	struct query_sources from = sources(11000, DAY);
	struct query_plan plan;

	query_of(TEMPERATURE, QUERY_DEFAULT, 5, 999999, 0);
	ck_assert_int_eq(query_plan(&asked, &from, &plan), 0);
	ck_assert_int_eq(plan.step, 0);
	ck_assert_int_eq(plan.start, 5);
	from.rows = 11001;
	ck_assert_int_eq(query_plan(&asked, &from, &plan), 0);
	ck_assert_int_eq(plan.step, 60 * S);
}
END_TEST

START_TEST(test_a_chosen_step_is_a_usual_one)
{
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MAX, 0, 1, 0, 0).step, 60 * S);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MAX, 0, 500 * 60 * S, 0, 0).step, 60 * S);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MAX, 0, 500 * 60 * S + 1, 0, 0).step, 120 * S);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MAX, 0, 30 * DAY, 0, 0).step, 2 * HOUR);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MAX, 0, 5 * 365 * DAY, 0, 0).step, 4 * DAY);
	struct query_plan plan = plan_of(TEMPERATURE, QUERY_MAX, 0, INT64_C(1) << 52, 0, 0);
	ck_assert_uint_le(plan.n_points, 500);
}
END_TEST

START_TEST(test_hours_answer_whole_hours)
{
	struct query_plan plan = plan_of(TEMPERATURE, QUERY_MAX, HOUR + 5, 10 * HOUR, 2 * HOUR, 8 * HOUR + 7);

	ck_assert_int_eq(plan.resolution, QUERY_HOURLY);
	ck_assert_int_eq(plan.start, 0);
	ck_assert_int_eq(plan.end, 10 * HOUR);
	ck_assert_int_eq(plan.raw_from, 8 * HOUR);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MAX, 0, 10 * HOUR, HOUR / 2, 8 * HOUR).resolution,
			 QUERY_RAW);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MAX, 0, 10 * HOUR, HOUR + 60 * S, 8 * HOUR).resolution,
			 QUERY_RAW);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MAX, 9 * HOUR, 10 * HOUR, HOUR, 8 * HOUR).resolution,
			 QUERY_RAW);
	/* They reach beyond what is asked. */
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MAX, 0, 2 * HOUR, HOUR, 8 * HOUR).raw_from, 2 * HOUR);
}
END_TEST

START_TEST(test_days_answer_whole_days)
{
	struct query_plan plan = plan_of(TEMPERATURE, QUERY_MEAN, 0, 100 * DAY, 7 * DAY, 9 * DAY + HOUR);

	ck_assert_int_eq(plan.resolution, QUERY_DAILY);
	ck_assert_int_eq(plan.raw_from, 9 * DAY);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_MEAN, 0, 100 * DAY, 36 * HOUR, 9 * DAY).resolution,
			 QUERY_HOURLY);
}
END_TEST

/* Rows go before their rollups do. */
START_TEST(test_where_rows_were_dropped_hours_are_left)
{
	struct query_sources from = sources(0, 100 * DAY);
	struct query_plan plan;

	from.raw_since = 90 * DAY;
	query_of(TEMPERATURE, QUERY_DEFAULT, 80 * DAY, 81 * DAY, 0);
	ck_assert_int_eq(query_plan(&asked, &from, &plan), 0);
	ck_assert_int_eq(plan.step, HOUR);
	ck_assert_int_eq(plan.resolution, QUERY_HOURLY);
	from.hours = false;
	ck_assert_int_eq(query_plan(&asked, &from, &plan), 0);
	ck_assert_int_eq(plan.step, DAY);
	ck_assert_int_eq(plan.resolution, QUERY_DAILY);
	query_of(TEMPERATURE, QUERY_DEFAULT, 90 * DAY, 91 * DAY, 0);
	ck_assert_int_eq(query_plan(&asked, &from, &plan), 0);
	ck_assert_int_eq(plan.step, 0);
}
END_TEST

START_TEST(test_rollups_hold_some_aggs_only)
{
	ck_assert_int_eq(plan_of(WRITTEN, QUERY_RATE, 0, DAY, HOUR, DAY).resolution, QUERY_HOURLY);
	ck_assert_int_eq(plan_of(WRITTEN, QUERY_LAST, 0, DAY, HOUR, DAY).resolution, QUERY_HOURLY);
	ck_assert_int_eq(plan_of(WRITTEN, QUERY_MEAN, 0, DAY, HOUR, DAY).resolution, QUERY_RAW);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_SUM, 0, DAY, HOUR, DAY).resolution, QUERY_RAW);
	ck_assert_int_eq(plan_of(TEMPERATURE, QUERY_COUNT, 0, DAY, HOUR, DAY).resolution, QUERY_HOURLY);
}
END_TEST

/* ---- Raw rows ---- */

START_TEST(test_raw_rows_are_within_the_span)
{
	for (int i = 0; i < 5; i++)
		put_row(i * 60 * S, TEMPERATURE, i == 2 ? ABSENT : 40 + i);
	ask(TEMPERATURE, QUERY_DEFAULT, 60 * S, 180 * S, 0);
	ck_assert_str_eq(answer(), "41 - 43");
	ck_assert_int_eq(result->times[0], 60 * S);
}
END_TEST

START_TEST(test_raw_rows_are_marked)
{
	for (int i = 0; i < 5; i++)
		put_row(i * 60 * S, WRITTEN, 100 + i);
	put_row(3600 * S, WRITTEN, 3);
	put_row(3660 * S, WRITTEN, 4);
	ask(WRITTEN, QUERY_DEFAULT, 0, 4000 * S, 0);
	ck_assert_str_eq(answer(), "100 101 102 103 104 3gr 4");
}
END_TEST

START_TEST(test_too_many_raw_rows_are_refused)
{
	begin(TEMPERATURE, QUERY_DEFAULT, 0, 20000 * S, 0);
	for (int i = 0; i < QUERY_POINTS_MAX; i++)
		put_row(i * S, TEMPERATURE, 40);
	ck_assert_int_eq(query_add_rows(run, rows), 0);
	sheet_clear(rows);
	put_row(11000 * S, TEMPERATURE, 40);
	ck_assert_int_eq(query_add_rows(run, rows), -E2BIG);
}
END_TEST

/* ---- Rollups ---- */

static void begin_rolled(const char *column, enum query_agg agg, int64_t end, int64_t step, int64_t until)
{
	const struct query_sources from = sources(0, until);
	struct query_plan plan;

	query_of(column, agg, 0, end, step);
	ck_assert_int_eq(query_plan(&asked, &from, &plan), 0);
	ck_assert_int_eq(query_run_new(&asked, &plan, &run), 0);
}

static void put_rollup(int64_t hour, struct history_rolled c, uint64_t count, uint64_t resets)
{
	struct history_rollup row = { .time = hour * HOUR, .last_time = (hour + 1) * HOUR - 60 * S,
				      .count = count, .resets = resets, .columns = &c };

	ck_assert_int_eq(query_add_rollup(run, &row), 0);
}

static struct value integer(int64_t n)
{
	return (struct value){ .type = VALUE_INTEGER, .integer = n };
}

static struct value real(double x)
{
	return (struct value){ .type = VALUE_REAL, .real = x };
}

START_TEST(test_means_of_hours_count_by_their_rows)
{
	begin_rolled(TEMPERATURE, QUERY_MEAN, 2 * HOUR, 2 * HOUR, 2 * HOUR);
	put_rollup(0, (struct history_rolled){ .mean = real(40), .last = integer(40) }, 60, 0);
	put_rollup(1, (struct history_rolled){ .mean = real(50), .last = integer(50) }, 20, 0);
	finish();
	ck_assert_str_eq(answer(), "42.5");
	ck_assert_int_eq(result->plan.resolution, QUERY_HOURLY);
}
END_TEST

START_TEST(test_extremes_of_hours)
{
	begin_rolled(TEMPERATURE, QUERY_MAX, 2 * HOUR, 2 * HOUR, 2 * HOUR);
	put_rollup(0, (struct history_rolled){ .max = integer(61), .last = integer(40) }, 60, 0);
	put_rollup(1, (struct history_rolled){ .max = integer(50), .last = integer(50) }, 60, 0);
	finish();
	ck_assert_str_eq(answer(), "61");
}
END_TEST

/* Rows before it tell what counters grew from, and are not counted twice. */
START_TEST(test_a_tail_of_rows_goes_on_where_hours_end)
{
	begin_rolled(WRITTEN, QUERY_INCREASE, 2 * HOUR, HOUR, HOUR);
	put_rollup(0, (struct history_rolled){ .increase = integer(59), .last = integer(1059) }, 60, 0);
	for (int i = 50; i < 120; i++)
		put_row(i * 60 * S, WRITTEN, 1000 + i);
	ck_assert_int_eq(query_add_rows(run, rows), 0);
	finish();
	ck_assert_str_eq(answer(), "59 60");
}
END_TEST

START_TEST(test_a_rate_of_hours_is_over_the_time_between_their_last_rows)
{
	begin_rolled(WRITTEN, QUERY_RATE, 5 * HOUR, HOUR, 5 * HOUR);
	put_rollup(-1, (struct history_rolled){ .increase = integer(5), .last = integer(5) }, 60, 0);
	put_rollup(0, (struct history_rolled){ .increase = integer(7200), .last = integer(7205) }, 60, 0);
	put_rollup(3, (struct history_rolled){ .increase = integer(10800), .last = integer(18005) }, 60, 0);
	finish();
	ck_assert_str_eq(answer(), "2 -g -g 1g -g");
}
END_TEST

START_TEST(test_what_the_first_hour_grew_in_nobody_knows)
{
	begin_rolled(WRITTEN, QUERY_RATE, 2 * HOUR, HOUR, 2 * HOUR);
	put_rollup(0, (struct history_rolled){ .increase = integer(7200), .last = integer(7200) }, 60, 0);
	put_rollup(1, (struct history_rolled){ .increase = integer(7200), .last = integer(14400) }, 60, 2);
	finish();
	ck_assert_str_eq(answer(), "- 2r");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_what_cannot_be_asked,
		test_texts_have_a_last_value_only,
		test_eleven_thousand_points_and_no_more,
		test_names_of_aggs_can_be_read,
		test_few_rows_are_answered_as_they_are,
		test_a_chosen_step_is_a_usual_one,
		test_hours_answer_whole_hours,
		test_days_answer_whole_days,
		test_where_rows_were_dropped_hours_are_left,
		test_rollups_hold_some_aggs_only,
		test_raw_rows_are_within_the_span,
		test_raw_rows_are_marked,
		test_too_many_raw_rows_are_refused,
		test_means_of_hours_count_by_their_rows,
		test_extremes_of_hours,
		test_a_tail_of_rows_goes_on_where_hours_end,
		test_a_rate_of_hours_is_over_the_time_between_their_last_rows,
		test_what_the_first_hour_grew_in_nobody_knows,
		NULL,
	};

	return check_main_with("query_plan", tests, query_setup, query_teardown);
}
