/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One drive under watch: its reader, what was asked of it, what is due next. At most one command
 * is outstanding; a drive that does not answer gets no second one. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"

struct candidate;
struct collector;
struct discovery_event;
struct page;
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

/* Looks the drive up in the catalogue, which is another, or knows the drive better. */
void watch_rate(struct watch *w);

/* How the drive has worn until this process was started, as history tells: n samples of no capacity. What
 * was read meanwhile is left out. */
struct wear_sample;
void watch_remember_wear(struct watch *w, const struct wear_sample *samples, size_t n);

/* What the drive is compared by with those of its model, as last read; of latencies, since the last call.
 * Valid as long as w. */
struct peer;
void watch_tell_peers(struct watch *w, int64_t now, struct peer *ret);

/* How it compares: published, or withdrawn where that says nothing. */
struct peer_report;
void watch_take_peers(struct watch *w, const struct peer_report *r);

/* A scan at `now` has found the drive, perhaps changed: another device name or path, firmware,
 * capacity, state, or back after it was gone. */
void watch_seen(struct watch *w, const struct candidate *found, int64_t now);

/* Whether the scan at `now` has found it already. */
bool watch_was_seen(const struct watch *w, int64_t now);

/* It is one that is missed, since before it was watched; removed: somebody saw it go. */
void watch_missing(struct watch *w, int64_t since, bool removed);

/* The scan has not found it: it is shown as gone. Nothing, where it is gone already. */
void watch_gone(struct watch *w, int64_t now);

/* Whether a drive that cannot say who it is, and sits where this one sat, may be this one. */
bool watch_keeps_place(const struct watch *w, int64_t now);

/* How long it is gone, microseconds; 0: it is there. */
int64_t watch_gone_for(const struct watch *w, int64_t now);

/* The kernel said something of its controller. */
void watch_notice(struct watch *w, const struct discovery_event *event);

/* No command is sent until `until` (mono); a moment that has passed: go on now. */
void watch_pause(struct watch *w, int64_t until);

/* A page that is read when asked for only is read as soon as can be. 0; -EINVAL: it is read by schedule;
 * -ENODEV: the drive is not there; -EOPNOTSUPP: it has no such page. */
int watch_ask(struct watch *w, const struct page *p);

/* Takes an answer, notices silence and death, starts the reader, asks for what is due: whatever is
 * to be done now. Returns when it wants to be called again (mono). */
int64_t watch_run(struct watch *w, int64_t now);

/* Until when the first values of a drive that has just come are worth waiting for, so that it is
 * published with them (mono); 0: it has them, or is none of those. */
int64_t watch_first_values(const struct watch *w);

/* The settings have changed: cadences are taken anew. */
void watch_reschedule(struct watch *w);
