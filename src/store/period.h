/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Hours and days (UTC) of history, in milliseconds since 1970. */

#include <stdint.h>

#define HOUR_MS INT64_C(3600000)
#define DAY_MS (24 * HOUR_MS)

/* The begin of the hour, day or step that the time lies in, also before 1970. */
static inline int64_t floor_to(int64_t time, int64_t step)
{
	int64_t past = time % step;

	return time - past - (past < 0 ? step : 0);
}
