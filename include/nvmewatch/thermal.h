/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Whether a drive is throttled by its heat, and how far it is from that: what its pages say together.
 * Pure: no I/O, no clock, any thread. */

#include <stdbool.h>
#include <stdint.h>

struct page;

/* What tells that a drive throttles; the numbers stand in the bytes of thermal_page. */
enum throttle_reason {
	THROTTLE_NONE,
	THROTTLE_STATUS, /* a thermal throttling status, of OCP or of the vendor, is not 0 */
	THROTTLE_LIGHT,  /* the time or transitions of host controlled thermal management count up */
	THROTTLE_HEAVY,
	THROTTLE_REASONS,
};

/* In words, for people. */
const char *throttle_reason_name(enum throttle_reason reason);

/* Where drives say that they throttle at the moment. */
#define THERMAL_STATUSES 6

struct thermal_status {
	const struct page *page;
	const char *column;
};

extern const struct thermal_status thermal_statuses[THERMAL_STATUSES];

/* The pages of a drive as last read; NULL: not known. */
struct thermal_sight {
	const uint8_t *identify, *smart;
	const uint8_t *statuses[THERMAL_STATUSES]; /* those of thermal_statuses[] */
	const uint8_t *smart_before; /* the read before .smart, whose counters are compared */
};

/* One spell of throttling. Zeroed: none so far. */
struct throttling {
	enum throttle_reason reason; /* THROTTLE_NONE: it does not throttle */
	int64_t since;               /* microseconds of the caller's clock */
	int64_t sign;                /* when something last told of it */
	int64_t temperature_max;     /* degrees Celsius; INT64_MIN: not known */
};

enum throttle_change { THROTTLE_SAME, THROTTLE_BEGUN, THROTTLE_ENDED };

/* Takes in what is seen at `now`. A status speaks for the moment; counters only for the time between two
 * reads, so what they told ends when they have stood still for a minute. When it has ended, .since and
 * .temperature_max are still those of the spell. */
enum throttle_change throttling_update(struct throttling *t, const struct thermal_sight *s, int64_t now);

/* Writes the bytes of thermal_page: headroom to the warning temperature, throttled, and by what sign.
 * since_ms: real time of the spell's begin, in milliseconds since 1970. */
void thermal_put(const struct throttling *t, const struct thermal_sight *s, int64_t since_ms,
		 uint8_t *bytes);
