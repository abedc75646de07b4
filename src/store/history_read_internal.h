/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files that read history share. */

#include <stdatomic.h>
#include <sys/stat.h>

#include "codec_frame.h"
#include "nvmewatch/history_read.h"
#include "sheet.h"
#include "sql.h"

/* One of the two files, and which it was when it was opened. */
struct read_file {
	char *path; /* NULL: there is none */
	sqlite3 *db;
	dev_t device;
	ino_t inode;
	bool immutable; /* nobody writes it, and its log could not be made */
};

struct history_reader {
	struct read_file history, spool;
	atomic_bool cancelled;
	unsigned users;  /* of the read transaction */
	bool spooled;    /* the spool takes part in it */
	int64_t after;   /* rows of the spool up to this seq are in history.db */
	uint64_t damaged;
	struct codec codec;
	struct read_layout {
		int64_t id;
		struct layout *layout; /* NULL: it is damaged */
	} *layouts;
	size_t n_layouts;
};

/* A transaction over both files: the spool's snapshot first, for a row goes from there to history.db,
 * so that it is in one of them at least; and `after` tells of which it is counted. May be nested. */
int reader_begin(struct history_reader *r);
void reader_end(struct history_reader *r);

/* A call's result: -ECANCELED where it was cancelled. */
int reader_result(const struct history_reader *r, int result);

/* The layout of that id; they never change. NULL: there is none that can be read. */
const struct layout *reader_layout(struct history_reader *r, int64_t id);

/* Forgets the layouts, as those of another file. */
void reader_forget_layouts(struct history_reader *r);

/* Prepares a statement that lives for a call. */
int reader_prepare(struct read_file *f, const char *sql, sqlite3_stmt **ret);

/* A number that a statement without parameters, or with a text, yields; 0: no row. */
int reader_number(struct read_file *f, const char *sql, const char *text, int64_t *ret);

/* ---- history_read_scan.c: a scan as a thing that can be pulled. ---- */

struct scan;

/* drive_id: the drive's id instead of its key; 0: as the span says. Takes part in the transaction
 * until it is freed. -ENOENT: no such drive. */
int scan_open(struct history_reader *r, const struct history_span *span, int64_t drive_id,
	      struct scan **ret);
void scan_free(struct scan *s);
DEFINE_CLEANUP(struct scan *, scan_free)

/* 1: *ret are more rows, valid until the next call; 0: there are no more; or a negative errno. */
int scan_next(struct scan *s, const struct sheet **ret);

/* The same within the drive in turn; and beginning with what is not packed. */
int scan_next_of_drive(struct scan *s, const struct sheet **ret);
void scan_skip_chunks(struct scan *s);

/* The key of the drive whose rows came last. */
const char *scan_key(const struct scan *s);

struct scan_drive {
	int64_t id, packed;
	char key[128];
};

struct scan {
	struct history_reader *reader;
	const struct page *page;
	struct layout *layout; /* of the page, as this version has it */
	bool *wanted;          /* by its columns */
	int64_t page_id, start, end;
	uint32_t instance;
	bool every_instance;
	int64_t *layouts; /* ids of those of the page, rising */
	size_t n_layouts;
	struct scan_drive *drives;
	size_t n_drives, drive; /* .drive: the one in turn */
	enum { SCAN_CHUNKS, SCAN_BATCHES, SCAN_SPOOL } phase;
	sqlite3_stmt *packings, *chunk, *batches;
	int64_t flush;      /* the packing in turn */
	size_t next_layout; /* the next of its chunks' */
	bool seeking;       /* .chunk has more rows */
	bool exhausted;     /* the phase's batches, or its spool */
	int64_t decoded_id; /* of the layout for which .decoded is */
	bool *decoded;      /* by its columns: those to be decoded */
	bool as_now;        /* it is as .layout */
	struct sheet *sheet; /* that of the callback, to be freed */
};

/* history_read_rows.c: the rows of a batch or chunk, NULL where they cannot be read, which is
 * counted. */
int scan_decode(struct scan *s, int64_t layout_id, sqlite3_stmt *q, int column, struct sheet **ret);
int scan_decode_batch(struct scan *s, sqlite3_stmt *q, struct sheet **ret);

/* An empty sheet of the page's columns that were asked for. */
int scan_sheet(const struct scan *s, struct sheet **ret);

/* Adds those rows that are the drive's whose turn it is, and of the instance. */
int scan_take(const struct scan *s, struct sheet *to, const struct sheet *from);

/* history_read_spool.c: adds what waits in the spool. */
int scan_take_spool(struct scan *s, struct sheet *to);

/* The drives of the spool that history.db does not know get numbers below 0. key: only that one;
 * NULL: all. */
int scan_add_spool_drives(struct scan *s, const char *key);
int scan_add_drive(struct scan *s, int64_t id, int64_t packed, const char *key);
