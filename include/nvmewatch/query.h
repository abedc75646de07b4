/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is asked of a page's history, and what comes of rows and rollups: raw rows, or one value per
 * bucket. Pure: no I/O, no clock; one thread at a time per query_run. history_query.h runs it over a
 * reader.
 *
 * Buckets begin at multiples of the step since 1970 UTC. Those that [start, end) touches are answered
 * as a whole, whatever of them lies outside, so that the same bucket has the same value in every
 * answer. Rows that are answered raw are those of [start, end], both ends included.
 *
 * Integers stay exact but for means and rates, which are real. What does not fit into 64 bits is
 * absent. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define QUERY_POINTS_MAX 11000  /* rows or buckets of an answer: -E2BIG beyond; as Prometheus has it */
#define QUERY_CELLS_MAX 1100000 /* the same of points times columns */
#define QUERY_POINTS_CHOSEN 500 /* at most so many where the step is not given */

enum query_agg {
	QUERY_DEFAULT, /* mean of gauges, last of all others */
	QUERY_LAST,
	QUERY_MIN,     /* of numbers */
	QUERY_MAX,
	QUERY_MEAN,
	QUERY_SUM,     /* of numbers that are no counters */
	QUERY_COUNT,   /* rows of the page */
	/* Of counters. Growth belongs to the bucket in which it was seen. A counter that is smaller than
	 * before begins anew: that step counts as no growth, and the bucket is marked. */
	QUERY_INCREASE,
	QUERY_RATE, /* per second of the time in which it was seen; within a boot that is its mono */
};

/* "last", "min", ...; the inverse is -EINVAL for what is no such word. */
const char *query_agg_name(enum query_agg agg);
int query_agg_parse(const char *text, enum query_agg *ret);

/* Marks of a bucket. */
enum {
	/* No row for longer than the step and than three times the usual time between rows. Either
	 * there is no row in it, or the first one ended the hole, so that growth may be of all of it. */
	QUERY_GAP = 1 << 0,
	/* A counter went back: one of those asked for, or, in rollups, any of the page. */
	QUERY_RESET = 1 << 1,
};

enum query_resolution { QUERY_RAW, QUERY_HOURLY, QUERY_DAILY };

/* "raw", "hourly", "daily". */
const char *query_resolution_name(enum query_resolution resolution);

struct query {
	const struct page *page;
	uint32_t instance;
	const char *const *columns;
	size_t n_columns;
	int64_t start, end; /* milliseconds; end: not after now, or what is to come is a gap */
	int64_t step;       /* milliseconds; 0: chosen */
	enum query_agg agg;
};

/* Whether it can be answered. 0, or: -EINVAL: start after end, or a negative step; -ENOENT: a column
 * that the page lacks; -EDOM: an agg that the column does not have; *ret_column: which one. -E2BIG:
 * more than QUERY_POINTS_MAX buckets or QUERY_CELLS_MAX values. */
int query_check(const struct query *q, size_t *ret_column);

struct query_plan {
	enum query_resolution resolution;
	int64_t step;       /* 0: the rows as they are */
	int64_t start, end; /* of the buckets: whole steps, end excluded; raw rows: as asked, included */
	size_t n_points;    /* buckets; raw rows: how many at most */
	int64_t raw_from;   /* rollups: what is before it comes from them, the rest from rows */
};

/* What there is to answer from. */
struct query_sources {
	uint64_t rows;     /* within the span, at most */
	bool hours, days;  /* whether there are such rollups */
	int64_t until;     /* history_rolled_until() */
	int64_t raw_since; /* history_raw_since() */
};

/* How to answer a query that query_check() found sound. Where neither step nor agg are given and there
 * are few enough rows, they are the answer. Rollups are taken where whole hours or days are asked for,
 * and they hold what is asked of every column; what is younger than them comes from rows. Where the
 * step is not given, it is one of rollups if rows were dropped already. 0 or -E2BIG. */
int query_plan(const struct query *q, const struct query_sources *from, struct query_plan *ret);

/* Rows are wanted from so long before the plan's start, or .raw_from, on: what counters grew from. */
#define QUERY_LOOKBACK_MS INT64_C(7200000)

struct query_result {
	struct query_plan plan;
	size_t n_points;
	int64_t *times; /* of the row, or the start of the bucket */
	uint8_t *marks;
	struct query_column {
		const char *name;     /* the query's */
		enum query_agg agg;   /* QUERY_DEFAULT: raw rows */
		enum value_type type; /* of the values that are there */
		/* One for each point: an integer, a double's bits, or an index into .texts. */
		int64_t *values;
		uint8_t *present;
		char **texts;
		size_t n_texts;
	} *columns;
	size_t n_columns;
};

void query_result_free(struct query_result *r);
DEFINE_CLEANUP(struct query_result *, query_result_free)

void query_result_get(const struct query_result *r, size_t column, size_t point, struct value *ret);

/* ---- From rows to the answer. ---- */

struct sheet;
struct history_rollup;
struct query_run;

/* The query's columns must outlive the run and its result. 0 or -ENOMEM. */
int query_run_new(const struct query *q, const struct query_plan *plan, struct query_run **ret);
void query_run_free(struct query_run *run);
DEFINE_CLEANUP(struct query_run *, query_run_free)

/* Adds rollups, whose columns are the query's, then rows, each in the order in which they were taken.
 * What lies outside of the plan only tells what counters grew from. 0, -ENOMEM, or -E2BIG (raw rows). */
int query_add_rollup(struct query_run *run, const struct history_rollup *row);
int query_add_rows(struct query_run *run, const struct sheet *rows);

/* The answer. 0 or -ENOMEM. */
int query_finish(struct query_run *run, struct query_result **ret);
