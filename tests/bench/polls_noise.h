/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Simulated drives are smoother than real ones, and what is smooth packs too well. This gives temperatures
 * noise of a standard deviation of 0.35 degrees and the growth of counters one of 10 % per poll, and the
 * times of reads the milliseconds by which they differ. */

#include <stdint.h>

#include "nvmewatch/page.h"

#define NOISY_COUNTERS 6

struct noise {
	uint64_t state;
	struct {
		uint64_t read, shown;
	} counters[NOISY_COUNTERS];
};

void noise_init(struct noise *n, unsigned seed);

/* Bytes of a page; others than 02h and C0h are left as they are. */
void noise_add(struct noise *n, const struct page *p, uint8_t *bytes);

/* By how many microseconds a read comes late. */
int64_t noise_delay(struct noise *n);
