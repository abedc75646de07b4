/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shared by watch.c (a drive's reader: start, death, silence) and watch_poll.c (its pages: what to
 * ask, what an answer means). */

#include "collector.h"
#include "nvmewatch/drive.h"
#include "nvmewatch/reader.h"
#include "watch.h"
#include "watch_page.h"

struct watch {
	struct collector *collector;
	struct drive drive;
	char *source, *target;
	uint64_t phase;

	struct reader *reader; /* NULL: none runs, see .restart */
	sd_event_source *reader_source, *timer;
	unsigned deaths; /* of the reader since its last good answer */
	int64_t restart; /* mono: when it is started again */

	struct watch_page *pages; /* by page_index() */
	int64_t *recorded;        /* mono of the sample last kept, by page_index() */
	bool waiting;             /* a command is outstanding */
	struct watch_page *asked; /* its page; NULL: the UUID list */
	int64_t sent;

	bool hot;           /* schedule_is_hot() of the last good pages */
	bool uuid_known;    /* .uuid_index holds */
	uint8_t uuid_index; /* of the OCP UUID; 0: the drive has no list, or wants none */
};

/* Sends what is due, or arms the timer for what will be. Nothing is sent while a command is
 * outstanding. */
void watch_next(struct watch *w);

/* The outstanding command was answered. */
void watch_answered(struct watch *w, const struct reply *reply);

/* The outstanding command failed without an answer: FAILURE_TIMEOUT (it may still come) or
 * FAILURE_READER. */
void watch_failed(struct watch *w, enum failure f);

/* Whether the drive answers; logs and publishes a change. */
void watch_set_responding(struct watch *w, bool responding, const char *why);

/* Puts the drive's facts into the next publication. */
void watch_publish_drive(struct watch *w);
