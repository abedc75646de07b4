/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What was, and what happened. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "render.h"
#include "spark.h"

static const char *text_at(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

/* "2026-11-30 21:37:06" of a time of the API, in UTC as that is. */
static void put_time(struct table *t, const char *time)
{
	struct buffer text = { 0 };
	size_t seconds = strlen("2026-11-30T21:37:06");

	if (time && strlen(time) > seconds && time[10] == 'T') {
		buffer_put(&text, time, 10);
		buffer_text(&text, " ");
		buffer_put(&text, time + 11, seconds - 11);
	} else if (time) {
		buffer_text(&text, time);
	}
	table_take(t, &text);
}

static void put_value(struct table *t, const json_t *value)
{
	struct buffer text = { 0 };

	human_value(value, &text);
	table_take(t, &text);
}

/* "smart of SERIAL, 2026-…Z to 2026-…Z, raw" and, of buckets, how long they are. */
static void put_head(const json_t *history, struct buffer *out)
{
	const json_t *step = json_object_get(history, "step");
	char length[HUMAN_MAX];

	human_text(text_at(history, "page") ? text_at(history, "page") : "-", out);
	buffer_text(out, " of ");
	human_text(text_at(history, "serial") ? text_at(history, "serial") : "-", out);
	buffer_text(out, ", ");
	human_text(text_at(history, "start") ? text_at(history, "start") : "-", out);
	buffer_text(out, " to ");
	human_text(text_at(history, "end") ? text_at(history, "end") : "-", out);
	if (json_is_number(step)) {
		human_duration(json_number_value(step), length);
		buffer_printf(out, ", by %s", length);
	}
	buffer_text(out, "\n\n");
}

static bool has_marks(const json_t *marks)
{
	for (size_t i = 0; i < json_array_size(marks); i++)
		if (json_is_string(json_array_get(marks, i)))
			return true;
	return false;
}

/* The titles: TIME, the fields with their agg where they have one, MARKS. */
static int titles_of(json_t *history, bool marks, struct column **ret, size_t *ret_n)
{
	json_t *fields = json_object_get(history, "fields"), *values;
	struct column *columns = calloc(json_object_size(fields) + 2, sizeof(*columns));
	const char *name;

	if (!columns)
		return -ENOMEM;
	*ret_n = 0;
	columns[(*ret_n)++] = (struct column){ "TIME (UTC)", false };
	json_object_foreach(fields, name, values) {
		columns[(*ret_n)++] = (struct column){ name, true };
	}
	if (marks)
		columns[(*ret_n)++] = (struct column){ "MARKS", false };
	*ret = columns;
	return 0;
}

static int render_times(json_t *history, bool colour, struct buffer *out)
{
	json_t *times = json_object_get(history, "time"), *marks = json_object_get(history, "marks");
	json_t *fields = json_object_get(history, "fields"), *values;
	_cleanup_(freep) struct column *columns = NULL;
	_cleanup_(table_done) struct table t = { 0 };
	bool marked = has_marks(marks);
	const char *name;
	int r = titles_of(history, marked, &columns, &t.n_columns);

	t.columns = columns;
	for (size_t i = 0; i < json_array_size(times) && r >= 0; i++) {
		const char *mark = json_string_value(json_array_get(marks, i));

		put_time(&t, json_string_value(json_array_get(times, i)));
		json_object_foreach(fields, name, values) {
			put_value(&t, json_array_get(values, i));
		}
		if (marked && mark)
			table_put(&t, mark, TONE_WARNING);
		else if (marked)
			table_skip(&t);
	}
	return r < 0 ? r : table_render(&t, colour, out);
}

/* The last value that is there. */
static const json_t *last_of(const json_t *values)
{
	for (size_t i = json_array_size(values); i-- > 0;)
		if (!json_is_null(json_array_get(values, i)))
			return json_array_get(values, i);
	return NULL;
}

static int render_field_lines(json_t *history, bool utf8, bool colour, struct buffer *out)
{
	static const struct column columns[] = {
		{ "FIELD", false }, { "AGG", false }, { "MIN", true }, { "MAX", true }, { "LAST", true },
		{ "COURSE", false },
	};
	_cleanup_(table_done) struct table t = { .columns = columns, .n_columns = ELEMENTS(columns) };
	json_t *aggs = json_object_get(history, "agg"), *values;
	const char *name;

	json_object_foreach(json_object_get(history, "fields"), name, values) {
		struct buffer line = { 0 };
		struct spark s;

		if (!last_of(values))
			continue; /* the drive does not report it */
		spark_look(values, &s);
		table_put(&t, name, TONE_PLAIN);
		table_put(&t, text_at(aggs, name), TONE_PLAIN);
		put_value(&t, s.least);
		put_value(&t, s.greatest);
		put_value(&t, last_of(values));
		if (s.least)
			spark_draw(values, &s, utf8, &line);
		table_take(&t, &line);
	}
	return table_render(&t, colour, out);
}

int render_history(const json_t *history, bool by_time, bool utf8, bool colour, struct buffer *out)
{
	json_t *document = (json_t *)history; /* iterating does not change it */

	put_head(history, out);
	if (json_array_size(json_object_get(history, "time")) == 0) {
		buffer_text(out, "No values.\n");
		return out->failed ? -ENOMEM : 0;
	}
	return by_time ? render_times(document, colour, out) :
			 render_field_lines(document, utf8, colour, out);
}

int render_events(const json_t *events, bool colour, struct buffer *out)
{
	static const struct column columns[] = {
		{ "TIME (UTC)", false }, { "DRIVE", false }, { "EVENT", false }, { "DETAIL", false },
	};
	_cleanup_(table_done) struct table t = { .columns = columns, .n_columns = ELEMENTS(columns) };

	for (size_t i = 0; i < json_array_size(events); i++) {
		const json_t *event = json_array_get(events, i);

		put_time(&t, text_at(event, "time"));
		table_put(&t, text_at(event, "serial"), TONE_PLAIN);
		table_put(&t, text_at(event, "type"), TONE_PLAIN);
		if (text_at(event, "detail"))
			table_put(&t, text_at(event, "detail"), TONE_PLAIN);
		else
			table_skip(&t);
	}
	return table_render(&t, colour, out);
}
