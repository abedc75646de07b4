/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Version 1 kept each page's rows in a plain table of that page's name. They become chunks, a day's each. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "history_internal.h"
#include "history_schema.h"
#include "nvmewatch/buffer.h"
#include "period.h"

struct migration {
	struct history *h;
	const struct page *page;
	int64_t page_id, layout_id, boot;
	struct sheet *rows;
	int64_t day, last_day;
};

/* ---- The tables ---- */

static int rename_table(sqlite3 *db, const char *page)
{
	/* Page names are this program's own. */
	_cleanup_(freep) char *sql = format_text("ALTER TABLE %s RENAME TO v1_%s", page, page);

	return sql ? sql_run(db, sql) : -ENOMEM;
}

static int drop_table(sqlite3 *db, const char *page)
{
	_cleanup_(freep) char *sql = format_text("DROP TABLE v1_%s", page);

	return sql ? sql_run(db, sql) : -ENOMEM;
}

static int is_table(sqlite3 *db, const char *prefix, const char *page)
{
	_cleanup_(freep) char *name = format_text("%s%s", prefix, page);
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = name ? sql_prepare(db, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", &q) :
		       -ENOMEM;

	if (r < 0)
		return r;
	sql_text(q, 1, name);
	int code = sqlite3_step(q);
	return code == SQLITE_ROW ? 1 : sql_errno(code);
}

int history_migrate_begin(sqlite3 *db)
{
	int r = 0;

	for (const struct page *const *p = pages; r == 0 && *p; p++) {
		if ((r = is_table(db, "", (*p)->name)) > 0)
			r = rename_table(db, (*p)->name);
	}
	/* Its first databases lacked columns of drives. */
	if (r == 0)
		r = history_add_column(db, "drives", "address TEXT");
	if (r == 0)
		r = history_add_column(db, "drives", "error_count INTEGER");
	if (r == 0)
		r = history_add_column(db, "drives", "packed INTEGER NOT NULL DEFAULT 0");
	/* Events of the host have no drive. */
	if (r == 0)
		r = sql_run(db, "ALTER TABLE events RENAME TO v1_events; DROP INDEX IF EXISTS events_time;"
				"DROP INDEX IF EXISTS events_drive");
	return r;
}

/* ---- The rows ---- */

static int write_rows(struct migration *m)
{
	int r;

	if (!m->rows->n_rows)
		return 0;
	if ((r = history_put_chunk(m->h, m->day, m->layout_id, m->rows)) < 0 ||
	    (r = history_note_packing(m->h, m->day, m->rows)) < 0 ||
	    (r = history_roll(m->h, m->page, m->day, m->rows)) < 0)
		return r;
	m->last_day = m->day > m->last_day ? m->day : m->last_day;
	sheet_clear(m->rows);
	return 0;
}

static int set_fixed(struct sheet *s, unsigned column, int64_t n)
{
	return sheet_set(s, s->n_rows - 1, column, &(struct value){ .type = VALUE_INTEGER, .integer = n });
}

/* A column of the row: one of the page's, or one that every table had. */
static int take_column(struct migration *m, sqlite3_stmt *q, int column)
{
	const char *name = sqlite3_column_name(q, column);
	const struct layout *l = m->rows->layout;
	int at = m->page->instance && !strcmp(name, m->page->instance) ? SHEET_INSTANCE :
									  layout_find(l, name);
	struct value v;

	if (at < 0)
		return 0;
	sql_value(q, column, &v);
	/* SQLite keeps a whole number as one in a REAL column of a view or an old table. */
	if (v.type == VALUE_INTEGER && l->columns[at].type == VALUE_REAL)
		v = (struct value){ .type = VALUE_REAL, .real = (double)v.integer };
	if (v.type != VALUE_ABSENT && v.type != l->columns[at].type)
		return 0;
	return sheet_set(m->rows, m->rows->n_rows - 1, (size_t)at, &v);
}

static bool continues(const struct migration *m, int64_t drive, int64_t instance, int64_t day)
{
	return m->rows->n_rows && day == m->day && sheet_fixed(m->rows, 0, SHEET_DRIVE) == drive &&
	       sheet_fixed(m->rows, 0, SHEET_INSTANCE) == instance;
}

/* The first columns are those by which the rows are ordered: drive, instance, time. */
static int take_row(struct migration *m, sqlite3_stmt *q)
{
	int64_t drive = sqlite3_column_int64(q, 0), instance = sqlite3_column_int64(q, 1);
	int64_t day = sqlite3_column_int64(q, 2) / DAY_MS;
	int r = 0;

	if (!continues(m, drive, instance, day) && (r = write_rows(m)) < 0)
		return r;
	m->day = day;
	if ((r = sheet_add_row(m->rows)) < 0 || (r = set_fixed(m->rows, SHEET_DRIVE, drive)) < 0 ||
	    (r = set_fixed(m->rows, SHEET_INSTANCE, instance)) < 0 ||
	    (r = set_fixed(m->rows, SHEET_BOOT, m->boot)) < 0)
		return r;
	for (int i = 3; r == 0 && i < sqlite3_column_count(q); i++)
		r = take_column(m, q, i);
	return r;
}

static int take_rows(struct migration *m)
{
	const char *instance = m->page->selector == SELECT_NOTHING ? "0" : m->page->instance;
	_cleanup_(freep) char *sql = format_text("SELECT drive, %s, time, * FROM v1_%s ORDER BY 1, 2, 3",
						 instance, m->page->name);
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code = SQLITE_OK, r = sql ? sql_prepare(m->h->db, sql, &q) : -ENOMEM;

	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW)
		r = take_row(m, q);
	if (r == 0)
		r = sql_errno(code);
	return r < 0 ? r : write_rows(m);
}

static int take_page(struct migration *m, const struct page *p)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = NULL;
	int r = is_table(m->h->db, "v1_", p->name);

	if (r <= 0)
		return r;
	m->page = p;
	if ((r = layout_of_page(p, &l)) < 0 || (r = sheet_new(l, &rows)) < 0 ||
	    (r = history_page_id(m->h, p->name, &m->page_id)) < 0 ||
	    (r = history_layout_id(m->h, m->page_id, l, &m->layout_id)) < 0)
		return r;
	m->rows = rows;
	if ((r = take_rows(m)) < 0)
		return r;
	return drop_table(m->h->db, p->name);
}

int history_migrate(struct history *h)
{
	struct migration m = { .h = h };
	int r;

	if ((r = sql_run(h->db, "INSERT INTO events SELECT * FROM v1_events; DROP TABLE v1_events")) < 0 ||
	    (r = history_boot_id(h, "", &m.boot)) < 0)
		return r;
	for (const struct page *const *p = pages; r == 0 && *p; p++)
		if ((*p)->history)
			r = take_page(&m, *p);
	if (r == 0)
		r = history_put_state(h, "flush", m.last_day);
	return r < 0 ? r : sql_run(h->db, "UPDATE drives SET packed = (SELECT value FROM state"
					  " WHERE name = 'flush')");
}
