/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What two reads of a page, or several pages together, say that none says alone: counters that fell,
 * throttling, self-tests and sanitizes that began or ended. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/counters.h"
#include "nvmewatch/episode.h"
#include "nvmewatch/log.h"
#include "schedule.h"
#include "watch_internal.h"

#define NEILE 176 /* in 02h: number of error information log entries, 16 bytes */

/* Another drive may have taken the name: who it is comes first. */
static void suspect_reset(struct watch *w, const struct watch_page *wp, const uint8_t *before)
{
	if (!w->fell[0] && counters_fell(wp->page, before, wp->bytes, w->fell, sizeof(w->fell)))
		watch_page(w, &identify_page)->due = 0;
}

static void report_reset(struct watch *w)
{
	watch_event(w, "counter_reset", w->fell);
	log_drive(LOG_NOTICE, &w->drive, NULL, "counters went down: %s", w->fell);
	w->fell[0] = 0;
}

static void report_throttling(struct watch *w, enum throttle_change change, int64_t now)
{
	const struct throttling *t = &w->throttling;
	char detail[128], heat[32] = "";

	if (t->temperature_max != INT64_MIN)
		snprintf(heat, sizeof(heat), "%s %" PRId64 " C", change == THROTTLE_BEGUN ? " at" : ", up to",
			 t->temperature_max);
	if (change == THROTTLE_BEGUN)
		snprintf(detail, sizeof(detail), "%s%s", throttle_reason_name(t->reason), heat);
	else
		snprintf(detail, sizeof(detail), "after %" PRId64 " s%s", (now - t->since) / 1000000, heat);
	watch_event(w, change == THROTTLE_BEGUN ? "throttle_begin" : "throttle_end", detail);
	if (change == THROTTLE_BEGUN)
		log_drive(LOG_WARNING, &w->drive, LOG_ID_THROTTLED, "throttles: %s", detail);
	else
		log_drive(LOG_NOTICE, &w->drive, NULL, "no longer throttles, %s", detail);
}

uint8_t *watch_derived_bytes(struct watch_page *wp)
{
	if (!wp->bytes && !(wp->bytes = calloc(1, wp->page->size)))
		return NULL;
	wp->length = wp->page->size;
	wp->known = wp->supported = wp->was_good = true;
	return wp->bytes;
}

void watch_withdraw_page(struct watch *w, struct watch_page *wp)
{
	if (!wp->known)
		return;
	wp->known = wp->was_good = false;
	now_remove_page(w->collector->now, w->drive.key, wp->page, wp->instance);
	w->collector->dirty = true;
}

static void publish_heat(struct watch *w, const struct thermal_sight *sight, int64_t now)
{
	struct watch_page *wp = watch_page(w, &thermal_page);

	if (!watch_derived_bytes(wp))
		return;
	thermal_put(&w->throttling, sight, (clock_real() - (now - w->throttling.since)) / 1000, wp->bytes);
	trend_put(&w->trend, sight->identify, now, wp->bytes);
	watch_publish_page(w, wp);
}

/* A page that the drive no longer gives says nothing of now. */
static const uint8_t *recent_bytes(const struct watch *w, const struct page *p, int64_t now)
{
	const struct watch_page *wp = watch_page(w, p);

	return wp->supported && now - wp->read <= 3 * (int64_t)w->collector->settings.poll_ocp
		       ? watch_good_bytes(w, p)
		       : NULL;
}

static void take_heat(struct watch *w, const uint8_t *smart_before)
{
	int64_t now = clock_mono();
	struct thermal_sight sight = {
		.identify = watch_good_bytes(w, &identify_page),
		.smart = watch_good_bytes(w, &smart_page),
		.smart_before = smart_before,
	};

	for (unsigned i = 0; i < THERMAL_STATUSES; i++)
		sight.statuses[i] = recent_bytes(w, thermal_statuses[i].page, now);
	enum throttle_change change = throttling_update(&w->throttling, &sight, now);

	if (change != THROTTLE_SAME)
		report_throttling(w, change, now);
	publish_heat(w, &sight, now);
	bool hot = w->throttling.reason != THROTTLE_NONE ||
		   schedule_is_hot(sight.identify, sight.smart);
	if (hot == w->hot)
		return;
	w->hot = hot;
	watch_reschedule(w);
}

static bool has_thermal_status(const struct page *p)
{
	for (unsigned i = 0; i < THERMAL_STATUSES; i++)
		if (thermal_statuses[i].page == p)
			return true;
	return false;
}

static void take_temperature(struct watch *w, const uint8_t *smart)
{
	int64_t celsius;

	if (page_integer(&smart_page, smart, "temperature_celsius", &celsius))
		trend_add(&w->trend, clock_mono(), celsius);
}

/* The drive counts error log entries in 02h: when there are more, the log is worth a look. */
static void look_at_errors(struct watch *w, const uint8_t *before)
{
	struct watch_page *wp = watch_page(w, &error_information_page);

	if (before && memcmp(before + NEILE, watch_good_bytes(w, &smart_page) + NEILE, 16) != 0 &&
	    wp->due != INT64_MAX)
		wp->due = 0;
}

struct episode_names {
	const char *begin, *end; /* types of event */
	const char *name;        /* for people */
};

static void report_episode(struct watch *w, enum episode e, const struct episode_names *names,
			   const char *detail)
{
	if (e == EPISODE_SAME)
		return;
	watch_event(w, e == EPISODE_BEGUN ? names->begin : names->end, detail);
	log_drive(LOG_NOTICE, &w->drive, NULL, "%s has %s: %s", names->name,
		  e == EPISODE_BEGUN ? "begun" : "ended", detail);
	/* What was refused for its sake is to be had again. */
	if (e == EPISODE_ENDED)
		watch_reread(w);
}

static void take_episodes(struct watch *w, const struct watch_page *wp, const uint8_t *before)
{
	static const struct episode_names self_test = { "self_test_begin", "self_test_end", "a self-test" };
	static const struct episode_names sanitize = { "sanitize_begin", "sanitize_end", "a sanitize" };
	char detail[128] = "";

	if (wp->page == &self_test_page)
		report_episode(w, episode_self_test(before, wp->bytes, detail, sizeof(detail)), &self_test,
			       detail);
	else if (wp->page == &sanitize_page)
		report_episode(w, episode_sanitize(before, wp->bytes, detail, sizeof(detail)), &sanitize,
			       detail);
}

/* A warning that was not there before, or the first answer after a reset that a silent drive has cost. */
static bool is_in_trouble(const struct watch *w, const uint8_t *smart, const uint8_t *before)
{
	return w->was_reset || (before && smart[0] & ~before[0]);
}

void watch_derive(struct watch *w, const struct watch_page *wp, const uint8_t *before)
{
	if (wp->page == &identify_page && w->fell[0])
		report_reset(w);
	else if (before && wp->page->history)
		suspect_reset(w, wp, before);
	if (wp->page == &smart_page && is_in_trouble(w, wp->bytes, before)) {
		w->was_reset = false;
		watch_look_back(w);
	}
	if (wp->page == &smart_page)
		take_temperature(w, wp->bytes);
	if (wp->page == &smart_page || has_thermal_status(wp->page))
		take_heat(w, wp->page == &smart_page ? before : NULL);
	watch_take_wear(w, wp);
	if (wp->page == &smart_page)
		look_at_errors(w, before);
	else if (wp->page == &error_information_page)
		watch_take_errors(w, wp);
	else if (wp->page == &namespace_page && !bytes_get(wp->bytes, 8))
		watch_page(w, &namespaces_page)->due = 0; /* it is no more: which are? */
	else
		take_episodes(w, wp, before);
}

void watch_end_throttling(struct watch *w)
{
	if (w->throttling.reason == THROTTLE_NONE)
		return;
	w->throttling.reason = THROTTLE_NONE;
	report_throttling(w, THROTTLE_ENDED, clock_mono());
}
