/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A drive's pages: which is asked for next, and what becomes of a good one. */

#include <string.h>

#include "nvmewatch/boot.h"
#include "recorder.h"
#include "schedule.h"
#include "watch_internal.h"

#define REREAD INT64_C(60000000) /* microseconds, from one to the next at least */

struct watch_page *watch_page(const struct watch *w, const struct page *p)
{
	return &w->pages[page_index(p)];
}

struct watch_page *watch_next_page(const struct watch *w, const struct watch_page *wp)
{
	if (wp && wp->more)
		return wp->more;
	unsigned next = wp ? wp->index + 1 : 0;
	return next < page_total() ? &w->pages[next] : NULL;
}

const uint8_t *watch_good_bytes(const struct watch *w, const struct page *p)
{
	const struct watch_page *wp = watch_page(w, p);

	return wp->was_good ? wp->bytes : NULL;
}

static const uint8_t *known_bytes(const void *userdata, const struct page *p, bool *ret_settled)
{
	const struct watch_page *wp = watch_page(userdata, p);

	/* What cannot be had is not waited for. */
	*ret_settled = (wp->known && !wp->supported) ||
		       (!wp->was_good && (wp->troubles >= WATCH_TROUBLES || wp->hangs > 1));
	return wp->was_good && !*ret_settled ? wp->bytes : NULL;
}

struct page_facts watch_facts(const struct watch *w)
{
	return (struct page_facts){
		.vendor = w->drive.vendor,
		.model = w->drive.model,
		.firmware = w->drive.firmware,
		.bytes = known_bytes,
		.userdata = w,
	};
}

static uint64_t watch_cadence(const struct watch *w, const struct page *p)
{
	const struct settings *s = &w->collector->settings;
	/* What is not read is not read more often either. */
	bool hot = w->hot && p->command != PAGE_DERIVED;
	uint64_t cadence = schedule_cadence(p, s, hot, w->sleepy);
	const uint8_t *bytes = p->moves ? watch_good_bytes(w, p) : NULL;

	return bytes && p->moves(bytes) && cadence > s->poll_ocp ? s->poll_ocp : cadence;
}

int64_t watch_next_due(const struct watch *w, const struct page *p, bool done)
{
	uint64_t cadence = watch_cadence(w, p);

	if (p->cadence == CADENCE_ASKED || (cadence == UINT64_MAX && done))
		return INT64_MAX;
	/* What others wait for, and could not be had, is tried again soon. */
	if (cadence == UINT64_MAX || (!done && p == &namespaces_page))
		cadence = w->collector->settings.poll_smart;
	return schedule_next(clock_mono(), cadence, w->collector->phase);
}

/* Its time has come, and it does not wait behind what was put off to now, or to at once, though not
 * twice in a row, nor after it went without an answer: of a drive that is slower than poll.smart, or whose
 * reader dies of this page, the others are read too. */
static bool is_urgent(const struct watch *w, const struct watch_page *smart, int64_t now)
{
	return smart->due && smart->due <= now && w->asked != smart && !smart->unanswered &&
	       watch_page(w, &identify_page)->due > now;
}

struct watch_page *watch_first_due(const struct watch *w, int64_t now)
{
	struct watch_page *first = &w->pages[0], *wp = watch_page(w, &smart_page);

	if (is_urgent(w, wp, now))
		return wp;
	wp = NULL;
	while ((wp = watch_next_page(w, wp)))
		if (wp->due < first->due)
			first = wp;
	return first;
}

static uint8_t uuid_index(const struct watch *w, const struct watch_page *wp)
{
	const uint8_t *list = watch_good_bytes(w, &uuid_list_page);

	return list && wp->page->uuid && !wp->unindexed ? uuid_index_of(list, wp->page->uuid) : 0;
}

struct command watch_command(struct watch *w, struct watch_page *wp)
{
	struct command c = command_for_page(wp->page, wp->instance, uuid_index(w, wp));
	struct page_facts facts = watch_facts(w);

	c.length = page_length(wp->page, &facts);
	if (wp->other_length)
		c.length = c.length == wp->page->size ? wp->page->size_min : wp->page->size;
	if (wp->page == &smart_page)
		c.rae = w->rae == RAE_RETAIN || w->rae == RAE_COMPARE || w->rae == RAE_UNTRIED;
	w->asked = wp;
	return c;
}

static void take_identity(struct watch *w, const uint8_t *bytes)
{
	unsigned index;
	struct value v;
	int64_t apsta;

	/* sysfs may hold the firmware revision from before an activation without reset. */
	if (page_decode(&identify_page, page_field(&identify_page, "fr", &index), 0, bytes, &v) == 0 &&
	    strlen(v.text) < sizeof(w->drive.firmware))
		watch_set_firmware(w, v.text);
	if (page_integer(&identify_page, bytes, "apsta", &apsta))
		w->sleepy = apsta & 1;
	watch_take_quirks(w);
	w->identified = true;
	recorder_drive(w->collector->recorder, &w->drive);
	watch_publish_drive(w);
}

static void record(struct watch *w, struct watch_page *wp, int64_t time, int64_t mono)
{
	/* A little early is in time: the poll before this one may have come late. */
	if (!wp->page->history ||
	    (wp->recorded && !wp->page->every_read && mono - wp->recorded < (int64_t)w->collector->settings.store_interval * 9 / 10))
		return;
	if (recorder_sample(w->collector->recorder, w->drive.key, wp->page, wp->instance, time, mono,
			    wp->bytes) == 0)
		wp->recorded = mono;
}

void watch_publish_page(struct watch *w, struct watch_page *wp)
{
	int64_t time = clock_real(), mono = clock_mono();
	uint64_t cadence = watch_cadence(w, wp->page);

	now_put_page(w->collector->now, w->drive.key, wp->page, wp->instance, time, mono,
		     cadence == UINT64_MAX ? 0 : cadence, wp->bytes, wp->length);
	w->collector->dirty = true;
	wp->read = mono;
	wp->read_time = time;
	record(w, wp, time, mono);
}

void watch_take_page(struct watch *w, struct watch_page *wp)
{
	if (wp->page == &identify_page)
		take_identity(w, wp->bytes);
	watch_publish_page(w, wp);
}

void watch_record_last(struct watch *w)
{
	struct watch_page *wp = NULL;

	while ((wp = watch_next_page(w, wp)))
		if (wp->page->history && wp->was_good && wp->read > wp->recorded &&
		    recorder_sample(w->collector->recorder, w->drive.key, wp->page, wp->instance,
				    wp->read_time, wp->read, wp->bytes) == 0)
			wp->recorded = wp->read;
}

void watch_reschedule(struct watch *w)
{
	struct watch_page *wp = NULL;

	while ((wp = watch_next_page(w, wp))) {
		/* Never later: until it is read again, what is published tells the former cadence. */
		int64_t due = watch_next_due(w, wp->page, false);
		if (wp->due != INT64_MAX && due < wp->due)
			wp->due = due;
	}
}

void watch_reread(struct watch *w)
{
	int64_t now = clock_mono(), due = w->reread ? w->reread + REREAD : 0;
	struct watch_page *wp = NULL;

	if (due <= now) {
		w->reread = now;
		due = 0;
	}
	while ((wp = watch_next_page(w, wp)))
		if (wp->page->cadence != CADENCE_ASKED && !wp->vacant && (wp->supported || !wp->known) &&
		    due < wp->due)
			wp->due = due;
}
