/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A drive's pages: which is asked for next, and what becomes of a good one. */

#include <string.h>

#include "nvmewatch/boot.h"
#include "recorder.h"
#include "schedule.h"
#include "watch_internal.h"

#define CTRATT_UUID_LIST (1u << 9)

const uint8_t *watch_good_bytes(const struct watch *w, const struct page *p)
{
	const struct watch_page *wp = &w->pages[page_index(p)];

	return wp->was_good ? wp->bytes : NULL;
}

static uint64_t watch_cadence(const struct watch *w, const struct page *p)
{
	return schedule_cadence(p, &w->collector->settings, w->hot, w->sleepy);
}

int64_t watch_next_due(const struct watch *w, const struct page *p, bool done)
{
	uint64_t cadence = watch_cadence(w, p);

	if (cadence == UINT64_MAX && done)
		return INT64_MAX;
	/* What is read at attach only, and could not be, is tried again. */
	if (cadence == UINT64_MAX)
		cadence = w->collector->settings.poll_ocp;
	return schedule_next(clock_mono(), cadence, w->collector->phase);
}

struct watch_page *watch_first_due(const struct watch *w)
{
	struct watch_page *first = &w->pages[0];

	for (unsigned i = 1; i < page_total(); i++)
		if (w->pages[i].due < first->due)
			first = &w->pages[i];
	return first;
}

static bool has_uuid_list(const struct watch *w)
{
	const uint8_t *identify = watch_good_bytes(w, &identify_page);
	unsigned index;

	return identify && (bytes_get(identify + page_field(&identify_page, "ctratt", &index)->offset, 4) &
			    CTRATT_UUID_LIST);
}

struct command watch_command(struct watch *w, struct watch_page *wp)
{
	if (wp->page->ocp && !w->uuid_known && !has_uuid_list(w))
		w->uuid_known = true;
	if (wp->page->ocp && !w->uuid_known) {
		w->asked = NULL;
		return (struct command){ .opcode = OPCODE_IDENTIFY, .id = CNS_UUID_LIST,
					 .length = UUID_LIST_SIZE };
	}
	w->asked = wp;
	struct command c = command_for_page(wp->page, w->uuid_index);
	if (wp->page == &smart_page)
		c.rae = w->rae == RAE_RETAIN || w->rae == RAE_COMPARE || w->rae == RAE_UNTRIED;
	return c;
}

static void take_identity(struct watch *w, const uint8_t *bytes)
{
	unsigned index;
	struct value v;

	/* sysfs may hold the firmware revision from before an activation without reset. */
	if (page_decode(&identify_page, page_field(&identify_page, "fr", &index), 0, bytes, &v) == 0 &&
	    strlen(v.text) < sizeof(w->drive.firmware))
		watch_set_firmware(w, v.text);
	if (page_decode(&identify_page, page_field(&identify_page, "apsta", &index), 0, bytes, &v) == 0)
		w->sleepy = v.integer & 1;
	watch_take_quirks(w);
	w->identified = true;
	recorder_drive(w->collector->recorder, &w->drive);
	watch_publish_drive(w);
}

static void record(struct watch *w, struct watch_page *wp, int64_t time, int64_t mono)
{
	int64_t *last = &w->recorded[page_index(wp->page)];

	/* A little early is in time: the poll before this one may have come late. */
	if (!wp->page->history ||
	    (*last && mono - *last < (int64_t)w->collector->settings.store_interval * 9 / 10))
		return;
	if (recorder_sample(w->collector->recorder, w->drive.key, wp->page, time, mono,
			    wp->bytes) == 0)
		*last = mono;
}

void watch_take_page(struct watch *w, struct watch_page *wp)
{
	int64_t time = clock_real(), mono = clock_mono();
	uint64_t cadence = watch_cadence(w, wp->page);

	if (wp->page == &identify_page)
		take_identity(w, wp->bytes);
	now_put_page(w->collector->now, w->drive.key, wp->page, time, mono,
		     cadence == UINT64_MAX ? 0 : cadence, wp->bytes);
	w->collector->dirty = true;
	wp->read = mono;
	wp->read_time = time;
	record(w, wp, time, mono);
}

void watch_record_last(struct watch *w)
{
	for (unsigned i = 0; i < page_total(); i++) {
		struct watch_page *wp = &w->pages[i];
		if (wp->page->history && wp->was_good && wp->read > w->recorded[i] &&
		    recorder_sample(w->collector->recorder, w->drive.key, wp->page, wp->read_time,
				    wp->read, wp->bytes) == 0)
			w->recorded[i] = wp->read;
	}
}

void watch_reschedule(struct watch *w)
{
	for (unsigned i = 0; i < page_total(); i++) {
		struct watch_page *wp = &w->pages[i];
		/* Never later: until it is read again, what is published tells the former cadence. */
		int64_t due = watch_next_due(w, wp->page, false);
		if (wp->due != INT64_MAX && due < wp->due)
			wp->due = due;
	}
}
