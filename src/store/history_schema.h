/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The tables of history.db, version 2. Times are milliseconds.
 *
 *   drives, boots, pages, layouts   who the numbers in other tables are
 *   events, refusals                plain, for life
 *   batches    what was flushed since the last packing: one row per page and flush. data is an encoded
 *              sheet of every drive's rows (BLOB), or, where a flush spans little time, JSON (TEXT):
 *              [{"drive":1,"instance":0,"time":..,"mono":..,"boot":1,"temperature_celsius":41,..},..],
 *              which plain SQL can read; what is absent has no key
 *   packings   one row per packing, about one a day, that tells the time its rows span
 *   chunks     a drive's rows of a page (that of their layout), of one packing, as one encoded sheet
 *   PAGE_hourly, PAGE_daily         rollups, plain
 *   PAGE (view)  what plain SQL can read of a page: the last values of each hour (or day, of the pages
 *              without hours), and the JSON of batches
 *
 * Flushes are numbered, by numbers that grow. drives.packed tells up to which of them the drive's rows are
 * in chunks: only batches of later ones count for it, so that a packing may stop after any drive. A chunk
 * and its packing have the number of the last flush in it.
 *
 * state holds by name: "flush", the number of the last flush; "spool", the id of the spool.db from which
 * it came, and "spooled", the seq in it up to which samples were taken over ("noted": everything else).
 * What another spool.db holds was not taken over. */

#include "nvmewatch/page.h"
#include "sql.h"

#define HISTORY_VERSION 2

/* Creates what is missing: tables, columns of fields that are new, views; within the caller's transaction. 0
 * or a negative errno. */
int history_schema_create(sqlite3 *db);

/* Adds a column by its definition, where the table lacks it. */
int history_add_column(sqlite3 *db, const char *table, const char *definition);

/* Renames the tables of version 1 out of the way, for history_migrate() to take over. */
int history_migrate_begin(sqlite3 *db);

/* Whether the page has hourly rollups; all that are kept have daily ones. Pure. */
bool history_has_hours(const struct page *p);

/* history_views.c, NULL: out of memory. The rollup table of a page and its statements: parameters are drive,
 * instance where there are several, and then, to insert, what history_rollup_select() yields; to select, the
 * time, or the latest where the newest up to it is wanted. Of each column: last; then increase, or min, max and mean. */
char *history_rollup_create(const struct page *p, bool days);
char *history_rollup_insert(const struct page *p, bool days);
char *history_rollup_select(const struct page *p, bool days, bool newest);
char *history_view_create(const struct page *p);
