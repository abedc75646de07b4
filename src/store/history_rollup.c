/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables PAGE_hourly and PAGE_daily: a packing adds its rows to them. The hour at its edge may have a row
 * already, and so has any, after the clock was set back: rows are read, added to and written again. */

#include <errno.h>

#include "history_internal.h"
#include "history_schema.h"
#include "period.h"
#include "rollup.h"

struct roll {
	const struct layout *layout; /* of the page as this version has it */
	int64_t period;
	int64_t drive, instance;
	bool several;
	enum rolled_kind *kinds;
	sqlite3_stmt *find, *newest, *put;
	const struct sheet *before; /* the series' rows until now, NULL: none lately */
	struct rollup *row;
	bool filled; /* .row holds something that is not written */
};

/* ---- SQL ---- */

static void roll_done(struct roll *k)
{
	sqlite3_finalize(k->find);
	sqlite3_finalize(k->newest);
	sqlite3_finalize(k->put);
	rollup_free(k->row);
	free(k->kinds);
}

static int roll_prepare(struct roll *k, sqlite3 *db, const struct page *p, bool days)
{
	_cleanup_(freep) char *find = history_rollup_select(p, days, false);
	_cleanup_(freep) char *newest = history_rollup_select(p, days, true);
	_cleanup_(freep) char *put = history_rollup_insert(p, days);
	int r;

	if (!find || !newest || !put)
		return -ENOMEM;
	k->period = days ? 24 * HOUR_MS : HOUR_MS;
	k->several = p->selector != SELECT_NOTHING;
	k->kinds = calloc(k->layout->n_columns, sizeof(*k->kinds));
	if (!k->kinds)
		return -ENOMEM;
	for (size_t i = SHEET_FIXED; i < k->layout->n_columns; i++) {
		unsigned index;
		k->kinds[i] = rolled_kind(page_field(p, k->layout->columns[i].name, &index));
	}
	if ((r = rollup_new(k->layout, &k->row)) < 0 || (r = sql_prepare(db, find, &k->find)) < 0 ||
	    (r = sql_prepare(db, newest, &k->newest)) < 0)
		return r;
	return sql_prepare(db, put, &k->put);
}

static void bind_value(sqlite3_stmt *q, int parameter, const struct value *v)
{
	switch (v->type) {
	case VALUE_INTEGER:
		sqlite3_bind_int64(q, parameter, v->integer);
		break;
	case VALUE_REAL:
		sqlite3_bind_double(q, parameter, v->real);
		break;
	case VALUE_TEXT:
		sqlite3_bind_text(q, parameter, v->text, -1, SQLITE_STATIC);
		break;
	case VALUE_ABSENT:
		sqlite3_bind_null(q, parameter);
		break;
	}
}

/* Drive, instance where there are several, time: the key of a row. Returns the next parameter. */
static int bind_key(const struct roll *k, sqlite3_stmt *q)
{
	int n = 0;

	sqlite3_bind_int64(q, ++n, k->drive);
	if (k->several)
		sqlite3_bind_int64(q, ++n, k->instance);
	return n + 1;
}

static void read_columns(const struct roll *k, sqlite3_stmt *q, int column)
{
	struct value v;

	for (size_t i = SHEET_FIXED; i < k->layout->n_columns; i++) {
		struct rolled *c = &k->row->columns[i];

		sql_value(q, column++, &c->last);
		if (k->kinds[i] == ROLLED_COUNTER) {
			sql_value(q, column++, &v);
			c->increase = v.type == VALUE_INTEGER ? v.integer : 0;
		} else if (k->kinds[i] == ROLLED_GAUGE) {
			sql_value(q, column++, &c->min);
			sql_value(q, column++, &c->max);
			sql_value(q, column++, &v);
			c->n = v.type == VALUE_REAL ? k->row->count : 0;
			c->sum = v.type == VALUE_REAL ? v.real * (double)c->n : 0;
		}
	}
}

/* Row by row as history_rollup_select() has them. -ENOENT: none. */
static int read_row(const struct roll *k, sqlite3_stmt *q)
{
	int code = sqlite3_step(q);

	if (code == SQLITE_ROW) {
		k->row->start = sqlite3_column_int64(q, 0);
		k->row->count = sqlite3_column_int64(q, 1);
		k->row->resets = sqlite3_column_int64(q, 2);
		k->row->last_time = sqlite3_column_int64(q, 3);
		k->row->last_mono = sqlite3_column_int64(q, 4);
		read_columns(k, q, 5);
	}
	sqlite3_reset(q);
	if (code == SQLITE_ROW)
		return 0;
	return code == SQLITE_DONE ? -ENOENT : sql_errno(code);
}

static int bind_columns(const struct roll *k, sqlite3_stmt *q, int n)
{
	for (size_t i = SHEET_FIXED; i < k->layout->n_columns; i++) {
		struct rolled *c = &k->row->columns[i];

		bind_value(q, n++, &c->last);
		if (k->kinds[i] == ROLLED_COUNTER) {
			if (c->last.type == VALUE_INTEGER)
				sqlite3_bind_int64(q, n, c->increase);
			else
				sqlite3_bind_null(q, n);
			n++;
		} else if (k->kinds[i] == ROLLED_GAUGE) {
			bind_value(q, n++, &c->min);
			bind_value(q, n++, &c->max);
			if (c->n)
				sqlite3_bind_double(q, n, c->sum / (double)c->n);
			else
				sqlite3_bind_null(q, n);
			n++;
		}
	}
	return sql_finish(q);
}

static int write_row(struct roll *k)
{
	int n;

	if (!k->filled)
		return 0;
	k->filled = false;
	n = bind_key(k, k->put);
	sqlite3_bind_int64(k->put, n++, k->row->start);
	sqlite3_bind_int64(k->put, n++, k->row->count);
	sqlite3_bind_int64(k->put, n++, k->row->resets);
	sqlite3_bind_int64(k->put, n++, k->row->last_time);
	sqlite3_bind_int64(k->put, n++, k->row->last_mono);
	return bind_columns(k, k->put, n);
}

/* ---- Rows ---- */

/* Makes .row that of the hour or day from `start` on. */
static int turn_to(struct roll *k, int64_t start)
{
	int r = write_row(k);

	if (r < 0)
		return r;
	sqlite3_bind_int64(k->find, bind_key(k, k->find), start);
	r = read_row(k, k->find);
	if (r != -ENOENT)
		return r;
	rollup_begin(k->row, k->layout, start);
	return 0;
}

static void begin_column(struct rolled *c, const struct value *v)
{
	c->has_before = v->type == VALUE_INTEGER;
	c->before = c->has_before ? v->integer : 0;
}

/* The last value of each counter that the rows have. */
static void begin_from_rows(struct roll *k)
{
	struct value v;

	for (size_t i = SHEET_FIXED; i < k->layout->n_columns; i++)
		for (size_t row = k->before->n_rows; k->kinds[i] == ROLLED_COUNTER && row; row--) {
			sheet_get(k->before, row - 1, i, &v);
			begin_column(&k->row->columns[i], &v);
			if (v.type != VALUE_ABSENT)
				break;
		}
}

/* So, of the newest hour or day that is not later than the first row. */
static int begin_from_rollup(struct roll *k, int64_t start)
{
	sqlite3_bind_int64(k->newest, bind_key(k, k->newest), start);
	int r = read_row(k, k->newest);

	for (size_t i = SHEET_FIXED; r == 0 && i < k->layout->n_columns; i++)
		if (k->kinds[i] == ROLLED_COUNTER)
			begin_column(&k->row->columns[i], &k->row->columns[i].last);
	return r == -ENOENT ? 0 : r;
}

static int roll_rows(struct roll *k, const struct sheet *rows)
{
	int r = 0;

	k->drive = sheet_fixed(rows, 0, SHEET_DRIVE);
	k->instance = sheet_fixed(rows, 0, SHEET_INSTANCE);
	if (k->before)
		begin_from_rows(k);
	else
		r = begin_from_rollup(k, floor_to(sheet_fixed(rows, 0, SHEET_TIME), k->period));
	if (r < 0)
		return r;
	for (size_t i = 0; i < rows->n_rows; i++) {
		int64_t start = floor_to(sheet_fixed(rows, i, SHEET_TIME), k->period);

		if ((!k->filled || start != k->row->start) && (r = turn_to(k, start)) < 0)
			return r;
		rollup_add(k->row, k->kinds, rows, i);
		k->filled = true;
	}
	return write_row(k);
}

static int roll_period(struct history *h, const struct page *p, const struct sheet *before,
		       const struct sheet *rows, bool days)
{
	struct roll k = { .layout = rows->layout, .before = before };
	int r = roll_prepare(&k, h->db, p, days);

	if (r == 0)
		r = roll_rows(&k, rows);
	roll_done(&k);
	return r;
}

int history_roll(struct history *h, const struct page *p, int64_t flush, const struct sheet *rows)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *now = NULL, *before = NULL;
	int r;

	if (!p->history || !rows->n_rows)
		return 0;
	/* Rows of another version are rolled up by the columns of this one. */
	if ((r = layout_of_page(p, &l)) < 0 || (r = sheet_new(l, &now)) < 0 ||
	    (r = sheet_append(now, rows, 0, rows->n_rows)) < 0)
		return r;
	if ((r = history_before(h, p, flush, now, &before)) < 0 && r != -ENOENT)
		return r;
	if (history_has_hours(p) && (r = roll_period(h, p, before, now, false)) < 0)
		return r;
	return roll_period(h, p, before, now, true);
}
