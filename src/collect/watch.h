/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One drive under watch: its reader, what was asked of it, what is due next. At most one command
 * is outstanding; a drive that does not answer gets no second one. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"

struct collector;
struct watch;

/* Microseconds from asking the drives to taking their answers, all at once. Who is slower wakes the
 * loop when it answers. */
#define WATCH_GATHER 10000

/* Starts watching a drive (drive->key is set). A reader that does not start is tried again later,
 * so failures are -ENOMEM and the like only. */
int watch_new(struct collector *c, const struct drive *drive, const char *source,
	      const char *target, struct watch **ret);

/* Stops at once, waiting for nothing. */
void watch_free(struct watch *w);
DEFINE_CLEANUP(struct watch *, watch_free)

const struct drive *watch_drive(const struct watch *w);

/* Takes an answer, notices silence and death, starts the reader, asks for what is due: whatever is
 * to be done now. Returns when it wants to be called again (mono). */
int64_t watch_run(struct watch *w, int64_t now);

/* The settings have changed: cadences are taken anew. */
void watch_reschedule(struct watch *w);
