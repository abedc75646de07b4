/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history_schema.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "history_tables.h"
#include "nvmewatch/buffer.h"

int history_add_column(sqlite3 *db, const char *table, const char *definition)
{
	_cleanup_(freep) char *name = strndup(definition, strcspn(definition, " "));
	char sql[256];
	int r = name ? sql_has_column(db, table, name) : -ENOMEM;

	if (r)
		return r < 0 ? r : 0;
	snprintf(sql, sizeof(sql), "ALTER TABLE %s ADD COLUMN %s", table, definition);
	return sql_run(db, sql);
}

/* Adds the columns of a rollup that the table does not have: the page has got new fields. The statement that
 * would create it tells what they are: its definitions are separated by ", ". */
static int add_columns(sqlite3 *db, const char *table, const char *create)
{
	_cleanup_(freep) char *copy = strdup(strchr(create, '('));
	int r = 0;

	if (!copy)
		return -ENOMEM;
	for (char *at = copy + 1, *next; r == 0 && at; at = next) {
		next = strstr(at, ", ");
		if (next) {
			*next = 0;
			next += 2;
		}
		if (!strncmp(at, "PRIMARY KEY", strlen("PRIMARY KEY")))
			break;
		r = history_add_column(db, table, at);
	}
	return r;
}

/* Whether the table is just as that statement makes it. */
static int is_as_created(sqlite3 *db, const char *table, const char *create)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(db,
			    "SELECT 1 FROM sqlite_schema WHERE name = ? AND substr(sql, instr(sql, '(')) = ?",
			    &q);

	if (r < 0)
		return r;
	sql_text(q, 1, table);
	sql_text(q, 2, strchr(create, '('));
	int code = sqlite3_step(q);
	return code == SQLITE_ROW ? 1 : sql_errno(code);
}

static int create_rollup(sqlite3 *db, const struct page *p, bool days)
{
	_cleanup_(freep) char *create = history_rollup_create(p, days);
	_cleanup_(freep) char *table = format_text("%s_%s", p->name, days ? "daily" : "hourly");
	int r = create && table ? is_as_created(db, table, create) : -ENOMEM;

	if (r)
		return r < 0 ? r : 0;
	r = sql_run(db, create);
	if (r == 0 && (r = is_as_created(db, table, create)) == 0)
		r = add_columns(db, table, create);
	return r < 0 ? r : 0;
}

/* Makes the view anew where it is not what this version has. */
static int create_view(sqlite3 *db, const struct page *p)
{
	_cleanup_(freep) char *create = history_view_create(p);
	_cleanup_(freep) char *drop = format_text("DROP VIEW IF EXISTS %s", p->name);
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r;

	if (!create || !drop)
		return -ENOMEM;
	if ((r = sql_prepare(db, "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql = ?", &q)) < 0)
		return r;
	sql_text(q, 1, p->name);
	sql_text(q, 2, create);
	int code = sqlite3_step(q);
	if (code != SQLITE_DONE)
		return sql_errno(code);
	r = sql_run(db, drop);
	return r < 0 ? r : sql_run(db, create);
}

static int create_pages(sqlite3 *db)
{
	int r = 0;

	for (const struct page *const *p = pages; r == 0 && *p; p++) {
		if (!(*p)->history)
			continue;
		if ((r = create_rollup(db, *p, true)) == 0 && history_has_hours(*p))
			r = create_rollup(db, *p, false);
		if (r == 0)
			r = create_view(db, *p);
	}
	return r;
}

int history_schema_create(sqlite3 *db)
{
	char version[64];
	int found, r;

	if ((r = sql_run(db, HISTORY_TABLES)) < 0 || (r = create_pages(db)) < 0 ||
	    (r = sql_version(db, &found)) < 0 || found == HISTORY_VERSION)
		return r;
	snprintf(version, sizeof(version), "PRAGMA user_version = %d", HISTORY_VERSION);
	return sql_run(db, version);
}
