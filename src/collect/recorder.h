/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Samples on their way to history: gathered within a turn of the loop, then handed to a thread, which keeps
 * them on tmpfs and brings them to disk every store.flush (include/nvmewatch/archive.h), so that a slow, full
 * or broken disk never delays a poll. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"
#include "nvmewatch/now.h"
#include "nvmewatch/page.h"

struct history_memory;
struct past;
struct recorder;

/* Starts the thread. The databases are opened by it, and again at every batch that finds them closed. */
int recorder_new(const char *state_dir, const char *run_dir, struct recorder **ret);

/* How long and how large history may be, from now on. */
struct archive_bounds;
void recorder_bound(struct recorder *r, const struct archive_bounds *b);

/* Hands over what is gathered, gives the thread `wait_us` to write it, and ends it. */
void recorder_stop(struct recorder *r, uint64_t wait_us);

/* A drive as history shows it; again when it changes. 0 or -ENOMEM. */
int recorder_drive(struct recorder *r, const struct drive *d);

/* One good page: p->size bytes read at `time` (real) and `mono`. 0 or -ENOMEM. */
int recorder_sample(struct recorder *r, const char *key, const struct page *p, uint32_t instance,
		    int64_t time, int64_t mono, const uint8_t *bytes);

/* Something happened to a drive, now: goes to disk with the next recorder_push(). 0 or -ENOMEM. */
int recorder_event(struct recorder *r, const char *key, const char *type, const char *detail);

/* This process sees the drive for the first time, now: an attach event, unless history knows it as being
 * there, from less than `within` microseconds ago. 0 or -ENOMEM. */
int recorder_first_seen(struct recorder *r, const char *key, const char *detail, uint64_t within);

/* The drives of d's model and firmware do not have the page of that page_instance_name(): remembered at
 * once. 0 or -ENOMEM. */
int recorder_refuse(struct recorder *r, const struct drive *d, const char *page);

/* The number of the newest error log entry that is dealt with: goes to disk with the next event. 0 or
 * -ENOMEM. */
int recorder_errors(struct recorder *r, const char *key, uint64_t error_count);

/* The drive is no longer one that is missed. 0 or -ENOMEM. */
int recorder_forget(struct recorder *r, const char *key);

/* How it goes, as of the last time that the thread wrote. False: it has not yet. */
bool recorder_status(struct recorder *r, struct now_store *ret);

/* What history.db remembers, once the thread has read it, then NULL for ever; the caller's to free. */
struct history_memory *recorder_take_memory(struct recorder *r);

/* How drives have worn so far, once the thread has read it, then NULL for ever; the caller's to free. */
struct past *recorder_take_past(struct recorder *r);

/* Hands what is gathered to the thread: events go to disk, samples into the spool. */
void recorder_push(struct recorder *r);

/* The same, and samples go to disk too. */
void recorder_flush(struct recorder *r);
