/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Rows of page smart, made up, and what a query over them answers. */

#include "nvmewatch/query.h"
#include "sheet_support.h"

#define TEMPERATURE "temperature_celsius"   /* a gauge, whole */
#define SPARE "available_spare_ratio"       /* a gauge, real */
#define WRITTEN "host_written_bytes"        /* a counter */
#define ABSENT INT64_MIN
#define S INT64_C(1000)
#define HOUR (3600 * S)
#define DAY (24 * HOUR)

static struct layout *smart_layout;
static struct sheet *rows;
static struct query_run *run;
static struct query_result *result;
static struct query asked;
static const char *asked_column;

static inline void query_setup(void)
{
	ck_assert_int_eq(layout_of_page(&smart_page, &smart_layout), 0);
	rows = test_sheet(smart_layout);
}

static inline void query_teardown(void)
{
	query_result_free(result);
	query_run_free(run);
	sheet_free(rows);
	layout_free(smart_layout);
	result = NULL;
	run = NULL;
}

/* A row of one boot: its mono grows with time. */
static inline size_t put_row(int64_t time, const char *column, int64_t value)
{
	size_t row = add_row(rows, 1, time);

	set_integer(rows, row, SHEET_BOOT, 1);
	if (value != ABSENT)
		set_integer(rows, row, (size_t)layout_find(smart_layout, column), value);
	return row;
}

static inline void put_real(int64_t time, const char *column, double x)
{
	struct value v = { .type = VALUE_REAL, .real = x };
	size_t row = put_row(time, column, ABSENT);

	ck_assert_int_eq(sheet_set(rows, row, (size_t)layout_find(smart_layout, column), &v), 0);
}

static inline const struct query *query_of(const char *column, enum query_agg agg, int64_t start,
					   int64_t end, int64_t step)
{
	asked_column = column;
	asked = (struct query){ .page = &smart_page, .columns = &asked_column, .n_columns = 1,
				.start = start, .end = end, .step = step, .agg = agg };
	return &asked;
}

/* Begins a query without rollups; asked is it. */
static inline void begin(const char *column, enum query_agg agg, int64_t start, int64_t end, int64_t step)
{
	const struct query_sources from = { .rows = rows->n_rows, .raw_since = INT64_MIN };
	struct query_plan plan;
	size_t wrong;

	query_of(column, agg, start, end, step);
	ck_assert_int_eq(query_check(&asked, &wrong), 0);
	ck_assert_int_eq(query_plan(&asked, &from, &plan), 0);
	ck_assert_int_eq(query_run_new(&asked, &plan, &run), 0);
}

static inline void finish(void)
{
	ck_assert_int_eq(query_finish(run, &result), 0);
}

/* Runs it over the rows. */
static inline void ask(const char *column, enum query_agg agg, int64_t start, int64_t end, int64_t step)
{
	begin(column, agg, start, end, step);
	ck_assert_int_eq(query_add_rows(run, rows), 0);
	finish();
}

/* The values of the answer's first column: "41 - 42.5", a point's marks behind it: g, r. */
static inline const char *answer(void)
{
	static char text[4096];
	size_t used = 0;

	text[0] = 0;
	for (size_t i = 0; i < result->n_points; i++) {
		struct value v;
		char *p = text + used;
		size_t room = sizeof(text) - used;

		query_result_get(result, 0, i, &v);
		if (v.type == VALUE_INTEGER)
			snprintf(p, room, "%s%lld", i ? " " : "", (long long)v.integer);
		else if (v.type == VALUE_REAL)
			snprintf(p, room, "%s%.9g", i ? " " : "", v.real);
		else
			snprintf(p, room, "%s%s", i ? " " : "", v.type == VALUE_TEXT ? v.text : "-");
		strcat(p, result->marks[i] & QUERY_GAP ? "g" : "");
		strcat(p, result->marks[i] & QUERY_RESET ? "r" : "");
		used = strlen(text);
	}
	return text;
}
