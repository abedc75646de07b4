/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fleet.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "census.h"
#include "memory.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/log.h"
#include "past.h"
#include "recorder.h"
#include "watch.h"

#define SECOND INT64_C(1000000)
#define SETTLE (SECOND / 10) /* events come in bunches */
#define RESCAN (60 * SECOND)

struct watch *fleet_find(const struct collector *c, const char *key)
{
	for (size_t i = 0; i < c->n_watches; i++)
		if (!strcmp(watch_drive(c->watches[i])->key, key))
			return c->watches[i];
	return NULL;
}

/* A drive that another driver has taken tells no serial, and one in a reset may tell a wrong one: they
 * are known by where they sit. What sits where another was pulled is another. Who has a serial goes
 * first: the one without is what the same drive was called until history told. */
static struct watch *find_by_place(const struct collector *c, const struct drive *d, int64_t now)
{
	struct watch *nameless = NULL;

	for (size_t i = 0; i < c->n_watches && d->address[0]; i++) {
		struct watch *w = c->watches[i];

		if (!watch_keeps_place(w, now) || strcmp(watch_drive(w)->address, d->address) != 0)
			continue;
		if (watch_drive(w)->serial[0])
			return w;
		nameless = w;
	}
	return nameless;
}

static struct watch *find(const struct collector *c, const struct candidate *found, int64_t now)
{
	struct watch *w = found->target[0] ? fleet_find(c, found->drive.key) : NULL;

	if (w || (found->target[0] && !strcmp(found->drive.state, "live")))
		return w;
	w = find_by_place(c, &found->drive, now);
	/* Who starts where another was is not the one that is gone. */
	if (found->target[0])
		return w && !watch_drive(w)->present ? NULL : w;
	return w ? w : fleet_find(c, found->drive.key);
}

/* The kernel lists a controller before it has asked it who it is. */
static bool is_nobody_yet(const struct drive *d)
{
	return !d->serial[0] && d->state[0] && strcmp(d->state, "live") != 0;
}

static int attach(struct collector *c, const struct candidate *found)
{
	struct watch **watches = reallocarray(c->watches, c->n_watches + 1, sizeof(struct watch *));

	if (!watches)
		return -ENOMEM;
	c->watches = watches;
	int r = watch_new(c, &found->drive, found->source, found->target, &watches[c->n_watches]);
	if (r < 0)
		return r;
	c->n_watches++;
	if (found->duplicate)
		log_drive(LOG_WARNING, &found->drive, LOG_ID_DUPLICATE_SERIAL,
			  "its serial is claimed by another drive: told apart by address");
	return 0;
}

/* History may know who sits where another driver's drive is: it is waited for, a moment. */
static bool awaits_history(const struct collector *c, const struct candidate *found, int64_t now)
{
	return !found->target[0] && !c->remembered && now < c->memory_deadline;
}

/* Brings the watch of one drive up to what was found; marks it as seen. */
static int meet(struct collector *c, const struct candidate *found, int64_t now)
{
	struct watch *w = find(c, found, now);

	if (!w && found->target[0] && is_nobody_yet(&found->drive))
		return 0;
	if (!w && awaits_history(c, found, now)) {
		c->rescan = c->memory_deadline;
		return 0;
	}
	if (!w) {
		int r = attach(c, found);
		if (r < 0)
			return r;
		w = c->watches[c->n_watches - 1];
	} else if (watch_was_seen(w, now)) {
		if (found->target[0])
			log_drive(LOG_ERR, &found->drive, LOG_ID_DUPLICATE_SERIAL,
				  "serial and address are another drive's too: not watched");
		return 0;
	}
	watch_seen(w, found, now);
	return 0;
}

void fleet_forget(struct collector *c, struct watch *w)
{
	size_t i = 0;

	while (c->watches[i] != w)
		i++;
	now_remove_drive(c->now, watch_drive(w)->key);
	c->dirty = true;
	watch_free(w);
	memmove(&c->watches[i], &c->watches[i + 1], (--c->n_watches - i) * sizeof(struct watch *));
}

static bool same_place(const struct drive *a, const struct drive *b)
{
	return a->address[0] || b->address[0] ? !strcmp(a->address, b->address)
					      : !strcmp(a->device, b->device);
}

/* A serial that has become ambiguous, or unique again, goes on under another key: nothing has gone.
 * Who has no serial is whoever is in that place. */
static bool lives_on(const struct candidate *list, size_t n, const struct drive *d)
{
	for (size_t i = 0; i < n; i++)
		if ((!d->serial[0] || !strcmp(list[i].drive.serial, d->serial)) &&
		    same_place(&list[i].drive, d))
			return true;
	return false;
}

static void miss(struct collector *c, const struct candidate *list, size_t n, int64_t now)
{
	for (size_t i = c->n_watches; i-- > 0;) {
		struct watch *w = c->watches[i];

		if (watch_was_seen(w, now))
			continue;
		/* Not gone: known by another key, or no longer asked for. */
		if (lives_on(list, n, watch_drive(w)) ||
		    !discovery_wants(&c->settings, watch_drive(w))) {
			recorder_forget(c->recorder, watch_drive(w)->key);
			fleet_forget(c, w);
		} else if (watch_gone_for(w, now) >= (int64_t)c->settings.forget_after) {
			fleet_forget(c, w);
		} else {
			watch_gone(w, now);
		}
	}
}

static int reconcile(struct collector *c, int64_t now)
{
	_cleanup_(freep) struct discovered *found = NULL;
	_cleanup_(freep) struct candidate *list = NULL;
	size_t n_found, n = 0;
	int r = discovery_scan(c->discovery, &c->settings, now, &found, &n_found);

	c->rescan = now + RESCAN;
	if (r == 0)
		r = census_take(found, n_found, &list, &n);
	/* First who tells who it is: one path of a drive may be lent, and another in use. */
	for (size_t i = 0; r == 0 && i < n; i++)
		if (list[i].target[0])
			r = meet(c, &list[i], now);
	for (size_t i = 0; r == 0 && i < n; i++)
		if (!list[i].target[0])
			r = meet(c, &list[i], now);
	if (r == 0)
		miss(c, list, n, now);
	return r;
}

static void on_event(void *userdata, const struct discovery_event *event)
{
	struct collector *c = userdata;
	int64_t now = clock_mono();

	for (size_t i = 0; i < c->n_watches && event->device[0]; i++)
		if (watch_drive(c->watches[i])->present &&
		    !strcmp(watch_drive(c->watches[i])->device, event->device))
			watch_notice(c->watches[i], event);
	if (c->rescan > now + SETTLE)
		c->rescan = now + SETTLE;
	collector_run(c);
}

static void remember_one(struct collector *c, const struct history_drive *known, int64_t now)
{
	int64_t ago = clock_real() - known->last_seen;
	struct watch *w;

	/* The clock may have been set back. */
	if (ago < 0)
		ago = 0;
	if ((uint64_t)ago >= c->settings.forget_after || fleet_find(c, known->drive.key) ||
	    !discovery_wants(&c->settings, &known->drive))
		return;
	struct candidate gone = { .drive = known->drive, .source = "linux", .target = "" };
	if (attach(c, &gone) < 0)
		return;
	w = c->watches[c->n_watches - 1];
	watch_missing(w, now - ago, known->removed);
}

void fleet_remember(struct collector *c, int64_t now)
{
	for (size_t i = 0; i < c->memory->n_drives; i++)
		remember_one(c, &c->memory->drives[i], now);
	/* Who was lent is recognised. Another scan is of another moment. */
	c->rescan = now + 1;
}

void fleet_remember_wear(struct collector *c, const struct past *past)
{
	for (size_t i = 0; i < past->n_drives; i++) {
		struct watch *w = fleet_find(c, past->drives[i].key);

		if (w)
			watch_remember_wear(w, past->drives[i].samples, past->drives[i].n_samples);
	}
}

int fleet_start(struct collector *c, char *error, size_t error_size)
{
	int64_t now = clock_mono();
	int r = discovery_new(&c->settings, now, &c->discovery, error, error_size);

	if (r < 0)
		return r;
	r = discovery_watch(c->discovery, c->event, on_event, c);
	if (r < 0)
		log_msg(LOG_WARNING, "no events of devices coming and going (%s): seen within a "
				     "minute instead", strerror(-r));
	r = reconcile(c, now);
	if (r < 0) {
		snprintf(error, error_size, "drives cannot be watched: %s", strerror(-r));
		return r;
	}
	log_msg(LOG_INFO, "%zu drives of %s are watched", c->n_watches, c->settings.source);
	return 0;
}

int64_t fleet_run(struct collector *c, int64_t now)
{
	if (now >= c->rescan) {
		int r = reconcile(c, now);
		if (r < 0)
			log_msg(LOG_ERR, "drives cannot be listed (%s): tried again in a minute",
				strerror(-r));
	}
	int64_t change = discovery_next_change(c->discovery, now);
	if (change < c->rescan)
		c->rescan = change;
	return c->rescan;
}

void fleet_stop(struct collector *c)
{
	for (size_t i = 0; i < c->n_watches; i++)
		watch_free(c->watches[i]);
	free(c->watches);
	c->watches = NULL;
	c->n_watches = 0;
	discovery_free(c->discovery);
}
