/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Drives at work, made up: idle, steady, by the hour of the day, in bursts. Temperatures lie around a
 * level with a noise of 0.35 degrees, counters grow by a rate with a noise of 5 to 10 %, polls are up to
 * 5 ms late and one in a hundred 30 ms, and the real-time clock is slewed by 15 ppm. */

#include "store/sheet.h"

enum { SAMPLES_THERMAL, SAMPLES_SMART, SAMPLES_OCP, SAMPLES_PAGES };

struct samples_drive {
	unsigned number;
	uint64_t random;
	int64_t tick; /* of 10 s */
	double temperature, load, units_written, units_read, burst_left;
	bool burst;
	int64_t columns[SAMPLES_PAGES][64]; /* what the counters have come to */
};

/* The layout of a page: of all 5, 40 and 45 columns behind the fixed ones. NULL: out of memory. */
struct layout *samples_layout(unsigned page);

void samples_start(struct samples_drive *d, unsigned number);

/* Goes on by 10 s and adds the rows that are due to the sheets: thermal each time, the others every 60 s.
 * whole_seconds: time stamps are. */
bool samples_next(struct samples_drive *d, bool whole_seconds, struct sheet *const sheets[SAMPLES_PAGES]);
