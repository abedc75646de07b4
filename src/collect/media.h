/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The counters of what was written to the media, in the order in which they are believed. Of a drive the
 * first counts that is above 0: one that stands at 0 while hosts write is none. */

#include "nvmewatch/page.h"

#define MEDIA_COLUMNS 2
#define MEDIA_COUNTERS 6

struct media_counter {
	const struct page *page;
	const char *columns[MEDIA_COLUMNS]; /* to be summed up; NULL: there is one */
};

extern const struct media_counter media_counters[MEDIA_COUNTERS];
