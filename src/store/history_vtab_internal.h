/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shared by history_vtab.c (tables) and history_vtab_cursor.c (rows). */

#include "history_read_internal.h"

/* What all the tables of a connection share. */
struct vtab_source {
	char *history, *spool; /* files; spool may be NULL */
	struct history_reader *reader;
	unsigned references;
};

/* The module of one page. */
struct vtab_page {
	struct vtab_source *source;
	const struct page *page;
};

struct vtab_table {
	sqlite3_vtab base;
	struct vtab_source *source;
	const struct page *page;
	struct layout *layout;
	bool several;
};

/* The columns are those of the layout, without SHEET_INSTANCE where there is one only, and .key. */
static inline int vtab_columns(const struct vtab_table *t)
{
	return (int)t->layout->n_columns - !t->several + 1;
}

/* The layout's column of a column of the table, or -1: key. */
static inline int vtab_column(const struct vtab_table *t, int column)
{
	if (column == vtab_columns(t) - 1)
		return -1;
	return t->several || column < SHEET_INSTANCE ? column : column + 1;
}

/* Terms that xBestIndex hands over, in the order in which xFilter gets their values. */
enum {
	VTAB_DRIVE = 1 << 0,
	VTAB_KEY = 1 << 1,
	VTAB_INSTANCE = 1 << 2,
	VTAB_FROM = 1 << 3, /* time >= or > */
	VTAB_TO = 1 << 4,   /* time <= or < */
	VTAB_AT = 1 << 5,   /* time = */
};

void vtab_source_unref(struct vtab_source *s);

/* The cursor's methods, for history_vtab.c's module. */
int vtab_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **ret);
int vtab_close(sqlite3_vtab_cursor *cursor);
int vtab_filter(sqlite3_vtab_cursor *cursor, int terms, const char *used, int n_values,
		sqlite3_value **values);
int vtab_next(sqlite3_vtab_cursor *cursor);
int vtab_eof(sqlite3_vtab_cursor *cursor);
int vtab_value(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column);
int vtab_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *ret);
