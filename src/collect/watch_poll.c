/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A drive's pages: which is asked for next, and what its answer means. */

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/discovery.h"
#include "nvmewatch/log.h"
#include "recorder.h"
#include "schedule.h"
#include "watch_internal.h"

#define CTRATT_UUID_LIST (1u << 9)

static const uint8_t *good_bytes(const struct watch *w, const struct page *p)
{
	const struct watch_page *wp = &w->pages[page_index(p)];

	return wp->was_good ? wp->bytes : NULL;
}

static int64_t next_due(const struct watch *w, const struct page *p)
{
	uint64_t cadence = schedule_cadence(p, &w->collector->settings, w->hot);

	if (cadence == UINT64_MAX && good_bytes(w, p))
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
	const uint8_t *identify = good_bytes(w, &identify_page);
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
	return command_for_page(wp->page, w->uuid_index);
}

static void count(struct watch *w, struct watch_page *wp, enum failure f)
{
	if (now_put_errors(w->collector->now, w->drive.key, wp->page, failure_name(f),
			   wp->failures[f]) == 0)
		w->collector->dirty = true;
}

static void take_identity(struct watch *w, const uint8_t *bytes)
{
	unsigned index;
	struct value v;

	/* sysfs may hold the firmware revision from before an activation without reset. */
	if (page_decode(&identify_page, page_field(&identify_page, "fr", &index), 0, bytes, &v) == 0 &&
	    strlen(v.text) < sizeof(w->drive.firmware))
		strcpy(w->drive.firmware, v.text);
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

static void take_page(struct watch *w, struct watch_page *wp)
{
	int64_t time = clock_real(), mono = clock_mono();
	uint64_t cadence = schedule_cadence(wp->page, &w->collector->settings, w->hot);

	if (wp->page == &identify_page)
		take_identity(w, wp->bytes);
	else if (!strcmp(w->source, "linux") && wp->page == &smart_page)
		discovery_state(&w->drive);
	now_put_page(w->collector->now, w->drive.key, wp->page, time, mono,
		     cadence == UINT64_MAX ? 0 : cadence, wp->bytes);
	w->collector->dirty = true;
	record(w, wp, time, mono);
}

static void log_failure(const struct watch *w, const struct watch_page *wp, enum failure f,
			const struct reply *reply)
{
	char status[128];

	/* Once per kind and drive; the counter tells how often. */
	if (f == FAILURE_NONE || wp->failures[f] > 1)
		return;
	if (reply->error)
		log_drive(LOG_WARNING, &w->drive, NULL, "cannot read page %s: %s", wp->page->name,
			  strerror(-reply->error));
	else if (reply->status)
		log_drive(f == FAILURE_REFUSED ? LOG_INFO : LOG_WARNING, &w->drive, NULL,
			  "%s page %s: %s", wp->due == INT64_MAX ? "has no" : "cannot read",
			  wp->page->name, status_text(reply->status, status, sizeof(status)));
	else if (f == FAILURE_OVERFLOW)
		log_drive(LOG_WARNING, &w->drive, NULL,
			  "page %s has values that do not fit; they are left out", wp->page->name);
	else
		log_drive(LOG_WARNING, &w->drive, NULL,
			  "page %s is not what it should be (%s): %u bytes are ignored",
			  wp->page->name, failure_name(f), reply->length);
}

static bool denied_by_uuid(struct watch *w, enum failure f)
{
	if (!w->asked->page->ocp || !w->uuid_index || w->asked->was_good ||
	    (f != FAILURE_REFUSED && f != FAILURE_GUID))
		return false;
	/* Drives are to answer without an index too (OCP UUID-3, UUID-5). */
	w->uuid_index = 0;
	return true;
}

static void update_heat(struct watch *w)
{
	bool hot = schedule_is_hot(good_bytes(w, &identify_page), good_bytes(w, &smart_page),
				   good_bytes(w, &ocp_smart_page));

	if (hot == w->hot)
		return;
	w->hot = hot;
	watch_reschedule(w);
}

/* False where every page that is read lately went without an answer. */
static bool answers(const struct watch *w)
{
	unsigned unanswered = 0;

	for (unsigned i = 0; i < page_total(); i++) {
		if (w->pages[i].due == INT64_MAX)
			continue;
		if (!w->pages[i].unanswered)
			return true;
		unanswered++;
	}
	return !unanswered;
}

/* A read that ends without an answer costs that page; where all do, the drive does not answer. To
 * tell one from the other, the other pages are asked at once. */
static void note_answer(struct watch *w, struct watch_page *wp, bool answered, const char *why)
{
	int64_t now = clock_mono();

	for (unsigned i = 0; !answered && !wp->unanswered && i < page_total(); i++)
		if (&w->pages[i] != wp && w->pages[i].due != INT64_MAX && w->pages[i].due > now)
			w->pages[i].due = now;
	wp->unanswered = !answered;
	watch_set_responding(w, answers(w), why);
}

void watch_answered(struct watch *w, const struct reply *reply)
{
	struct watch_page *wp = w->asked;

	if (!wp) {
		w->uuid_known = true;
		w->uuid_index = reply->error || reply->status ? 0 : ocp_uuid_index(reply->data);
		watch_set_responding(w, answers(w), strerror(-reply->error));
		return;
	}
	note_answer(w, wp, !reply->error, strerror(-reply->error));
	enum failure f = watch_page_judge(wp->page, reply);
	if (denied_by_uuid(w, f))
		return;
	bool was_known = wp->known;
	wp->due = watch_page_take(wp, f, reply) ? next_due(w, wp->page) : INT64_MAX;
	log_failure(w, wp, f, reply);
	if (f != FAILURE_NONE)
		count(w, wp, f);
	if (f == FAILURE_NONE || f == FAILURE_OVERFLOW)
		take_page(w, wp);
	else if (wp->known && (!was_known || wp->due == INT64_MAX))
		now_put_support(w->collector->now, w->drive.key, wp->page, wp->supported);
	update_heat(w);
}

void watch_failed(struct watch *w, enum failure f)
{
	struct watch_page *wp = w->asked ? w->asked : &w->pages[page_index(&identify_page)];

	watch_page_take(wp, f, NULL);
	count(w, wp, f);
	if (f == FAILURE_TIMEOUT) { /* the command goes on */
		watch_set_responding(w, false, "no answer in poll.timeout");
		return;
	}
	/* What killed the reader is not the first thing to ask the next one for. */
	if (w->asked)
		wp->due = next_due(w, wp->page);
	else
		w->uuid_known = true;
	note_answer(w, wp, false, "its reader is gone");
}

void watch_reschedule(struct watch *w)
{
	for (unsigned i = 0; i < page_total(); i++) {
		struct watch_page *wp = &w->pages[i];
		if (wp->due && wp->due != INT64_MAX)
			wp->due = next_due(w, wp->page);
	}
}
