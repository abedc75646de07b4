/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Keeps history.db within its bounds, some chunks at a time: first what is too old, then, where it is too large
 * or its disk too full, the oldest rows of the pages that move least. Rollups go after all rows, and only for
 * max_size; drives and events stay. */

#include "history_internal.h"
#include "nvmewatch/archive.h"
#include "retention.h"

/* A run: from the first step to the last. Zero it to begin. */
struct bounding {
	unsigned stage;
	int64_t flush, drive; /* how far the stage has come: the packing, and the drive in it */
	int64_t event;        /* of the run, 0: nothing was dropped yet */
	uint64_t rows;        /* dropped */
	int64_t until;
	char pages[256];      /* of which, */
	char reasons[96];     /* and the keys of the limits */
	const char *why;      /* that of the stage */
};

struct bound_limits {
	struct archive_bounds bounds;
	uint64_t left;      /* bytes that the disk has left; UINT64_MAX: not known */
	int64_t time, mono; /* of the event, microseconds */
};

/* Whether the file is too large, or its disk too full. 0 or a negative errno. */
int history_is_over(struct history *h, const struct bound_limits *l, bool *ret);

/* A step, one transaction. Returns 1: there is more; 0: the run is done; or a negative errno. */
int history_bound(struct history *h, const struct bound_limits *l, struct bounding *b);

/* history_drop.c: drops the chunks of a packing and drive that are not faster than the pace and end until then,
 * and notes them. Returns how many, or a negative errno. */
int history_drop_chunks(struct history *h, struct bounding *b, int64_t drive, int64_t flush,
			unsigned pace,
			int64_t end);

/* Drops the hours and days before then. 0 or a negative errno. */
int history_drop_rollups(struct history *h, struct bounding *b, int64_t before);

/* Makes or updates the run's event. 0 or a negative errno. */
int history_note_dropped(struct history *h, struct bounding *b, int64_t time_us, int64_t mono_us);
