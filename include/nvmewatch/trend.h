/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How fast a drive heats up or cools down, and when it will be too hot if it goes on so: least squares over
 * the reads of the last ten minutes. Drives tell whole degrees, and may waver between two: what cannot be
 * told from that is no change. Pure: no I/O, no clock. */

#include <stdbool.h>
#include <stdint.h>

#define TREND_READS 64

/* The reads of one drive. Zeroed: none so far. */
struct trend {
	struct trend_read {
		int64_t time, celsius;
	} reads[TREND_READS]; /* a ring */
	unsigned n, next;
};

/* Takes in a read of the composite temperature at `now`, microseconds of the caller's clock. One that
 * follows another within ten seconds adds nothing and is left out. */
void trend_add(struct trend *t, int64_t now, int64_t celsius);

/* Degrees per second; 0 where less than two degrees came of it in that time, or less than three standard
 * errors. False: there are less than four reads, or of less than two minutes. */
bool trend_rise(const struct trend *t, int64_t now, double *ret);

/* Seconds from the newest read until the temperature is `limit`; 0: it is that, and rises still. False: it
 * does not rise, or will take more than a day. */
bool trend_seconds_until(const struct trend *t, int64_t now, int64_t limit, int64_t *ret);

/* Writes what follows at `now` into the bytes of thermal_page; identify as last read, or NULL. */
void trend_put(const struct trend *t, const uint8_t *identify, int64_t now, uint8_t *bytes);
