/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The drives of one model in one host are each other's control group: they have the same limits, the same
 * air and mostly the same work, so that one which stands out has a reason of its own. Pure: no I/O, no
 * clock. */

#include <stddef.h>
#include <stdint.h>

enum peer_metric {
	PEER_TEMPERATURE,         /* composite, degrees Celsius */
	PEER_READ_LATENCY,        /* seconds, the mean of the host's requests */
	PEER_WRITE_LATENCY,
	PEER_WRITE_AMPLIFICATION, /* over a day */
	PEER_METRICS,
};

/* "temperature", "read_latency", "write_latency", "write_amplification". */
const char *peer_metric_name(enum peer_metric metric);

/* One drive. */
struct peer {
	const char *model; /* empty: not known */
	double values[PEER_METRICS]; /* NAN: not known */
};

struct peer_report {
	struct {
		double deviation; /* see peers_compare() */
		unsigned drives;  /* of its model that have the value, itself among them; 0: less than three */
	} of[PEER_METRICS];
};

/* How far each drive is from the median of those of its model, in robust standard deviations (the median
 * of the absolute deviations from it, times 1.4826), positive above. Drives that are alike would make
 * much of little: a standard deviation is taken to be at least 2 degrees Celsius; of latencies a tenth of
 * the median and 20 microseconds; of write amplifications a tenth of the median and 0.1. Deviations end at
 * 1000. ret[n], 0 or -ENOMEM. */
int peers_compare(const struct peer *peers, size_t n, struct peer_report *ret);

/* Writes the bytes of peers_page. */
void peers_put(const struct peer_report *r, uint8_t *bytes);
