/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A query over a reader: one transaction, so that the rollups end where the rows begin. */

#include "nvmewatch/history_query.h"

#include <errno.h>

#include "history_read_internal.h"
#include "history_schema.h"
#include "period.h"

struct asked {
	struct history_reader *reader;
	const struct query *query;
	struct history_span span;
	struct query_plan plan;
	struct query_run *run;
};

static int add_rows(void *userdata, const struct sheet *rows)
{
	return query_add_rows(userdata, rows);
}

static int add_rollup(void *userdata, const struct history_rollup *row)
{
	return query_add_rollup(userdata, row);
}

static int make_plan(struct asked *a)
{
	const struct query *q = a->query;
	struct query_sources from = {
		/* As many as nobody wants to see, where they need not be counted. */
		.rows = UINT64_MAX / (q->n_columns + 1),
		.hours = history_has_hours(q->page),
		.days = q->page->history,
		.raw_since = INT64_MIN,
	};
	int r = history_rolled_until(a->reader, &a->span, &from.until);

	if (r == 0 && !q->step)
		r = history_raw_since(a->reader, &a->span, &from.raw_since);
	if (r == 0 && !q->step && q->agg == QUERY_DEFAULT)
		r = history_count(a->reader, &a->span, &from.rows);
	return r < 0 ? r : query_plan(q, &from, &a->plan);
}

static int scan_rollups(struct asked *a)
{
	bool days = a->plan.resolution == QUERY_DAILY;
	struct history_span span = a->span;

	if (a->plan.resolution == QUERY_RAW)
		return 0;
	/* The one before tells of the first since when its counters grew. */
	span.start = a->plan.start - (days ? DAY_MS : HOUR_MS);
	span.end = a->plan.raw_from - 1;
	return history_scan_rollups(a->reader, &span, days ? HISTORY_DAY : HISTORY_HOUR, add_rollup,
				    a->run);
}

static int scan_rows(struct asked *a)
{
	struct history_span span = a->span;

	if (a->plan.step && a->plan.raw_from >= a->plan.end)
		return 0;
	span.start = a->plan.raw_from - QUERY_LOOKBACK_MS;
	span.end = a->plan.step ? a->plan.end - 1 : a->plan.end;
	return history_scan(a->reader, &span, add_rows, a->run);
}

static int answer(struct asked *a, struct query_result **ret)
{
	_cleanup_(query_run_freep) struct query_run *run = NULL;
	int r = make_plan(a);

	if (r < 0 || (r = query_run_new(a->query, &a->plan, &run)) < 0)
		return r;
	a->run = run;
	if ((r = scan_rollups(a)) < 0 || (r = scan_rows(a)) < 0)
		return r;
	return query_finish(run, ret);
}

int history_query(struct history_reader *reader, const char *drive, const struct query *q,
		  struct query_result **ret)
{
	struct asked a = {
		.reader = reader,
		.query = q,
		.span = { .drive = drive, .page = q->page, .instance = q->instance, .start = q->start,
			  .end = q->end, .columns = q->columns, .n_columns = q->n_columns },
	};
	size_t column;
	int r = query_check(q, &column);

	if (r == 0 && !q->page->history)
		r = -ENOENT;
	if (r < 0 || (r = reader_begin(reader)) < 0)
		return r;
	r = answer(&a, ret);
	reader_end(reader);
	return reader_result(reader, r);
}
