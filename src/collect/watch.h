/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One drive under watch: its reader, what was asked of it, what is due next. At most one command
 * is outstanding; a drive that does not answer gets no second one. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"

struct collector;
struct watch;

/* Starts watching a drive (drive->key is set). A reader that does not start is tried again later,
 * so failures are -ENOMEM and the like only. */
int watch_new(struct collector *c, const struct drive *drive, const char *source,
	      const char *target, struct watch **ret);

/* Stops at once, waiting for nothing. */
void watch_free(struct watch *w);
DEFINE_CLEANUP(struct watch *, watch_free)

const struct drive *watch_drive(const struct watch *w);

/* The settings have changed: cadences are taken anew. */
void watch_reschedule(struct watch *w);
