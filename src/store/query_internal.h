/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of a query share. */

#include "nvmewatch/history_read.h"
#include "nvmewatch/query.h"
#include "period.h"
#include "sheet.h"

/* From one time of a file to another: what does not fit is none, for then one of them is no time. */
static inline int64_t time_between(int64_t from, int64_t to)
{
	int64_t ms;

	return __builtin_sub_overflow(to, from, &ms) ? 0 : ms;
}

/* Numbers of all sizes by their three leading bits: what is usual among them, within an eighth. */
#define TALLY_BINS 512
struct tally {
	uint64_t bins[TALLY_BINS], n;
};

void tally_add(struct tally *t, int64_t value, uint64_t times);
int64_t tally_median(const struct tally *t); /* 0: there are none */

/* What the next value of a counter is compared with. */
struct counter_point {
	int64_t value, time, mono, boot; /* value: an integer, or a double's bits */
	bool known;
};

/* A column, and what is gathered of it: arrays by point. Which there are depends on .agg. */
struct run_column {
	const struct field *field;
	enum value_type type;
	enum query_agg agg;   /* QUERY_DEFAULT: raw rows */
	int64_t *values;      /* raw rows, last, min, max: as query_column */
	uint8_t *present;
	__int128 *sums;       /* of integers: sum, mean, increase, rate */
	double *reals;        /* the same of reals, and of what rollups have as a mean */
	double *weights;      /* values in the sum; of rates: seconds */
	struct counter_point before;
	int64_t rolled_time;  /* of the last row of the last rollup, 0: there is none */
	char **texts;
	size_t n_texts;
};

struct query_run {
	const struct query *query;
	struct query_plan plan;
	struct run_column *columns;
	size_t n_columns, n_points, room;
	int64_t *times;         /* raw rows */
	uint64_t *counts;       /* the rest: of buckets */
	int64_t *first, *last;  /* time of the first and last row in it */
	uint8_t *marks;
	int64_t before;         /* time of the last row before the plan's start, INT64_MIN: none */
	struct tally spacing;
	struct stretch *stretches;
	size_t stretches_room;
};

/* Rows of a sheet that follow one another in one bucket. */
struct stretch {
	size_t first, n;
	int64_t bucket; /* -1: outside */
};

/* query_counter.c: growth and resets of counters; a stretch at a time, `c` being the column in the
 * sheet. */
void run_watch_counter(struct query_run *run, struct run_column *column, const struct sheet *rows,
		       const struct sheet_column *c, const struct stretch *s);

/* query_buckets.c */
int run_add_buckets(struct query_run *run, const struct sheet *rows);

/* query_raw.c */
int run_add_raw(struct query_run *run, const struct sheet *rows);

/* The index of a text among the column's. 0 or -ENOMEM. */
int run_text(struct run_column *column, const char *text, int64_t *ret);

double query_real(int64_t bits);
int64_t query_bits(double x);
