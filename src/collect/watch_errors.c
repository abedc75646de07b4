/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* New entries of a drive's error log: events, and counts by whose fault they are. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "nvmewatch/error_log.h"
#include "nvmewatch/log.h"
#include "recorder.h"
#include "watch_internal.h"

#define TOLD_MOST 8 /* of one read: a flood of entries is no reason for one of events */

static void report_entry(struct watch *w, const struct error_entry *e, bool unwatched)
{
	char detail[256], status[128], where[64] = "";
	int used = 0;

	if (e->nsid && e->cause == ERROR_DEVICE)
		used = snprintf(where, sizeof(where), ", namespace %u", e->nsid);
	if (e->cause == ERROR_DEVICE && e->lba != UINT64_MAX)
		snprintf(where + used, sizeof(where) - (size_t)used, ", LBA %" PRIu64, e->lba);
	snprintf(detail, sizeof(detail), "entry %" PRIu64 ", %s: %s%s%s", e->count,
		 error_cause_name(e->cause), status_text(e->status, status, sizeof(status)), where,
		 unwatched ? ", while nobody watched" : "");
	watch_event(w, "error_log", detail);
	log_drive(e->cause == ERROR_DEVICE ? LOG_WARNING : LOG_INFO, &w->drive, NULL,
		  "has logged an error: %s", detail);
}

static void publish_counts(struct watch *w)
{
	struct watch_page *wp = watch_page(w, &error_counts_page);

	if (!wp->bytes && !(wp->bytes = calloc(1, error_counts_page.size)))
		return;
	bytes_put(wp->bytes, 8, w->errors_logged[ERROR_HOST]);
	bytes_put(wp->bytes + 8, 8, w->errors_logged[ERROR_DEVICE]);
	wp->length = error_counts_page.size;
	wp->known = wp->supported = wp->was_good = true;
	watch_publish_page(w, wp);
}

/* The number that history knows of, where there is one; else what is there is not new: it may be years
 * old. */
static uint64_t last_known(const struct watch *w, const struct watch_page *wp)
{
	uint64_t known = memory_error_count(w->collector->memory, w->drive.key);

	return known ? known : error_log_newest(wp->bytes, wp->length);
}

void watch_take_errors(struct watch *w, const struct watch_page *wp)
{
	static struct error_entry entries[ERROR_ENTRIES_MAX]; /* one loop, one page at a time */
	bool first = !w->errors_seen;
	unsigned n;

	if (first)
		w->error_count = last_known(w, wp);
	w->errors_seen = true;
	n = error_log_new(wp->bytes, wp->length, w->error_count, entries);
	if (n)
		w->error_count = entries[n - 1].count;
	if (n || first)
		recorder_errors(w->collector->recorder, w->drive.key, w->error_count);
	for (unsigned i = 0; i < n; i++) {
		w->errors_logged[entries[i].cause]++;
		if (n - i <= TOLD_MOST) /* the latest */
			report_entry(w, &entries[i], first);
	}
	publish_counts(w);
}
