/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "collector.h"

#include <time.h>

#include "compare.h"
#include "fleet.h"
#include "memory.h"
#include "nvmewatch/boot.h"
#include "past.h"
#include "recorder.h"
#include "watch.h"

#define ACCURACY 1000       /* microseconds */
#define MEMORY_WAIT 2000000 /* microseconds */
/* The first flush comes soon: it tells that history can be written, and is one that plain SQL can read. */
#define FIRST_FLUSH INT64_C(30000000)

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	(void)source;
	(void)usec;
	collector_run(userdata);
	return 0;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int collector_start(struct collector *c)
{
	c->flush = clock_mono() + earlier(FIRST_FLUSH, (int64_t)c->settings.store_flush);
	c->memory_deadline = clock_mono() + MEMORY_WAIT;
	return sd_event_add_time(c->event, &c->timer, CLOCK_BOOTTIME, 0, ACCURACY, on_timer, c);
}

static int64_t flush_run(struct collector *c, int64_t now)
{
	if (now >= c->flush) {
		recorder_flush(c->recorder);
		c->flush = now + (int64_t)c->settings.store_flush;
	}
	return c->flush;
}

static void remember(struct collector *c, int64_t now)
{
	struct history_memory *m = c->remembered ? NULL : recorder_take_memory(c->recorder);

	if (!m)
		return;
	memory_merge(m, c->memory);
	history_memory_free(c->memory);
	c->memory = m;
	c->remembered = true;
	fleet_remember(c, now);
}

static void remember_wear(struct collector *c)
{
	_cleanup_(past_freep) struct past *past = recorder_take_past(c->recorder);

	if (past)
		fleet_remember_wear(c, past);
}

void collector_run(struct collector *c)
{
	int64_t now = clock_mono(), next = INT64_MAX;

	remember(c, now);
	remember_wear(c);
	int64_t scan = fleet_run(c, now);
	int64_t first = 0;
	for (size_t i = 0; i < c->n_watches; i++) {
		next = earlier(next, watch_run(c->watches[i], now));
		int64_t expected = watch_first_values(c->watches[i]);
		first = expected > first ? expected : first;
	}
	bool answers = next <= now + WATCH_GATHER || now < first;
	compare_run(c, now, answers);
	if (now < first)
		next = earlier(next, first);
	next = earlier(next, scan);
	next = earlier(next, flush_run(c, now));
	recorder_push(c->recorder);
	next = earlier(next, publication_run(c, now, answers));
	sd_event_source_set_time(c->timer, (uint64_t)next);
	sd_event_source_set_enabled(c->timer, SD_EVENT_ONESHOT);
}
