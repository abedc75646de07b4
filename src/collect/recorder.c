/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/history.h"
#include "nvmewatch/log.h"

/* While the disk fails, so many samples are kept for a better time: an hour of 64 drives with two
 * pages each. Beyond, the oldest are dropped. */
#define SAMPLES_MAX 8192

struct sample {
	struct sample *next;
	const struct page *page; /* NULL: .drive alone */
	struct drive *drive;
	char key[128];
	int64_t time, mono;
	uint8_t bytes[];
};

struct list {
	struct sample *first, **last;
	size_t length;
};

struct recorder {
	struct list gathered; /* collect's own */

	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake, ended;
	/* Under the mutex. */
	struct list queue;
	bool stopping, done;

	char *path;              /* the thread's own */
	struct history *history;
	bool failing;
};

static void list_init(struct list *l)
{
	*l = (struct list){ .last = &l->first };
}

static void list_add(struct list *l, struct sample *s)
{
	*l->last = s;
	l->last = &s->next;
	l->length++;
}

static void list_move(struct list *from, struct list *to)
{
	if (from->first) {
		*to->last = from->first;
		to->last = from->last;
		to->length += from->length;
	}
	list_init(from);
}

static void sample_free(struct sample *s)
{
	free(s->drive);
	free(s);
}

static void list_shorten(struct list *l, size_t length)
{
	while (l->length > length) {
		struct sample *s = l->first;
		l->first = s->next;
		l->length--;
		sample_free(s);
	}
	if (!l->first)
		list_init(l);
}

/* ---- The thread. ---- */

static int write_samples(struct history *h, const struct list *l)
{
	int r = history_begin(h);

	if (r < 0)
		return r;
	for (const struct sample *s = l->first; r == 0 && s; s = s->next)
		r = s->drive ? history_drive(h, s->drive, s->time)
			     : history_sample(h, s->key, s->page, s->time, s->mono, s->bytes);
	if (r == 0)
		r = history_commit(h);
	if (r < 0)
		history_rollback(h);
	return r;
}

static void log_outcome(struct recorder *r, int code)
{
	if (code < 0 && !r->failing)
		log_msg(LOG_ERR, "%s cannot be written (%s): history waits, live values go on",
			r->path, code == -EPROTO ? "it is of a newer nvmewatch" :
			code == -EUCLEAN ? "it is damaged, or no database" : strerror(-code));
	else if (code == 0 && r->failing)
		log_msg(LOG_NOTICE, "%s is written again", r->path);
	r->failing = code < 0;
}

/* Writes the list and empties it; what could not be written stays in it. */
static void write_list(struct recorder *r, struct list *l)
{
	int code = r->history ? 0 : history_open(r->path, &r->history);

	if (code == 0 && l->first)
		code = write_samples(r->history, l);
	log_outcome(r, code);
	if (code < 0) {
		history_close(r->history);
		r->history = NULL;
		list_shorten(l, SAMPLES_MAX);
	} else {
		list_shorten(l, 0);
	}
}

static void *recorder_thread(void *userdata)
{
	struct recorder *r = userdata;
	struct list l;

	list_init(&l);
	pthread_mutex_lock(&r->mutex);
	for (;;) {
		bool stopping = r->stopping;
		list_move(&r->queue, &l);
		pthread_mutex_unlock(&r->mutex);
		write_list(r, &l);
		pthread_mutex_lock(&r->mutex);
		if (stopping)
			break;
		if (!r->queue.first && !r->stopping)
			pthread_cond_wait(&r->wake, &r->mutex);
	}
	pthread_mutex_unlock(&r->mutex);
	list_shorten(&l, 0);
	history_close(r->history);
	pthread_mutex_lock(&r->mutex);
	r->done = true;
	pthread_cond_signal(&r->ended);
	pthread_mutex_unlock(&r->mutex);
	return NULL;
}

/* ---- Collect. ---- */

static void recorder_free(struct recorder *r)
{
	list_shorten(&r->gathered, 0);
	list_shorten(&r->queue, 0);
	pthread_cond_destroy(&r->wake);
	pthread_cond_destroy(&r->ended);
	pthread_mutex_destroy(&r->mutex);
	free(r->path);
	free(r);
}

int recorder_new(const char *state_dir, struct recorder **ret)
{
	struct recorder *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	list_init(&r->gathered);
	list_init(&r->queue);
	pthread_mutex_init(&r->mutex, NULL);
	pthread_cond_init(&r->wake, NULL);
	pthread_cond_init(&r->ended, NULL);
	r->path = format_text("%s/history.db", state_dir);
	int code = !r->path ? -ENOMEM : -pthread_create(&r->thread, NULL, recorder_thread, r);
	if (code < 0) {
		recorder_free(r);
		return code;
	}
	*ret = r;
	return 0;
}

void recorder_flush(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	list_move(&r->gathered, &r->queue);
	list_shorten(&r->queue, SAMPLES_MAX);
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->mutex);
}

void recorder_stop(struct recorder *r, uint64_t wait_us)
{
	struct timespec until;

	if (!r)
		return;
	recorder_flush(r);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)(wait_us / 1000000);
	pthread_mutex_lock(&r->mutex);
	r->stopping = true;
	pthread_cond_signal(&r->wake);
	int code = 0;
	while (!r->done && code == 0)
		code = pthread_cond_timedwait(&r->ended, &r->mutex, &until);
	bool done = r->done;
	pthread_mutex_unlock(&r->mutex);
	/* A disk that hangs must not hold up the exit; the process ends with its thread. */
	if (!done)
		return;
	pthread_join(r->thread, NULL);
	recorder_free(r);
}

static struct sample *sample_new(struct recorder *r, size_t size)
{
	struct sample *s = calloc(1, sizeof(*s) + size);

	if (s)
		list_add(&r->gathered, s);
	return s;
}

int recorder_drive(struct recorder *r, const struct drive *d)
{
	struct drive *copy = malloc(sizeof(*copy));
	struct sample *s = copy ? sample_new(r, 0) : NULL;

	if (!s) {
		free(copy);
		return -ENOMEM;
	}
	*copy = *d;
	s->drive = copy;
	s->time = clock_real();
	return 0;
}

int recorder_sample(struct recorder *r, const char *key, const struct page *p, int64_t time,
		    int64_t mono, const uint8_t *bytes)
{
	struct sample *s = sample_new(r, p->size);

	if (!s)
		return -ENOMEM;
	snprintf(s->key, sizeof(s->key), "%s", key);
	s->page = p;
	s->time = time;
	s->mono = mono;
	memcpy(s->bytes, bytes, p->size);
	return 0;
}
