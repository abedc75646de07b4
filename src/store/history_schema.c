/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history_schema.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/buffer.h"

static const char *sql_type(const struct field *f)
{
	switch (field_value_type(f)) {
	case VALUE_REAL: return "REAL";
	case VALUE_TEXT: return "TEXT";
	default: return "INTEGER";
	}
}

/* "," then the column's name and, in a CREATE TABLE, its type. */
static void put_columns(struct buffer *b, const struct page *p, bool with_type)
{
	char column[FIELD_COLUMN_MAX];

	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++) {
			field_column(&p->fields[i], n, column);
			buffer_printf(b, ", %s %s", column,
				      with_type ? sql_type(&p->fields[i]) : "");
		}
}

static char *buffer_string(struct buffer *b)
{
	buffer_put(b, "", 1);
	if (b->failed)
		buffer_done(b);
	return b->data;
}

char *history_insert_sql(const struct page *p)
{
	struct buffer b = { 0 };

	bool several = p->selector != SELECT_NOTHING;

	buffer_printf(&b, "INSERT OR REPLACE INTO %s (drive, %s%s time, mono", p->name,
		      several ? p->instance : "", several ? "," : "");
	put_columns(&b, p, false);
	buffer_printf(&b, ") VALUES ((SELECT id FROM drives WHERE key = ?), %s ?, ?",
		      several ? "?," : "");
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++)
			buffer_text(&b, ", ?");
	buffer_text(&b, ")");
	return buffer_string(&b);
}

static int create_page(sqlite3 *db, const struct page *p)
{
	bool several = p->selector != SELECT_NOTHING;
	struct buffer b = { 0 };

	buffer_printf(&b, "CREATE TABLE IF NOT EXISTS %s (drive INTEGER NOT NULL REFERENCES drives,",
		      p->name);
	if (several)
		buffer_printf(&b, " %s INTEGER NOT NULL,", p->instance);
	buffer_text(&b, " time INTEGER NOT NULL, mono INTEGER NOT NULL");
	put_columns(&b, p, true);
	buffer_printf(&b, ", PRIMARY KEY (drive, %s%s time)) WITHOUT ROWID",
		      several ? p->instance : "", several ? "," : "");
	_cleanup_(freep) char *sql = buffer_string(&b);
	return sql ? sql_run(db, sql) : -ENOMEM;
}

static int has_column(sqlite3 *db, const char *table, const char *column)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *s = NULL;
	int r = sql_prepare(db, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", &s);

	if (r < 0)
		return r;
	sql_text(s, 1, table);
	sql_text(s, 2, column);
	int code = sqlite3_step(s);
	return code == SQLITE_ROW ? 1 : sql_errno(code);
}

static int add_column(sqlite3 *db, const char *table, const char *column, const char *type)
{
	char sql[256];
	int r = has_column(db, table, column);

	if (r)
		return r < 0 ? r : 0;
	snprintf(sql, sizeof(sql), "ALTER TABLE %s ADD COLUMN %s %s", table, column, type);
	return sql_run(db, sql);
}

/* Fields that were added to the table of a page since the database was made. */
static int add_columns(sqlite3 *db, const struct page *p)
{
	char column[FIELD_COLUMN_MAX];
	int r = 0;

	for (size_t i = 0; r == 0 && i < p->n_fields; i++)
		for (unsigned n = 0; r == 0 && n < field_count(&p->fields[i]); n++) {
			field_column(&p->fields[i], n, column);
			r = add_column(db, p->name, column, sql_type(&p->fields[i]));
		}
	return r;
}

static int create(sqlite3 *db)
{
	char version[64];
	int r = sql_run(db, "CREATE TABLE IF NOT EXISTS drives (id INTEGER PRIMARY KEY,"
			    " key TEXT NOT NULL UNIQUE, serial TEXT, model TEXT, firmware TEXT,"
			    " first_seen INTEGER, last_seen INTEGER, address TEXT, error_count INTEGER);"
			    "CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY,"
			    " time INTEGER NOT NULL, mono INTEGER NOT NULL,"
			    " drive INTEGER NOT NULL REFERENCES drives, type TEXT NOT NULL,"
			    " detail TEXT);"
			    "CREATE TABLE IF NOT EXISTS refusals (model TEXT, firmware TEXT,"
			    " page TEXT, time INTEGER, PRIMARY KEY (model, firmware, page))"
			    " WITHOUT ROWID;"
			    "CREATE INDEX IF NOT EXISTS events_time ON events (time);"
			    "CREATE INDEX IF NOT EXISTS events_drive ON events (drive, type)");

	if (r == 0)
		r = add_column(db, "drives", "address", "TEXT");
	if (r == 0)
		r = add_column(db, "drives", "error_count", "INTEGER");

	for (const struct page *const *p = pages; r == 0 && *p; p++)
		if ((*p)->history && (r = create_page(db, *p)) == 0)
			r = add_columns(db, *p);
	if (r < 0)
		return r;
	snprintf(version, sizeof(version), "PRAGMA user_version = %d", HISTORY_VERSION);
	return sql_run(db, version);
}

int history_schema(sqlite3 *db)
{
	int version, r = sql_version(db, &version);

	if (r < 0)
		return r;
	if (version > HISTORY_VERSION)
		return -EPROTO;
	if ((r = sql_run(db, "BEGIN IMMEDIATE")) < 0)
		return r;
	if ((r = create(db)) < 0) {
		sql_run(db, "ROLLBACK");
		return r;
	}
	return sql_run(db, "COMMIT");
}
