/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What history can best do without. Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/page.h"

/* A row of packings; milliseconds. */
struct retention_packing {
	int64_t flush, start, end;
};

/* What is too old: rows of packings up to .flush that are not later than .end. */
struct retention_cut {
	int64_t flush; /* 0: nothing is */
	int64_t end;
	int64_t kept;  /* the earliest time of what is not */
};

/* Packings in the order in which they were made, the newest first. Age is counted in days of which there are
 * later packings; and by_clock, by the earlier of the ends of the two newest packings as well: neither a host
 * that was off makes anything older, nor a clock that was wrong for a while. */
struct retention_cut retention_cut(const struct retention_packing *packings, size_t n, uint64_t keep_us,
				   bool by_clock);

/* How fast a page moves, by its cadence: 0 (rows tell least that the days do not) to RETENTION_PACES - 1.
 * NULL: a page that this version does not have. */
#define RETENTION_PACES 4
unsigned retention_pace(const struct page *p);

/* What a database takes and leaves, and may: bytes. */
struct retention_use {
	uint64_t used, left; /* of its disk */
	uint64_t max_size, min_free;
};

/* The key of the limit that is exceeded, or NULL. Going: something was dropped, and a little more is to be, so
 * that it is not a few bytes every day. */
const char *retention_excess(const struct retention_use *u, bool going);
