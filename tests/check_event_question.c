/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a query for events means, and CSV. */

#include <errno.h>
#include <string.h>

#include "check_main.h"
#include "nvmewatch/csv.h"
#include "nvmewatch/event_document.h"

static struct event_question q;
static struct document problem;

static void teardown(void)
{
	document_done(&problem);
}

static int ask(const struct event_words *words)
{
	document_done(&problem);
	return event_question_parse(words, &q, &problem);
}

#define ASK(...) ask(&(struct event_words){ __VA_ARGS__ })

START_TEST(test_nothing_given_is_the_last_thousand_of_all)
{
	ck_assert_int_eq(ASK(.drive = NULL), 0);
	ck_assert(!q.drive[0] && !q.type[0] && !q.onward && !q.known);
	ck_assert_uint_eq(q.limit, 1000);
	ck_assert_int_eq(q.since, 0);
}
END_TEST

START_TEST(test_since_and_after_go_onward)
{
	ck_assert_int_eq(ASK(.since = "1790000000.0001", .drive = "S/N", .type = "counter_reset",
			     .limit = "10000"), 0);
	ck_assert(q.onward);
	ck_assert_int_eq(q.since, INT64_C(1790000000001)); /* not before */
	ck_assert_str_eq(q.drive, "S/N");
	ck_assert_str_eq(q.type, "counter_reset");
	ck_assert_uint_eq(q.limit, 10000);
	ck_assert_int_eq(ASK(.after = "17"), 0);
	ck_assert(q.onward);
	ck_assert_int_eq(q.after, 17);
}
END_TEST

#define REFUSES(part, ...)                                                             \
	do {                                                                           \
		ck_assert_int_eq(ASK(__VA_ARGS__), -EINVAL);                           \
		ck_assert_uint_eq(problem.status, 400);                                \
		ck_assert_msg(strstr(problem.problem, part) != NULL, "%s", problem.problem); \
	} while (0)

START_TEST(test_a_serial_too_long_for_a_drive_is_nobodys)
{
	char key[129];

	memset(key, 'A', 128);
	key[128] = 0;
	ck_assert_int_eq(ASK(.drive = key), -EINVAL);
	ck_assert_uint_eq(problem.status, 404);
	key[127] = 0;
	ck_assert_int_eq(ASK(.drive = key), 0);
	ck_assert_str_eq(q.drive, key);
}
END_TEST

START_TEST(test_what_is_wrong_is_named)
{
	REFUSES("since takes a time as 2026-11-30T21:00:00Z", .since = "yesterday");
	REFUSES("\"\"", .since = "");
	REFUSES("limit takes 1 to 10000, not \"0\"", .limit = "0");
	REFUSES("\"10001\"", .limit = "10001");
	REFUSES("\"x\"", .limit = "x");
	REFUSES("after takes the id", .after = "-1");
	REFUSES("\"1.5\"", .after = "1.5");
	REFUSES("type takes", .type = "");
	REFUSES("\"a' OR 1\"", .type = "a' OR 1");
	REFUSES("type takes", .type = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
}
END_TEST

/* ---- CSV. ---- */

static void csv_is(const char *text, const char *expected)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };

	csv_text(&out, text);
	buffer_put(&out, "", 1);
	ck_assert_str_eq(out.data, expected);
}

START_TEST(test_csv_quotes_what_it_has_to)
{
	csv_is("", "");
	csv_is(NULL, "");
	csv_is("plain text; with 'much' in it", "plain text; with 'much' in it");
	csv_is("a,b", "\"a,b\"");
	csv_is("say \"x\"", "\"say \"\"x\"\"\"");
	csv_is("two\nlines", "\"two\nlines\"");
	csv_is("\r", "\"\r\"");
	csv_is("Modell \xc3\xa4", "Modell \xc3\xa4");
}
END_TEST

START_TEST(test_csv_values_are_exact_and_absent_ones_empty)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };

	csv_value(&out, &(struct value){ .type = VALUE_INTEGER, .integer = INT64_MAX });
	csv_next(&out);
	csv_value(&out, &(struct value){ .type = VALUE_ABSENT });
	csv_next(&out);
	csv_value(&out, &(struct value){ .type = VALUE_REAL, .real = 0.35 });
	csv_next(&out);
	csv_value(&out, &(struct value){ .type = VALUE_REAL, .real = 1.0 / 0.0 });
	csv_next(&out);
	csv_value(&out, &(struct value){ .type = VALUE_TEXT, .text = "a,b" });
	csv_end(&out);
	buffer_put(&out, "", 1);
	ck_assert_str_eq(out.data, "9223372036854775807,,0.35,,\"a,b\"\r\n");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_nothing_given_is_the_last_thousand_of_all,
		test_since_and_after_go_onward,
		test_a_serial_too_long_for_a_drive_is_nobodys,
		test_what_is_wrong_is_named,
		test_csv_quotes_what_it_has_to,
		test_csv_values_are_exact_and_absent_ones_empty,
		NULL,
	};

	return check_main_with("event question", tests, NULL, teardown);
}
