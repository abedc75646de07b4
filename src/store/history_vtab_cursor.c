/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows of a page for SQL, pulled from a scan a sheet at a time. */

#include <errno.h>
#include <math.h>
#include <string.h>

#include "history_vtab_internal.h"

struct cursor {
	sqlite3_vtab_cursor base;
	struct scan *scan;
	const struct sheet *rows; /* NULL: there are no more */
	size_t row;
};

static struct vtab_table *table_of(struct cursor *c)
{
	return (struct vtab_table *)c->base.pVtab;
}

int vtab_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **ret)
{
	struct cursor *c = calloc(1, sizeof(*c));

	(void)vtab;
	if (!c)
		return SQLITE_NOMEM;
	*ret = &c->base;
	return SQLITE_OK;
}

int vtab_close(sqlite3_vtab_cursor *cursor)
{
	struct cursor *c = (struct cursor *)cursor;

	scan_free(c->scan);
	free(c);
	return SQLITE_OK;
}

static int fail(struct cursor *c, int r)
{
	struct vtab_table *t = table_of(c);

	if (r == -ENOMEM)
		return SQLITE_NOMEM;
	sqlite3_free(t->base.zErrMsg);
	t->base.zErrMsg = sqlite3_mprintf("%s: %s", t->source->history, strerror(-r));
	return r == -EUCLEAN ? SQLITE_CORRUPT_VTAB : SQLITE_ERROR;
}

/* ---- What is asked for ---- */

/* A number that time is compared with, as milliseconds: whatever rounds, rounds outwards, for SQLite
 * compares again. False: what is no number says nothing here. */
static bool time_of(sqlite3_value *v, bool up, int64_t *ret)
{
	int type = sqlite3_value_numeric_type(v);

	if (type == SQLITE_INTEGER)
		*ret = sqlite3_value_int64(v);
	else if (type == SQLITE_FLOAT) {
		double x = up ? ceil(sqlite3_value_double(v)) : floor(sqlite3_value_double(v));
		*ret = x >= 0x1p62 ? INT64_MAX : x <= -0x1p62 ? INT64_MIN : (int64_t)x;
	} else
		return false;
	return true;
}

static void bound_times(struct history_span *span, int terms, sqlite3_value ***values)
{
	int64_t at;

	if (terms & VTAB_FROM && time_of(*(*values)++, false, &at))
		span->start = at;
	if (terms & VTAB_TO && time_of(*(*values)++, true, &at))
		span->end = at;
	if (terms & VTAB_AT && time_of(*(*values)++, false, &at)) {
		span->start = at > span->start ? at : span->start;
		span->end = at < span->end ? at : span->end;
	}
}

/* A whole number, be it as a real. False: nothing that one is equal to. */
static bool number_of(sqlite3_value *v, int64_t *ret)
{
	int64_t low, high;

	if (!time_of(v, false, &low) || !time_of(v, true, &high) || low != high)
		return false;
	*ret = low;
	return true;
}

/* The names of columns that are looked at; room for all of them. */
static size_t used_columns(const struct vtab_table *t, const char *used, const char **ret)
{
	uint64_t mask = strtoull(used, NULL, 10);
	size_t n = 0;

	for (int i = 0; i < vtab_columns(t); i++) {
		int column = vtab_column(t, i);
		if (column >= SHEET_FIXED && mask & UINT64_C(1) << (i < 63 ? i : 63))
			ret[n++] = t->layout->columns[column].name;
	}
	return n;
}

static int open_reader(struct vtab_source *s)
{
	return s->reader ? 0 : history_reader_open_file(s->history, s->spool, &s->reader);
}

/* False: no drive or instance is like that. */
static bool choose(struct history_span *span, int terms, sqlite3_value ***values, int64_t *ret_drive)
{
	int64_t n;

	if (terms & VTAB_DRIVE && (!number_of(*(*values)++, ret_drive) || !*ret_drive))
		return false;
	if (terms & VTAB_KEY && !(span->drive = (const char *)sqlite3_value_text(*(*values)++)))
		return false;
	if (terms & VTAB_INSTANCE) {
		if (!number_of(*(*values)++, &n) || n < 0 || n > UINT32_MAX)
			return false;
		span->instance = (uint32_t)n;
		span->every_instance = false;
	}
	return true;
}

static int begin(struct cursor *c, struct history_span *span, int64_t drive)
{
	struct vtab_source *s = table_of(c)->source;
	int r = open_reader(s);

	if (r < 0)
		return r;
	r = scan_open(s->reader, span, drive, &c->scan);
	return r == -ENOENT ? 0 : r; /* no such drive: no rows */
}

/* To the first row of a sheet that has some. */
static int next_sheet(struct cursor *c)
{
	int r = 0;

	c->row = 0;
	c->rows = NULL;
	while (c->scan && (r = scan_next(c->scan, &c->rows)) > 0)
		if (c->rows->n_rows)
			return SQLITE_OK;
	c->rows = NULL;
	return r < 0 ? fail(c, r) : SQLITE_OK;
}

int vtab_filter(sqlite3_vtab_cursor *cursor, int terms, const char *used, int n_values,
		sqlite3_value **values)
{
	struct cursor *c = (struct cursor *)cursor;
	struct vtab_table *t = table_of(c);
	struct history_span span = { .page = t->page, .every_instance = true, .start = INT64_MIN,
				     .end = INT64_MAX };
	int64_t drive = 0;

	(void)n_values;
	scan_free(TAKE(c->scan));
	c->rows = NULL;
	_cleanup_(freep) const char **columns = calloc(t->layout->n_columns, sizeof(*columns));
	if (!columns)
		return SQLITE_NOMEM;
	span.columns = columns;
	span.n_columns = used_columns(t, used, columns);
	if (!choose(&span, terms, &values, &drive))
		return SQLITE_OK;
	bound_times(&span, terms, &values);
	int r = begin(c, &span, drive);
	return r < 0 ? fail(c, r) : next_sheet(c);
}

/* ---- Rows ---- */

int vtab_next(sqlite3_vtab_cursor *cursor)
{
	struct cursor *c = (struct cursor *)cursor;

	return ++c->row < c->rows->n_rows ? SQLITE_OK : next_sheet(c);
}

int vtab_eof(sqlite3_vtab_cursor *cursor)
{
	return !((struct cursor *)cursor)->rows;
}

int vtab_value(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
	struct cursor *c = (struct cursor *)cursor;
	int of = vtab_column(table_of(c), column);
	double x;

	if (of < 0) {
		sqlite3_result_text(context, scan_key(c->scan), -1, SQLITE_TRANSIENT);
		return SQLITE_OK;
	}
	const struct sheet_column *from = &c->rows->columns[of];
	if (!from->loaded || !from->present[c->row])
		return SQLITE_OK; /* NULL */
	switch (c->rows->layout->columns[of].type) {
	case VALUE_REAL:
		memcpy(&x, &from->values[c->row], sizeof(x));
		sqlite3_result_double(context, x);
		break;
	case VALUE_TEXT:
		sqlite3_result_text(context, from->texts[from->values[c->row]], -1, SQLITE_TRANSIENT);
		break;
	default:
		sqlite3_result_int64(context, from->values[c->row]);
	}
	return SQLITE_OK;
}

int vtab_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *ret)
{
	/* Never asked for: the table is declared without. */
	*ret = (sqlite3_int64)((struct cursor *)cursor)->row;
	return SQLITE_OK;
}
