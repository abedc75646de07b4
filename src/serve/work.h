/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Answers that take a while, made by a few threads while the loop serves everybody else. Knows
 * neither sockets nor what is asked. All of it is for the thread of the loop, unless said
 * otherwise. */

#include <systemd/sd-event.h>

#include "answer.h"
#include "nvmewatch/cleanup.h"

struct work;

struct work_limits {
	unsigned threads;
	unsigned waiting;     /* jobs that nobody has begun */
	uint64_t deadline_us; /* for a job, its waiting included */
};

#define WORK_LIMITS ((struct work_limits){ 2, 16, 10 * UINT64_C(1000000) })

/* What a thread has to do; the first member of a struct of its owner's. */
struct job {
	/* In a thread: fills in the answer. 0 or -ENOMEM. */
	int (*make)(struct job *j, struct answer *ret);
	/* Any thread. */
	void (*free)(struct job *j);
	bool gzip; /* compress the answer */

	/* Of work.c. */
	struct job *next;
	struct work *work;
	enum { JOB_WAITS, JOB_RUNS, JOB_DONE } state;
	bool abandoned;
	void (*stop)(void *what);
	void *what;
	int result;
	struct answer answer;
	void (*done)(void *userdata, int r, struct answer *a);
	void *userdata;
};

/* 0 or a negative errno. The loop must outlive it. */
int work_new(sd_event *event, const struct work_limits *limits, struct work **ret);

/* Stops what is under way; nobody hears of it. */
void work_free(struct work *w);
DEFINE_CLEANUP(struct work *, work_free)

/* Has the job done, which is the caller's no more. done() is called from the loop with what make()
 * returned and filled in, and may take the answer. 0; -EBUSY: too many wait already, and the job stays
 * the caller's. */
int work_begin(struct work *w, struct job *j, void (*done)(void *userdata, int r, struct answer *a),
	       void *userdata);

/* Nobody waits for it any more: it is stopped, and done() is not called. */
void work_abandon(struct job *j);

/* For make(): stop(what) is called, from another thread, when there is no need to go on; until
 * job_unstoppable(). 0, or -ECANCELED: there is none already. */
int job_stoppable(struct job *j, void (*stop)(void *what), void *what);
void job_unstoppable(struct job *j);
