/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What nvmewatch shows to people: numbers, tables, and the API's documents as text. */

#include <string.h>

#include "../src/cli/human.h"
#include "../src/cli/render.h"
#include "check_main.h"

#define NOW (INT64_C(1790000000) * 1000000) /* 2026-09-21T14:13:20Z */

static void check_text(struct buffer *text, const char *expected)
{
	buffer_put(text, "", 1);
	ck_assert(!text->failed);
	ck_assert_str_eq(text->data, expected);
	buffer_done(text);
}

/* ---- Numbers, times and texts. ---- */

START_TEST(test_bytes_have_three_digits_and_a_unit)
{
	static const struct {
		double bytes;
		const char *text;
	} cases[] = {
		{ 0, "0 B" }, { 999, "999 B" }, { 1000, "1.00 kB" }, { 512000, "512 kB" },
		{ 999499999, "999 MB" }, { 999500000, "1.00 GB" }, { 500107862016, "500 GB" },
		{ 3840755982336, "3.84 TB" }, { 9994e9, "9.99 TB" }, { 9995e9, "10.0 TB" },
		{ 15362991415296, "15.4 TB" }, { 99.96e12, "100 TB" }, { 1962e12, "1.96 PB" },
		{ 9223372036854775807.0, "9.22 EB" }, { 4e21, "4000 EB" },
	};
	char text[HUMAN_MAX];

	for (size_t i = 0; i < ELEMENTS(cases); i++) {
		human_bytes(cases[i].bytes, text);
		ck_assert_str_eq(text, cases[i].text);
	}
}
END_TEST

START_TEST(test_durations_have_one_unit)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = {
		{ 0, "0 s" }, { 119, "119 s" }, { 120, "2 min" }, { 7199, "119 min" },
		{ 7200, "2 h" }, { 172800, "2 d" }, { 22464000, "260 d" },
		{ 97848000, "3.1 years" },
	};
	char text[HUMAN_MAX];

	for (size_t i = 0; i < ELEMENTS(cases); i++) {
		human_duration(cases[i].seconds, text);
		ck_assert_str_eq(text, cases[i].text);
	}
}
END_TEST

static void check_reading(const char *column, const char *value, const char *expected)
{
	json_auto_t *json = json_loads(value, JSON_DECODE_ANY, NULL);
	char reading[HUMAN_MAX];

	human_reading(column, json, reading);
	ck_assert_msg(!strcmp(reading, expected), "%s %s: %s", column, value, reading);
}

START_TEST(test_a_reading_stands_where_a_unit_can_be_larger)
{
	check_reading("host_written_bytes", "1962000000000000", "1.96 PB");
	check_reading("host_written_bytes", "512", "");
	check_reading("power_on_seconds", "22464000", "260 d");
	check_reading("thermal_throttle_seconds_2", "3600", "60 min");
	check_reading("rtd3r_seconds", "0.5", "");
	check_reading("endurance_used_ratio", "0.14", "14%");
	check_reading("endurance_used_ratio", "2.55", "255%");
	check_reading("capacitor_health_ratio", "null", "");
	check_reading("power_cycles", "123456", "");
	check_reading("_bytes", "123456", "");
	check_reading("dssd_bytes", "\"text\"", "");
}
END_TEST

static void check_time(const char *time, const char *expected)
{
	struct buffer out = { 0 };

	human_time(time, NOW, &out);
	check_text(&out, expected);
}

START_TEST(test_a_time_has_its_age)
{
	check_time("2026-09-21T14:13:20.123Z", "2026-09-21 14:13:20 UTC, 0 s ago");
	check_time("2026-09-21T13:13:20Z", "2026-09-21 13:13:20 UTC, 60 min ago");
	check_time("2026-09-21T14:13:21.000Z", "2026-09-21 14:13:21 UTC"); /* another clock */
	check_time("yesterday\033[2J", "yesterday?[2J");
	check_time("", "");
}
END_TEST

START_TEST(test_no_text_steers_a_terminal)
{
	struct buffer out = { 0 };

	human_text("a\033]0;x\007b\n\xc2\x9b" "c\xc2\xa0\xc3\xa4\x7f", &out);
	check_text(&out, "a?]0;x?b??c\xc2\xa0\xc3\xa4?");
}
END_TEST

/* ---- Tables. ---- */

START_TEST(test_columns_are_as_wide_as_their_widest_cell)
{
	static const struct column columns[] = { { "A", false }, { "LONG", true }, { "C", false } };
	struct table t = { .columns = columns, .n_columns = 3, .indent = " " };
	struct buffer out = { 0 };

	table_put(&t, "Gr\xc3\xb6\xc3\x9f" "e", TONE_PLAIN);
	table_put(&t, "1", TONE_PLAIN);
	table_put(&t, "x", TONE_BAD);
	table_put(&t, NULL, TONE_PLAIN);
	table_put(&t, "12345", TONE_PLAIN);
	table_put(&t, "", TONE_BAD);
	table_skip(&t);
	table_skip(&t);
	table_put(&t, "y\tz", TONE_PLAIN);
	ck_assert_int_eq(table_render(&t, false, &out), 0);
	check_text(&out, " A       LONG  C\n"
			 " Gr\xc3\xb6\xc3\x9f" "e      1  x\n"
			 " -      12345  -\n"
			 "               y?z\n");
	ck_assert_int_eq(table_render(&t, true, &out), 0);
	buffer_put(&out, "", 1);
	ck_assert_ptr_nonnull(strstr(out.data, "1  \033[31mx\033[0m\n"));
	buffer_done(&out);
	table_done(&t);
}
END_TEST

START_TEST(test_a_table_without_rows_has_its_titles)
{
	static const struct column columns[] = { { "A", false }, { "B", false } };
	const struct table t = { .columns = columns, .n_columns = 2 };
	struct buffer out = { 0 };

	ck_assert_int_eq(table_render(&t, true, &out), 0);
	check_text(&out, "A  B\n");
}
END_TEST

/* ---- Documents. ---- */

START_TEST(test_the_list_is_in_the_order_of_devices)
{
	json_auto_t *drives = json_loads(
		"[{\"serial\": \"S3\"},"
		" {\"serial\": \"S2\", \"device\": \"nvme10\", \"model\": \"M\","
		"  \"firmware\": \"F\","
		"  \"capacity_bytes\": 3840755982336, \"present\": true,"
		"  \"health\": {\"status\": \"critical\", \"reasons\": []},"
		"  \"endurance_used_ratio\": 0.05, \"host_written_bytes\": 31200000000000,"
		"  \"temperature_celsius\": 41},"
		" {\"serial\": \"S1\", \"device\": \"nvme9\", \"model\": null, \"present\": false,"
		"  \"temperature_celsius\": null,"
		"  \"health\": {\"status\": \"unknown\"}}]", 0, NULL);
	struct buffer out = { 0 };

	ck_assert_int_eq(render_list(drives, false, &out), 0);
	check_text(&out,
		   "DEVICE  SERIAL  MODEL  FIRMWARE  CAPACITY  TEMP  USED  WRITTEN  HEALTH\n"
		   "nvme9   S1      -      -                -     -     -        -  gone\n"
		   "nvme10  S2      M      F          3.84 TB  41 C    5%  31.2 TB  critical\n"
		   "-       S3      -      -                -     -     -        -  -\n");
	ck_assert_int_eq(render_list(drives, true, &out), 0);
	buffer_put(&out, "", 1);
	ck_assert_ptr_nonnull(strstr(out.data, "\033[31mcritical\033[0m\n"));
	buffer_done(&out);
}
END_TEST

static const char drive[] =
	"{\"serial\": \"S1\", \"device\": \"nvme0\", \"slot\": null, \"capacity_bytes\": 1000000,"
	" \"health\": {\"status\": \"critical\", \"reasons\": [\"one\", \"two\"]},"
	" \"pages\": {\"identify\": {\"time\": \"2026-09-21T14:13:00Z\", \"fresh\": true,"
	"   \"fields\": {\"vid\": 7}},"
	"  \"smart\": {\"time\": \"2026-09-21T14:12:20Z\", \"fresh\": false,"
	"   \"fields\": {\"host_read_bytes\": 5000, \"power_watts\": null, \"x\": 0.25}}},"
	" \"unsupported\": [\"ocp_smart\"],"
	" \"errors\": [{\"page\": \"smart\", \"reason\": \"timeout\", \"count\": 3}]}";

START_TEST(test_a_drive_is_shown_with_all_that_is_known)
{
	json_auto_t *o = json_loads(drive, 0, NULL);
	struct buffer out = { 0 };

	ck_assert_int_eq(render_drive(o, &(struct render){ .now = NOW }, &out), 0);
	check_text(&out, "Serial        S1\n"
			 "Device        nvme0\n"
			 "Capacity      1.00 MB (1000000 bytes)\n"
			 "Health        critical\n"
			 "              one\n"
			 "              two\n"
			 "Lacks page    ocp_smart\n"
			 "Failed reads  smart: 3 timeout\n"
			 "\n"
			 "smart: SMART / Health Information (log page 02h)\n"
			 "  read 2026-09-21 14:12:20 UTC, 60 s ago; no longer live\n"
			 "  host_read_bytes  5000  5.00 kB\n"
			 "  x                0.25\n"
			 "\n"
			 "identify: Identify Controller (CNS 01h)\n"
			 "  read 2026-09-21 14:13:00 UTC, 20 s ago\n"
			 "  vid  7\n");
}
END_TEST

START_TEST(test_absent_values_are_shown_on_demand)
{
	json_auto_t *o = json_loads(drive, 0, NULL);
	struct buffer out = { 0 };

	ck_assert_int_eq(render_drive(o, &(struct render){ .now = NOW, .all = true }, &out), 0);
	buffer_put(&out, "", 1);
	ck_assert_ptr_nonnull(strstr(out.data, "\nSlot          -\n"));
	ck_assert_ptr_nonnull(strstr(out.data, "\n  power_watts      -\n"));
	buffer_done(&out);
}
END_TEST

START_TEST(test_the_field_table_shows_series_and_meaning)
{
	json_auto_t *o = json_loads(
		"[{\"name\": \"p\", \"fields\": ["
		" {\"name\": \"a\", \"kind\": \"gauge\", \"type\": \"real\", \"metric\": \"m_a\","
		"  \"labels\": {\"k\": \"v\"},"
		"  \"index\": {\"label\": \"n\", \"first\": 1, \"last\": 8},"
		"  \"help\": \"Says a.\"},"
		" {\"name\": \"b\", \"kind\": \"info\", \"type\": \"text\", \"metric\": null,"
		"  \"labels\": {}, \"index\": null, \"help\": \"Says b.\"}]}]", 0, NULL);
	struct buffer out = { 0 };

	ck_assert_int_eq(render_fields(o, &out), 0);
	check_text(&out, "PAGE  FIELD   KIND   TYPE  SERIES        MEANING\n"
			 "p     a_1..8  gauge  real  m_a{k=\"v\",n}  Says a.\n"
			 "p     b       info   text  -             Says b.\n");
}
END_TEST

/* A server of another version, or none of ours. */
START_TEST(test_odd_documents_are_shown_as_absent)
{
	static const char *const odd[] = {
		"{}", "[]", "{\"pages\": 1, \"health\": [], \"errors\": [1]}",
	};

	for (size_t i = 0; i < ELEMENTS(odd); i++) {
		json_auto_t *o = json_loads(odd[i], 0, NULL);
		struct buffer out = { 0 };

		ck_assert_int_eq(render_drive(o, &(struct render){ .now = NOW }, &out), 0);
		ck_assert_int_eq(render_page("x", o, &(struct render){ .now = NOW }, &out), 0);
		ck_assert_int_eq(render_list(o, false, &out), 0);
		ck_assert_int_eq(render_fields(o, &out), 0);
		buffer_done(&out);
	}
}
END_TEST

/* ---- What was. ---- */

#define HISTORY                                                                                  \
	"{'serial':'S1','page':'smart','start':'2026-09-20T14:00:00.000Z',"                       \
	"'end':'2026-09-20T17:00:00.000Z','resolution':'raw','step':3600,"                        \
	"'agg':{'temperature_celsius':'mean','power_cycles':'last','spare':'mean'},"              \
	"'time':['2026-09-20T14:00:00.000Z','2026-09-20T15:00:00.000Z','2026-09-20T16:00:00.000Z'],"  \
	"'marks':[null,'gap',null],'fields':{'temperature_celsius':[30.5,null,44],"               \
	"'power_cycles':[7,7,9007199254740993],'spare':[null,null,null]}}"

static json_t *history(void)
{
	char text[] = HISTORY;

	for (char *c = text; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	json_t *document = json_loads(text, 0, NULL);
	ck_assert_ptr_nonnull(document);
	return document;
}

START_TEST(test_history_has_a_line_for_each_time)
{
	json_auto_t *document = history();
	struct buffer out = { 0 };

	ck_assert_int_eq(render_history(document, true, true, false, &out), 0);
	check_text(&out, "smart of S1, 2026-09-20T14:00:00.000Z to 2026-09-20T17:00:00.000Z, by 60 min\n"
			 "\n"
			 "TIME (UTC)           temperature_celsius      power_cycles  spare  MARKS\n"
			 "2026-09-20 14:00:00                 30.5                 7      -\n"
			 "2026-09-20 15:00:00                    -                 7      -  gap\n"
			 "2026-09-20 16:00:00                   44  9007199254740993      -\n");
}
END_TEST

START_TEST(test_history_has_a_line_for_each_field_with_values)
{
	json_auto_t *document = history();
	struct buffer out = { 0 };

	ck_assert_int_eq(render_history(document, false, false, false, &out), 0);
	check_text(&out, "smart of S1, 2026-09-20T14:00:00.000Z to 2026-09-20T17:00:00.000Z, by 60 min\n"
			 "\n"
			 "FIELD                AGG    MIN               MAX              LAST  COURSE\n"
			 "temperature_celsius  mean  30.5                44                44  _ #\n"
			 "power_cycles         last     7  9007199254740993  9007199254740993  __#\n");
}
END_TEST

START_TEST(test_history_without_values_says_so)
{
	json_auto_t *document = json_object();
	struct buffer out = { 0 };

	ck_assert_int_eq(render_history(document, true, true, false, &out), 0);
	check_text(&out, "- of -, - to -\n\nNo values.\n");
}
END_TEST

START_TEST(test_events_are_shown_with_what_is_known_of_them)
{
	json_auto_t *events = json_pack("[{ss ss ss ss} {ss sn ss sn} {}]",
		"time", "2026-09-20T14:00:00.123Z", "serial", "S1\x1b[31m", "type", "counter_reset",
		"detail", "power_cycles", "time", "2026-09-20T14:00:01.000Z", "serial", "type",
		"history_replaced", "detail");
	struct buffer out = { 0 };

	ck_assert_ptr_nonnull(events);
	ck_assert_int_eq(render_events(events, false, &out), 0);
	check_text(&out, "TIME (UTC)           DRIVE    EVENT             DETAIL\n"
			 "2026-09-20 14:00:00  S1?[31m  counter_reset     power_cycles\n"
			 "2026-09-20 14:00:01  -        history_replaced\n"
			 "-                    -        -\n");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_bytes_have_three_digits_and_a_unit, test_durations_have_one_unit,
		test_a_reading_stands_where_a_unit_can_be_larger, test_a_time_has_its_age,
		test_no_text_steers_a_terminal, test_columns_are_as_wide_as_their_widest_cell,
		test_a_table_without_rows_has_its_titles, test_the_list_is_in_the_order_of_devices,
		test_a_drive_is_shown_with_all_that_is_known,
		test_absent_values_are_shown_on_demand,
		test_the_field_table_shows_series_and_meaning,
		test_odd_documents_are_shown_as_absent,
		test_history_has_a_line_for_each_time,
		test_history_has_a_line_for_each_field_with_values,
		test_history_without_values_says_so,
		test_events_are_shown_with_what_is_known_of_them, NULL,
	};

	return check_main("cli_render", tests);
}
