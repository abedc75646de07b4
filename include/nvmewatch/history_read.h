/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reading history: one table per page whatever the age of its rows. Rows come from history.db's
 * packed days (table chunks), from its batches of the day (table batches), and, where the host's run
 * folder is given, from what waits there to be flushed (spool.db). Read-only, takes no lock that a
 * writer waits for, and holds a read transaction only within one call. One thread at a time per
 * reader.
 *
 * Rows of one drive and page come in the order in which they were taken, which is that of their times
 * but for steps of the clock. Times are milliseconds; spans include both ends. A file that was
 * replaced is opened anew by the next call. The first call reads the schema, which takes some
 * milliseconds: who asks often keeps a reader. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

struct history_reader;
struct sheet;

/* run_dir may be NULL: history.db alone, wherever it was copied to. 0 or a negative errno: -ENOENT (no
 * history yet), -EUCLEAN (damaged, or no history.db), -EPROTO (of another version), -EACCES. */
int history_reader_open(const char *state_dir, const char *run_dir, struct history_reader **ret);
/* The same of files by their own names; spool may be NULL. */
int history_reader_open_file(const char *history, const char *spool, struct history_reader **ret);
void history_reader_free(struct history_reader *r);
DEFINE_CLEANUP(struct history_reader *, history_reader_free)

/* What is asked for comes to an end: from any thread; the call in progress and every later one returns
 * -ECANCELED. */
void history_reader_cancel(struct history_reader *r);

/* How many batches and chunks were skipped so far, for they are damaged or of a newer nvmewatch: the
 * others are what there is. */
uint64_t history_reader_damaged(const struct history_reader *r);

struct history_span {
	const char *drive; /* key; NULL: every drive, one after another */
	const struct page *page;
	uint32_t instance;   /* of a page of which there are several */
	bool every_instance; /* all of them, by turns; see SHEET_INSTANCE */
	int64_t start, end;
	const char *const *columns; /* of the page; NULL: all */
	size_t n_columns;
};

/* Calls back with sheets of rows within the span, fixed columns included (see src/store/sheet.h);
 * more rows may come with them, before or after, hence look at SHEET_TIME. Their columns are those of
 * layout_of_page(), in its order; those not asked for are not loaded. Drives and boots of which
 * history.db does not know yet have numbers below 0, for the time of the call. A callback returns 0,
 * or what the scan is to end with. 0 or a negative errno; -ENOENT: no such drive in history. */
typedef int (*history_rows)(void *userdata, const struct sheet *rows);
int history_scan(struct history_reader *r, const struct history_span *span, history_rows callback,
		 void *userdata);

/* The same row by row, within the span, for those who want a few columns: values are those of
 * span->columns, in their order. */
struct history_row {
	int64_t time, mono, boot;
	const struct value *values; /* for the time of the call */
};

typedef int (*history_one_row)(void *userdata, const struct history_row *row);
int history_scan_rows(struct history_reader *r, const struct history_span *span,
		      history_one_row callback, void *userdata);

/* How many rows a scan would yield, at most: quick, no value is decoded. */
int history_count(struct history_reader *r, const struct history_span *span, uint64_t *ret);

/* Rollups of whole hours or days (UTC), as rows of their plain tables, oldest first, of one drive and
 * instance; start and end are those of .time. Where the page has none there are no rows. */
enum history_step { HISTORY_HOUR, HISTORY_DAY };

struct history_rollup {
	int64_t time;      /* start of the hour or day */
	int64_t last_time; /* of the last row in it */
	uint64_t count;    /* rows in it */
	uint64_t resets;   /* how often a counter of the page went back in it */
	struct history_rolled {
		struct value min, max, mean, last; /* min, max, mean: of gauges */
		/* Of counters, from the hour or day before on: exact, never negative. */
		struct value increase;
	} *columns; /* span->n_columns */
};

typedef int (*history_rollups)(void *userdata, const struct history_rollup *row);
int history_scan_rollups(struct history_reader *r, const struct history_span *span,
			 enum history_step step, history_rollups callback, void *userdata);

/* Until when rollups are complete, a whole hour: rows from then on may be only in batches and spool.
 * 0: there are none. */
int history_rolled_until(struct history_reader *r, const struct history_span *span, int64_t *ret);

/* Since when there are rows of a drive and page: those before were dropped, and only their rollups
 * are left. INT64_MIN: nothing was. INT64_MAX: all that is packed. */
int history_raw_since(struct history_reader *r, const struct history_span *span, int64_t *ret);

/* The drives of history, by id. Texts are empty where nothing is known. */
struct history_known_drive {
	int64_t id;
	char key[128], serial[64], model[128], firmware[32], address[64];
	int64_t first_seen, last_seen; /* 0: unknown */
};

typedef int (*history_drive_row)(void *userdata, const struct history_known_drive *d);
int history_scan_drives(struct history_reader *r, history_drive_row callback, void *userdata);

struct history_event {
	int64_t id;   /* grows */
	int64_t time, mono;
	const char *key; /* of the drive; NULL: of the host */
	const char *type, *detail; /* detail may be NULL */
};

struct history_events {
	const char *drive; /* NULL: all */
	const char *type;  /* NULL: all */
	int64_t start, end;
	int64_t after;     /* ids above it */
	uint64_t limit;    /* at most so many; 0: all */
};

/* Events in the order of their ids. What could not be written to history.db yet is not among them. */
typedef int (*history_event_row)(void *userdata, const struct history_event *e);
int history_scan_events(struct history_reader *r, const struct history_events *what,
			history_event_row callback, void *userdata);
