/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The collector's state, and how its parts call each other: watch.c reads one drive, fleet.c starts
 * the watches, publication.c writes now.db, compare.c compares the drives, recorder.c hands samples to history.db. One thread, one
 * sd_event loop; only the recorder has a thread of its own.
 *
 * There is one timer. When it fires, collector_run() lets every watch do what is due: all drives are
 * asked in one go, and a moment later, in one go, their answers are taken and published. That is two
 * wake-ups per cadence, however many drives there are. */

#include <systemd/sd-event.h>

#include "nvmewatch/now.h"
#include "nvmewatch/settings.h"

struct catalogue;
struct control;
struct discovery;
struct recorder;
struct watch;

struct collector {
	struct settings settings;
	sd_event *event;
	sd_event_source *timer;
	int reader_program; /* descriptor */
	uint64_t phase;     /* schedule_phase() */
	struct discovery *discovery;
	int64_t rescan; /* mono: when discovery looks again */
	struct watch **watches;
	size_t n_watches;
	struct catalogue *catalogue; /* or NULL */
	struct recorder *recorder;
	struct history_memory *memory; /* what history.db remembers, and was learnt since; or NULL */
	bool remembered;               /* history.db was read */
	int64_t memory_deadline;       /* mono: it is not waited for any longer */
	struct control *control;
	int64_t compare; /* mono: when drives are compared next, 0: never yet */
	int64_t flush; /* mono: when the recorder's samples go to disk */

	struct now *now;
	char *now_path;
	uint64_t publish_cadence; /* microseconds; at the latest after so long */
	int64_t published;        /* mono, 0: never */
	bool dirty;               /* what is published is not the latest */
	bool publish_failing;
};

/* Sets up the timer. 0 or a negative errno. */
int collector_start(struct collector *c);

/* Does what is due, and arms the timer for what will be. */
void collector_run(struct collector *c);

/* publication.c: now.db in run_dir. */
int publication_start(struct collector *c);

/* Publishes where that is due: at most once a second while values change, and once per cadence. Not
 * while `answers` of drives are about to come: they go into the same publication. Returns when it
 * wants to be called again. */
int64_t publication_run(struct collector *c, int64_t now, bool answers);
