/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "history_export_internal.h"

static void put_text(struct buffer *b, const char *text)
{
	if (!text) {
		buffer_text(b, "NULL");
		return;
	}
	buffer_text(b, "'");
	for (const char *c = text; *c; c++) {
		buffer_text(b, *c == '\'' ? "'" : "");
		buffer_put(b, c, 1);
	}
	buffer_text(b, "'");
}

/* SQL knows no infinity, but what is too large for a double is read as one; no number is NULL. */
static void put_real(struct buffer *b, double x)
{
	if (isnan(x))
		buffer_text(b, "NULL");
	else if (isinf(x))
		buffer_text(b, x < 0 ? "-9e999" : "9e999");
	else
		buffer_real(b, x);
}

static void put_value(struct buffer *b, const struct sheet *rows, size_t row, size_t column)
{
	struct value v;

	sheet_get(rows, row, column, &v);
	switch (v.type) {
	case VALUE_INTEGER:
		buffer_integer(b, v.integer);
		break;
	case VALUE_REAL:
		put_real(b, v.real);
		break;
	case VALUE_TEXT:
		put_text(b, v.text);
		break;
	case VALUE_ABSENT:
		buffer_text(b, "NULL");
		break;
	}
}

/* ---- Pages ---- */

static const char *type_name(enum value_type type)
{
	switch (type) {
	case VALUE_REAL: return "REAL";
	case VALUE_TEXT: return "TEXT";
	default: return "INTEGER";
	}
}

static int put_table(struct export *e, const struct page *p)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	int r = layout_of_page(p, &l);

	if (r < 0)
		return r;
	buffer_printf(&e->text, "CREATE TABLE %s (", p->name);
	for (size_t i = 0; i < l->n_columns; i++) {
		const char *name = export_column(p, l, i);
		if (name)
			buffer_printf(&e->text, "%s%s %s", i ? ", " : "", name,
				      type_name(l->columns[i].type));
	}
	buffer_text(&e->text, ");\n");
	return export_write(e, false);
}

static int put_rows(struct export *e, const struct page *p, const char *key, const struct sheet *rows)
{
	int r = 0;

	/* One that history.db does not know yet. */
	if (rows->n_rows && sheet_fixed(rows, 0, SHEET_DRIVE) < 0) {
		buffer_printf(&e->text, "INSERT OR IGNORE INTO drives (id, key) VALUES (%lld,",
			      (long long)sheet_fixed(rows, 0, SHEET_DRIVE));
		put_text(&e->text, key);
		buffer_text(&e->text, ");\n");
	}
	for (size_t row = 0; r == 0 && row < rows->n_rows; row++) {
		if (!export_has(e, rows, row))
			continue;
		buffer_printf(&e->text, "INSERT INTO %s VALUES (", p->name);
		for (size_t i = 0; i < rows->layout->n_columns; i++) {
			if (!export_column(p, rows->layout, i))
				continue;
			buffer_text(&e->text, i ? "," : "");
			put_value(&e->text, rows, row, i);
		}
		buffer_text(&e->text, ");\n");
		r = export_write(e, false);
	}
	return r;
}

static int put_page(struct export *e, const struct page *p)
{
	int r = put_table(e, p);

	if (r == 0)
		r = export_scan(e, p, put_rows);
	if (r == 0)
		buffer_printf(&e->text, "CREATE INDEX %s_time ON %s (drive, time);\n", p->name, p->name);
	return r;
}

/* ---- What is plain ---- */

static void put_plain(struct buffer *b, sqlite3_stmt *q, int column)
{
	switch (sqlite3_column_type(q, column)) {
	case SQLITE_INTEGER:
		buffer_integer(b, sqlite3_column_int64(q, column));
		break;
	case SQLITE_FLOAT:
		put_real(b, sqlite3_column_double(q, column));
		break;
	default:
		put_text(b, (const char *)sqlite3_column_text(q, column));
	}
}

/* A table of history.db, or of it what is the drive's: rows of a query, whose first parameter is the
 * key, then start and end. */
static int put_query(struct export *e, const char *table, const char *columns, const char *sql)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code = SQLITE_OK, r = reader_prepare(&e->reader->history, sql, &q);

	if (r < 0)
		return r;
	if (e->what->drive)
		sql_text(q, 1, e->what->drive);
	sqlite3_bind_int64(q, 2, e->what->start);
	sqlite3_bind_int64(q, 3, e->what->end);
	buffer_printf(&e->text, "CREATE TABLE %s (%s);\n", table, columns);
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		buffer_printf(&e->text, "INSERT INTO %s VALUES (", table);
		for (int i = 0; i < sqlite3_column_count(q); i++) {
			buffer_text(&e->text, i ? "," : "");
			put_plain(&e->text, q, i);
		}
		buffer_text(&e->text, ");\n");
		r = export_write(e, false);
	}
	return r < 0 ? r : sql_errno(code);
}

static int put_plain_tables(struct export *e)
{
	int r = put_query(e, "drives",
			  "id INTEGER PRIMARY KEY, key TEXT, serial TEXT, model TEXT, firmware TEXT,"
			  " address TEXT, first_seen INTEGER, last_seen INTEGER",
			  "SELECT id, key, serial, model, firmware, address, first_seen, last_seen"
			  " FROM drives WHERE ifnull(key = ?1, 1)");

	if (r == 0)
		r = put_query(e, "boots", "id INTEGER PRIMARY KEY, boot_id TEXT",
			      "SELECT id, boot_id FROM boots");
	if (r == 0)
		r = put_query(e, "events",
			      "id INTEGER PRIMARY KEY, time INTEGER, mono INTEGER, drive INTEGER,"
			      " type TEXT, detail TEXT",
			      "SELECT id, time, mono, drive, type, detail FROM events WHERE time BETWEEN"
			      " ?2 AND ?3 AND (?1 IS NULL OR"
			      " drive = (SELECT id FROM drives WHERE key = ?1)) ORDER BY id");
	return r;
}

int export_sql(struct export *e)
{
	int r;

	buffer_text(&e->text, "BEGIN;\n");
	r = put_plain_tables(e);
	for (const struct page *const *p = pages; r == 0 && *p; p++)
		if ((*p)->history && (!e->what->page || e->what->page == *p))
			r = put_page(e, *p);
	buffer_text(&e->text, "COMMIT;\n");
	return r;
}
