/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* history.db: what is known of every drive, written by one thread of collect through archive.h: plain
 * tables of drives and events, samples in batches, packed days and rollups (src/store/history_schema.h has
 * the tables). Times are milliseconds: `time` of CLOCK_REALTIME, `mono` of CLOCK_BOOTTIME. */

#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"
#include "nvmewatch/page.h"

struct history;

/* Opens the database, creating it and the columns that this version adds. Returns 0, or a negative
 * errno: -EUCLEAN: corrupt or no database; -EPROTO: written by a newer nvmewatch. */
int history_open(const char *path, struct history **ret);
void history_close(struct history *h);
DEFINE_CLEANUP(struct history *, history_close)

/* A batch is one transaction: begin, any number of drives and samples, commit. After a failure in
 * between, roll back. All return 0 or a negative errno. */
int history_begin(struct history *h);
int history_drive(struct history *h, const struct drive *d, int64_t time_us);

/* Something happened to a drive, or to history (key ""): a type of the contract, and its detail. */
int history_event(struct history *h, const char *key, const char *type, const char *detail,
		  int64_t time_us, int64_t mono_us);

/* This process sees the drive for the first time: an attach event, unless history has it as being
 * there since before, and has heard of it after `since`. */
int history_first_seen(struct history *h, const char *key, const char *detail, int64_t since_us,
		       int64_t time_us, int64_t mono_us);

/* The drives of d's model and firmware do not have the page of that page_instance_name(). */
int history_refuse(struct history *h, const struct drive *d, const char *page, int64_t time_us);

/* The number of the last error log entry of which there is an event, or that was there before. */
int history_errors(struct history *h, const char *key, uint64_t error_count, int64_t time_us);

/* The drive is no longer one that is missed; its history stays. */
int history_forget(struct history *h, const char *key);
int history_commit(struct history *h);
void history_rollback(struct history *h);

/* What the collector reads back when it starts. */
struct history_memory {
	struct history_refusal {
		char model[128], firmware[32], page[PAGE_NAME_MAX];
	} *refusals;
	size_t n_refusals;
	struct history_drive {
		struct drive drive; /* key, serial, model, firmware and address */
		bool removed;       /* it was seen to go */
		int64_t last_seen;  /* microseconds since 1970 */
		uint64_t error_count; /* of history_errors(), 0: none known */
	} *drives;
	size_t n_drives;
};

int history_load(struct history *h, struct history_memory **ret);
void history_memory_free(struct history_memory *m);
DEFINE_CLEANUP(struct history_memory *, history_memory_free)
