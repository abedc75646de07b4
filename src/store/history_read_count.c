/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How many rows there are, from what is told beside them; of batches, which are of every drive, from the
 * numbers of drives in them. */

#include "history_read_internal.h"

/* Rows of a sheet within the scan's span. */
static uint64_t count_rows(const struct scan *s, const struct sheet *rows)
{
	uint64_t n = 0;

	for (size_t i = 0; i < rows->n_rows; i++) {
		int64_t time = sheet_fixed(rows, i, SHEET_TIME);
		n += time >= s->start && time <= s->end;
	}
	return n;
}

static int count_chunks(struct scan *s, uint64_t *n)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = reader_prepare(&s->reader->history,
		"SELECT sum(c.n_rows) FROM packings AS p CROSS JOIN chunks AS c WHERE c.drive = ?1"
		" AND c.flush = p.flush AND p.end >= ?2 AND p.start <= ?3 AND c.end >= ?2"
		" AND c.start <= ?3 AND c.layout IN (SELECT id FROM layouts WHERE page = ?4)"
		" AND ifnull(c.instance = ?5, 1)", &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, s->drives[s->drive].id);
	sqlite3_bind_int64(q, 2, s->start);
	sqlite3_bind_int64(q, 3, s->end);
	sqlite3_bind_int64(q, 4, s->page_id);
	if (!s->every_instance)
		sqlite3_bind_int64(q, 5, s->instance);
	code = sqlite3_step(q);
	if (code == SQLITE_ROW)
		*n += (uint64_t)sqlite3_column_int64(q, 0);
	return sql_errno(code);
}

/* Everything but what is packed, of the drive in turn: a scan that begins there. */
static int count_others(struct scan *s, uint64_t *n)
{
	const struct sheet *rows;
	int r;

	scan_skip_chunks(s);
	while ((r = scan_next_of_drive(s, &rows)) > 0)
		*n += count_rows(s, rows);
	return r;
}

static int count_drives(struct scan *s, uint64_t *n)
{
	int r = 0;

	for (s->drive = 0; r == 0 && s->drive < s->n_drives; s->drive++)
		if ((r = count_chunks(s, n)) == 0)
			r = count_others(s, n);
	return r;
}

int history_count(struct history_reader *reader, const struct history_span *span, uint64_t *ret)
{
	_cleanup_(scan_freep) struct scan *s = NULL;
	struct history_span none = *span;
	uint64_t n = 0;

	none.columns = (const char *const[]){ NULL };
	none.n_columns = 0;
	int r = scan_open(reader, &none, 0, &s);
	if (r == 0)
		r = count_drives(s, &n);
	if (r == 0)
		*ret = n;
	return reader_result(reader, r);
}
