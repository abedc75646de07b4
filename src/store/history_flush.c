/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From the spool into history.db: events and what else is known at once, samples in batches. Each is one
 * transaction that also notes up to where the spool was taken over. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "history_internal.h"
#include "sheet_codec.h"

/* A flush that spans less is written as JSON, for who flushes so often wants to look; and it is small. */
#define PLAIN_US INT64_C(60000000)
#define LEVEL 9                      /* zstd's: of a day's batches, half a second at 64 drives */
#define VALUES_MAX ((size_t)1 << 20) /* of one batch, which is held in memory */
/* Between the wall clock and the one since boot only steps matter: they would differ by a millisecond
 * here and there, and that would be most of what is stored. */
#define SLEW_MS 10

/* ---- Where the spool was taken over ---- */

/* Of a spool.db that is seen for the first time nothing was taken over. */
static int adopt(struct history *h, const struct spool *s)
{
	char known[SPOOL_ID_MAX] = "";
	int r;

	sql_text(h->get_state, 1, "spool");
	int code = sqlite3_step(h->get_state);
	if (code == SQLITE_ROW)
		sql_copy(h->get_state, 0, known, sizeof(known));
	sqlite3_reset(h->get_state);
	if ((r = sql_errno(code)) < 0 || !strcmp(known, s->id))
		return r;
	if ((r = history_put_state(h, "noted", 0)) < 0 || (r = history_put_state(h, "spooled", 0)) < 0)
		return r;
	sql_text(h->put_state, 1, "spool");
	sql_text(h->put_state, 2, s->id);
	return sql_finish(h->put_state);
}

/* ---- Notes ---- */

static int take_note(void *userdata, int64_t seq, const struct archive_entry *e)
{
	struct history *h = userdata;
	struct drive d;
	char detail[1024];

	(void)seq;
	drive_text(e->bytes ? e->bytes : "", e->size, detail, sizeof(detail));
	switch (e->what) {
	case ARCHIVE_DRIVE:
		archive_drive_parse(e->key, e->bytes, e->size, &d);
		return history_drive(h, &d, e->time);
	case ARCHIVE_FIRST:
		return history_first_seen(h, e->key, detail, e->number, e->time, e->mono);
	case ARCHIVE_EVENT:
		return history_event(h, e->key, e->name, detail, e->time, e->mono);
	case ARCHIVE_ERRORS:
		return history_errors(h, e->key, (uint64_t)e->number, e->time);
	case ARCHIVE_REFUSAL:
		archive_drive_parse(e->key, e->bytes, e->size, &d);
		return history_refuse(h, &d, e->name, e->time);
	case ARCHIVE_FORGET:
		return history_forget(h, e->key);
	case ARCHIVE_PAGE:
		break;
	}
	return 0; /* of a newer nvmewatch */
}

static int take_notes(struct history *h, struct spool *s, int64_t *ret_seq)
{
	int64_t after = 0, last = 0;
	sqlite3_int64 changes;
	int r;

	if ((r = adopt(h, s)) < 0 || (r = history_get_state(h, "noted", &after)) < 0 ||
	    (r = spool_last(s, &last)) < 0)
		return r;
	changes = sqlite3_total_changes64(h->db);
	if ((r = spool_read(s, NULL, after, take_note, h)) < 0)
		return r;
	*ret_seq = last;
	/* Mostly there are none, and nothing is to be written for that. */
	return sqlite3_total_changes64(h->db) > changes ? history_put_state(h, "noted", last) : 0;
}

static int in_transaction(struct history *h, struct spool *s, int64_t *ret_seq,
			  int (*take)(struct history *h, struct spool *s, int64_t *ret_seq))
{
	int64_t seq = 0;
	int r = history_begin(h);

	if (r < 0)
		return r;
	if ((r = take(h, s, &seq)) == 0)
		r = history_commit(h);
	if (r < 0) {
		history_rollback(h);
		return r;
	}
	*ret_seq = seq;
	return 0;
}

int history_take_notes(struct history *h, struct spool *s, int64_t *ret_seq)
{
	return in_transaction(h, s, ret_seq, take_notes);
}

/* ---- Samples ---- */

struct flush {
	struct history *h;
	struct spool *s;
	int64_t after, number; /* of the spool's entries; of the flush */
	bool plain;
	const struct page *page;
	int64_t page_id, layout_id;
	struct sheet *rows;
	char boot[40];
	int64_t boot_number, offset; /* of .boot; of the clocks, milliseconds */
};

/* Writes what is gathered as one batch. */
static int write_batch(struct flush *f)
{
	_cleanup_(buffer_done) struct buffer data = { 0 };
	sqlite3_stmt *q = f->h->put_batch;
	int64_t start, end;
	int r;

	if (!f->rows->n_rows)
		return 0;
	if ((r = sheet_sort(f->rows)) < 0)
		return r;
	batch_span(f->rows, &start, &end);
	if (f->plain)
		batch_put_json(f->rows, &data);
	else if ((r = sheet_encode(f->rows, LEVEL, &data)) < 0)
		return r;
	if (data.failed)
		return -ENOMEM;
	sqlite3_bind_int64(q, 1, f->page_id);
	sqlite3_bind_int64(q, 2, f->layout_id);
	sqlite3_bind_int64(q, 3, f->number);
	sqlite3_bind_int64(q, 4, start);
	sqlite3_bind_int64(q, 5, end);
	sqlite3_bind_int64(q, 6, (int64_t)f->rows->n_rows);
	if (f->plain)
		sqlite3_bind_text64(q, 7, data.data, data.length, SQLITE_STATIC, SQLITE_UTF8);
	else
		sqlite3_bind_blob64(q, 7, data.data, data.length, SQLITE_STATIC);
	r = sql_finish(q);
	sqlite3_clear_bindings(q);
	sheet_clear(f->rows);
	return r;
}

/* Milliseconds since boot, from which the wall clock's differ by a constant but for its steps. */
static int64_t steady_mono(struct flush *f, int64_t time_ms, int64_t mono_us)
{
	int64_t offset = time_ms - mono_us / 1000, slew = offset - f->offset;

	if (slew > SLEW_MS || slew < -SLEW_MS)
		f->offset = offset;
	return time_ms - f->offset;
}

static int take_sample(void *userdata, int64_t seq, const struct archive_entry *e)
{
	struct flush *f = userdata;
	const struct page *p = f->page;
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };
	int64_t fixed[SHEET_FIXED] = { 0 };
	int r = 0;

	(void)seq;
	if (e->size)
		memcpy(bytes, e->bytes, e->size < p->size ? e->size : p->size);
	if (strcmp(e->boot_id, f->boot)) {
		snprintf(f->boot, sizeof(f->boot), "%s", e->boot_id);
		r = history_boot_id(f->h, f->boot, &f->boot_number);
	}
	if (r == 0)
		r = history_drive_id(f->h, e->key, e->time, &fixed[SHEET_DRIVE]);
	if (r < 0)
		return r;
	fixed[SHEET_INSTANCE] = e->instance;
	fixed[SHEET_TIME] = e->time / 1000;
	fixed[SHEET_MONO] = steady_mono(f, fixed[SHEET_TIME], e->mono);
	fixed[SHEET_BOOT] = f->boot_number;
	if ((f->rows->n_rows + 1) * f->rows->layout->n_columns > VALUES_MAX && (r = write_batch(f)) < 0)
		return r;
	return sheet_add_page(f->rows, p, fixed, bytes);
}

static int take_page(void *userdata, const char *name)
{
	struct flush *f = userdata;
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = NULL;
	int r;

	f->page = page_find(name);
	if (!f->page || !f->page->history)
		return 0;
	if ((r = layout_of_page(f->page, &l)) < 0 || (r = sheet_new(l, &rows)) < 0 ||
	    (r = history_page_id(f->h, name, &f->page_id)) < 0 ||
	    (r = history_layout_id(f->h, f->page_id, l, &f->layout_id)) < 0)
		return r;
	f->rows = rows;
	if ((r = spool_read(f->s, name, f->after, take_sample, f)) < 0)
		return r;
	return write_batch(f);
}

static int take_samples(struct history *h, struct spool *s, int64_t *ret_seq)
{
	struct flush f = { .h = h, .s = s };
	int64_t last = 0, span = 0;
	int r;

	if ((r = adopt(h, s)) < 0 || (r = history_get_state(h, "spooled", &f.after)) < 0 ||
	    (r = history_get_state(h, "flush", &f.number)) < 0 || (r = spool_last(s, &last)) < 0 ||
	    (r = spool_span(s, f.after, &span)) < 0)
		return r;
	*ret_seq = last;
	if (last <= f.after)
		return 0;
	f.number++;
	f.plain = span < PLAIN_US;
	if ((r = spool_read_pages(s, f.after, take_page, &f)) < 0 ||
	    (r = history_put_state(h, "flush", f.number)) < 0)
		return r;
	return history_put_state(h, "spooled", last);
}

int history_take_samples(struct history *h, struct spool *s, int64_t *ret_seq)
{
	return in_transaction(h, s, ret_seq, take_samples);
}
