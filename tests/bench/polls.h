/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a collector would keep of a simulated fleet: every page with a history of every drive, at the cadences
 * of the default configuration, without waiting for the time to pass. The same at every call. */

#include <stdint.h>

#include "nvmewatch/page.h"

#define SECOND INT64_C(1000000)
#define DAY (86400 * SECOND)
#define POLLS_START (INT64_C(1767225600) * SECOND) /* 2026-01-01 */

struct sample {
	const char *key;
	unsigned drive; /* 0 to the number of drives - 1 */
	const struct page *page;
	uint32_t instance;
	int64_t time, mono; /* microseconds */
	const uint8_t *bytes;
};

struct polls;

/* The drives FOLDER/000.drive and so on. every: seconds between two polls. NULL: a message was printed. */
struct polls *polls_open(const char *folder, unsigned drives, unsigned every);
void polls_free(struct polls *s);

/* The time of the next poll. */
int64_t polls_time(const struct polls *s);

/* Polls all drives: calls take() for each with what is due, which is valid until it returns. */
void polls_next(struct polls *s, void (*take)(void *userdata, const struct sample *found, unsigned n),
		  void *userdata);
