/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of the recorder share: recorder.c, its life and what goes to and fro; recorder_entry.c, what
 * is recorded; recorder_thread.c, which alone touches the databases. */

#include <pthread.h>
#include <stdbool.h>

#include "nvmewatch/archive.h"
#include "recorder.h"

/* While not even the spool can be written, so many samples are kept in memory for a better time. Beyond,
 * the oldest are dropped. */
#define SAMPLES_MAX 8192

/* An entry, with what it points to behind it. */
struct sample {
	struct sample *next;
	struct archive_entry entry;
	char key[128];
	char bytes[];
};

struct list {
	struct sample *first, **last;
	size_t length;
};

struct recorder {
	struct list gathered; /* collect's own */
	char boot_id[40];

	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake, ended;
	/* Under the mutex. */
	struct list queue;
	bool flush;    /* samples are to go to disk */
	struct archive_bounds bounds;
	bool stopping, done;
	size_t dropped; /* samples, since that was last logged */
	struct history_memory *memory; /* until collect takes it */
	struct past *past;             /* likewise */
	struct now_store status;
	bool has_status;

	/* The thread's own. */
	struct archive *archive;
	char *path; /* of history.db, for messages */
	char *state_dir, *run_dir;
	bool failing, spool_failing, remembered;
	bool packing; /* a day is being packed, a few drives at a time */
};

void list_init(struct list *l);
void list_add(struct list *l, struct sample *s);
void list_move(struct list *from, struct list *to);

/* Drops the oldest. Returns how many. */
size_t list_shorten(struct list *l, size_t length);

/* The thread's whole life. */
void *recorder_thread(void *userdata);
