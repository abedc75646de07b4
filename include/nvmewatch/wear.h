/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How fast a drive wears, and when it will be worn out: what its counters say over time. A wear takes in
 * samples of one drive in the order in which they came, from history or as they are read, and keeps of them
 * what the windows need, in at most 30 KB. Pure: no I/O, no clock. One thread.
 *
 * What is known of time: within a boot the monotonic clock, across boots the real one. Where that went
 * backwards, or over more than a year, what was before is forgotten.
 * A counter that went down, or up by more than any drive can write, is taken for another one: what was
 * written since the sample before is not known, and that time is not covered. While nothing was read, the
 * counter went on: such time is covered, as a whole. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"

#define WEAR_UNKNOWN (-1)

/* A moment; microseconds. */
struct wear_moment {
	int64_t time, mono; /* CLOCK_REALTIME, CLOCK_BOOTTIME */
	uint64_t boot;      /* any number that is another in another boot */
};

/* WEAR_UNKNOWN where the drive does not say. */
struct wear_sample {
	struct wear_moment at;
	double capacity;       /* bytes, of which a drive write is one; 0: not known */
	int64_t host_written;  /* bytes */
	int64_t media_written; /* bytes, at this moment: not an older read's */
	int used_percent;      /* percentage used */
};

enum wear_span { WEAR_1H, WEAR_24H, WEAR_7D, WEAR_30D, WEAR_LIFE, WEAR_SPANS };

/* "1h", "24h", "7d", "30d", "life". */
const char *wear_span_name(enum wear_span span);

enum wear_basis {
	WEAR_PERCENTAGE_USED,
	WEAR_RATED,           /* what its maker rates it for, against what hosts have written */
	WEAR_OCP,             /* the OCP endurance estimate, against what was written to the media */
	WEAR_ENDURANCE_GROUP, /* the same of its only endurance group */
	WEAR_BASES,
};

/* "percentage_used", "rated_tbw", "ocp_endurance", "endurance_group". */
const char *wear_basis_name(enum wear_basis basis);

/* What is known of the drive now; 0: not known. */
struct wear_facts {
	double capacity;             /* as in samples */
	double rated_written;        /* bytes */
	double drive_writes_per_day; /* rated */
	int64_t power_on_seconds;
	double ocp_estimate, group_estimate; /* bytes */
	int64_t group_media_written;         /* 0: as the sample's */
};

struct wear_window {
	double covered_seconds; /* of the window, that are known; 0: none */
	/* Negative: too little is known. */
	double drive_writes_per_day; /* more than half of the window is covered */
	double rated_fraction;       /* of what it is rated for: 1 is just so much */
	double write_amplification;  /* the same, and hosts wrote a gigabyte */
};

/* Seconds since 1970, or 0. A moment that has passed is one at which it was exhausted already. */
struct wear_end {
	int64_t expected, earliest, latest;
};

struct wear_report {
	struct wear_window windows[WEAR_SPANS];
	double used_percent_per_day; /* negative: not known; needs two steps of a percent, a day apart */
	struct wear_end ends[WEAR_BASES];
};

struct wear;

int wear_new(struct wear **ret);
void wear_free(struct wear *w);
DEFINE_CLEANUP(struct wear *, wear_free)

/* Takes in a sample. One that is not after the last of its boot is ignored. 0 or -ENOMEM. */
int wear_add(struct wear *w, const struct wear_sample *s);

/* What follows from all of it at that moment, which is not before the last sample. Windows end there. "Life"
 * is by the drive's own counters: bytes written and, of at least a day, time powered on.
 *
 * When it is exhausted:
 *   - by its percentage used at the rate of its steps, so many as were seen (up to 16, however old). The
 *     range is that of single steps; a step that is overdue makes it later;
 *   - by the others at the rate of the longest of the windows 30d and 7d that is known, and the range that
 *     of the windows from 24h on;
 * absent without such a rate, and where it would be in more than a hundred years. */
void wear_report(const struct wear *w, const struct wear_moment *now, const struct wear_facts *f,
		 struct wear_report *ret);

/* Writes the bytes of wear_page. */
void wear_put(const struct wear_report *r, uint8_t *bytes);
