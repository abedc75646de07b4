/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "batch.h"

#include <errno.h>
#include <math.h>
#include <string.h>

void batch_span(const struct sheet *rows, int64_t *ret_start, int64_t *ret_end)
{
	int64_t start = INT64_MAX, end = INT64_MIN;

	for (size_t i = 0; i < rows->n_rows; i++) {
		int64_t time = sheet_fixed(rows, i, SHEET_TIME);
		start = time < start ? time : start;
		end = time > end ? time : end;
	}
	*ret_start = start;
	*ret_end = end;
}

/* ---- Writing ---- */

static void put_text(struct buffer *out, const char *text)
{
	buffer_text(out, "\"");
	for (const char *c = text; *c; c++)
		if (*c == '"' || *c == '\\')
			buffer_printf(out, "\\%c", *c);
		else if ((unsigned char)*c < 0x20)
			buffer_printf(out, "\\u%04x", (unsigned)*c);
		else
			buffer_put(out, c, 1);
	buffer_text(out, "\"");
}

/* With a point, so that it stays a REAL. */
static void put_real(struct buffer *out, double x)
{
	char text[32];

	format_real(x, text);
	buffer_text(out, text);
	if (!strpbrk(text, ".e"))
		buffer_text(out, ".0");
}

static void put_value(struct buffer *out, const char *name, const struct value *v, bool first)
{
	buffer_printf(out, "%s\"%s\":", first ? "" : ",", name);
	if (v->type == VALUE_INTEGER)
		buffer_integer(out, v->integer);
	else if (v->type == VALUE_REAL)
		put_real(out, v->real);
	else
		put_text(out, v->text);
}

void batch_put_json(const struct sheet *rows, struct buffer *out)
{
	struct value v;

	buffer_text(out, "[");
	for (size_t row = 0; row < rows->n_rows; row++) {
		buffer_text(out, row ? ",\n{" : "{");
		for (size_t i = 0; i < rows->layout->n_columns; i++) {
			sheet_get(rows, row, i, &v);
			if (v.type != VALUE_ABSENT && (v.type != VALUE_REAL || isfinite(v.real)))
				put_value(out, rows->layout->columns[i].name, &v, i == 0);
		}
		buffer_text(out, "}");
	}
	buffer_text(out, "]");
}

/* ---- Reading ---- */

int batch_layout(sqlite3 *db, int64_t id, struct layout **ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(db, "SELECT columns FROM layouts WHERE id = ?", &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, id);
	int code = sqlite3_step(q);
	if (code != SQLITE_ROW)
		return code == SQLITE_DONE ? -ENOENT : sql_errno(code);
	const unsigned char *text = sqlite3_column_text(q, 0);
	return layout_parse(text ? (const char *)text : "", ret);
}

static void read_atom(sqlite3_stmt *q, int column, enum value_type type, struct value *ret)
{
	int found = sqlite3_column_type(q, column);

	*ret = (struct value){ .type = VALUE_ABSENT };
	if (type == VALUE_INTEGER && found == SQLITE_INTEGER)
		*ret = (struct value){ .type = type, .integer = sqlite3_column_int64(q, column) };
	else if (type == VALUE_REAL && (found == SQLITE_FLOAT || found == SQLITE_INTEGER))
		*ret = (struct value){ .type = type, .real = sqlite3_column_double(q, column) };
	else if (type == VALUE_TEXT && found == SQLITE_TEXT) {
		ret->type = type;
		sql_copy(q, column, ret->text, sizeof(ret->text));
	}
}

/* One value of one row; a new row where its number is another. */
static int take_value(sqlite3_stmt *q, const struct layout *l, struct sheet *s, int64_t *row)
{
	struct value v;
	int r = 0;

	if (sqlite3_column_int64(q, 0) != *row) {
		*row = sqlite3_column_int64(q, 0);
		r = sheet_add_row(s);
	}
	const unsigned char *name = sqlite3_column_text(q, 1);
	int column = name ? layout_find(l, (const char *)name) : -1;
	if (r < 0 || column < 0)
		return r;
	read_atom(q, 2, l->columns[column].type, &v);
	return sheet_set(s, s->n_rows - 1, (size_t)column, &v);
}

/* Every row tells whose it is, and when. */
static bool rows_are_whole(const struct sheet *s)
{
	for (size_t row = 0; row < s->n_rows; row++)
		if (!sheet_fixed(s, row, SHEET_DRIVE) || !sheet_fixed(s, row, SHEET_TIME))
			return false;
	return true;
}

int batch_parse_json(sqlite3 *db, int64_t id, const struct layout *l, struct sheet **ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	_cleanup_(sheet_freep) struct sheet *s = NULL;
	int64_t row = -1;
	int code = SQLITE_OK, r;

	if ((r = sheet_new(l, &s)) < 0 ||
	    (r = sql_prepare(db, "SELECT r.key, v.key, v.atom FROM batches, json_each(data) AS r,"
				 " json_each(r.value) AS v WHERE batches.id = ?"
				 " AND json_valid(data) AND r.type = 'object'", &q)) < 0)
		return r;
	sqlite3_bind_int64(q, 1, id);
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW)
		r = take_value(q, l, s, &row);
	if (r == 0)
		r = sql_errno(code);
	if (r == 0 && !rows_are_whole(s))
		r = -EUCLEAN;
	if (r < 0)
		return r;
	*ret = TAKE(s);
	return 0;
}
