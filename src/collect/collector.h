/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The collector's state, and how its parts call each other: watch.c reads one drive, collector.c
 * holds all of them, publication.c writes now.db, recorder.c hands samples to history.db. One
 * thread, one sd_event loop; only the recorder has a thread of its own. */

#include <systemd/sd-event.h>

#include "nvmewatch/now.h"
#include "nvmewatch/settings.h"

struct recorder;
struct watch;

struct collector {
	struct settings settings;
	sd_event *event;
	int reader_program; /* descriptor */
	char boot_id[40];
	struct now *now;
	struct recorder *recorder;
	struct watch **watches;
	size_t n_watches;

	/* Publication. */
	sd_event_source *publish_timer;
	char *now_path;
	uint64_t publish_cadence; /* microseconds; at the latest after so long */
	int64_t published;        /* mono, 0: never */
	bool publish_failing;
};

/* Starts a timer that is off until collector_arm(). */
int collector_timer(struct collector *c, sd_event_time_handler_t fn, void *userdata,
		    sd_event_source **ret);

/* Fires `timer` at a moment of CLOCK_BOOTTIME. */
int collector_arm(sd_event_source *timer, int64_t mono);

/* publication.c: now.db in run_dir. */
int publication_start(struct collector *c);

/* Something changed: now.db is published soon, at most once a second. */
void publication_request(struct collector *c);

/* Publishes at once; logs a failure once per spell. */
void publication_write(struct collector *c);
