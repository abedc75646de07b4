/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a query gathers, and the answer that becomes of it. */

#include <errno.h>
#include <string.h>

#include "query_internal.h"

double query_real(int64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

int64_t query_bits(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static void free_texts(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

void query_run_free(struct query_run *run)
{
	if (!run)
		return;
	for (size_t i = 0; run->columns && i < run->n_columns; i++) {
		struct run_column *c = &run->columns[i];

		free(c->values);
		free(c->present);
		free(c->sums);
		free(c->reals);
		free(c->weights);
		free_texts(c->texts, c->n_texts);
	}
	free(run->columns);
	free(run->times);
	free(run->counts);
	free(run->first);
	free(run->last);
	free(run->marks);
	free(run->stretches);
	free(run);
}

int run_text(struct run_column *column, const char *text, int64_t *ret)
{
	/* Mostly the one that came last. */
	for (size_t i = column->n_texts; i-- > 0;)
		if (!strcmp(column->texts[i], text)) {
			*ret = (int64_t)i;
			return 0;
		}
	char **more = reallocarray(column->texts, column->n_texts + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	column->texts = more;
	if (!(more[column->n_texts] = strdup(text)))
		return -ENOMEM;
	*ret = (int64_t)column->n_texts++;
	return 0;
}

/* ---- What is needed to gather ---- */

static int column_init(const struct query_run *run, const char *name, struct run_column *ret)
{
	unsigned index;
	size_t n = run->n_points + 1;

	ret->field = page_field(run->query->page, name, &index);
	if (!ret->field)
		return -EINVAL;
	ret->type = field_value_type(ret->field);
	if (!run->plan.step)
		return 0;
	ret->agg = run->query->agg;
	if (ret->agg == QUERY_DEFAULT)
		ret->agg = ret->field->kind == FIELD_GAUGE && ret->type != VALUE_TEXT ? QUERY_MEAN :
											QUERY_LAST;
	if (ret->agg == QUERY_COUNT)
		return 0;
	if (ret->agg == QUERY_LAST || ret->agg == QUERY_MIN || ret->agg == QUERY_MAX) {
		ret->values = calloc(n, sizeof(*ret->values));
		ret->present = calloc(n, 1);
		return ret->values && ret->present ? 0 : -ENOMEM;
	}
	ret->sums = calloc(n, sizeof(*ret->sums));
	ret->reals = calloc(n, sizeof(*ret->reals));
	ret->weights = calloc(n, sizeof(*ret->weights));
	return ret->sums && ret->reals && ret->weights ? 0 : -ENOMEM;
}

static int buckets_init(struct query_run *run)
{
	size_t n = run->plan.n_points;

	run->n_points = n;
	run->counts = calloc(n, sizeof(*run->counts));
	run->first = calloc(n, sizeof(*run->first));
	run->last = calloc(n, sizeof(*run->last));
	run->marks = calloc(n, 1);
	if (!run->counts || !run->first || !run->last || !run->marks)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		run->first[i] = INT64_MAX;
		run->last[i] = INT64_MIN;
	}
	return 0;
}

int query_run_new(const struct query *q, const struct query_plan *plan, struct query_run **ret)
{
	_cleanup_(query_run_freep) struct query_run *run = calloc(1, sizeof(*run));
	int r = 0;

	if (!run)
		return -ENOMEM;
	run->query = q;
	run->plan = *plan;
	run->before = INT64_MIN;
	run->n_columns = q->n_columns;
	run->columns = calloc(q->n_columns + 1, sizeof(*run->columns));
	if (!run->columns)
		return -ENOMEM;
	if (plan->step)
		r = buckets_init(run);
	for (size_t i = 0; r == 0 && i < q->n_columns; i++)
		r = column_init(run, q->columns[i], &run->columns[i]);
	if (r < 0)
		return r;
	*ret = TAKE(run);
	return 0;
}

int query_add_rows(struct query_run *run, const struct sheet *rows)
{
	if (!rows->n_rows)
		return 0;
	return run->plan.step ? run_add_buckets(run, rows) : run_add_raw(run, rows);
}
