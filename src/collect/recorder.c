/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "recorder.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "past.h"
#include "recorder_internal.h"

void list_init(struct list *l)
{
	*l = (struct list){ .last = &l->first };
}

void list_add(struct list *l, struct sample *s)
{
	*l->last = s;
	l->last = &s->next;
	l->length++;
}

void list_move(struct list *from, struct list *to)
{
	if (from->first) {
		*to->last = from->first;
		to->last = from->last;
		to->length += from->length;
	}
	list_init(from);
}

size_t list_shorten(struct list *l, size_t length)
{
	size_t dropped = l->length > length ? l->length - length : 0;

	while (l->length > length) {
		struct sample *s = l->first;
		l->first = s->next;
		l->length--;
		free(s);
	}
	if (!l->first)
		list_init(l);
	return dropped;
}

static void recorder_free(struct recorder *r)
{
	list_shorten(&r->gathered, 0);
	list_shorten(&r->queue, 0);
	history_memory_free(r->memory);
	past_free(r->past);
	pthread_cond_destroy(&r->wake);
	pthread_cond_destroy(&r->ended);
	pthread_mutex_destroy(&r->mutex);
	archive_free(r->archive);
	free(r->path);
	free(r->state_dir);
	free(r->run_dir);
	free(r);
}

int recorder_new(const char *state_dir, const char *run_dir, struct recorder **ret)
{
	struct recorder *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	list_init(&r->gathered);
	list_init(&r->queue);
	pthread_mutex_init(&r->mutex, NULL);
	pthread_cond_init(&r->wake, NULL);
	pthread_cond_init(&r->ended, NULL);
	boot_id(r->boot_id);
	r->bounds = (struct archive_bounds){ UINT64_MAX, UINT64_MAX, UINT64_MAX, 0 };
	r->path = format_text("%s/history.db", state_dir);
	r->state_dir = strdup(state_dir);
	r->run_dir = strdup(run_dir);
	int code = r->path && r->state_dir && r->run_dir ? archive_new(state_dir, run_dir, &r->archive) : -ENOMEM;
	if (code == 0)
		code = -pthread_create(&r->thread, NULL, recorder_thread, r);
	if (code < 0) {
		recorder_free(r);
		return code;
	}
	*ret = r;
	return 0;
}

void recorder_bound(struct recorder *r, const struct archive_bounds *b)
{
	pthread_mutex_lock(&r->mutex);
	r->bounds = *b;
	pthread_mutex_unlock(&r->mutex);
}

static void hand_over(struct recorder *r, bool flush)
{
	pthread_mutex_lock(&r->mutex);
	list_move(&r->gathered, &r->queue);
	size_t dropped = list_shorten(&r->queue, SAMPLES_MAX);
	r->dropped += dropped;
	r->status.dropped += dropped;
	r->flush = r->flush || flush;
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->mutex);
}

void recorder_push(struct recorder *r)
{
	if (r->gathered.first)
		hand_over(r, false);
}

void recorder_flush(struct recorder *r)
{
	hand_over(r, true);
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

bool recorder_status(struct recorder *r, struct now_store *ret)
{
	pthread_mutex_lock(&r->mutex);
	*ret = r->status;
	bool known = r->has_status;
	pthread_mutex_unlock(&r->mutex);
	return known;
}

struct history_memory *recorder_take_memory(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	struct history_memory *m = TAKE(r->memory);
	pthread_mutex_unlock(&r->mutex);
	return m;
}

struct past *recorder_take_past(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	struct past *p = TAKE(r->past);
	pthread_mutex_unlock(&r->mutex);
	return p;
}
