/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "schedule.h"

#include "nvmewatch/cleanup.h"

#define SECOND UINT64_C(1000000)
#define HOT_MARGIN 10 /* degrees below the warning temperature */

/* FNV-1a, 64 bit: spreads well enough, and needs no key. */
static uint64_t hash(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h;
}

uint64_t schedule_phase(const char *key, const char *boot_id)
{
	uint64_t h = hash(hash(UINT64_C(0xcbf29ce484222325), key), boot_id);

	/* The last bytes barely reach FNV's upper bits, and they are what tells drives apart. */
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	return h ^ h >> 33;
}

int64_t schedule_next(int64_t now, uint64_t cadence, uint64_t phase)
{
	uint64_t shift = phase % cadence;

	return now + (int64_t)(cadence - ((uint64_t)now + cadence - shift) % cadence);
}

uint64_t schedule_cadence(const struct page *p, const struct settings *s, bool hot)
{
	switch (p->cadence) {
	case CADENCE_SMART:
		return s->poll_smart;
	case CADENCE_OCP:
		return hot && s->poll_smart < s->poll_ocp ? s->poll_smart : s->poll_ocp;
	case CADENCE_ATTACH:
		break;
	}
	return UINT64_MAX;
}

static bool integer_of(const struct page *p, const char *column, const uint8_t *bytes, int64_t *ret)
{
	unsigned index;
	struct value v;

	if (!bytes || page_decode(p, page_field(p, column, &index), 0, bytes, &v) < 0)
		return false;
	*ret = v.integer;
	return true;
}

bool schedule_is_hot(const uint8_t *identify, const uint8_t *smart, const uint8_t *ocp_smart)
{
	int64_t limit, temperature, throttled;

	if (integer_of(&ocp_smart_page, "throttled", ocp_smart, &throttled) && throttled > 0)
		return true;
	return integer_of(&identify_page, "wctemp_celsius", identify, &limit) &&
	       integer_of(&smart_page, "temperature_celsius", smart, &temperature) &&
	       temperature >= limit - HOT_MARGIN;
}

uint64_t schedule_restart_delay(unsigned deaths)
{
	return SECOND << (deaths > 6 ? 6 : deaths);
}
