/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* history.db: every sample of every drive, one plain table per page with a column per field,
 * written in batches by one thread of collect. Times are milliseconds: `time` of CLOCK_REALTIME,
 * `mono` of CLOCK_BOOTTIME. Absent values are NULL. */

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
int history_sample(struct history *h, const char *key, const struct page *p, int64_t time_us,
		   int64_t mono_us, const uint8_t *bytes);
int history_commit(struct history *h);
void history_rollback(struct history *h);
