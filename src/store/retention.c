/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "retention.h"
#include "period.h"

#define SLACK 64 /* of a limit, what is freed beyond it */

static int64_t day_of(int64_t time)
{
	return time / DAY_MS - (time % DAY_MS < 0);
}

/* Whether no packing before number i ends on its day. */
static bool is_new_day(const struct retention_packing *packings, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (day_of(packings[k].end) == day_of(packings[i].end))
			return false;
	return true;
}

static int64_t clock_of(const struct retention_packing *packings, size_t n)
{
	if (n > 1 && packings[1].end < packings[0].end)
		return packings[1].end;
	return packings[0].end;
}

struct retention_cut retention_cut(const struct retention_packing *packings, size_t n, uint64_t keep_us,
				   bool by_clock)
{
	struct retention_cut cut = { .end = INT64_MAX, .kept = INT64_MAX };
	uint64_t keep_ms = keep_us / 1000, days = keep_ms / DAY_MS + (keep_ms % DAY_MS != 0), seen = 0;

	if (!n || keep_us == UINT64_MAX)
		return cut;
	if (by_clock)
		cut.end = clock_of(packings, n) - (int64_t)keep_ms;
	for (size_t i = 0; i < n; i++) {
		bool is_new = is_new_day(packings, i);

		if (is_new && seen >= days && packings[i].start <= cut.end) {
			cut.flush = packings[i].flush;
			break;
		}
		seen += is_new;
		if (packings[i].start < cut.kept)
			cut.kept = packings[i].start;
	}
	return cut;
}

unsigned retention_pace(const struct page *p)
{
	switch (p ? p->cadence : CADENCE_ASKED) {
	case CADENCE_SMART: return 3;
	case CADENCE_OCP: return 2;
	case CADENCE_POWER: return 1;
	default: return 0;
	}
}

const char *retention_excess(const struct retention_use *u, bool going)
{
	uint64_t most = going ? u->max_size - u->max_size / SLACK : u->max_size;
	uint64_t least = going ? u->min_free + u->min_free / SLACK : u->min_free;

	if (u->used > most)
		return "store.max_size";
	return u->left < least ? "store.min_free" : NULL;
}
