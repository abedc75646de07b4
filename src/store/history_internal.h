/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files that write history.db share. */

#include "nvmewatch/history.h"
#include "sheet.h"
#include "spool.h"
#include "sql.h"

/* Of a row of drives: the last that history has of it is that it went. */
#define HISTORY_REMOVED                                                                     \
	"ifnull((SELECT max(id) FROM events WHERE drive = drives.id AND type = 'remove'), 0)" \
	" > ifnull((SELECT max(id) FROM events WHERE drive = drives.id AND type = 'attach'), 0)"

struct history {
	sqlite3 *db;
	sqlite3_stmt *put_drive, *put_errors, *add_drive, *sample_drive, *forget_drive, *find_drive, *put_event, *put_refusal;
	sqlite3_stmt *drive_id, *add_boot, *boot_id, *add_page, *page_id, *add_layout, *layout_id;
	sqlite3_stmt *put_batch, *put_chunk, *put_packing, *get_state, *put_state;
};

/* The number of a drive, boot, page or layout, made where it has none. 0 or a negative errno. */
int history_drive_id(struct history *h, const char *key, int64_t time_us, int64_t *ret);
int history_boot_id(struct history *h, const char *boot_id, int64_t *ret);
int history_page_id(struct history *h, const char *name, int64_t *ret);
int history_layout_id(struct history *h, int64_t page, const struct layout *l, int64_t *ret);

/* A number of table state; 0 where there is none. 0 or a negative errno. */
int history_get_state(struct history *h, const char *name, int64_t *ret);
int history_put_state(struct history *h, const char *name, int64_t value);

/* history_flush.c: what the spool holds and history.db has not, in one transaction; *ret_seq: up to
 * which seq it is taken over. 0 or a negative errno. */
int history_take_notes(struct history *h, struct spool *s, int64_t *ret_seq);
int history_take_samples(struct history *h, struct spool *s, int64_t *ret_seq);

/* history_pack.c: packs what is in batches for a few drives; 1: there are more. Whether there are batches of
 * another day than that of time. */
int history_pack(struct history *h);
int history_is_due(struct history *h, int64_t time_ms, bool *ret);

/* history_chunk.c: the rows, of one drive and instance, as a chunk; and the time they span, of the packing
 * of that number. 0 or a negative errno. */
int history_put_chunk(struct history *h, int64_t flush, int64_t layout, const struct sheet *rows);
int history_note_packing(struct history *h, int64_t flush, const struct sheet *rows);

/* history_rollup.c: adds the rows of one drive and instance, of the packing of that number, to the hours and
 * days of their page. 0 or a negative errno. */
int history_roll(struct history *h, const struct page *p, int64_t flush, const struct sheet *rows);

/* history_before.c: the series' rows of the newest packing before that number, with the layout of rows. 0,
 * -ENOENT: none lately, or another negative errno. */
int history_before(struct history *h, const struct page *p, int64_t flush, const struct sheet *rows,
		   struct sheet **ret);

/* history_migrate.c: takes over the tables of version 1. 0 or a negative errno. */
int history_migrate(struct history *h);
