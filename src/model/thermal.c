/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/thermal.h"

#include "nvmewatch/page.h"
#include "thermal_bytes.h"

#define STANDSTILL 60000000 /* microseconds */
#define KELVIN 273
#define SMART_COMPOSITE 1 /* offsets in page 02h */
#define SMART_SENSORS 200
#define SENSORS 8

const struct thermal_status thermal_statuses[THERMAL_STATUSES] = {
	{ &ocp_smart_page, "throttled" },
	{ &memblaze_smart_v3_page, "thermal_throttled" },
	{ &memblaze_smart_v2_page, "thermal_throttled" },
	{ &memblaze_smart_old_page, "thermal_throttled" },
	{ &wdc_smart_page, "throttled" },
	{ &hyperscale_boot_smart_page, "throttled" },
};

const char *throttle_reason_name(enum throttle_reason reason)
{
	switch (reason) {
	case THROTTLE_STATUS: return "thermal throttling status";
	case THROTTLE_LIGHT: return "light throttling by host thermal management";
	case THROTTLE_HEAVY: return "heavy throttling by host thermal management";
	case THROTTLE_NONE:
	case THROTTLE_REASONS: break;
	}
	return "none";
}

/* Not reported counts as 0, as a drive that has never throttled has it. */
static bool has_grown(const struct thermal_sight *s, const char *column)
{
	int64_t before = 0, now = 0;

	if (!s->smart || !s->smart_before)
		return false;
	(void)page_integer(&smart_page, s->smart_before, column, &before);
	(void)page_integer(&smart_page, s->smart, column, &now);
	return now > before;
}

static bool says_so(const struct thermal_sight *s)
{
	int64_t status;

	for (unsigned i = 0; i < THERMAL_STATUSES; i++)
		if (page_integer(thermal_statuses[i].page, s->statuses[i], thermal_statuses[i].column,
				 &status) && status > 0)
			return true;
	return false;
}

static enum throttle_reason reason_seen(const struct thermal_sight *s)
{
	if (says_so(s))
		return THROTTLE_STATUS;
	if (has_grown(s, "thermal_throttle_seconds_2") || has_grown(s, "thermal_transitions_2"))
		return THROTTLE_HEAVY;
	if (has_grown(s, "thermal_throttle_seconds_1") || has_grown(s, "thermal_transitions_1"))
		return THROTTLE_LIGHT;
	return THROTTLE_NONE;
}

static void take_temperature(struct throttling *t, const struct thermal_sight *s)
{
	int64_t celsius;

	if (page_integer(&smart_page, s->smart, "temperature_celsius", &celsius) &&
	    celsius > t->temperature_max)
		t->temperature_max = celsius;
}

enum throttle_change throttling_update(struct throttling *t, const struct thermal_sight *s, int64_t now)
{
	enum throttle_reason before = t->reason, seen = reason_seen(s);

	if (seen != THROTTLE_NONE) {
		if (before == THROTTLE_NONE)
			*t = (struct throttling){ .since = now, .temperature_max = INT64_MIN };
		t->reason = seen;
		t->sign = now;
		take_temperature(t, s);
		return before == THROTTLE_NONE ? THROTTLE_BEGUN : THROTTLE_SAME;
	}
	if (before == THROTTLE_NONE || (before != THROTTLE_STATUS && now - t->sign < STANDSTILL))
		return THROTTLE_SAME;
	t->reason = THROTTLE_NONE;
	return THROTTLE_ENDED;
}

static void put_temperatures(const uint8_t *smart, uint8_t *bytes)
{
	bytes_put(bytes + THERMAL_COMPOSITE, 2, smart ? bytes_get(smart + SMART_COMPOSITE, 2) : 0);
	for (unsigned i = 0; i < SENSORS; i++)
		bytes_put(bytes + THERMAL_SENSORS + 2 * i, 2,
			  smart ? bytes_get(smart + SMART_SENSORS + 2 * i, 2) : 0);
}

void thermal_put(const struct throttling *t, const struct thermal_sight *s, int64_t since_ms,
		 uint8_t *bytes)
{
	bool active = t->reason != THROTTLE_NONE;
	int64_t limit, celsius, headroom = -HEADROOM_BIAS;

	if (page_integer(&identify_page, s->identify, "wctemp_celsius", &limit) &&
	    page_integer(&smart_page, s->smart, "temperature_celsius", &celsius))
		headroom = limit - celsius;
	bytes_put(bytes + THERMAL_HEADROOM, 2, (uint64_t)(headroom + HEADROOM_BIAS));
	bytes[THERMAL_THROTTLED] = active;
	bytes[THERMAL_REASON] = (uint8_t)t->reason;
	bytes_put(bytes + THERMAL_MAX, 4, !active || t->temperature_max == INT64_MIN ? 0 :
		  (uint64_t)(t->temperature_max + KELVIN));
	bytes_put(bytes + THERMAL_SINCE, 6, active ? (uint64_t)since_ms : 0);
	put_temperatures(s->smart, bytes);
}
