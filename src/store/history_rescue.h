/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Copies the rows of a table of a damaged history.db that still read, by their keys, around those that do not. */

#include "history_internal.h"

#define RESCUE_KEYS 4

struct rescue_table {
	const char *name;
	const char *keys[RESCUE_KEYS]; /* whole numbers by which its rows are ordered */
	/* Whether a row is sound, NULL: as far as can be told. Its columns are those of .checked. */
	const char *checked;
	bool (*is_sound)(struct history *h, sqlite3_stmt *row);
};

struct rescue {
	const struct rescue_table *table;
	size_t n_keys;
	sqlite3 *from;
	struct history *to;
	sqlite3_stmt *put;
	char *columns;
	int n_columns, n_checked;
	int64_t at[RESCUE_KEYS]; /* the last row that was read */
	bool begun;
	uint64_t rows, unsound, gaps; /* copied; read, but wrong; places that do not read */
};

/* 0, -ENOENT: there is no such table in both, or another negative errno. */
int rescue_new(sqlite3 *from, struct history *to, const struct rescue_table *t, struct rescue **ret);
void rescue_free(struct rescue *r);
DEFINE_CLEANUP(struct rescue *, rescue_free)

/* Copies about `most` rows, within the caller's transaction. Returns 1: there are more; 0: the table is done; or
 * what went wrong with the new database, negative. */
int rescue_step(struct rescue *r, int most);

/* Copies the rows of a small table in one go, until one does not read. `select` names all columns of `put`, an
 * INSERT OR IGNORE. *ret_whole: all were read. 0, or what went wrong with the new database. */
int rescue_all(sqlite3 *from, struct history *to, const char *select, const char *put,
	       uint64_t *ret_rows,
	       bool *ret_whole);
