/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shared by wear.c, which takes samples in, and wear_report.c, which says what follows from them. */

#include "nvmewatch/wear.h"

#define WEAR_SECOND INT64_C(1000000)
#define WEAR_HOUR (3600 * WEAR_SECOND)
#define WEAR_DAY (24 * WEAR_HOUR)

#define WEAR_STEPS_MAX 16

/* Sums since the first sample, so that a window is the difference of two points. */
struct wear_point {
	int64_t t;               /* microseconds since the first sample, gaps included */
	double covered;          /* microseconds in which it is known what hosts wrote */
	double host, writes;     /* bytes and drive writes in them */
	double media_covered;    /* microseconds in which it is known what both wrote */
	double media, media_host; /* bytes to the media, and by hosts, in them */
};

/* The percentage used rose to .percent between two samples. */
struct wear_step {
	int64_t after, by;
	int percent;
};

struct wear {
	struct wear_point *points; /* rising; the older, the farther apart */
	size_t n, allocated;
	struct wear_point head;    /* now */
	struct wear_sample last;
	bool begun;

	/* The last sample with both counters. */
	int64_t media_t, media_written, media_host_written;
	bool media_known;
	bool media_broken; /* the host's counter was reset since */

	struct wear_step steps[WEAR_STEPS_MAX];
	unsigned n_steps;
};

/* Microseconds from a to b, 0 where nothing of it is known. */
int64_t wear_elapsed(const struct wear_moment *a, const struct wear_moment *b);
