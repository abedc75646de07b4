/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows of a page, drive after drive: of each what is packed, then what is in batches and in the
 * spool. */

#include <errno.h>
#include <string.h>

#include "history_read_internal.h"

#define GATHERED_ROWS 8192 /* of batches, given at once */

void scan_free(struct scan *s)
{
	if (!s)
		return;
	sqlite3_finalize(s->packings);
	sqlite3_finalize(s->chunk);
	sqlite3_finalize(s->batches);
	sheet_free(s->sheet);
	layout_free(s->layout);
	free(s->wanted);
	free(s->decoded);
	free(s->layouts);
	free(s->drives);
	reader_end(s->reader);
	free(s);
}

const char *scan_key(const struct scan *s)
{
	return s->drives[s->drive].key;
}

/* ---- Which drives, layouts and columns ---- */

int scan_add_drive(struct scan *s, int64_t id, int64_t packed, const char *key)
{
	struct scan_drive *more = reallocarray(s->drives, s->n_drives + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	s->drives = more;
	more += s->n_drives++;
	*more = (struct scan_drive){ .id = id, .packed = packed };
	snprintf(more->key, sizeof(more->key), "%s", key);
	return 0;
}

static int find_drives(struct scan *s, const char *key, int64_t id)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code = SQLITE_OK;
	int r = reader_prepare(&s->reader->history, "SELECT id, packed, key FROM drives WHERE"
			       " ifnull(key = ?1, 1) AND ifnull(id = ?2, 1) ORDER BY id", &q);

	if (r < 0)
		return r;
	if (key)
		sql_text(q, 1, key);
	if (id)
		sqlite3_bind_int64(q, 2, id);
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		const unsigned char *found = sqlite3_column_text(q, 2);
		r = scan_add_drive(s, sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1),
				   found ? (const char *)found : "");
	}
	return r < 0 ? r : sql_errno(code);
}

/* Keeps the drive of that id alone. */
static void keep_drive(struct scan *s, int64_t id)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_drives; i++)
		if (s->drives[i].id == id)
			s->drives[kept++] = s->drives[i];
	s->n_drives = kept;
}

static int choose_drives(struct scan *s, const char *key, int64_t id)
{
	int r = find_drives(s, key, id > 0 ? id : 0);

	if (r == 0 && s->reader->spooled && id <= 0 && !(key && s->n_drives))
		r = scan_add_spool_drives(s, key);
	if (r < 0)
		return r;
	if (id)
		keep_drive(s, id);
	return s->n_drives || (!key && !id) ? 0 : -ENOENT;
}

static int find_layouts(struct scan *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = reader_number(&s->reader->history, "SELECT id FROM pages WHERE name = ?",
				    s->page->name, &s->page_id);

	if (r < 0 || (r = reader_prepare(&s->reader->history,
					 "SELECT id FROM layouts WHERE page = ? ORDER BY id", &q)) < 0)
		return r;
	sqlite3_bind_int64(q, 1, s->page_id);
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		int64_t *more = reallocarray(s->layouts, s->n_layouts + 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		s->layouts = more;
		more[s->n_layouts++] = sqlite3_column_int64(q, 0);
	}
	return sql_errno(code);
}

static int choose_columns(struct scan *s, const struct history_span *span)
{
	int r = layout_of_page(span->page, &s->layout);

	if (r < 0)
		return r;
	s->wanted = calloc(s->layout->n_columns, sizeof(*s->wanted));
	if (!s->wanted)
		return -ENOMEM;
	for (size_t i = 0; i < s->layout->n_columns; i++)
		s->wanted[i] = i < SHEET_FIXED || !span->columns;
	for (size_t i = 0; span->columns && i < span->n_columns; i++) {
		int column = layout_find(s->layout, span->columns[i]);
		if (column >= 0)
			s->wanted[column] = true;
	}
	return 0;
}

static int prepare(struct scan *s)
{
	struct read_file *f = &s->reader->history;
	int r;

	if ((r = reader_prepare(f, "SELECT flush FROM packings WHERE end >= ?1 AND start <= ?2"
				   " ORDER BY flush", &s->packings)) < 0 ||
	    (r = reader_prepare(f, s->every_instance ?
				"SELECT data FROM chunks WHERE drive = ?1 AND flush = ?2 AND layout = ?3"
				" AND end >= ?5 AND start <= ?6 ORDER BY instance" :
				"SELECT data FROM chunks WHERE drive = ?1 AND flush = ?2 AND layout = ?3"
				" AND instance = ?4 AND end >= ?5 AND start <= ?6", &s->chunk)) < 0 ||
	    (r = reader_prepare(f, "SELECT id, layout, data FROM batches WHERE page = ?1 AND flush > ?2"
				   " AND end >= ?3 AND start <= ?4 ORDER BY id", &s->batches)) < 0)
		return r;
	sqlite3_bind_int64(s->packings, 1, s->start);
	sqlite3_bind_int64(s->packings, 2, s->end);
	sqlite3_bind_int64(s->chunk, 4, s->instance);
	sqlite3_bind_int64(s->chunk, 5, s->start);
	sqlite3_bind_int64(s->chunk, 6, s->end);
	sqlite3_bind_int64(s->batches, 1, s->page_id);
	sqlite3_bind_int64(s->batches, 3, s->start);
	sqlite3_bind_int64(s->batches, 4, s->end);
	return 0;
}

int scan_open(struct history_reader *reader, const struct history_span *span, int64_t drive_id,
	      struct scan **ret)
{
	int r = reader_begin(reader);

	if (r < 0)
		return r;
	struct scan *fresh = calloc(1, sizeof(*fresh));
	if (!fresh) {
		reader_end(reader);
		return -ENOMEM;
	}
	_cleanup_(scan_freep) struct scan *s = fresh;
	s->reader = reader;
	s->page = span->page;
	s->start = span->start;
	s->end = span->end;
	s->instance = span->instance;
	s->every_instance = span->every_instance;
	if ((r = choose_columns(s, span)) < 0 || (r = find_layouts(s)) < 0 ||
	    (r = choose_drives(s, span->drive, drive_id)) < 0 || (r = prepare(s)) < 0)
		return reader_result(reader, r);
	*ret = TAKE(s);
	return 0;
}

/* ---- What is packed ---- */

/* The next packing, 1, or 0: there are no more. */
static int next_packing(struct scan *s)
{
	int code = sqlite3_step(s->packings);

	if (code != SQLITE_ROW)
		return sql_errno(code);
	s->flush = sqlite3_column_int64(s->packings, 0);
	s->next_layout = 0;
	return 1;
}

static void seek_chunk(struct scan *s, int64_t layout)
{
	sqlite3_reset(s->chunk);
	sqlite3_bind_int64(s->chunk, 1, s->drives[s->drive].id);
	sqlite3_bind_int64(s->chunk, 2, s->flush);
	sqlite3_bind_int64(s->chunk, 3, layout);
	s->seeking = true;
}

/* Steps to the next chunk of the drive: 1 and its layout, or 0. */
static int next_chunk(struct scan *s, int64_t *ret_layout)
{
	for (;;) {
		if (s->seeking) {
			int code = sqlite3_step(s->chunk);
			if (code == SQLITE_ROW) {
				*ret_layout = s->layouts[s->next_layout - 1];
				return 1;
			}
			if (code != SQLITE_DONE)
				return sql_errno(code);
			s->seeking = false;
		}
		if (s->next_layout < s->n_layouts && s->flush) {
			seek_chunk(s, s->layouts[s->next_layout++]);
			continue;
		}
		int r = next_packing(s);
		if (r <= 0)
			return r;
	}
}

static int give_chunk(struct scan *s)
{
	int64_t layout = 0;
	int r;

	while ((r = next_chunk(s, &layout)) > 0) {
		r = scan_decode(s, layout, s->chunk, 0, &s->sheet);
		if (r < 0 || s->sheet)
			return r < 0 ? r : 1;
	}
	return r;
}

/* ---- What is not ---- */

static int give_batches(struct scan *s)
{
	_cleanup_(sheet_freep) struct sheet *gathered = NULL;
	int code = SQLITE_OK, r = s->exhausted ? 0 : scan_sheet(s, &gathered);

	if (r < 0 || !gathered)
		return r;
	while (r == 0 && gathered->n_rows < GATHERED_ROWS &&
	       (code = sqlite3_step(s->batches)) == SQLITE_ROW) {
		_cleanup_(sheet_freep) struct sheet *batch = NULL;
		r = scan_decode_batch(s, s->batches, &batch);
		if (r == 0 && batch)
			r = scan_take(s, gathered, batch);
	}
	if (r < 0 || (r = sql_errno(code)) < 0)
		return r;
	s->exhausted = code == SQLITE_DONE;
	s->sheet = gathered->n_rows ? TAKE(gathered) : NULL;
	return s->sheet != NULL;
}

static int give_spool(struct scan *s)
{
	_cleanup_(sheet_freep) struct sheet *gathered = NULL;
	int r = s->reader->spooled && !s->exhausted ? scan_sheet(s, &gathered) : 0;

	if (r < 0 || !gathered || (r = scan_take_spool(s, gathered)) < 0)
		return r;
	s->exhausted = true;
	s->sheet = gathered->n_rows ? TAKE(gathered) : NULL;
	return s->sheet != NULL;
}

/* ---- One after the other ---- */

static void start_phase(struct scan *s)
{
	s->exhausted = false;
	if (s->phase == SCAN_CHUNKS) {
		sqlite3_reset(s->packings);
		s->flush = 0;
		s->seeking = false;
	} else if (s->phase == SCAN_BATCHES) {
		sqlite3_reset(s->chunk);
		sqlite3_reset(s->batches);
		sqlite3_bind_int64(s->batches, 2, s->drives[s->drive].packed);
	}
}

static int give(struct scan *s)
{
	switch (s->phase) {
	case SCAN_CHUNKS: return give_chunk(s);
	case SCAN_BATCHES: return give_batches(s);
	case SCAN_SPOOL: return give_spool(s);
	}
	return 0;
}

void scan_skip_chunks(struct scan *s)
{
	s->phase = SCAN_BATCHES;
	start_phase(s);
}

int scan_next_of_drive(struct scan *s, const struct sheet **ret)
{
	int r;

	sheet_free(s->sheet);
	s->sheet = NULL;
	while ((r = give(s)) == 0 && s->phase != SCAN_SPOOL) {
		s->phase++;
		start_phase(s);
	}
	if (atomic_load(&s->reader->cancelled))
		return -ECANCELED;
	if (r > 0)
		*ret = s->sheet;
	return r;
}

int scan_next(struct scan *s, const struct sheet **ret)
{
	int r = 0;

	while (s->drive < s->n_drives && (r = scan_next_of_drive(s, ret)) == 0) {
		if (s->drive + 1 == s->n_drives)
			break;
		s->drive++;
		s->phase = SCAN_CHUNKS;
		start_phase(s);
	}
	return r;
}

int history_scan(struct history_reader *reader, const struct history_span *span, history_rows callback,
		 void *userdata)
{
	_cleanup_(scan_freep) struct scan *s = NULL;
	const struct sheet *rows;
	int r = scan_open(reader, span, 0, &s);

	while (r == 0 && s && (r = scan_next(s, &rows)) > 0)
		r = callback(userdata, rows);
	return r;
}
