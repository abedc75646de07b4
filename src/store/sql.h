/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* SQLite's result codes as errno, and the few calls that every statement needs. */

#include <sqlite3.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/field.h"

static inline void sqlite3_closep(sqlite3 **db)
{
	sqlite3_close_v2(*db);
	*db = NULL;
}

static inline void sqlite3_finalizep(sqlite3_stmt **s)
{
	sqlite3_finalize(*s);
	*s = NULL;
}

/* 0 for SQLITE_OK, SQLITE_ROW and SQLITE_DONE, else a negative errno: -ENOSPC (full), -EROFS,
 * -EIO, -EUCLEAN (corrupt, or not a database), -EBADFD (not what was expected: it may be corrupt, too), -EBUSY,
 * -ENOENT (cannot open), -ENOMEM. */
int sql_errno(int code);

/* Runs statements that return nothing of interest. */
int sql_run(sqlite3 *db, const char *sql);

/* Prepares a statement that is kept. */
int sql_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret);

/* Steps a statement to its end and resets it. */
int sql_finish(sqlite3_stmt *s);

/* Binds a text that outlives the next step. */
void sql_text(sqlite3_stmt *s, int index, const char *text);

/* PRAGMA user_version. */
int sql_version(sqlite3 *db, int *ret);

/* Copies a column's text as drive_text() does; empty where it is NULL. */
void sql_copy(sqlite3_stmt *s, int column, char *ret, size_t size);

/* The URI that opens a file as one that never changes: no lock is taken and no journal looked for. To free;
 * NULL: out of memory. */
char *sql_immutable_uri(const char *path);

/* A column as the value it is; a BLOB is absent. */
void sql_value(sqlite3_stmt *q, int column, struct value *ret);

/* 1: the table has such a column; 0: it has not, or there is no table; or a negative errno. */
int sql_has_column(sqlite3 *db, const char *table, const char *column);
