/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* spool.db: what was recorded and is not in history.db yet, in the order of seq, which grows. It has an id of
 * its own, for it does not outlive a reboot: history.db keeps (id, seq) of what it has taken over.
 *
 *   spool (seq INTEGER PRIMARY KEY, what, key, name, instance, number, time, mono, boot, bytes)
 *   boots (id INTEGER PRIMARY KEY, boot_id TEXT UNIQUE)
 *   identity (id TEXT)
 *
 * `what` is enum archive_what, times are microseconds, bytes lack the zeros at their end. */

#include <errno.h>

#include "nvmewatch/archive.h"
#include "sql.h"

#define SPOOL_ID_MAX 33

struct spool {
	sqlite3 *db;
	sqlite3_stmt *put, *put_boot, *notes, *pages, *of_page, *drop, *drop_notes;
	char id[SPOOL_ID_MAX];
};

/* Opens or makes it; one that is damaged is made anew: it held what no disk has, and is lost. 0 or a
 * negative errno. */
int spool_open(const char *path, struct spool **ret);

/* In the place of one that is damaged, and closed. */
int spool_replace(const char *path, struct spool **ret);

/* Damage of this file is -EBADMSG, so as not to be taken for damage of history.db. */
static inline int spool_errno(int r)
{
	return r == -EUCLEAN ? -EBADMSG : r;
}
void spool_free(struct spool *s);
DEFINE_CLEANUP(struct spool *, spool_free)

/* Adds entries, all or none. 0 or a negative errno. */
int spool_put(struct spool *s, const struct archive_entry *entries, size_t n);

/* Calls back with the entries with seq above `after`, in its order; *entry is valid within the call only.
 * With page: those of the page of that name; NULL: everything that is no sample. A callback's negative
 * result ends it, and is returned. */
typedef int (*spool_callback)(void *userdata, int64_t seq, const struct archive_entry *entry);
int spool_read(struct spool *s, const char *page, int64_t after, spool_callback callback,
	       void *userdata);

/* The pages of which there are samples with seq above `after`: calls back with each name. */
int spool_read_pages(struct spool *s, int64_t after, int (*callback)(void *userdata, const char *page),
		     void *userdata);

/* The highest seq, 0: it is empty. 0 or a negative errno. */
int spool_last(struct spool *s, int64_t *ret);

/* The time that the samples with seq above `after` span, microseconds. 0 or a negative errno. */
int spool_span(struct spool *s, int64_t after, int64_t *ret);

/* Removes entries up to seq: all of them, or but the samples. 0 or a negative errno. */
int spool_remove(struct spool *s, int64_t seq, bool samples);

/* Where it takes more than `most` bytes: drops every second sample of each series in the older half, and what is
 * said of a drive again later. */
int spool_thin(struct spool *s, uint64_t most, uint64_t *ret);
