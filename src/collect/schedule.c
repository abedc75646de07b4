/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "schedule.h"

#include "nvmewatch/cleanup.h"

#define SECOND UINT64_C(1000000)
#define SLEEPY_LEAST (60 * SECOND)
#define HOT_MARGIN 10 /* degrees below the warning temperature */

uint64_t schedule_phase(const char *boot_id)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	/* FNV-1a, 64 bit: a boot id is random, so no more is needed to spread hosts. */
	for (; *boot_id; boot_id++)
		h = (h ^ (unsigned char)*boot_id) * UINT64_C(0x100000001b3);
	return h;
}

int64_t schedule_next(int64_t now, uint64_t cadence, uint64_t phase)
{
	uint64_t shift = phase % cadence;

	return now + (int64_t)(cadence - ((uint64_t)now + cadence - shift) % cadence);
}

uint64_t schedule_cadence(const struct page *p, const struct settings *s, bool hot, bool sleepy)
{
	uint64_t cadence = UINT64_MAX;

	switch (p->cadence) {
	case CADENCE_SMART:
		cadence = s->poll_smart;
		break;
	case CADENCE_OCP:
		cadence = hot && s->poll_smart < s->poll_ocp ? s->poll_smart : s->poll_ocp;
		break;
	case CADENCE_POWER:
		cadence = s->poll_power;
		break;
	case CADENCE_SLOW:
		cadence = s->poll_slow;
		break;
	case CADENCE_ATTACH:
	case CADENCE_ASKED:
		break;
	}
	return sleepy && cadence < SLEEPY_LEAST ? SLEEPY_LEAST : cadence;
}

bool schedule_is_hot(const uint8_t *identify, const uint8_t *smart)
{
	int64_t limit, temperature;

	return page_integer(&identify_page, identify, "wctemp_celsius", &limit) &&
	       page_integer(&smart_page, smart, "temperature_celsius", &temperature) &&
	       temperature >= limit - HOT_MARGIN;
}

uint64_t schedule_restart_delay(unsigned deaths)
{
	return SECOND << (deaths > 6 ? 6 : deaths);
}

uint64_t schedule_rest(unsigned hangs)
{
	return 120 * SECOND << (hangs > 5 ? 5 : hangs); /* 2 minutes to 64 */
}
