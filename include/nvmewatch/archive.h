/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The way of what is sampled into history: first into spool.db in the run folder (tmpfs: a crash loses
 * nothing, no disk is worn), from there in batches into history.db, and once a day, packed, behind the
 * other days. One thread; nothing here logs, waits for a drive or looks at a clock. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"
#include "nvmewatch/history.h"

enum archive_what {
	ARCHIVE_PAGE,    /* .name: the page, .bytes: it */
	ARCHIVE_DRIVE,   /* .bytes: archive_put_drive()'s */
	ARCHIVE_FIRST,   /* seen for the first time by this process; .number: history_first_seen()'s since */
	ARCHIVE_EVENT,   /* .name: its type, .bytes: its detail */
	ARCHIVE_ERRORS,  /* .number: history_errors()'s */
	ARCHIVE_REFUSAL, /* .name: the page's instance name, .bytes: the model's drive, as ARCHIVE_DRIVE */
	ARCHIVE_FORGET,
};

struct archive_entry {
	enum archive_what what;
	const char *key, *name; /* the drive's; "" where there is none */
	uint32_t instance;
	int64_t number;
	int64_t time, mono; /* microseconds */
	const char *boot_id;
	const void *bytes;
	size_t size;
};

/* A drive's identity as bytes of an entry, and back. */
#define ARCHIVE_DRIVE_SIZE 1024
size_t archive_drive_bytes(const struct drive *d, char ret[static ARCHIVE_DRIVE_SIZE]);
void archive_drive_parse(const char *key, const void *bytes, size_t size, struct drive *ret);

struct archive;

/* Nothing is opened yet. state_dir holds history.db, run_dir spool.db. 0 or -ENOMEM. */
int archive_new(const char *state_dir, const char *run_dir, struct archive **ret);
void archive_free(struct archive *a);
DEFINE_CLEANUP(struct archive *, archive_free)

/* How long and how large history may be: microseconds, UINT64_MAX: for ever; bytes. Without: all of it. */
struct archive_bounds {
	uint64_t keep_raw, keep_rollup, max_size, min_free;
};
void archive_bound(struct archive *a, const struct archive_bounds *b);

/* What the time is, microseconds, for events that are history's own and the names of files set aside. */
void archive_clock(struct archive *a, int64_t time, int64_t mono);

/* Whether history.db was found damaged, set aside and replaced, since this was last asked. */
bool archive_was_replaced(struct archive *a);

/* Adds entries to the spool, all or none. 0 or a negative errno. */
int archive_put(struct archive *a, const struct archive_entry *entries, size_t n);

/* Brings everything but samples from the spool into history.db. 0 or a negative errno, as history_open()
 * and history_commit(); what could not be written stays in the spool. */
int archive_note(struct archive *a);

/* archive_note(), and the samples in one batch of each page, which is on disk when this returns. */
int archive_flush(struct archive *a);

/* A step of what keeps history.db in shape: what a damaged one had is recovered, batches are packed for a few
 * drives, what is beyond the bounds is dropped, free space given back. Returns 1: call again, there is more; 0:
 * all is done; or a negative errno. */
int archive_pack(struct archive *a);

/* Whether there are batches of another day (UTC) than the one of `time`, or something else to be done. */
bool archive_is_due(struct archive *a, int64_t time);

/* Where the spool has grown too large, for history.db cannot be written, drops every second of the older
 * samples. 0 or a negative errno; *ret: how many were dropped. */
int archive_thin(struct archive *a, uint64_t *ret);

struct archive_status {
	uint64_t bytes;   /* of history.db, without its log */
	uint64_t spooled; /* entries that wait in the spool */
	int64_t oldest;   /* of the oldest sample, milliseconds; 0: there is none */
};

/* What there is; 0 where a database is not open. 0 or a negative errno. */
int archive_status(struct archive *a, struct archive_status *ret);

/* What history.db remembers; see history_load(). */
int archive_load(struct archive *a, struct history_memory **ret);
