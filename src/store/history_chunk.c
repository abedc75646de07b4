/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows of one drive and page on their way into tables chunks and packings. */

#include "batch.h"
#include "history_internal.h"
#include "sheet_codec.h"

#define LEVEL 19 /* zstd's: some seconds of a day at 64 drives, for rows that are kept for years */

int history_put_chunk(struct history *h, int64_t flush, int64_t layout, const struct sheet *rows)
{
	_cleanup_(buffer_done) struct buffer data = { 0 };
	int64_t start, end;
	int r = sheet_encode(rows, LEVEL, &data);

	if (r < 0)
		return r;
	batch_span(rows, &start, &end);
	sqlite3_bind_int64(h->put_chunk, 1, sheet_fixed(rows, 0, SHEET_DRIVE));
	sqlite3_bind_int64(h->put_chunk, 2, flush);
	sqlite3_bind_int64(h->put_chunk, 3, layout);
	sqlite3_bind_int64(h->put_chunk, 4, sheet_fixed(rows, 0, SHEET_INSTANCE));
	sqlite3_bind_int64(h->put_chunk, 5, start);
	sqlite3_bind_int64(h->put_chunk, 6, end);
	sqlite3_bind_int64(h->put_chunk, 7, (int64_t)rows->n_rows);
	sqlite3_bind_blob64(h->put_chunk, 8, data.data, data.length, SQLITE_STATIC);
	r = sql_finish(h->put_chunk);
	sqlite3_clear_bindings(h->put_chunk);
	return r;
}

int history_note_packing(struct history *h, int64_t flush, const struct sheet *rows)
{
	int64_t start, end;

	batch_span(rows, &start, &end);
	sqlite3_bind_int64(h->put_packing, 1, flush);
	sqlite3_bind_int64(h->put_packing, 2, start);
	sqlite3_bind_int64(h->put_packing, 3, end);
	return sql_finish(h->put_packing);
}
