/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The answer, and what is told of its gaps. */

#include <errno.h>
#include <string.h>

#include "query_internal.h"

void query_result_free(struct query_result *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->columns && i < r->n_columns; i++) {
		struct query_column *c = &r->columns[i];

		for (size_t k = 0; k < c->n_texts; k++)
			free(c->texts[k]);
		free(c->texts);
		free(c->values);
		free(c->present);
	}
	free(r->columns);
	free(r->times);
	free(r->marks);
	free(r);
}

void query_result_get(const struct query_result *r, size_t column, size_t point, struct value *ret)
{
	const struct query_column *c = &r->columns[column];

	ret->type = c->present[point] ? c->type : VALUE_ABSENT;
	if (ret->type == VALUE_TEXT)
		snprintf(ret->text, sizeof(ret->text), "%s", c->texts[c->values[point]]);
	else if (ret->type == VALUE_REAL)
		ret->real = query_real(c->values[point]);
	else
		ret->integer = c->values[point];
}

/* ---- Values ---- */

/* A sum that is exact, where it fits. */
static bool settle_sum(const struct run_column *c, size_t point, int64_t *ret)
{
	if (c->type == VALUE_REAL)
		*ret = query_bits(c->reals[point]);
	else if (c->sums[point] >= INT64_MIN && c->sums[point] <= INT64_MAX)
		*ret = (int64_t)c->sums[point];
	else
		return false;
	return true;
}

static bool settle(const struct query_run *run, const struct run_column *c, size_t point, int64_t *ret)
{
	if (c->agg == QUERY_COUNT) {
		*ret = (int64_t)run->counts[point];
		return run->counts[point] != 0;
	}
	if (!(c->weights[point] > 0))
		return false;
	if (c->agg == QUERY_SUM || c->agg == QUERY_INCREASE)
		return settle_sum(c, point, ret);
	*ret = query_bits(((double)c->sums[point] + c->reals[point]) / c->weights[point]);
	return true;
}

static enum value_type type_of(const struct run_column *c)
{
	if (c->agg == QUERY_COUNT)
		return VALUE_INTEGER;
	return c->agg == QUERY_MEAN || c->agg == QUERY_RATE ? VALUE_REAL : c->type;
}

static int finish_column(struct query_run *run, size_t i, struct query_column *ret)
{
	struct run_column *c = &run->columns[i];

	*ret = (struct query_column){ .name = run->query->columns[i], .agg = c->agg, .type = type_of(c),
				      .n_texts = c->n_texts };
	ret->texts = TAKE(c->texts);
	ret->values = TAKE(c->values);
	ret->present = TAKE(c->present);
	c->n_texts = 0;
	if (ret->values || !run->n_points)
		return 0;
	ret->values = calloc(run->n_points, sizeof(*ret->values));
	ret->present = calloc(run->n_points, 1);
	if (!ret->values || !ret->present)
		return -ENOMEM;
	for (size_t k = 0; k < run->n_points; k++)
		ret->present[k] = settle(run, c, k, &ret->values[k]);
	return 0;
}

/* ---- Gaps ---- */

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Marks the empty buckets of [from, to), which are in a hole of that many milliseconds. */
static void mark_empty(struct query_run *run, size_t from, size_t to, int64_t hole, int64_t longest)
{
	for (size_t i = from; hole > longest && i < to; i++)
		run->marks[i] |= QUERY_GAP;
}

static void mark_buckets(struct query_run *run, int64_t longest)
{
	const struct query_plan *p = &run->plan;
	bool any = run->before != INT64_MIN;
	int64_t before = any ? run->before : p->start;
	int64_t end = run->query->end < p->end ? run->query->end : p->end;
	size_t empty = 0; /* the first of those that are */

	for (size_t i = 0; i < run->n_points; i++) {
		if (!run->counts[i])
			continue;
		int64_t hole = time_between(before, run->first[i]);
		mark_empty(run, empty, i, hole, longest);
		if (any && hole > greater(longest, p->step))
			run->marks[i] |= QUERY_GAP;
		before = greater(before, run->last[i]);
		any = true;
		empty = i + 1;
	}
	mark_empty(run, empty, run->n_points, time_between(before, end), longest);
}

/* Of raw rows: the one that ended the hole. */
static void mark_rows(struct query_run *run)
{
	struct tally spacing = { 0 };

	for (size_t i = 1; i < run->n_points; i++)
		tally_add(&spacing, time_between(run->times[i - 1], run->times[i]), 1);
	int64_t longest = 3 * tally_median(&spacing);
	int64_t before = run->before;
	for (size_t i = 0; i < run->n_points; i++) {
		if (before != INT64_MIN && longest && time_between(before, run->times[i]) > longest)
			run->marks[i] |= QUERY_GAP;
		before = greater(before, run->times[i]);
	}
}

static int bucket_times(struct query_run *run)
{
	run->times = calloc(run->n_points, sizeof(*run->times));
	if (!run->times)
		return -ENOMEM;
	for (size_t i = 0; i < run->n_points; i++)
		run->times[i] = run->plan.start + (int64_t)i * run->plan.step;
	return 0;
}

int query_finish(struct query_run *run, struct query_result **ret)
{
	_cleanup_(query_result_freep) struct query_result *result = calloc(1, sizeof(*result));
	int r = run->plan.step ? bucket_times(run) : 0;

	if (!result || r < 0)
		return -ENOMEM;
	if (run->plan.step)
		mark_buckets(run, 3 * tally_median(&run->spacing));
	else
		mark_rows(run);
	result->plan = run->plan;
	result->plan.n_points = result->n_points = run->n_points;
	result->columns = calloc(run->n_columns + 1, sizeof(*result->columns));
	if (!result->columns)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < run->n_columns; i++, result->n_columns++)
		r = finish_column(run, i, &result->columns[i]);
	if (r < 0)
		return r;
	result->times = TAKE(run->times);
	result->marks = TAKE(run->marks);
	*ret = TAKE(result);
	return 0;
}
