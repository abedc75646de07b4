/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a drive's answer means: a page, a refusal, a drive that is not ready, hangs, or is another. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/log.h"
#include "nvmewatch/privilege.h"
#include "schedule.h"
#include "watch_internal.h"

#define RETRY 300000       /* microseconds */
#define SMART_RESERVED 7   /* to byte 31, zero in every version of the specification */
#define STRANGER 5000000   /* until Identify is asked again who that is */

static void count(struct watch *w, const struct watch_page *wp, enum failure f)
{
	if (now_add_error(w->collector->now, w->drive.key, wp->page, failure_name(f)) == 0)
		w->collector->dirty = true;
}

static void log_failure(const struct watch *w, struct watch_page *wp, enum failure f,
			const struct reply *reply, bool given_up)
{
	char status[128], name[PAGE_NAME_MAX];

	page_instance_name(wp->page, wp->instance, name);
	/* Once per spell; the counter tells how often. Who asks for a page is told each time. */
	bool again = f == wp->last_failure && wp->page->cadence != CADENCE_ASKED;
	wp->last_failure = f;
	/* Of what is not allowed the drive's own line tells. */
	if (f == FAILURE_NONE || again || privilege_is_denial(reply->error))
		return;
	if (reply->error)
		log_drive(LOG_WARNING, &w->drive, NULL, "cannot read page %s: %s", name,
			  strerror(-reply->error));
	else if (wp->page->lsp && status_is_busy(reply->status))
		log_drive(LOG_NOTICE, &w->drive, NULL,
			  "page %s is not read: another tool is reading it (%s)", name,
			  status_text(reply->status, status, sizeof(status)));
	else if (reply->status)
		log_drive(f == FAILURE_REFUSED ? LOG_INFO : LOG_WARNING, &w->drive, NULL,
			  "%s page %s: %s", given_up ? "has no" : "cannot read",
			  name, status_text(reply->status, status, sizeof(status)));
	else if ((f == FAILURE_GUID || f == FAILURE_LAYOUT) && given_up)
		log_drive(LOG_INFO, &w->drive, NULL,
			  "has no page %s: what it has under that id is the vendor's own", name);
	else if (f == FAILURE_OVERFLOW)
		log_drive(LOG_WARNING, &w->drive, NULL,
			  "page %s has values that do not fit; they are left out", name);
	else
		log_drive(LOG_WARNING, &w->drive, NULL,
			  "page %s is not what it should be (%s): %u bytes are ignored",
			  name, failure_name(f), reply->length);
}

/* Whether Identify tells the serial that discovery saw. In a reset, rubbish has been seen. */
static bool is_itself(const struct watch *w, const uint8_t *bytes)
{
	unsigned index;
	struct value v;

	return !w->drive.serial[0] ||
	       (page_decode(&identify_page, page_field(&identify_page, "sn", &index), 0, bytes, &v) ==
			0 && !strcmp(v.text, w->drive.serial));
}

static bool denied_by_uuid(struct watch *w, enum failure f)
{
	const uint8_t *list = watch_good_bytes(w, &uuid_list_page);
	struct watch_page *wp = w->asked;

	if (!wp->page->uuid || wp->unindexed || !list || !uuid_index_of(list, wp->page->uuid) ||
	    (f != FAILURE_REFUSED && f != FAILURE_GUID))
		return false;
	/* Drives are to answer without an index too (OCP UUID-3, UUID-5). */
	wp->unindexed = true;
	return true;
}

/* Whether the page speaks for the drive: it is read often, by a command, and was asked for, or will be in
 * a moment. Identify, which is asked of every new reader, does until other pages can. */
static bool speaks(const struct watch *w, const struct watch_page *wp, bool first)
{
	struct page_facts facts = watch_facts(w);

	if (wp->due == INT64_MAX || wp->page->command == PAGE_HOST)
		return false;
	if (wp->page->cadence > CADENCE_POWER)
		return first && wp->page == &identify_page;
	return wp->known || wp->read || wp->unanswered ||
	       page_presence(wp->page, &facts) == PAGE_POSSIBLE;
}

/* False where every page that speaks for the drive went without an answer. */
static bool answers(const struct watch *w)
{
	const struct watch_page *smart = watch_page(w, &smart_page), *wp = NULL;
	bool first = !smart->known && !smart->unanswered;
	unsigned unanswered = 0;

	while ((wp = watch_next_page(w, wp))) {
		if (!speaks(w, wp, first))
			continue;
		if (!wp->unanswered)
			return true;
		unanswered++;
	}
	return !unanswered;
}

/* What an answer that is none comes of; nothing, of one that is. */
static const char *explain(const struct watch *w, const struct reply *reply, char *ret, size_t size)
{
	if (privilege_is_denial(reply->error))
		privilege_explain(w->drive.device, reply->error, ret, size);
	else
		snprintf(ret, size, "%s", reply->error ? strerror(-reply->error) :
			 status_is_of_host(reply->status) ? "the driver cannot reach it" : "");
	return ret;
}

/* A read that ends without an answer costs that page; where all do, the drive does not answer. To
 * tell one from the other, the other pages are asked at once. */
static void note_answer(struct watch *w, struct watch_page *wp, bool answered, const char *why)
{
	int64_t now = clock_mono();
	struct watch_page *other = NULL;

	while (!answered && !wp->unanswered && (other = watch_next_page(w, other)))
		if (other != wp && other->page->cadence <= CADENCE_POWER &&
		    other->page->command != PAGE_HOST && other->due != INT64_MAX && other->due > now)
			other->due = now;
	wp->unanswered = !answered;
	watch_set_responding(w, answers(w), why);
}

static bool is_plausible(const uint8_t *smart)
{
	static const uint8_t zeros[32 - SMART_RESERVED];
	int64_t celsius;

	return !memcmp(smart + SMART_RESERVED, zeros, sizeof(zeros)) &&
	       page_integer(&smart_page, smart, "temperature_celsius", &celsius);
}

/* Some drives answer 02h with zeros or rubbish where the event is retained (see watch_internal.h).
 * Returns whether the page is to be asked for at once, the other way. */
static bool try_other_rae(struct watch *w, enum failure f, const struct reply *reply)
{
	bool good = f != FAILURE_ZERO && (reply->length != smart_page.size ||
					  is_plausible(reply->data));

	if (w->asked->page != &smart_page || reply->error || reply->status)
		return false;
	switch (w->rae) {
	case RAE_UNTRIED:
		w->rae = good ? RAE_UNTRIED : RAE_WITHOUT;
		return !good;
	case RAE_WITHOUT:
		w->rae = good ? RAE_COMPARE : RAE_RETAIN;
		return false;
	case RAE_COMPARE:
		/* One odd answer is no proof: only a second one is. */
		w->rae = good ? RAE_RETAIN : RAE_CLEAR;
		if (!good)
			log_drive(LOG_NOTICE, &w->drive, NULL,
				  "answers page smart only without the event retained");
		return !good;
	case RAE_RETAIN:
	case RAE_CLEAR:
		break;
	}
	return false;
}

/* Of a page whose length varies another length may do. Once. */
static bool try_other_length(struct watch_page *wp, const struct reply *reply)
{
	if (!status_is_of_length(reply->status) || !wp->page->size_min || wp->other_length)
		return false;
	wp->other_length = true;
	wp->due = clock_mono();
	return true;
}

/* While a drive is sanitized it answers next to nothing: that is no failure, and what it is doing says
 * its sanitize page. */
static bool is_sanitized(struct watch *w, struct watch_page *wp, const struct reply *reply)
{
	struct watch_page *sanitize = watch_page(w, &sanitize_page);

	if (!status_is_sanitize(reply->status))
		return false;
	/* Each of these may be an entry in the drive's error log; the end of the sanitize makes it due. */
	wp->due = schedule_next(clock_mono(), w->collector->settings.poll_slow, w->collector->phase);
	if (wp != sanitize && !wp->sanitized && sanitize->due != INT64_MAX)
		sanitize->due = clock_mono();
	wp->sanitized = true;
	return true;
}

/* Not ready, but soon: asked once more before it counts. */
static bool try_again(const struct watch *w, struct watch_page *wp, const struct reply *reply)
{
	/* EINTR before the driver's time-out: somebody's reset has cancelled the command. */
	bool soon = reply->error == -EAGAIN || (reply->error == -EINTR && !w->overdue) ||
		    status_is_temporary(reply->status);

	if (!soon || wp->retried) {
		wp->retried = false;
		return false;
	}
	wp->retried = true;
	wp->due = clock_mono() + RETRY;
	return true;
}

/* What the driver gives up on ends with EINTR, and it resets the controller. So does, at once, what
 * somebody else's reset interrupts. */
static bool is_time_out(const struct watch *w, const struct reply *reply)
{
	return reply->error == -EINTR && w->overdue;
}

/* The device name leads to another drive: nothing is believed until a scan has found out. */
static void meet_stranger(struct watch *w, struct watch_page *identify, int64_t now)
{
	struct watch_page *wp = NULL;

	while ((wp = watch_next_page(w, wp)))
		if (wp->due != INT64_MAX)
			wp->due = now + STRANGER + 1;
	identify->due = now + STRANGER;
	w->fell[0] = 0;
	w->collector->rescan = now;
}

/* What an errno may come from: the kernel resets the controller. Then that is what is shown. */
static bool is_unsettled(struct watch *w, const struct reply *reply, int64_t now)
{
	return reply->error && watch_read_state(w, now) && w->unsettled;
}

static enum failure judge(const struct watch *w, const struct watch_page *wp,
			  const struct reply *reply)
{
	enum failure f = watch_page_judge(wp->page, reply);

	if (wp->page == &identify_page && (f == FAILURE_NONE || f == FAILURE_OVERFLOW) &&
	    !is_itself(w, reply->data))
		return FAILURE_IDENTITY;
	return f;
}

static void settle_page(struct watch *w, struct watch_page *wp, enum failure f,
			const struct reply *reply)
{
	bool was_known = wp->known, was_good = wp->was_good;
	bool good = f == FAILURE_NONE || f == FAILURE_OVERFLOW;
	uint8_t before[PAGE_SIZE_MAX];

	if (was_good)
		memcpy(before, wp->bytes, wp->page->size);

	bool given_up = !watch_page_take(wp, f, reply);
	wp->due = given_up ? INT64_MAX : watch_next_due(w, wp->page, good);
	log_failure(w, wp, f, reply, given_up);
	/* Finding out which of a vendor's layouts it has is no error. */
	if (f != FAILURE_NONE && f != FAILURE_LAYOUT)
		count(w, wp, f);
	if (f == FAILURE_REFUSED && given_up)
		watch_refused(w, wp);
	if (good && wp->was_good) {
		watch_take_page(w, wp);
		watch_derive(w, wp, was_good ? before : NULL);
	} else if (wp->known && (!was_known || given_up)) {
		now_put_support(w->collector->now, w->drive.key, wp->page, wp->instance,
				wp->supported);
	}
	/* Last: wp itself may be one that is no more. */
	watch_take_instances(w);
}

/* The kernel has nothing to say of it now. No error of the drive's, and no reason not to ask again: a
 * namespace comes after its controller. */
static void settle_silence(struct watch *w, struct watch_page *wp)
{
	if (!wp->known || wp->supported)
		now_put_support(w->collector->now, w->drive.key, wp->page, wp->instance, false);
	w->collector->dirty |= !wp->known || wp->supported;
	wp->known = true;
	wp->supported = false;
	wp->due = watch_next_due(w, wp->page, true);
}

void watch_answered(struct watch *w, const struct reply *reply)
{
	struct watch_page *wp = w->asked;
	int64_t now = clock_mono();
	char why[sizeof(w->drive.reason)];

	if (wp->page->command != PAGE_HOST)
		now_add_duration(w->collector->now, wp->page, reply->duration_us);
	if (!is_time_out(w, reply) && (is_unsettled(w, reply, now) || try_again(w, wp, reply)))
		return;
	note_answer(w, wp, !reply->error && !status_is_of_host(reply->status),
		    explain(w, reply, why, sizeof(why)));
	enum failure f = judge(w, wp, reply);
	if (denied_by_uuid(w, f) || try_other_rae(w, f, reply) || try_other_length(wp, reply) ||
	    is_sanitized(w, wp, reply))
		return;
	wp->sanitized = false;
	/* With another length it would not do either. */
	if (wp->other_length && status_is_of_length(reply->status))
		f = FAILURE_REFUSED;
	if (f == FAILURE_REFUSED && wp->page->command == PAGE_HOST) {
		settle_silence(w, wp);
		return;
	}
	settle_page(w, wp, f, reply);
	if (is_time_out(w, reply))
		watch_timed_out(w, wp, now);
	else if (f == FAILURE_NONE || f == FAILURE_OVERFLOW)
		wp->hangs = 0;
	else if (!reply->error)
		watch_troubled(w, wp, now);
	if (f == FAILURE_IDENTITY)
		meet_stranger(w, wp, now);
}

void watch_failed(struct watch *w, enum failure f)
{
	struct watch_page *wp = w->asked;

	watch_page_take(wp, f, NULL);
	count(w, wp, f);
	if (f == FAILURE_TIMEOUT) { /* the command goes on */
		watch_set_responding(w, false, "no answer in poll.timeout");
		return;
	}
	/* What killed the reader is not the first thing to ask the next one for. */
	wp->due = watch_next_due(w, wp->page, false);
	note_answer(w, wp, false, "its reader is gone");
}
