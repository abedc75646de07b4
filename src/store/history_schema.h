/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The tables of history.db. */

#include "nvmewatch/page.h"
#include "sql.h"

#define HISTORY_VERSION 1

/* Creates what is missing, in one transaction. 0, or a negative errno (-EPROTO: newer). */
int history_schema(sqlite3 *db);

/* The statement that inserts a row of a page: key, time, mono, then a parameter per column. NULL:
 * out of memory. */
char *history_insert_sql(const struct page *p);
