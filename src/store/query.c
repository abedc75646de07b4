/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What may be asked, and from what it is answered. */

#include <errno.h>
#include <string.h>

#include "query_internal.h"
#include "rollup.h"

static const char *const agg_names[] = {
	[QUERY_DEFAULT] = "default", [QUERY_LAST] = "last",   [QUERY_MIN] = "min",
	[QUERY_MAX] = "max",         [QUERY_MEAN] = "mean",   [QUERY_SUM] = "sum",
	[QUERY_COUNT] = "count",     [QUERY_INCREASE] = "increase", [QUERY_RATE] = "rate",
};

const char *query_agg_name(enum query_agg agg)
{
	return agg_names[agg];
}

int query_agg_parse(const char *text, enum query_agg *ret)
{
	for (unsigned i = QUERY_LAST; i < ELEMENTS(agg_names); i++)
		if (!strcmp(text, agg_names[i])) {
			*ret = i;
			return 0;
		}
	return -EINVAL;
}

const char *query_resolution_name(enum query_resolution resolution)
{
	static const char *const names[] = { "raw", "hourly", "daily" };

	return names[resolution];
}

/* ---- Is it sound? ---- */

static bool applies(const struct field *f, enum query_agg agg)
{
	bool number = field_value_type(f) != VALUE_TEXT;

	switch (agg) {
	case QUERY_DEFAULT:
	case QUERY_LAST:
	case QUERY_COUNT:
		return true;
	case QUERY_MIN:
	case QUERY_MAX:
	case QUERY_MEAN:
		return number;
	case QUERY_SUM:
		return number && f->kind != FIELD_COUNTER;
	case QUERY_INCREASE:
	case QUERY_RATE:
		return number && f->kind == FIELD_COUNTER;
	}
	return false;
}

/* Whole steps that [start, end) touches; at least one. */
static void align(const struct query *q, int64_t step, int64_t *ret_start, uint64_t *ret_n)
{
	*ret_start = floor_to(q->start, step);
	uint64_t span = (uint64_t)q->end - (uint64_t)*ret_start, n = span / (uint64_t)step;

	n += span % (uint64_t)step != 0;
	*ret_n = n ? n : 1;
}

static bool is_too_much(const struct query *q, uint64_t points)
{
	return points > QUERY_POINTS_MAX || points * q->n_columns > QUERY_CELLS_MAX;
}

/* Times that leave room to count with. */
static bool is_time(int64_t ms)
{
	return ms > -(INT64_C(1) << 53) && ms < INT64_C(1) << 53;
}

int query_check(const struct query *q, size_t *ret_column)
{
	uint64_t points;
	int64_t start;
	unsigned index;

	if (q->start > q->end || !is_time(q->start) || !is_time(q->end) || q->step < 0 ||
	    !is_time(q->step))
		return -EINVAL;
	for (size_t i = 0; i < q->n_columns; i++) {
		const struct field *f = page_field(q->page, q->columns[i], &index);
		*ret_column = i;
		if (!f)
			return -ENOENT;
		if (!applies(f, q->agg))
			return -EDOM;
	}
	if (!q->step)
		return 0;
	align(q, q->step, &start, &points);
	return is_too_much(q, points) ? -E2BIG : 0;
}

/* ---- From what? ---- */

/* The least step that people use with few enough points; above four weeks, multiples of them. */
static int64_t choose_step(const struct query *q, int64_t least)
{
	static const int64_t minutes[] = { 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 5760,
					   10080, 20160, 40320 };
	uint64_t n;
	int64_t start, step = 0;

	for (size_t i = 0; i < ELEMENTS(minutes); i++) {
		step = minutes[i] * 60000;
		align(q, step, &start, &n);
		if (n <= QUERY_POINTS_CHOSEN && step >= least)
			return step;
	}
	return step * (int64_t)(n / (QUERY_POINTS_CHOSEN - 1) + 1);
}

/* Whether hours and days hold what is asked of a column. */
static bool is_rolled(const struct field *f, enum query_agg agg)
{
	enum rolled_kind kind = rolled_kind(f);

	switch (agg) {
	case QUERY_DEFAULT:
	case QUERY_LAST:
	case QUERY_COUNT:
		return true;
	case QUERY_MIN:
	case QUERY_MAX:
	case QUERY_MEAN:
		return kind == ROLLED_GAUGE;
	case QUERY_INCREASE:
	case QUERY_RATE:
		return kind == ROLLED_COUNTER;
	case QUERY_SUM:
		break;
	}
	return false;
}

static bool are_rolled(const struct query *q)
{
	unsigned index;

	for (size_t i = 0; i < q->n_columns; i++) {
		const struct field *f = page_field(q->page, q->columns[i], &index);
		if (!f || !is_rolled(f, q->agg))
			return false;
	}
	return true;
}

/* Takes rollups of that period, where they reach into the plan. */
static bool try_rollups(struct query_plan *plan, enum query_resolution resolution, int64_t period,
			int64_t until)
{
	int64_t raw_from = floor_to(until, period);

	if (plan->step % period || raw_from <= plan->start)
		return false;
	plan->resolution = resolution;
	plan->raw_from = raw_from < plan->end ? raw_from : plan->end;
	return true;
}

int query_plan(const struct query *q, const struct query_sources *from, struct query_plan *ret)
{
	struct query_plan plan = { .resolution = QUERY_RAW, .start = q->start, .end = q->end,
				   .raw_from = q->start, .n_points = from->rows };
	bool rolled = are_rolled(q), dropped = rolled && q->start < from->raw_since;
	int64_t least = !dropped ? 0 : from->hours ? HOUR_MS : DAY_MS;
	uint64_t n;

	if (!q->step && q->agg == QUERY_DEFAULT && !dropped && !is_too_much(q, from->rows)) {
		*ret = plan;
		return 0;
	}
	plan.step = q->step ? q->step : choose_step(q, least);
	align(q, plan.step, &plan.start, &n);
	if (is_too_much(q, n))
		return -E2BIG;
	plan.n_points = n;
	plan.end = plan.start + (int64_t)n * plan.step;
	plan.raw_from = plan.start;
	bool done = !rolled || (from->days && try_rollups(&plan, QUERY_DAILY, DAY_MS, from->until));
	if (!done && from->hours)
		try_rollups(&plan, QUERY_HOURLY, HOUR_MS, from->until);
	*ret = plan;
	return 0;
}
