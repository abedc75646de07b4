/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "work.h"

#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>

#define THREADS_MAX 8

struct work {
	struct work_limits limits;
	pthread_mutex_t lock; /* over what follows, and over the private part of jobs */
	pthread_cond_t wake;
	struct queue {
		struct job *first, **last;
		unsigned n;
	} waiting, done;
	struct job *running[THREADS_MAX];
	unsigned n_started; /* threads, each of which takes its number from it */
	bool ending;
	pthread_t threads[THREADS_MAX];
	unsigned n_threads;
	int bell; /* eventfd: something was done */
	sd_event_source *io;
};

static void queue_put(struct queue *q, struct job *j)
{
	j->next = NULL;
	*q->last = j;
	q->last = &j->next;
	q->n++;
}

static void queue_remove(struct queue *q, struct job *j)
{
	struct job **link = &q->first;

	while (*link != j)
		link = &(*link)->next;
	*link = j->next;
	if (!*link)
		q->last = link;
	q->n--;
}

static struct job *queue_take(struct queue *q)
{
	struct job *j = q->first;

	if (j)
		queue_remove(q, j);
	return j;
}

static void job_drop(struct job *j)
{
	answer_done(&j->answer);
	j->free(j);
}

/* ---- Threads ---- */

static struct job *next_job(struct work *w, unsigned number)
{
	struct job *j;

	pthread_mutex_lock(&w->lock);
	while (!w->ending && !w->waiting.first)
		pthread_cond_wait(&w->wake, &w->lock);
	j = w->ending ? NULL : queue_take(&w->waiting);
	if (j)
		j->state = JOB_RUNS;
	w->running[number] = j;
	pthread_mutex_unlock(&w->lock);
	return j;
}

static void job_finish(struct work *w, unsigned number, struct job *j)
{
	pthread_mutex_lock(&w->lock);
	w->running[number] = NULL;
	j->state = JOB_DONE;
	queue_put(&w->done, j);
	pthread_mutex_unlock(&w->lock);
	eventfd_write(w->bell, 1); /* can only fail where it has rung for ever */
}

static void *thread_run(void *userdata)
{
	struct work *w = userdata;
	struct job *j;

	pthread_mutex_lock(&w->lock);
	unsigned number = w->n_started++;
	pthread_mutex_unlock(&w->lock);
	while ((j = next_job(w, number))) {
		j->result = j->make(j, &j->answer);
		if (j->result >= 0 && j->gzip)
			j->result = answer_compress(&j->answer);
		job_finish(w, number, j);
	}
	return NULL;
}

int job_stoppable(struct job *j, void (*stop)(void *what), void *what)
{
	pthread_mutex_lock(&j->work->lock);
	bool abandoned = j->abandoned;
	j->stop = stop;
	j->what = what;
	pthread_mutex_unlock(&j->work->lock);
	return abandoned ? -ECANCELED : 0;
}

void job_unstoppable(struct job *j)
{
	pthread_mutex_lock(&j->work->lock);
	j->stop = NULL;
	pthread_mutex_unlock(&j->work->lock);
}

/* ---- The loop ---- */

static void job_stop(struct job *j)
{
	j->abandoned = true;
	if (j->stop)
		j->stop(j->what);
}

/* One at a time: done() of one may abandon another. */
static struct job *next_done(struct work *w)
{
	pthread_mutex_lock(&w->lock);
	struct job *j = queue_take(&w->done);
	pthread_mutex_unlock(&w->lock);
	return j;
}

/* abandoned and answer are ours alone once it is done. */
static int on_bell(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct work *w = userdata;
	eventfd_t n;
	struct job *j;

	(void)source, (void)events;
	eventfd_read(fd, &n);
	while ((j = next_done(w))) {
		if (!j->abandoned)
			j->done(j->userdata, j->result, &j->answer);
		job_drop(j);
	}
	return 0;
}

int work_begin(struct work *w, struct job *j, void (*done)(void *userdata, int r, struct answer *a),
	       void *userdata)
{
	int r = -EBUSY;

	pthread_mutex_lock(&w->lock);
	if (w->waiting.n < w->limits.waiting) {
		j->work = w;
		j->state = JOB_WAITS;
		j->done = done;
		j->userdata = userdata;
		queue_put(&w->waiting, j);
		pthread_cond_signal(&w->wake);
		r = 0;
	}
	pthread_mutex_unlock(&w->lock);
	return r;
}

void work_abandon(struct job *j)
{
	struct work *w = j->work;

	pthread_mutex_lock(&w->lock);
	bool begun = j->state != JOB_WAITS;
	if (begun)
		job_stop(j);
	else
		queue_remove(&w->waiting, j);
	pthread_mutex_unlock(&w->lock);
	if (!begun)
		job_drop(j);
}

/* ---- Life ---- */

static int threads_start(struct work *w, unsigned n)
{
	for (; w->n_threads < n && w->n_threads < THREADS_MAX; w->n_threads++) {
		int e = pthread_create(&w->threads[w->n_threads], NULL, thread_run, w);

		if (e)
			return -e;
	}
	return 0;
}

int work_new(sd_event *event, const struct work_limits *limits, struct work **ret)
{
	_cleanup_(work_freep) struct work *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return -ENOMEM;
	w->limits = *limits;
	w->waiting.last = &w->waiting.first;
	w->done.last = &w->done.first;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	w->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->bell < 0)
		return -errno;
	r = sd_event_add_io(event, &w->io, w->bell, EPOLLIN, on_bell, w);
	if (r >= 0)
		r = threads_start(w, limits->threads);
	if (r < 0)
		return r;
	*ret = TAKE(w);
	return 0;
}

static void threads_end(struct work *w)
{
	pthread_mutex_lock(&w->lock);
	w->ending = true;
	for (unsigned i = 0; i < w->n_threads; i++)
		if (w->running[i])
			job_stop(w->running[i]);
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->lock);
	for (unsigned i = 0; i < w->n_threads; i++)
		pthread_join(w->threads[i], NULL);
}

void work_free(struct work *w)
{
	struct job *j;

	if (!w)
		return;
	threads_end(w);
	while ((j = queue_take(&w->waiting)) || (j = queue_take(&w->done)))
		job_drop(j);
	sd_event_source_disable_unref(w->io);
	if (w->bell >= 0)
		close(w->bell);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
