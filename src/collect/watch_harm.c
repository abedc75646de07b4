/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is not asked, so that no drive is woken, warmed or made to log an error without need. */

#include <string.h>

#include "memory.h"
#include "nvmewatch/discovery.h"
#include "nvmewatch/log.h"
#include "recorder.h"
#include "schedule.h"
#include "watch_internal.h"

#define LOOK_AGAIN 50000 /* microseconds */
#define LOOK_LATER 1000000
#define TROUBLED_MOST UINT64_C(240000000)

static bool same_model(const struct drive *a, const struct drive *b)
{
	return a->model[0] && !strcmp(a->model, b->model) && !strcmp(a->firmware, b->firmware);
}

/* Whether it is about to say if it has the page. Who sleeps, is paused or has just failed is not
 * waited for. */
static bool will_tell(const struct watch *w, const struct page *p, int64_t now)
{
	const struct watch_page *wp = watch_page(w, p);

	return w->drive.present && w->drive.responding && w->reader && w->target[0] && w->paused <= now &&
	       !wp->known && wp->due <= now + LOOK_AGAIN;
}

/* Another drive of the model is asked first; what it says goes for this one too. */
static bool sibling_is_first(const struct watch *w, const struct page *p, int64_t now)
{
	const struct collector *c = w->collector;

	if ((w->quirks & QUIRK_VARIES) || p->selector != SELECT_NOTHING)
		return false;
	for (size_t i = 0; i < c->n_watches && c->watches[i] != w; i++)
		if (same_model(&c->watches[i]->drive, &w->drive) &&
		    will_tell(c->watches[i], p, now))
			return true;
	return false;
}

/* Whom a refusal is about: the model, but for the one of several, as groups and namespaces are made by who
 * uses the drive. */
static struct drive subject_of(const struct watch *w, const struct watch_page *wp)
{
	struct drive d = w->drive;

	if (wp->page->selector != SELECT_NOTHING)
		memcpy(d.model, d.key, sizeof(d.model));
	return d;
}

static bool is_known_to_lack(const struct watch *w, const struct watch_page *wp)
{
	struct drive subject = subject_of(w, wp);
	char name[PAGE_NAME_MAX];

	page_instance_name(wp->page, wp->instance, name);
	return (!(w->quirks & QUIRK_VARIES) && memory_refuses(w->collector->memory, &subject, name)) ||
	       (wp->page->uuid == ocp_uuid && (w->quirks & QUIRK_NO_OCP));
}

/* What the drive said of a page goes for its model and firmware. */
static void remember(const struct watch *w, const struct watch_page *wp)
{
	struct drive subject = subject_of(w, wp);
	char name[PAGE_NAME_MAX];

	page_instance_name(wp->page, wp->instance, name);
	if ((w->quirks & QUIRK_VARIES) || !w->drive.model[0] || !watch_good_bytes(w, &identify_page) ||
	    memory_refuses(w->collector->memory, &subject, name))
		return;
	recorder_refuse(w->collector->recorder, &subject, name);
	memory_add(&w->collector->memory, &subject, name);
}

/* A page that others of the model were asked for in vain is shown as one that the drive lacks; what no
 * sign of the drive ever promised is not worth a word, unless another firmware had it. */
static void give_up(struct watch *w, struct watch_page *wp, bool promised)
{
	wp->known = true;
	wp->supported = false;
	wp->due = INT64_MAX;
	if (promised || wp->was_good) {
		now_put_support(w->collector->now, w->drive.key, wp->page, wp->instance, false);
		w->collector->dirty = true;
	}
	watch_take_instances(w);
}

void watch_timed_out(struct watch *w, struct watch_page *wp, int64_t now)
{
	uint64_t rest = schedule_rest(wp->hangs++);

	wp->rest = now + (int64_t)rest;
	/* Not for one that is read because of that. */
	w->was_reset |= wp->page->cadence != CADENCE_ASKED;
	log_drive(LOG_WARNING, &w->drive, NULL,
		  "the driver gave up on page %s and reset the controller; next try in %u minutes",
		  wp->page->name, (unsigned)(rest / 60000000));
}

/* Who it is and how it is are worth some entries in its error log: one per pause, which grows from the
 * cadence on. */
static uint64_t short_rest(const struct watch *w, unsigned troubles)
{
	uint64_t rest = w->collector->settings.poll_smart << (troubles < 8 ? troubles : 8);

	return rest < TROUBLED_MOST ? rest : TROUBLED_MOST;
}

void watch_troubled(const struct watch *w, struct watch_page *wp, int64_t now)
{
	unsigned troubles = wp->troubles - WATCH_TROUBLES;

	if (wp->troubles < WATCH_TROUBLES)
		return;
	if (wp->page != &identify_page && wp->page != &smart_page)
		wp->rest = now + (int64_t)schedule_rest(troubles);
	else if (wp->last_failure == FAILURE_STATUS)
		wp->rest = now + (int64_t)short_rest(w, troubles);
}

void watch_take_quirks(struct watch *w)
{
	w->quirks = quirks_of(w->drive.vendor, w->drive.model, w->drive.firmware);
	if ((w->quirks & QUIRK_NO_RAE) && w->rae == RAE_UNTRIED)
		w->rae = RAE_CLEAR;
}

bool watch_may_ask(struct watch *w, struct watch_page *wp, int64_t now)
{
	if (now < wp->rest) {
		wp->due = wp->rest;
		return false;
	}
	if (w->may_sleep && discovery_is_suspended(&w->drive)) {
		wp->due = schedule_next(now, w->collector->settings.poll_smart, w->collector->phase);
		return false;
	}
	/* What is new in the error log, history knows. */
	if (wp->page == &error_information_page && !w->errors_seen && !w->collector->remembered &&
	    now < w->collector->memory_deadline) {
		wp->due = now + LOOK_AGAIN;
		return false;
	}
	/* Nobody else says who it is and how it is, and the kernel does not mind. */
	if (wp->page == &identify_page || wp->page == &smart_page || wp->page->command == PAGE_HOST ||
	    wp->known)
		return true;
	struct page_facts facts = watch_facts(w);
	enum page_presence presence = page_presence(wp->page, &facts);
	if (presence == PAGE_LATER) {
		wp->due = now + LOOK_LATER;
		return false;
	}
	if (presence == PAGE_LACKED || wp->denied || is_known_to_lack(w, wp)) {
		if (presence != PAGE_LACKED && wp->denied)
			remember(w, wp);
		give_up(w, wp, presence != PAGE_LACKED);
		return false;
	}
	if ((!w->collector->remembered && now < w->collector->memory_deadline) ||
	    sibling_is_first(w, wp->page, now)) {
		wp->due = now + LOOK_AGAIN;
		return false;
	}
	return true;
}

/* Pages of one id differ in layout only: a drive that refuses one refuses the same command for the others. */
static void deny_namesakes(const struct watch *w, const struct watch_page *wp)
{
	struct watch_page *other = NULL;

	while ((other = watch_next_page(w, other)))
		if (other->page != wp->page && other->page->command == PAGE_LOG &&
		    wp->page->command == PAGE_LOG && other->page->id == wp->page->id &&
		    other->page->size == wp->page->size && !other->known)
			other->denied = true;
}

void watch_refused(struct watch *w, struct watch_page *wp)
{
	/* A refusal in a reset, or of a page that was there before, says nothing of the model; what this
	 * host's kernel cannot tell is no word of the drive's. */
	if (wp->page->command == PAGE_HOST || wp->was_good || w->unsettled)
		return;
	deny_namesakes(w, wp);
	remember(w, wp);
}
