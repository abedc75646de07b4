/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* now.db: the latest values of every drive, a small SQLite file that collect publishes whole (a
 * rename) and serve and the CLI open read-only as immutable. Pages are kept as the bytes that the
 * drive returned; readers decode them through the field table.
 *
 * Times: `time` is CLOCK_REALTIME, `mono` is CLOCK_BOOTTIME, both in microseconds. Ages are
 * computed from mono, and only within the boot that wrote it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"
#include "nvmewatch/page.h"

/* ---- Writing: collect, one thread. ---- */

struct now;

/* An empty set of values in memory. cadence_us: the longest time between two publications. */
int now_new(uint64_t cadence_us, struct now **ret);
void now_free(struct now *n);
DEFINE_CLEANUP(struct now *, now_free)

/* Adds or replaces what is known of a drive. 0 or a negative errno, as all of these. */
int now_put_drive(struct now *n, const struct drive *d);

/* Forgets a drive and all that belongs to it. */
int now_remove_drive(struct now *n, const char *key);

/* A page was read: `length` sound bytes, at time and mono, to be read again within cadence_us; 0: it
 * does not change, or is what it was when somebody asked, and is not read again. */
int now_put_page(struct now *n, const char *key, const struct page *p, uint32_t instance, int64_t time,
		 int64_t mono, uint64_t cadence_us, const uint8_t *bytes, unsigned length);

/* An instance of a page is no more. */
int now_remove_page(struct now *n, const char *key, const struct page *p, uint32_t instance);

/* Whether the drive has the page (known after the first answer). A page that is not supported has
 * no values. */
int now_put_support(struct now *n, const char *key, const struct page *p, uint32_t instance,
		    bool supported);

/* A page could not be had for that reason: counted, all instances together. */
int now_add_error(struct now *n, const char *key, const struct page *p, const char *reason);

/* An event of that type has happened to the drive: counted. */
int now_add_event(struct now *n, const char *key, const char *type, int64_t time);

/* A command for the page took so long. */
void now_add_duration(struct now *n, const struct page *p, uint64_t us);

/* How the keeping of history goes. */
struct now_store {
	int64_t last_write; /* when history.db was last written, microseconds; 0: not by this collector */
	int64_t oldest;     /* when its oldest sample was taken, microseconds; 0: there is none */
	uint64_t bytes;     /* of history.db */
	uint64_t spooled;   /* samples that wait for it */
	uint64_t errors;    /* times that it could not be written, since the collector was started */
	uint64_t dropped;   /* samples that found no room to wait, since then */
};

int now_put_store(struct now *n, const struct now_store *store);

/* Writes everything to path: a temporary file beside it, renamed. Returns 0 or a negative errno;
 * the former publication stays where it fails. */
int now_publish(struct now *n, const char *path, int64_t time, int64_t mono);

/* ---- Reading: serve and the CLI; a snapshot is immutable and may be shared by threads. ---- */

struct now_page {
	uint32_t instance; /* of a page of which there are several */
	struct now_page *more; /* the next of those, in rising order */
	bool known;     /* asked for at least once, with an answer */
	bool supported; /* meaningless unless known */
	bool host;      /* the host tells it, whether the drive answers or not */
	int64_t time, mono;  /* of the last good read; 0: none yet */
	uint64_t cadence_us;
	const uint8_t *bytes; /* page->size bytes, NULL where there is no good read */
	unsigned length;      /* so many of them are the drive's; the rest is 0 */
};

struct now_error {
	const struct page *page;
	const char *reason;
	uint64_t count; /* since the collector was started */
};

/* How long a page's commands took, of all drives together: how many up to each bound, and beyond the
 * last. */
#define NOW_DURATION_BOUNDS 5 /* 1 ms, and each ten times the one before */

struct now_duration {
	const struct page *page;
	uint64_t counts[NOW_DURATION_BOUNDS + 1];
	uint64_t sum_us;
};

struct now_event {
	const char *type;
	uint64_t count; /* since the collector was started */
	int64_t time;   /* of the last one */
};

struct now_drive {
	struct drive drive;
	struct now_page *pages; /* by page_index(), the first instance of each */
	struct now_error *errors;
	size_t n_errors;
	struct now_event *events;
	size_t n_events;
};

struct now_snapshot {
	struct now_drive *drives; /* in the order of their keys */
	size_t n_drives;
	struct now_duration *durations; /* of the pages that were asked for since the collector was started */
	size_t n_durations;
	int64_t time, mono; /* of the publication */
	uint64_t cadence_us;
	char boot_id[40];
	char version[32];   /* of the collector */
	bool has_store;     /* history was begun with, and .store tells how that goes */
	struct now_store store;
};

/* Reads a publication. Returns 0; -ENOENT: none yet; -EUCLEAN: not a now.db of this version. */
int now_read(const char *path, struct now_snapshot **ret);
void now_snapshot_free(struct now_snapshot *s);
DEFINE_CLEANUP(struct now_snapshot *, now_snapshot_free)

/* The drive of that key, or NULL. */
const struct now_drive *now_find(const struct now_snapshot *s, const char *key);

/* Whether a value of that cadence, taken at `mono`, may still be shown as live at `now_mono`:
 * no older than three cadences. Pure. */
bool now_is_fresh(int64_t mono, uint64_t cadence_us, int64_t now_mono);

/* Whether a page of the drive may be shown as live: it has bytes, and they are fresh, or (cadence 0)
 * the drive is there and answers. Of a drive that does not answer nothing is live for longer than its 02h
 * is. Pure. */
bool now_page_is_live(const struct now_drive *d, const struct now_page *p, int64_t now_mono);

/* Whether the collector lives: its last publication is fresh and of this boot. Pure. */
bool now_collector_is_up(const struct now_snapshot *s, const char *boot_id, int64_t now_mono);
