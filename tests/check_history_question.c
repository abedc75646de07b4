/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a query for a page's history means, and what its answer looks like. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "nvmewatch/history_document.h"

#define NOW INT64_C(1790000000000) /* 2026-09-21T14:13:20Z */
#define DAY INT64_C(86400000)

static struct history_question *q;
static struct document problem;

static void teardown(void)
{
	history_question_free(q);
	q = NULL;
	document_done(&problem);
}

static int ask(struct history_words words)
{
	teardown();
	words.drive = "S/N 1";
	return history_question_parse(&words, NOW, &q, &problem);
}

#define ASK(...) ask((struct history_words){ __VA_ARGS__ })

/* Whether a column is asked for, and how often. */
static unsigned has(const char *column)
{
	unsigned n = 0;

	for (size_t i = 0; i < q->query.n_columns; i++)
		n += !strcmp(q->query.columns[i], column);
	return n;
}

START_TEST(test_a_page_alone_is_the_last_day_of_all_its_fields)
{
	ck_assert_int_eq(ASK(.page = "smart"), 0);
	ck_assert_str_eq(q->drive, "S/N 1");
	ck_assert_ptr_eq(q->query.page, &smart_page);
	ck_assert_int_eq(q->query.end, NOW);
	ck_assert_int_eq(q->query.start, NOW - DAY);
	ck_assert_int_eq(q->query.step, 0);
	ck_assert_int_eq(q->query.agg, QUERY_DEFAULT);
	ck_assert_uint_eq(has("temperature_celsius"), 1);
	ck_assert_uint_eq(has("sensor_temperature_celsius_8"), 1);
	ck_assert_uint_eq(has("host_written_bytes"), 1);
}
END_TEST

START_TEST(test_times_and_steps_are_as_people_write_them)
{
	ck_assert_int_eq(ASK(.page = "smart", .start = "2026-09-20T14:13:20Z", .end = "1789990000",
			     .step = "5m"), 0);
	ck_assert_int_eq(q->query.start, NOW - DAY);
	ck_assert_int_eq(q->query.end, INT64_C(1789990000000));
	ck_assert_int_eq(q->query.step, 300000);
	ck_assert_int_eq(ASK(.page = "smart", .step = "90"), 0);
	ck_assert_int_eq(q->query.step, 90000);
	/* The day before the end, and nothing of what is to come. */
	ck_assert_int_eq(ASK(.page = "smart", .end = "1700000000"), 0);
	ck_assert_int_eq(q->query.start, INT64_C(1700000000000) - DAY);
	ck_assert_int_eq(ASK(.page = "smart", .end = "2030-01-01"), 0);
	ck_assert_int_eq(q->query.end, NOW);
}
END_TEST

START_TEST(test_fields_are_columns_or_whole_arrays)
{
	ck_assert_int_eq(ASK(.page = "smart", .fields = "temperature_celsius,power_cycles"), 0);
	ck_assert_uint_eq(q->query.n_columns, 2);
	ck_assert_str_eq(q->query.columns[0], "temperature_celsius");
	ck_assert_str_eq(q->query.columns[1], "power_cycles");
	ck_assert_int_eq(ASK(.page = "smart", .fields = "sensor_temperature_celsius_3,"
			     "sensor_temperature_celsius,power_cycles,power_cycles"), 0);
	ck_assert_uint_eq(q->query.n_columns, 9);
	ck_assert_uint_eq(has("sensor_temperature_celsius_3"), 1);
	ck_assert_str_eq(q->query.columns[0], "sensor_temperature_celsius_3");
	ck_assert_str_eq(q->query.columns[8], "power_cycles");
}
END_TEST

START_TEST(test_all_fields_are_those_that_the_agg_can_be_had_of)
{
	ck_assert_int_eq(ASK(.page = "smart", .agg = "increase"), 0);
	ck_assert_uint_eq(has("host_written_bytes"), 1);
	ck_assert_uint_eq(has("temperature_celsius"), 0);
}
END_TEST

START_TEST(test_one_of_several_pages_is_called_by_its_number)
{
	ck_assert_int_eq(ASK(.page = "endurance_group_2"), 0);
	ck_assert_ptr_eq(q->query.page, &endurance_group_page);
	ck_assert_uint_eq(q->query.instance, 2);
}
END_TEST

#define REFUSES(part, ...)                                                             \
	do {                                                                           \
		ck_assert_int_eq(ASK(__VA_ARGS__), -EINVAL);                           \
		ck_assert_uint_eq(problem.status, 400);                                \
		ck_assert_msg(strstr(problem.problem, part) != NULL, "%s", problem.problem); \
	} while (0)

START_TEST(test_what_is_wrong_is_named_with_what_is_allowed)
{
	REFUSES("page is missing", .fields = "temperature_celsius");
	REFUSES("No page is called \"smrt\"", .page = "smrt");
	REFUSES("\"endurance_group_1\"", .page = "endurance_group");
	REFUSES("No history is kept", .page = "supported_logs");
	REFUSES("has no field \"warmth\"", .page = "smart", .fields = "temperature_celsius,warmth");
	REFUSES("has no field \"\"", .page = "smart", .fields = "");
	REFUSES("has no field \"\"", .page = "smart", .fields = "temperature_celsius,");
	REFUSES("start takes a time as 2026", .page = "smart", .start = "yesterday");
	REFUSES("end takes a time as 2026", .page = "smart", .end = "1h");
	REFUSES("is after end", .page = "smart", .start = "1700000001", .end = "1700000000");
	REFUSES("has not come yet", .page = "smart", .start = "2030-01-01");
	REFUSES("step takes a duration", .page = "smart", .step = "0");
	REFUSES("step takes a duration", .page = "smart", .step = "0s");
	REFUSES("step takes a duration", .page = "smart", .step = "-5m");
	REFUSES("step takes a duration", .page = "smart", .step = "1w");
	REFUSES("step takes a duration", .page = "smart", .step = "99999999999999999999");
	REFUSES("agg takes last, min, max", .page = "smart", .agg = "median");
	REFUSES("is a counter", .page = "smart", .fields = "host_written_bytes", .agg = "sum");
	REFUSES("is no counter", .page = "smart", .fields = "temperature_celsius", .agg = "rate");
}
END_TEST

START_TEST(test_too_much_is_refused_with_a_step_that_does)
{
	REFUSES("ask for step=", .page = "smart", .start = "0", .step = "1s");
	const char *step = strstr(problem.problem, "step=") + strlen("step=");
	_cleanup_(freep) char *enough = strndup(step, strspn(step, "0123456789"));

	ck_assert_int_eq(ASK(.page = "smart", .start = "0", .step = enough), 0);
}
END_TEST

START_TEST(test_hostile_lists_cost_little)
{
	_cleanup_(buffer_done) struct buffer list = { 0 };

	for (int i = 0; i < 5000; i++)
		buffer_text(&list, "sensor_temperature_celsius,");
	buffer_put(&list, "", 1);
	REFUSES("more fields than", .page = "smart", .fields = list.data);
}
END_TEST

/* ---- The answer. ---- */

static int64_t times[] = { NOW - 60000, NOW, NOW + 60000 };
static uint8_t marks[] = { 0, QUERY_GAP, QUERY_GAP | QUERY_RESET };
static int64_t written[] = { INT64_MAX, 0, -1 }, words[] = { 0, 0, 1 };
static uint8_t all[] = { 1, 1, 1 }, some[] = { 1, 0, 1 };
static char *texts[] = { (char *)"a \"b\"", (char *)"c,d" };

static struct query_result result_of(struct query_column columns[static 2], int64_t step)
{
	columns[0] = (struct query_column){ "host_written_bytes", step ? QUERY_LAST : QUERY_DEFAULT,
					    VALUE_INTEGER, written, all, NULL, 0 };
	columns[1] = (struct query_column){ "word", step ? QUERY_LAST : QUERY_DEFAULT, VALUE_TEXT,
					    words, some, texts, 2 };
	return (struct query_result){
		.plan = { .step = step, .start = times[0], .end = times[2] },
		.n_points = 3, .times = times, .marks = marks, .columns = columns, .n_columns = 2,
	};
}

START_TEST(test_json_is_by_columns)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	struct query_column columns[2];
	struct query_result result = result_of(columns, 60000);

	ck_assert_int_eq(ASK(.page = "endurance_group_2"), 0);
	ck_assert_int_eq(history_write_json(q, &result, &out), 0);
	buffer_put(&out, "", 1);
	ck_assert_str_eq(out.data,
			 "{\"serial\":\"S/N 1\",\"page\":\"endurance_group_2\","
			 "\"start\":\"2026-09-21T14:12:20.000Z\",\"end\":\"2026-09-21T14:14:20.000Z\","
			 "\"resolution\":\"raw\",\"step\":60,"
			 "\"agg\":{\"host_written_bytes\":\"last\",\"word\":\"last\"},"
			 "\"time\":[\"2026-09-21T14:12:20.000Z\",\"2026-09-21T14:13:20.000Z\","
			 "\"2026-09-21T14:14:20.000Z\"],\"marks\":[null,\"gap\",\"gap reset\"],"
			 "\"fields\":{\"host_written_bytes\":[9223372036854775807,0,-1],"
			 "\"word\":[\"a \\\"b\\\"\",null,\"c,d\"]}}\n");
}
END_TEST

START_TEST(test_csv_is_by_rows)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	struct query_column columns[2];
	struct query_result result = result_of(columns, 0);

	ck_assert_int_eq(history_write_csv(&result, &out), 0);
	buffer_put(&out, "", 1);
	ck_assert_str_eq(out.data,
			 "time,host_written_bytes,word,marks\r\n"
			 "2026-09-21T14:12:20.000Z,9223372036854775807,\"a \"\"b\"\"\",\r\n"
			 "2026-09-21T14:13:20.000Z,0,,gap\r\n"
			 "2026-09-21T14:14:20.000Z,-1,\"c,d\",gap reset\r\n");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_page_alone_is_the_last_day_of_all_its_fields,
		test_times_and_steps_are_as_people_write_them,
		test_fields_are_columns_or_whole_arrays,
		test_all_fields_are_those_that_the_agg_can_be_had_of,
		test_one_of_several_pages_is_called_by_its_number,
		test_what_is_wrong_is_named_with_what_is_allowed,
		test_too_much_is_refused_with_a_step_that_does,
		test_hostile_lists_cost_little,
		test_json_is_by_columns,
		test_csv_is_by_rows,
		NULL,
	};

	return check_main_with("history question", tests, NULL, teardown);
}
