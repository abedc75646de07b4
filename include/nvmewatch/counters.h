/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Counters that went down, which they never should: firmware updates, repairs and faults do it. Pure, any
 * thread. */

#include <stddef.h>

#include "nvmewatch/page.h"

/* How many counters of the page are lower than in the read before. ret, of `size` bytes, tells of the
 * first of them: "power_cycles from 12 to 0"; it is written where there are any. */
unsigned counters_fell(const struct page *p, const uint8_t *before, const uint8_t *now, char *ret,
		       size_t size);
