/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The batches of a day become a chunk for each drive and page, and rollups; a few drives per transaction, so
 * that what holds all drives in a batch is decoded few times, and little memory is needed. Stopped at any
 * point it goes on with the drives that are not packed yet. */

#include "batch.h"
#include "codec_frame.h"
#include "history_internal.h"
#include "period.h"
#include "sheet_codec.h"

#define GROUP 8 /* drives of a transaction */
#define BATCHES_MAX 8192 /* are packed even where the clock knows no other day */

struct packing {
	struct history *h;
	struct codec codec;
	int64_t flush; /* the last one that is packed */
	int64_t drives[GROUP], packed[GROUP];
	size_t n_drives;
	int64_t layout_id; /* the one at hand */
	const struct page *page; /* its, NULL: this version knows no such page */
};

/* A batch, decoded. */
struct batch {
	int64_t flush;
	struct layout *layout;
	struct sheet *rows;
};

static void batch_done(struct batch *b)
{
	sheet_free(b->rows);
	layout_free(b->layout);
	*b = (struct batch){ 0 };
}

static int batch_load(struct packing *k, sqlite3_stmt *q, struct batch *ret)
{
	struct batch b = { .flush = sqlite3_column_int64(q, 2) };
	int r = batch_layout(k->h->db, sqlite3_column_int64(q, 1), &b.layout);

	if (r == 0 && sqlite3_column_type(q, 3) == SQLITE_TEXT)
		r = batch_parse_json(k->h->db, sqlite3_column_int64(q, 0), b.layout, &b.rows);
	else if (r == 0)
		r = sheet_decode_with(&k->codec, sqlite3_column_blob(q, 3),
				      (size_t)sqlite3_column_bytes(q, 3), b.layout, NULL, &b.rows);
	if (r < 0) {
		batch_done(&b);
		return r;
	}
	*ret = b;
	return 0;
}

/* ---- Which drives ---- */

static int choose_drives(struct packing *k)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = sql_prepare(k->h->db, "SELECT id, packed FROM drives WHERE packed < ?"
					    " ORDER BY id LIMIT ?", &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, k->flush);
	sqlite3_bind_int(q, 2, GROUP);
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		k->drives[k->n_drives] = sqlite3_column_int64(q, 0);
		k->packed[k->n_drives++] = sqlite3_column_int64(q, 1);
	}
	return sql_errno(code);
}

/* Whether a row of that flush is to be packed now. */
static bool wanted(const struct packing *k, int64_t drive, int64_t flush)
{
	for (size_t i = 0; i < k->n_drives; i++)
		if (k->drives[i] == drive)
			return flush > k->packed[i];
	return false;
}

/* ---- One layout ---- */

static int gather(const struct packing *k, const struct batch *b, struct sheet *into)
{
	const struct sheet *rows = b->rows;
	size_t first = 0, n = 0;
	int r = 0;

	/* Runs of rows, for those of a drive are together. */
	for (size_t i = 0; r == 0 && i <= rows->n_rows; i++) {
		bool take = i < rows->n_rows && wanted(k, sheet_fixed(rows, i, SHEET_DRIVE), b->flush);

		if (take && !n++)
			first = i;
		if (!take && n) {
			r = sheet_append(into, rows, first, n);
			n = 0;
		}
	}
	return r;
}

/* The rows of one drive and instance. */
static int pack_run(struct packing *k, const struct sheet *all, size_t first, size_t n)
{
	_cleanup_(sheet_freep) struct sheet *rows = NULL;
	int r;

	if ((r = sheet_new(all->layout, &rows)) < 0 || (r = sheet_append(rows, all, first, n)) < 0 ||
	    (r = history_put_chunk(k->h, k->flush, k->layout_id, rows)) < 0 ||
	    (r = history_note_packing(k->h, k->flush, rows)) < 0)
		return r;
	return k->page ? history_roll(k->h, k->page, k->flush, rows) : 0;
}

static bool same_series(const struct sheet *s, size_t a, size_t b)
{
	return sheet_fixed(s, a, SHEET_DRIVE) == sheet_fixed(s, b, SHEET_DRIVE) &&
	       sheet_fixed(s, a, SHEET_INSTANCE) == sheet_fixed(s, b, SHEET_INSTANCE);
}

static int pack_sheet(struct packing *k, struct sheet *all)
{
	int r = sheet_sort(all);

	for (size_t first = 0, i = 1; r == 0 && i <= all->n_rows; i++)
		if (i == all->n_rows || !same_series(all, first, i)) {
			r = pack_run(k, all, first, i - first);
			first = i;
		}
	return r;
}

static int gather_batches(struct packing *k, sqlite3_stmt *q, struct sheet *into)
{
	struct batch b;
	int code = SQLITE_OK, r = 0;

	sqlite3_bind_int64(q, 1, k->layout_id);
	sqlite3_bind_int64(q, 2, k->flush);
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		if ((r = batch_load(k, q, &b)) < 0)
			break;
		r = gather(k, &b, into);
		batch_done(&b);
	}
	return r < 0 ? r : sql_errno(code);
}

static int pack_layout(struct packing *k)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *all = NULL;
	int r;

	if ((r = batch_layout(k->h->db, k->layout_id, &l)) < 0 || (r = sheet_new(l, &all)) < 0 ||
	    (r = sql_prepare(k->h->db, "SELECT id, layout, flush, data FROM batches"
				       " WHERE layout = ? AND flush <= ? ORDER BY id", &q)) < 0 ||
	    (r = gather_batches(k, q, all)) < 0)
		return r;
	return pack_sheet(k, all);
}

/* ---- All of them ---- */

static int pack_layouts(struct packing *k)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code = SQLITE_OK, r;

	r = sql_prepare(k->h->db, "SELECT l.id, p.name FROM layouts l JOIN pages p ON p.id = l.page"
				  " WHERE l.id IN (SELECT layout FROM batches) ORDER BY l.id", &q);
	if (r < 0)
		return r;
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		char page[PAGE_NAME_MAX];
		sql_copy(q, 1, page, sizeof(page));
		k->page = page_find(page);
		k->layout_id = sqlite3_column_int64(q, 0);
		r = pack_layout(k);
	}
	return r < 0 ? r : sql_errno(code);
}

static int note_drives(const struct packing *k)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(k->h->db, "UPDATE drives SET packed = ? WHERE id = ?", &q);

	for (size_t i = 0; r == 0 && i < k->n_drives; i++) {
		sqlite3_bind_int64(q, 1, k->flush);
		sqlite3_bind_int64(q, 2, k->drives[i]);
		r = sql_finish(q);
	}
	return r;
}

static int drop_batches(const struct packing *k)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(k->h->db, "DELETE FROM batches WHERE flush <= ?", &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, k->flush);
	return sql_finish(q);
}

static int pack_group(struct packing *k)
{
	int r;

	if ((r = choose_drives(k)) < 0)
		return r;
	if (!k->n_drives)
		return drop_batches(k);
	if ((r = pack_layouts(k)) < 0)
		return r;
	return note_drives(k);
}

int history_pack(struct history *h)
{
	struct packing k = { .h = h };
	int r;

	if ((r = history_begin(h)) < 0)
		return r;
	if ((r = history_get_state(h, "flush", &k.flush)) == 0 && (r = pack_group(&k)) == 0)
		r = history_commit(h);
	codec_done(&k.codec);
	if (r < 0) {
		history_rollback(h);
		return r;
	}
	return k.n_drives > 0;
}

int history_is_due(struct history *h, int64_t time_ms, bool *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(h->db, "SELECT min(start) / ?1 <> ?2 / ?1 OR count(*) > ?3"
				   " FROM batches", &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, DAY_MS);
	sqlite3_bind_int64(q, 2, time_ms);
	sqlite3_bind_int(q, 3, BATCHES_MAX);
	int code = sqlite3_step(q);
	if (code == SQLITE_ROW)
		*ret = sqlite3_column_int(q, 0);
	return sql_errno(code);
}
