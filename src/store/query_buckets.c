/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows and rollups into buckets. Rows come in stretches that lie in the same bucket, so that the work
 * per row is little: there may be millions. */

#include <errno.h>

#include "query_internal.h"

#define TALLIED 64 /* rows of each sheet from which the usual time between them is learnt */

/* The bucket of a time, -1: outside, and the times that are in the same one. */
static int64_t bucket_of(const struct query_run *run, int64_t time, int64_t *ret_low, int64_t *ret_high)
{
	const struct query_plan *p = &run->plan;

	if (time < p->start || time < p->raw_from) {
		*ret_low = INT64_MIN;
		*ret_high = p->raw_from > p->start ? p->raw_from : p->start;
		return -1;
	}
	if (time >= p->end) {
		*ret_low = p->end;
		*ret_high = INT64_MAX;
		return -1;
	}
	int64_t bucket = (time - p->start) / p->step;
	*ret_low = p->start + bucket * p->step;
	*ret_high = *ret_low + p->step;
	if (*ret_low < p->raw_from)
		*ret_low = p->raw_from;
	return bucket;
}

/* Cuts the sheet into stretches. Returns how many, or -ENOMEM. */
static ssize_t cut(struct query_run *run, const struct sheet *rows)
{
	const int64_t *times = rows->columns[SHEET_TIME].values;
	int64_t low = 0, high = 0; /* nothing is in between */
	size_t n = 0;

	if (rows->n_rows > run->stretches_room) {
		struct stretch *more = reallocarray(run->stretches, rows->n_rows, sizeof(*more));
		if (!more)
			return -ENOMEM;
		run->stretches = more;
		run->stretches_room = rows->n_rows;
	}
	for (size_t i = 0; i < rows->n_rows; i++) {
		if (times[i] >= low && times[i] < high) {
			run->stretches[n - 1].n++;
			continue;
		}
		run->stretches[n].bucket = bucket_of(run, times[i], &low, &high);
		run->stretches[n].first = i;
		run->stretches[n++].n = 1;
	}
	return (ssize_t)n;
}

static void note_span(struct query_run *run, int64_t bucket, int64_t first, int64_t last, uint64_t count)
{
	if (bucket < 0) {
		if (first < run->plan.start && last > run->before)
			run->before = last;
		return;
	}
	run->counts[bucket] += count;
	if (first < run->first[bucket])
		run->first[bucket] = first;
	if (last > run->last[bucket])
		run->last[bucket] = last;
}

static void note_spacing(struct query_run *run, const struct sheet *rows)
{
	for (size_t i = 1; i < rows->n_rows && i < TALLIED; i++) {
		bool same = sheet_fixed(rows, i, SHEET_BOOT) == sheet_fixed(rows, i - 1, SHEET_BOOT);
		unsigned clock = same ? SHEET_MONO : SHEET_TIME;
		tally_add(&run->spacing, time_between(sheet_fixed(rows, i - 1, clock),
						      sheet_fixed(rows, i, clock)), 1);
	}
}

/* ---- A column's rows in one bucket ---- */

static int take_last(struct run_column *column, const struct sheet_column *c, const struct stretch *s)
{
	for (size_t i = s->first + s->n; i-- > s->first;) {
		if (!c->present[i])
			continue;
		column->present[s->bucket] = 1;
		if (column->type == VALUE_TEXT)
			return run_text(column, c->texts[c->values[i]], &column->values[s->bucket]);
		column->values[s->bucket] = c->values[i];
		break;
	}
	return 0;
}

static void take_extreme(struct run_column *column, int64_t value, int64_t bucket)
{
	int64_t old = column->values[bucket];
	bool less = column->type == VALUE_REAL ? query_real(value) < query_real(old) : value < old;
	bool more = column->type == VALUE_REAL ? query_real(value) > query_real(old) : value > old;

	if (!column->present[bucket] || (column->agg == QUERY_MIN ? less : more))
		column->values[bucket] = value;
	column->present[bucket] = 1;
}

static void take_extremes(struct run_column *column, const struct sheet_column *c,
			  const struct stretch *s)
{
	for (size_t i = s->first; i < s->first + s->n; i++)
		if (c->present[i])
			take_extreme(column, c->values[i], s->bucket);
}

static void take_sum(struct run_column *column, const struct sheet_column *c, const struct stretch *s)
{
	__int128 sum = 0;
	double real = 0;
	size_t n = 0;

	if (column->type == VALUE_REAL)
		for (size_t i = s->first; i < s->first + s->n; i++) {
			real += c->present[i] ? query_real(c->values[i]) : 0;
			n += c->present[i];
		}
	else
		for (size_t i = s->first; i < s->first + s->n; i++) {
			sum += c->values[i]; /* 0 where it is absent */
			n += c->present[i];
		}
	column->sums[s->bucket] += sum;
	column->reals[s->bucket] += real;
	column->weights[s->bucket] += (double)n;
}

static int take_stretch(struct query_run *run, struct run_column *column, const struct sheet *rows,
			const struct sheet_column *c, const struct stretch *s)
{
	run_watch_counter(run, column, rows, c, s);
	if (s->bucket < 0)
		return 0;
	switch (column->agg) {
	case QUERY_LAST:
		return take_last(column, c, s);
	case QUERY_MIN:
	case QUERY_MAX:
		take_extremes(column, c, s);
		break;
	case QUERY_MEAN:
	case QUERY_SUM:
		take_sum(column, c, s);
		break;
	case QUERY_INCREASE:
	case QUERY_RATE:
	case QUERY_COUNT:
	case QUERY_DEFAULT:
		break;
	}
	return 0;
}

static int take_column(struct query_run *run, size_t i, const struct sheet *rows, size_t n_stretches)
{
	struct run_column *column = &run->columns[i];
	int found = layout_find(rows->layout, run->query->columns[i]), r = 0;

	if (found < 0 || !rows->columns[found].loaded ||
	    rows->layout->columns[found].type != column->type)
		return 0;
	for (size_t k = 0; r == 0 && k < n_stretches; k++)
		r = take_stretch(run, column, rows, &rows->columns[found], &run->stretches[k]);
	return r;
}

int run_add_buckets(struct query_run *run, const struct sheet *rows)
{
	const int64_t *times = rows->columns[SHEET_TIME].values;
	ssize_t n = cut(run, rows);
	int r = n < 0 ? (int)n : 0;

	note_spacing(run, rows);
	for (ssize_t k = 0; k < n; k++) {
		const struct stretch *s = &run->stretches[k];
		note_span(run, s->bucket, times[s->first], times[s->first + s->n - 1], s->n);
	}
	for (size_t i = 0; r == 0 && i < run->n_columns; i++)
		r = take_column(run, i, rows, (size_t)n);
	return r;
}

/* ---- Rollups ---- */

static double real_of(const struct value *v)
{
	return v->type == VALUE_REAL ? v->real : (double)v->integer;
}

static int take_rolled_last(struct run_column *column, const struct value *v, int64_t bucket)
{
	if (v->type != column->type)
		return 0;
	column->present[bucket] = 1;
	if (v->type == VALUE_TEXT)
		return run_text(column, v->text, &column->values[bucket]);
	column->values[bucket] = v->type == VALUE_REAL ? query_bits(v->real) : v->integer;
	return 0;
}

/* Growth since the rollup before, whose last row tells over what time. */
static void take_rolled_growth(struct run_column *column, const struct history_rollup *row,
			       const struct value *increase, int64_t bucket)
{
	int64_t ms = time_between(column->rolled_time, row->last_time);

	if (increase->type != VALUE_INTEGER || increase->integer < 0)
		return;
	if (column->agg == QUERY_RATE && (!column->rolled_time || ms <= 0))
		return;
	column->sums[bucket] += increase->integer;
	column->weights[bucket] += column->agg == QUERY_RATE ? (double)ms / 1000 : 1;
}

static int take_rolled(struct run_column *column, const struct history_rollup *row,
		       const struct history_rolled *c, int64_t bucket)
{
	const struct value *extreme = column->agg == QUERY_MIN ? &c->min : &c->max;

	switch (column->agg) {
	case QUERY_LAST:
		return take_rolled_last(column, &c->last, bucket);
	case QUERY_MIN:
	case QUERY_MAX:
		if (extreme->type == column->type)
			take_extreme(column, extreme->type == VALUE_REAL ? query_bits(extreme->real) :
									   extreme->integer, bucket);
		break;
	case QUERY_MEAN:
		if (c->mean.type == VALUE_ABSENT)
			break;
		column->reals[bucket] += real_of(&c->mean) * (double)row->count;
		column->weights[bucket] += (double)row->count;
		break;
	case QUERY_INCREASE:
	case QUERY_RATE:
		take_rolled_growth(column, row, &c->increase, bucket);
		break;
	case QUERY_SUM:
	case QUERY_COUNT:
	case QUERY_DEFAULT:
		break;
	}
	return 0;
}

static void mark_resets(struct query_run *run, int64_t bucket)
{
	for (size_t i = 0; i < run->n_columns; i++)
		if (run->columns[i].field->kind == FIELD_COUNTER)
			run->marks[bucket] |= QUERY_RESET;
}

int query_add_rollup(struct query_run *run, const struct history_rollup *row)
{
	const struct query_plan *p = &run->plan;
	bool within = row->time >= p->start && row->time < p->raw_from;
	int64_t bucket = within ? (row->time - p->start) / p->step : -1;
	int64_t period = p->resolution == QUERY_DAILY ? DAY_MS : HOUR_MS;
	int r = 0;

	/* A file may say anything. */
	if (row->last_time < row->time || row->last_time - period >= row->time || !row->count)
		return 0;
	note_span(run, bucket, row->time, row->last_time, row->count);
	tally_add(&run->spacing, period / (int64_t)row->count, 1);
	if (within && row->resets)
		mark_resets(run, bucket);
	for (size_t i = 0; r == 0 && i < run->n_columns; i++) {
		if (within)
			r = take_rolled(&run->columns[i], row, &row->columns[i], bucket);
		if (row->columns[i].last.type != VALUE_ABSENT)
			run->columns[i].rolled_time = row->last_time;
	}
	return r;
}
