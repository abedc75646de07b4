/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/history_document.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "nvmewatch/csv.h"
#include "nvmewatch/history_problem.h"
#include "nvmewatch/json.h"

#define SECOND INT64_C(1000) /* in milliseconds */

/* "gap", "reset", "gap reset", or NULL. */
static const char *mark_text(uint8_t marks)
{
	bool reset = marks & QUERY_RESET;

	if (marks & QUERY_GAP)
		return reset ? "gap reset" : "gap";
	return reset ? "reset" : NULL;
}

static void put_quoted_time(int64_t ms, struct buffer *out)
{
	buffer_text(out, "\"");
	buffer_time(out, ms * 1000);
	buffer_text(out, "\"");
}

static void put_value(const struct value *v, struct buffer *out)
{
	if (v->type == VALUE_INTEGER)
		buffer_integer(out, v->integer);
	else if (v->type == VALUE_REAL && isfinite(v->real))
		buffer_real(out, v->real);
	else
		json_write_text(v->type == VALUE_TEXT ? v->text : NULL, out);
}

static void put_step(int64_t ms, struct buffer *out)
{
	if (ms % SECOND)
		buffer_real(out, (double)ms / SECOND);
	else if (ms)
		buffer_integer(out, ms / SECOND);
	else
		buffer_text(out, "null");
}

static void put_head(const struct history_question *q, const struct query_result *result,
		     struct buffer *out)
{
	char page[PAGE_NAME_MAX];

	page_instance_name(q->query.page, q->query.instance, page);
	buffer_text(out, "{\"serial\":");
	json_write_text(q->drive, out);
	buffer_printf(out, ",\"page\":\"%s\",\"start\":", page);
	put_quoted_time(result->plan.start, out);
	buffer_text(out, ",\"end\":");
	put_quoted_time(result->plan.end, out);
	buffer_printf(out, ",\"resolution\":\"%s\",\"step\":",
		      query_resolution_name(result->plan.resolution));
	put_step(result->plan.step, out);
}

/* By what the values of each field became one, where they did. */
static void put_aggs(const struct query_result *result, struct buffer *out)
{
	buffer_text(out, ",\"agg\":");
	if (!result->plan.step) {
		buffer_text(out, "null");
		return;
	}
	for (size_t i = 0; i < result->n_columns; i++)
		buffer_printf(out, "%c\"%s\":\"%s\"", i ? ',' : '{', result->columns[i].name,
			      query_agg_name(result->columns[i].agg));
	buffer_text(out, "}");
}

static void put_times(const struct query_result *result, struct buffer *out)
{
	buffer_text(out, ",\"time\":[");
	for (size_t i = 0; i < result->n_points; i++) {
		buffer_text(out, i ? "," : "");
		put_quoted_time(result->times[i], out);
	}
	buffer_text(out, "],\"marks\":[");
	for (size_t i = 0; i < result->n_points; i++) {
		buffer_text(out, i ? "," : "");
		json_write_text(mark_text(result->marks[i]), out);
	}
	buffer_text(out, "],\"fields\":{");
}

static void put_column(const struct query_result *result, size_t column, struct buffer *out)
{
	struct value v;

	buffer_printf(out, "%s\"%s\":[", column ? "," : "", result->columns[column].name);
	for (size_t i = 0; i < result->n_points; i++) {
		query_result_get(result, column, i, &v);
		buffer_text(out, i ? "," : "");
		put_value(&v, out);
	}
	buffer_text(out, "]");
}

static int state_of(const struct buffer *out)
{
	return out->failed ? -ENOMEM : out->length > HISTORY_TEXT_MAX ? -EFBIG : 0;
}

int history_write_json(const struct history_question *q, const struct query_result *result,
		       struct buffer *out)
{
	put_head(q, result, out);
	put_aggs(result, out);
	put_times(result, out);
	for (size_t i = 0; i < result->n_columns && state_of(out) == 0; i++)
		put_column(result, i, out);
	buffer_text(out, "}}\n");
	return state_of(out);
}

static void put_record(const struct query_result *result, size_t point, struct buffer *out)
{
	struct value v;

	buffer_time(out, result->times[point] * 1000);
	for (size_t i = 0; i < result->n_columns; i++) {
		query_result_get(result, i, point, &v);
		csv_next(out);
		csv_value(out, &v);
	}
	csv_next(out);
	csv_text(out, mark_text(result->marks[point]));
	csv_end(out);
}

int history_write_csv(const struct query_result *result, struct buffer *out)
{
	buffer_text(out, "time");
	for (size_t i = 0; i < result->n_columns; i++) {
		csv_next(out);
		csv_text(out, result->columns[i].name);
	}
	csv_next(out);
	buffer_text(out, "marks");
	csv_end(out);
	for (size_t i = 0; i < result->n_points && state_of(out) == 0; i++)
		put_record(result, i, out);
	return state_of(out);
}

static int write_text(const struct history_question *q, const struct query_result *result, bool csv,
		      struct buffer *out)
{
	return csv ? history_write_csv(result, out) : history_write_json(q, result, out);
}

/* Of a drive that history has not heard of yet: no points. */
static int write_nothing(const struct history_question *q, bool csv, struct buffer *out)
{
	size_t n = q->query.n_columns;
	_cleanup_(freep) struct query_column *columns = calloc(n, sizeof(*columns));
	const struct query_result nothing = {
		.plan = { .start = q->query.start, .end = q->query.end },
		.columns = columns, .n_columns = n,
	};

	if (!columns)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		columns[i].name = q->query.columns[i];
	return write_text(q, &nothing, csv, out);
}

int history_document(struct history_reader *r, const struct history_question *q, bool csv,
		     struct buffer *out, struct document *problem)
{
	_cleanup_(query_result_freep) struct query_result *result = NULL;
	int e = history_query(r, q->drive, &q->query, &result);

	if (e == -E2BIG) {
		history_too_large(&q->query, problem);
		return -EINVAL;
	}
	if (e == -ENOENT && q->known)
		e = write_nothing(q, csv, out);
	else if (e < 0)
		return history_drive_problem(e, q->drive, problem);
	else
		e = write_text(q, result, csv, out);
	if (e != -EFBIG)
		return e;
	document_problem(problem, 400, "That is more than %u MB of text: ask for a longer step, a shorter "
			 "time or fewer fields.", HISTORY_TEXT_MAX >> 20);
	return -EINVAL;
}
