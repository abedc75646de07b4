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

/* So many are gathered at most before the thread gets them. */
#define GATHER_MAX 1024
/* While the disk fails or hangs, so many samples are kept for a better time: an hour of 64 drives with
 * two pages each. Beyond, the oldest are dropped. */
#define SAMPLES_MAX 8192

struct sample {
	struct sample *next;
	enum { DRIVE, PAGE, FIRST, EVENT, ERRORS, REFUSAL, FORGET } what;
	const struct page *page; /* PAGE */
	uint32_t instance;       /* PAGE */
	struct drive *drive;     /* DRIVE, REFUSAL */
	const char *event;       /* EVENT: its type; .bytes holds the detail, of FIRST too; of REFUSAL the page */
	int64_t since;           /* FIRST */
	uint64_t error_count;    /* ERRORS */
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
	size_t dropped; /* samples, since that was last logged */
	struct history_memory *memory; /* until collect takes it */

	char *path;              /* the thread's own */
	struct history *history;
	bool failing, remembered;
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

/* Drops the oldest. Returns how many. */
static size_t list_shorten(struct list *l, size_t length)
{
	size_t dropped = l->length > length ? l->length - length : 0;

	while (l->length > length) {
		struct sample *s = l->first;
		l->first = s->next;
		l->length--;
		sample_free(s);
	}
	if (!l->first)
		list_init(l);
	return dropped;
}

/* ---- The thread. ---- */

static int write_sample(struct history *h, const struct sample *s)
{
	switch (s->what) {
	case DRIVE:
		return history_drive(h, s->drive, s->time);
	case FIRST:
		return history_first_seen(h, s->key, (const char *)s->bytes, s->since, s->time, s->mono);
	case EVENT:
		return history_event(h, s->key, s->event, (const char *)s->bytes, s->time, s->mono);
	case ERRORS:
		return history_errors(h, s->key, s->error_count, s->time);
	case REFUSAL:
		return history_refuse(h, s->drive, (const char *)s->bytes, s->time);
	case FORGET:
		return history_forget(h, s->key);
	case PAGE:
		break;
	}
	return history_sample(h, s->key, s->page, s->instance, s->time, s->mono, s->bytes);
}

static int write_samples(struct history *h, const struct list *l)
{
	int r = history_begin(h);

	if (r < 0)
		return r;
	for (const struct sample *s = l->first; r == 0 && s; s = s->next)
		r = write_sample(h, s);
	if (r == 0)
		r = history_commit(h);
	if (r < 0)
		history_rollback(h);
	return r;
}

static void count_dropped(struct recorder *r, size_t n)
{
	pthread_mutex_lock(&r->mutex);
	r->dropped += n;
	pthread_mutex_unlock(&r->mutex);
}

/* Says so, once, when there is a database to go on with. */
static void log_dropped(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	size_t n = r->dropped;
	r->dropped = 0;
	pthread_mutex_unlock(&r->mutex);
	if (n)
		log_msg(LOG_ERR, "%zu samples are not in %s: it could not be written for too long", n,
			r->path);
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
	if (code == 0)
		log_dropped(r);
}

/* Once: what the database knew before this process wrote to it. */
static void remember(struct recorder *r)
{
	struct history_memory *m = NULL;

	if (r->remembered || history_load(r->history, &m) < 0)
		return;
	r->remembered = true;
	pthread_mutex_lock(&r->mutex);
	r->memory = m;
	pthread_mutex_unlock(&r->mutex);
}

/* Writes the list and empties it; what could not be written stays in it. */
static void write_list(struct recorder *r, struct list *l)
{
	int code = r->history ? 0 : history_open(r->path, &r->history);

	if (code == 0)
		remember(r);
	if (code == 0 && l->first)
		code = write_samples(r->history, l);
	log_outcome(r, code);
	if (code < 0) {
		history_close(r->history);
		r->history = NULL;
		count_dropped(r, list_shorten(l, SAMPLES_MAX));
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
	history_memory_free(r->memory);
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
	r->dropped += list_shorten(&r->queue, SAMPLES_MAX);
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

static struct sample *sample_new(struct recorder *r, int what, const char *key, size_t size)
{
	struct sample *s = calloc(1, sizeof(*s) + size);

	if (!s)
		return NULL;
	s->what = what;
	snprintf(s->key, sizeof(s->key), "%s", key);
	s->time = clock_real();
	s->mono = clock_mono();
	if (r->gathered.length >= GATHER_MAX)
		recorder_flush(r);
	list_add(&r->gathered, s);
	return s;
}

static struct sample *sample_of_drive(struct recorder *r, int what, const struct drive *d, size_t size)
{
	struct drive *copy = malloc(sizeof(*copy));
	struct sample *s = copy ? sample_new(r, what, d->key, size) : NULL;

	if (!s) {
		free(copy);
		return NULL;
	}
	*copy = *d;
	s->drive = copy;
	return s;
}

int recorder_drive(struct recorder *r, const struct drive *d)
{
	return sample_of_drive(r, DRIVE, d, 0) ? 0 : -ENOMEM;
}

int recorder_sample(struct recorder *r, const char *key, const struct page *p, uint32_t instance,
		    int64_t time, int64_t mono, const uint8_t *bytes)
{
	struct sample *s = sample_new(r, PAGE, key, p->size);

	if (!s)
		return -ENOMEM;
	s->page = p;
	s->instance = instance;
	s->time = time;
	s->mono = mono;
	memcpy(s->bytes, bytes, p->size);
	return 0;
}

static struct sample *sample_of_event(struct recorder *r, int what, const char *key,
				      const char *detail)
{
	struct sample *s = sample_new(r, what, key, strlen(detail) + 1);

	if (s)
		memcpy(s->bytes, detail, strlen(detail) + 1);
	return s;
}

int recorder_event(struct recorder *r, const char *key, const char *type, const char *detail)
{
	struct sample *s = sample_of_event(r, EVENT, key, detail);

	if (!s)
		return -ENOMEM;
	s->event = type;
	recorder_flush(r);
	return 0;
}

int recorder_first_seen(struct recorder *r, const char *key, const char *detail, uint64_t within)
{
	struct sample *s = sample_of_event(r, FIRST, key, detail);

	if (!s)
		return -ENOMEM;
	s->since = s->time - (int64_t)within;
	recorder_flush(r);
	return 0;
}

int recorder_refuse(struct recorder *r, const struct drive *d, const char *page)
{
	struct sample *s = sample_of_drive(r, REFUSAL, d, strlen(page) + 1);

	if (!s)
		return -ENOMEM;
	memcpy(s->bytes, page, strlen(page) + 1);
	recorder_flush(r);
	return 0;
}

int recorder_errors(struct recorder *r, const char *key, uint64_t error_count)
{
	struct sample *s = sample_new(r, ERRORS, key, 0);

	if (!s)
		return -ENOMEM;
	s->error_count = error_count;
	return 0;
}

int recorder_forget(struct recorder *r, const char *key)
{
	if (!sample_new(r, FORGET, key, 0))
		return -ENOMEM;
	recorder_flush(r);
	return 0;
}

struct history_memory *recorder_take_memory(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	struct history_memory *m = TAKE(r->memory);
	pthread_mutex_unlock(&r->mutex);
	return m;
}
