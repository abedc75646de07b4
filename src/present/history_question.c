/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/history_document.h"
#include "nvmewatch/history_problem.h"
#include "nvmewatch/parse.h"

#define SECOND INT64_C(1000) /* in milliseconds */

static int parse_page(const char *name, struct query *q, struct document *problem)
{
	if (!name) {
		document_problem(problem, 400, "page is missing: which page's history is asked for, as "
				 "page=smart? /api/v1/fields has them all.");
		return -EINVAL;
	}
	q->page = page_find_instance(name, &q->instance);
	if (!q->page && page_find(name))
		document_problem(problem, 400, "A drive may have several of the page \"%s\": ask for "
				 "\"%s_1\".", name, name);
	else if (!q->page)
		document_problem(problem, 400, "No page is called \"%s\": /api/v1/fields has them all.",
				 name);
	else if (!q->page->history)
		document_problem(problem, 400, "No history is kept of the page \"%s\".", name);
	else
		return 0;
	return -EINVAL;
}

/* ---- Times. ---- */

static int parse_moment(const char *key, const char *text, int64_t *ret, struct document *problem)
{
	int64_t us;

	if (parse_time(text, &us) < 0) {
		document_problem(problem, 400, "%s takes a time as 2026-11-30T21:00:00Z or seconds since "
				 "1970, not \"%s\".", key, text);
		return -EINVAL;
	}
	*ret = us / 1000;
	return 0;
}

/* Of what is to come there is no history yet. */
static int parse_span(const struct history_words *w, int64_t now, struct query *q,
		      struct document *problem)
{
	int r = 0;

	q->end = now;
	if (w->end)
		r = parse_moment("end", w->end, &q->end, problem);
	if (r >= 0 && q->end > now)
		q->end = now;
	q->start = q->end > HISTORY_USUAL_MS ? q->end - HISTORY_USUAL_MS : 0;
	if (r >= 0 && w->start)
		r = parse_moment("start", w->start, &q->start, problem);
	if (r < 0 || q->start <= q->end)
		return r;
	if (q->start > now)
		document_problem(problem, 400, "start \"%s\" has not come yet.", w->start);
	else
		document_problem(problem, 400, "start \"%s\" is after end \"%s\".", w->start, w->end);
	return -EINVAL;
}

static int parse_step(const char *text, struct query *q, struct document *problem)
{
	uint64_t us = 0, seconds;

	if (parse_duration(text, &us) < 0 && parse_uint(text, &seconds) >= 0 &&
	    seconds < INT64_MAX / 1000000)
		us = seconds * 1000000;
	if (us == 0) {
		document_problem(problem, 400, "step takes a duration as 30s, 5m, 1h or 1d, or whole "
				 "seconds, above 0, not \"%s\".", text);
		return -EINVAL;
	}
	q->step = (int64_t)(us / 1000);
	return 0;
}

static int parse_agg(const char *text, struct query *q, struct document *problem)
{
	if (query_agg_parse(text, &q->agg) >= 0 && q->agg != QUERY_DEFAULT)
		return 0;
	document_problem(problem, 400, "agg takes last, min, max, mean, sum, count, increase or rate, not "
			 "\"%s\".", text);
	return -EINVAL;
}

/* ---- Fields. ---- */

static unsigned page_columns(const struct page *p)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->n_fields; i++)
		n += field_count(&p->fields[i]);
	return n;
}

static void add_field(struct history_question *q, const struct field *f)
{
	for (unsigned index = 0; index < field_count(f); index++)
		field_column(f, index, q->names[q->query.n_columns++]);
}

/* Whether it is among those of that name that there are already. */
static bool is_there(const struct history_question *q, const char *name)
{
	for (size_t i = 0; i < q->query.n_columns; i++)
		if (!strcmp(q->names[i], name))
			return true;
	return false;
}

/* Some columns of an array may have been there before it was named. */
static void remove_doubles(struct history_question *q)
{
	size_t n = q->query.n_columns;

	q->query.n_columns = 0;
	for (size_t i = 0; i < n; i++)
		if (!is_there(q, q->names[i]))
			memmove(q->names[q->query.n_columns++], q->names[i], FIELD_COLUMN_MAX);
}

/* One word of the list: a column, or the name of an array, which stands for all of it. False: neither. */
static bool add_word(struct history_question *q, const char *word)
{
	const struct page *p = q->query.page;
	unsigned index;

	if (page_field(p, word, &index)) {
		if (!is_there(q, word))
			snprintf(q->names[q->query.n_columns++], FIELD_COLUMN_MAX, "%s", word);
		return true;
	}
	for (size_t i = 0; i < p->n_fields; i++) {
		if (strcmp(p->fields[i].name, word))
			continue;
		add_field(q, &p->fields[i]);
		remove_doubles(q);
		return true;
	}
	return false;
}

static int add_words(struct history_question *q, const char *list, struct document *problem)
{
	_cleanup_(freep) char *copy = strdup(list);
	unsigned most = page_columns(q->query.page);
	char *rest = copy;

	if (!copy)
		return -ENOMEM;
	for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
		if (most-- == 0) {
			document_problem(problem, 400, "These are more fields than the page \"%s\" has.",
					 q->query.page->name);
			return -EINVAL;
		}
		if (!add_word(q, word)) {
			document_problem(problem, 400, "The page \"%s\" has no field \"%s\": "
					 "/api/v1/fields has them all.", q->query.page->name, word);
			return -EINVAL;
		}
	}
	return 0;
}

/* All that the agg can be had of. */
static void add_all(struct history_question *q)
{
	const struct page *p = q->query.page;
	size_t n = 0, wrong;

	for (size_t i = 0; i < p->n_fields; i++)
		add_field(q, &p->fields[i]);
	for (size_t i = 0; i < q->query.n_columns; i++) {
		const char *name = q->names[i];
		struct query one = q->query;

		one.columns = &name;
		one.n_columns = 1;
		if (query_check(&one, &wrong) != -EDOM)
			memmove(q->names[n++], q->names[i], FIELD_COLUMN_MAX);
	}
	q->query.n_columns = n;
}

static int parse_fields(const char *list, struct history_question *q, struct document *problem)
{
	size_t most = 2 * (size_t)page_columns(q->query.page) + 1;
	int r = 0;

	q->names = calloc(most, FIELD_COLUMN_MAX);
	q->columns = calloc(most, sizeof(*q->columns));
	if (!q->names || !q->columns)
		return -ENOMEM;
	if (list)
		r = add_words(q, list, problem);
	else
		add_all(q);
	if (r >= 0 && q->query.n_columns == 0) {
		document_problem(problem, 400, "The page \"%s\" has no field that %s can be had of.",
				 q->query.page->name, query_agg_name(q->query.agg));
		r = -EINVAL;
	}
	for (size_t i = 0; i < q->query.n_columns; i++)
		q->columns[i] = q->names[i];
	q->query.columns = q->columns;
	return r;
}

/* ---- All of it. ---- */

/* What a field has instead of an agg that it does not. */
static const char *aggs_of(const struct page *p, const char *column)
{
	unsigned index;
	const struct field *f = page_field(p, column, &index);

	if (!f || field_value_type(f) == VALUE_TEXT)
		return "is a text: last or count";
	return f->kind == FIELD_COUNTER ? "is a counter: increase, rate, last, min, max, mean or count" :
					  "is no counter: mean, min, max, last, sum or count";
}

void history_too_large(const struct query *q, struct document *problem)
{
	uint64_t columns = q->n_columns ? q->n_columns : 1, points = QUERY_CELLS_MAX / columns;
	uint64_t span = (uint64_t)(q->end - q->start);

	if (points > QUERY_POINTS_MAX)
		points = QUERY_POINTS_MAX;
	/* The span may touch a bucket more at either end. */
	points = points > 2 ? points - 2 : 1;
	uint64_t seconds = span / points / SECOND + 1;
	document_problem(problem, 400, "That is more than %d points, or %d values of %zu fields: ask for "
			 "step=%" PRIu64 "s or more, a shorter time or fewer fields.", QUERY_POINTS_MAX,
			 QUERY_CELLS_MAX, q->n_columns,
			 seconds);
}

static int check(const struct history_question *q, struct document *problem)
{
	size_t wrong = 0;
	int r = query_check(&q->query, &wrong);

	if (r == -EDOM)
		document_problem(problem, 400, "%s cannot be had of \"%s\", which %s can.",
				 query_agg_name(q->query.agg), q->query.columns[wrong],
				 aggs_of(q->query.page, q->query.columns[wrong]));
	else if (r == -E2BIG)
		history_too_large(&q->query, problem);
	else if (r < 0)
		document_problem(problem, 400, "This cannot be asked of history: %s.", strerror(-r));
	return r < 0 ? -EINVAL : 0;
}

int history_question_parse(const struct history_words *w, int64_t now_ms,
			   struct history_question **ret, struct document *problem)
{
	_cleanup_(history_question_freep) struct history_question *q = calloc(1, sizeof(*q));
	int r;

	if (!q)
		return -ENOMEM;
	r = history_copy_key(w->drive, q->drive, sizeof(q->drive), problem);
	if (r >= 0)
		r = parse_page(w->page, &q->query, problem);
	if (r >= 0)
		r = parse_span(w, now_ms, &q->query, problem);
	if (r >= 0 && w->step)
		r = parse_step(w->step, &q->query, problem);
	if (r >= 0 && w->agg)
		r = parse_agg(w->agg, &q->query, problem);
	if (r >= 0)
		r = parse_fields(w->fields, q, problem);
	if (r >= 0)
		r = check(q, problem);
	if (r >= 0)
		*ret = TAKE(q);
	return r;
}

void history_question_free(struct history_question *q)
{
	if (!q)
		return;
	free(q->names);
	free(q->columns);
	free(q);
}
