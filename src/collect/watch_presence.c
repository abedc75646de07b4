/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A drive as discovery sees it: there, changed, gone, taken by another driver, in a reset. */

#include <stdio.h>
#include <string.h>

#include "census.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/discovery.h"
#include "nvmewatch/log.h"
#include "recorder.h"
#include "watch_internal.h"

#define DAY INT64_C(86400000000)
#define SWAP 10000000    /* nobody swaps a drive faster; a driver lets go in less */
#define STARTING 2000000 /* microseconds: the kernel's word that it is initialised comes later */

void watch_event(struct watch *w, const char *type, const char *detail)
{
	recorder_event(w->collector->recorder, w->drive.key, type, detail);
	now_add_event(w->collector->now, w->drive.key, type, clock_real());
	w->collector->dirty = true;
}

/* Everything is asked for anew, first of all who it is. */
static void start_over(struct watch *w)
{
	struct watch_page *wp = NULL;

	while ((wp = watch_next_page(w, wp))) {
		if (wp->page->cadence != CADENCE_ASKED) /* who has asked still waits for it */
			wp->due = wp->vacant ? INT64_MAX : 0;
		wp->known = wp->denied = wp->unindexed = false;
	}
}

void watch_reidentify(struct watch *w)
{
	watch_page(w, &identify_page)->due = 0;
	watch_page(w, &smart_page)->due = 0;
}

bool watch_was_seen(const struct watch *w, int64_t now)
{
	return w->seen == now;
}

int64_t watch_gone_for(const struct watch *w, int64_t now)
{
	return w->gone ? now - w->gone : 0;
}

bool watch_keeps_place(const struct watch *w, int64_t now)
{
	return w->recalled || watch_gone_for(w, now) < SWAP;
}

static bool is_live(const char *state)
{
	return !*state || !strcmp(state, "live");
}

void watch_set_state(struct watch *w, const char *state, int64_t now)
{
	bool was_live = !w->unsettled;

	if (is_live(state))
		w->unsettled = 0;
	else if (was_live)
		w->unsettled = now;
	if (!strcmp(w->drive.state, state))
		return;
	snprintf(w->drive.state, sizeof(w->drive.state), "%s", state);
	if (is_live(state) && !was_live)
		watch_reidentify(w);
	if (!strcmp(state, "resetting")) {
		watch_event(w, "reset", "the kernel resets the controller");
		w->reset_known = true;
	}
	watch_publish_drive(w);
}

bool watch_read_state(struct watch *w, int64_t now)
{
	struct drive d = w->drive;

	if (strcmp(w->source, "linux") != 0)
		return false; /* a scan tells */
	discovery_state(&d);
	watch_set_state(w, d.state, now);
	return true;
}

/* The path in use stays in use while it is live; else the scan's choice is taken. */
static const struct drive_path *path_to_keep(const struct watch *w, const struct drive *d)
{
	for (unsigned i = 0; i < d->n_paths; i++)
		if (!strcmp(d->paths[i].device, w->drive.device) && is_live(d->paths[i].state))
			return &d->paths[i];
	return NULL;
}

static void take_path(struct watch *w, struct drive *d, const char **target)
{
	const struct drive_path *keep = path_to_keep(w, d);

	if (!keep)
		return;
	memcpy(d->device, keep->device, sizeof(d->device));
	memcpy(d->transport, keep->transport, sizeof(d->transport));
	memcpy(d->address, keep->address, sizeof(d->address));
	memcpy(d->state, keep->state, sizeof(d->state));
	*target = w->target;
}

static void report_firmware(struct watch *w, const char *firmware)
{
	char detail[80];

	snprintf(detail, sizeof(detail), "%s to %s", w->drive.firmware, firmware);
	watch_event(w, "firmware_change", detail);
	log_drive(LOG_NOTICE, &w->drive, NULL, "its firmware has changed, %s", detail);
	snprintf(w->drive.firmware, sizeof(w->drive.firmware), "%s", firmware);
}

void watch_set_firmware(struct watch *w, const char *firmware)
{
	if (!strcmp(w->drive.firmware, firmware))
		return;
	/* At first it is the kernel that is behind. */
	if (w->identified) {
		report_firmware(w, firmware);
		start_over(w);
	}
	snprintf(w->drive.firmware, sizeof(w->drive.firmware), "%s", firmware);
}

/* Which there are, and how large, is asked at once, however many of such changes there are. */
static void reread_namespaces(struct watch *w)
{
	watch_reread(w);
	watch_page(w, &namespaces_page)->due = 0;
	for (struct watch_page *wp = watch_page(w, &namespace_page); wp; wp = wp->more)
		if (!wp->vacant)
			wp->due = 0;
}

static void report_changes(struct watch *w, const struct drive *d)
{
	char detail[160];

	if (strcmp(w->found_firmware, d->firmware)) {
		/* Identify may have told before the kernel did. */
		if (strcmp(w->drive.firmware, d->firmware))
			report_firmware(w, d->firmware);
		start_over(w);
	}
	/* 0 is unknown: the controller comes before its namespaces. */
	if (w->drive.capacity_bytes && d->capacity_bytes &&
	    w->drive.capacity_bytes != d->capacity_bytes) {
		snprintf(detail, sizeof(detail), "%llu to %llu bytes",
			 (unsigned long long)w->drive.capacity_bytes,
			 (unsigned long long)d->capacity_bytes);
		watch_event(w, "capacity_change", detail);
		log_drive(LOG_NOTICE, d, NULL, "its capacity has changed, %s", detail);
		reread_namespaces(w);
	}
	if (w->drive.n_paths != d->n_paths ||
	    memcmp(w->drive.paths, d->paths, sizeof(d->paths)) != 0) {
		snprintf(detail, sizeof(detail), "%u paths, %s is used", d->n_paths, d->device);
		watch_event(w, "path_change", detail);
	}
}

/* Where the reader works has changed, or it is back: a new reader, and everything anew. */
static void move(struct watch *w, const char *source, const char *target)
{
	char *copy = strdup(target);

	if (!copy)
		return; /* the next scan tries again */
	watch_stop_reader(w);
	free(w->target);
	w->target = copy;
	w->source = source;
	w->attached = clock_mono();
	w->restart = 0;
	w->deaths = 0;
	w->drive.responding = true;
	w->drive.lent = false;
	w->drive.reason[0] = 0;
	w->identified = false;
	w->rae = RAE_UNTRIED;
	w->fell[0] = 0;
	w->was_reset = false;
	watch_end_throttling(w);
	struct watch_page *wp = NULL;
	while ((wp = watch_next_page(w, wp))) {
		wp->troubles = wp->hangs = wp->rest = 0;
		/* Asked for before it went: that is over. */
		if (wp->page->cadence == CADENCE_ASKED)
			wp->due = INT64_MAX;
	}
	start_over(w);
}

/* What the scan says of a drive that is there and itself. */
static void take_facts(struct watch *w, const struct candidate *found, bool back, int64_t now)
{
	struct drive d = found->drive;
	const char *target = found->target;

	take_path(w, &d, &target);
	report_changes(w, &d);
	snprintf(w->found_firmware, sizeof(w->found_firmware), "%s", d.firmware);
	if (back || strcmp(w->target, target))
		move(w, found->source, target);
	char state[sizeof(d.state)];
	memcpy(state, d.state, sizeof(state));
	memcpy(d.key, w->drive.key, sizeof(d.key));
	d.present = true;
	d.responding = w->drive.responding;
	memcpy(d.reason, w->drive.reason, sizeof(d.reason));
	/* Identify is newer than sysfs after an activation without reset. */
	if (!back && watch_good_bytes(w, &identify_page))
		memcpy(d.firmware, w->drive.firmware, sizeof(d.firmware));
	if (!back)
		memcpy(d.state, w->drive.state, sizeof(d.state));
	w->may_sleep = found->may_sleep;
	w->drive = d;
	watch_set_state(w, state, now);
	watch_publish_drive(w);
}

/* Another driver has it. It is there, but nothing can be asked. */
static void take_loan(struct watch *w, const struct candidate *found, int64_t now)
{
	if (!w->drive.lent) {
		watch_stop_reader(w);
		w->target[0] = w->drive.reason[0] = 0;
		w->drive.present = w->drive.lent = true;
		w->drive.responding = false;
		memcpy(w->drive.transport, found->drive.transport, sizeof(w->drive.transport));
		watch_publish_drive(w);
	}
	watch_set_state(w, found->drive.state, now);
	/* Nothing is read of it, and yet it is not to be forgotten. */
	if (!w->noted || now - w->noted >= DAY) {
		recorder_drive(w->collector->recorder, &w->drive);
		w->noted = now;
	}
}

/* Its former name may lead to another drive by now. */
static void take_place(struct watch *w, const struct candidate *found)
{
	if (!strcmp(w->target, found->target))
		return;
	move(w, found->source, found->target);
	memcpy(w->drive.device, found->drive.device, sizeof(w->drive.device));
	watch_publish_drive(w);
}

static void first_seen(struct watch *w, const char *detail)
{
	recorder_first_seen(w->collector->recorder, w->drive.key, detail,
			    w->collector->settings.forget_after);
}

void watch_seen(struct watch *w, const struct candidate *found, int64_t now)
{
	bool first = !w->seen, back = w->gone != 0 || (found->target[0] && !w->target[0]);

	w->seen = now;
	w->gone = 0;
	w->recalled = false;
	if (first || back) /* it may be starting: the kernel will say so, which is no reset */
		w->reset_known = !is_live(found->drive.state);
	if (first) /* history does not know it */
		w->drive.capacity_bytes = found->drive.capacity_bytes;
	if (!found->target[0]) {
		if (first)
			first_seen(w, w->drive.address);
		else if (back)
			watch_event(w, "attach", w->drive.address);
		take_loan(w, found, now);
		return;
	}
	/* In a reset a controller may tell rubbish about itself: only that it resets is believed. */
	if (!is_live(found->drive.state) && strcmp(found->drive.serial, w->drive.serial)) {
		take_place(w, found);
		watch_set_state(w, found->drive.state, now);
		return;
	}
	take_facts(w, found, back, now);
	if (first && !back)
		first_seen(w, w->drive.device);
	if (back) {
		watch_event(w, "attach", w->drive.device);
		log_drive(LOG_NOTICE, &w->drive, NULL, "is back");
	}
}

void watch_missing(struct watch *w, int64_t since, bool removed)
{
	w->recalled = !removed;
	w->gone = since ? since : 1;
	w->fell[0] = 0;
	watch_end_throttling(w);
	watch_stop_reader(w);
	w->drive.present = w->drive.lent = w->drive.responding = false;
	w->drive.state[0] = w->drive.reason[0] = 0;
	w->unsettled = 0;
	watch_publish_drive(w);
}

void watch_gone(struct watch *w, int64_t now)
{
	if (w->gone)
		return;
	watch_record_last(w);
	watch_event(w, "remove", w->drive.device[0] ? w->drive.device : w->drive.address);
	log_drive(LOG_WARNING, &w->drive, LOG_ID_GONE, "is gone");
	watch_missing(w, now, true);
}

void watch_notice(struct watch *w, const struct discovery_event *event)
{
	if (event->connected) {
		if (!w->reset_known && clock_mono() - w->attached > STARTING)
			watch_event(w, "reset", "the controller was initialised");
		w->reset_known = false;
		start_over(w);
	} else if (event->aen) {
		/* It points at the page that tells what happened; others tell the rest. */
		watch_reread(w);
	}
}

void watch_pause(struct watch *w, int64_t until)
{
	w->paused = until;
}
