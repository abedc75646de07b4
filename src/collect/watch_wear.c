/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a drive is rated for, and how it wears: its counters over time. */

#include <string.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/catalogue.h"
#include "nvmewatch/log.h"
#include "nvmewatch/wear.h"
#include "media.h"
#include "watch_internal.h"

#define THIS_BOOT 0 /* a process lives in one */

/* A whole number of a page as it was last read. */
static bool number_of(const struct watch *w, const struct page *p, const char *column, int64_t *ret)
{
	struct page_facts facts = watch_facts(w);

	return facts_integer(&facts, p, column, ret);
}

static uint64_t capacity_of(const struct watch *w)
{
	int64_t capacity;

	return number_of(w, &identify_page, "tnvmcap_bytes", &capacity) ? (uint64_t)capacity
									: w->drive.capacity_bytes;
}

void watch_rate(struct watch *w)
{
	struct watch_page *wp = watch_page(w, &rating_page);
	uint64_t capacity = capacity_of(w);

	w->rating = catalogue_find(w->collector->catalogue, w->drive.model, capacity);
	if (w->rating && watch_derived_bytes(wp)) {
		rating_put(w->rating, w->drive.model, capacity, wp->bytes);
		watch_publish_page(w, wp);
	} else {
		watch_withdraw_page(w, wp);
	}
}

static int64_t media_of(const struct watch *w, size_t i)
{
	int64_t sum = 0, n;

	for (unsigned k = 0; k < ELEMENTS(media_counters[i].columns) && media_counters[i].columns[k]; k++)
		if (!number_of(w, media_counters[i].page, media_counters[i].columns[k], &n) ||
		    __builtin_add_overflow(sum, n, &sum))
			return WEAR_UNKNOWN;
	return sum;
}

/* One drive, one counter. */
static void take_media(struct watch *w, const struct page *p)
{
	size_t i = 0, k = 0;
	int64_t n = 0;

	while (i < ELEMENTS(media_counters) && media_counters[i].page != p)
		i++;
	for (; i < ELEMENTS(media_counters) && k <= i && n <= 0; k++)
		n = media_of(w, k);
	if (n > 0 && k == i + 1)
		w->media_written = n;
}

/* The endurance group, where the drive has only one. */
static void take_group(const struct watch *w, struct wear_facts *f)
{
	const struct watch_page *group = watch_page(w, &endurance_group_page);
	int64_t n;

	for (const struct watch_page *other = group->more; other; other = other->more)
		if (!other->vacant)
			return;
	if (number_of(w, &endurance_group_page, "endurance_estimate_bytes", &n))
		f->group_estimate = (double)n;
	if (number_of(w, &endurance_group_page, "media_written_bytes", &n))
		f->group_media_written = n;
}

static struct wear_facts facts_of(const struct watch *w)
{
	uint64_t capacity = capacity_of(w);
	struct wear_facts f = { .capacity = rating_capacity(w->rating, capacity) };
	int64_t n;

	if (w->rating) {
		f.rated_written = rating_written(w->rating, capacity);
		f.drive_writes_per_day = rating_drive_writes(w->rating);
	}
	if (number_of(w, &smart_page, "power_on_seconds", &n))
		f.power_on_seconds = n;
	if (number_of(w, &ocp_smart_page, "endurance_estimate_bytes", &n))
		f.ocp_estimate = (double)n;
	take_group(w, &f);
	return f;
}

static void publish_wear(struct watch *w, const struct wear_moment *now, const struct wear_facts *f)
{
	struct watch_page *wp = watch_page(w, &wear_page);
	struct wear_report report;

	if (!watch_derived_bytes(wp))
		return;
	wear_report(w->wear, now, f, &report);
	wear_put(&report, wp->bytes);
	watch_publish_page(w, wp);
}

/* A percentage, from a ratio. */
static int used_percent(const struct watch *w)
{
	const uint8_t *smart = watch_good_bytes(w, &smart_page);
	unsigned index;
	const struct field *f = page_field(&smart_page, "endurance_used_ratio", &index);
	struct value v;

	return page_decode(&smart_page, f, index, smart, &v) == 0 ? (int)(v.real * 100 + 0.5) : WEAR_UNKNOWN;
}

static void take_counters(struct watch *w)
{
	struct wear_facts f = facts_of(w);
	struct wear_sample s = {
		.at = { .time = clock_real(), .mono = clock_mono(), .boot = THIS_BOOT },
		.capacity = f.capacity,
		.host_written = WEAR_UNKNOWN,
		.media_written = w->media_written,
		.used_percent = used_percent(w),
	};
	int64_t cadence = (int64_t)w->collector->settings.poll_ocp;
	bool first = s.media_written >= 0 && !w->media_seen; /* worth to be shown at once */

	if (!w->wear && wear_new(&w->wear) < 0)
		return;
	number_of(w, &smart_page, "host_written_bytes", &s.host_written);
	w->media_written = WEAR_UNKNOWN;
	w->media_seen |= first;
	/* Without memory a sample is lost, nothing else. */
	(void)wear_add(w->wear, &s);
	struct watch_page *wp = watch_page(w, &wear_page);
	if (!wp->read || first || s.at.mono - wp->read >= cadence * 9 / 10)
		publish_wear(w, &s.at, &f);
}

void watch_remember_wear(struct watch *w, const struct wear_sample *samples, size_t n)
{
	struct wear *wear;

	if (!n || wear_new(&wear) < 0)
		return;
	for (size_t i = 0; i < n; i++) {
		struct wear_sample s = samples[i];

		s.capacity = rating_capacity(w->rating, capacity_of(w));
		(void)wear_add(wear, &s);
	}
	/* What was read meanwhile is a minute at most. */
	wear_free(w->wear);
	w->wear = wear;
	w->media_seen = false;
	watch_page(w, &wear_page)->read = 0;
}

void watch_take_wear(struct watch *w, const struct watch_page *wp)
{
	if (wp->page == &identify_page)
		watch_rate(w);
	else if (wp->page == &smart_page)
		take_counters(w);
	else
		take_media(w, wp->page);
}
