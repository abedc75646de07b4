/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A row of batches: one page's rows of every drive, of one flush. Either an encoded sheet, or JSON, which
 * plain SQL can read. */

#include "nvmewatch/buffer.h"
#include "sheet.h"
#include "sql.h"

/* The earliest and the latest SHEET_TIME of a sheet with rows. */
void batch_span(const struct sheet *rows, int64_t *ret_start, int64_t *ret_end);

/* Appends the rows as a JSON array of objects, absent values left out. */
void batch_put_json(const struct sheet *rows, struct buffer *out);

/* The layout of that id. 0, -ENOENT, or another negative errno. */
int batch_layout(sqlite3 *db, int64_t id, struct layout **ret);

/* Reads the JSON of batches.id = id, as rows of the layout; keys that it lacks are left out. 0 or a negative
 * errno (-EUCLEAN: no such JSON). */
int batch_parse_json(sqlite3 *db, int64_t id, const struct layout *l, struct sheet **ret);
