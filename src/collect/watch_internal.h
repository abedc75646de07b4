/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shared by watch.c (a drive's reader: start, answer, silence, death) and watch_poll.c (its pages:
 * what to ask, what an answer means). */

#include "collector.h"
#include "nvmewatch/drive.h"
#include "nvmewatch/reader.h"
#include "watch.h"
#include "watch_page.h"

struct watch {
	struct collector *collector;
	struct drive drive;
	char *source, *target;

	struct reader *reader; /* NULL: none runs, see .restart */
	sd_event_source *reader_source; /* its death; with .awaited its answer too */
	bool woken;      /* by .reader_source */
	unsigned deaths; /* of the reader since its last answer */
	int64_t restart; /* mono: when it is started again */

	struct watch_page *pages; /* by page_index() */
	int64_t *recorded;        /* mono of the sample last kept, by page_index() */
	bool hot;                 /* schedule_is_hot() of the last good pages */

	bool waiting;             /* a command is outstanding */
	bool awaited;             /* it is slow: its answer wakes the loop */
	bool overdue;             /* it has outlasted poll.timeout */
	struct watch_page *asked; /* its page; NULL: the UUID list */
	int64_t sent;

	bool uuid_known;    /* .uuid_index holds */
	uint8_t uuid_index; /* of the OCP UUID; 0: the drive has no list, or wants none */
};

/* The page that is due first. */
struct watch_page *watch_first_due(const struct watch *w);

/* The command for it, or for what must be known before; sets .asked. */
struct command watch_command(struct watch *w, struct watch_page *wp);

/* The outstanding command was answered. */
void watch_answered(struct watch *w, const struct reply *reply);

/* The outstanding command failed without an answer: FAILURE_TIMEOUT (it may still come) or
 * FAILURE_READER. */
void watch_failed(struct watch *w, enum failure f);

/* Whether the drive answers; logs and publishes a change. */
void watch_set_responding(struct watch *w, bool responding, const char *why);

/* Puts the drive's facts into the next publication. */
void watch_publish_drive(struct watch *w);
