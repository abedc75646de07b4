/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wait.h"

#include <errno.h>
#include <sys/epoll.h>

#include "http_internal.h"

#define SLOPPY_US 10000
#define RETRY_SECONDS "5"
#define HELD_MAX ((size_t)32 << 20) /* bytes of answers on their way to clients that take their time */

static void leave(struct wait *w)
{
	*w->link = w->next;
	if (w->next)
		w->next->link = w->link;
	w->job = NULL;
	w->deadline = sd_event_source_disable_unref(w->deadline);
	w->gone = sd_event_source_disable_unref(w->gone);
}

/* The handler will be called again. */
static void resume(struct wait *w)
{
	struct http *h = w->http;

	leave(w);
	w->state = WAIT_OVER;
	MHD_resume_connection(w->connection);
	http_run(h); /* may be the end of *w */
}

static void on_done(void *userdata, int r, struct answer *a)
{
	struct wait *w = userdata;

	w->result = r;
	w->answer = *a;
	*a = (struct answer){ 0 };
	w->held = w->answer.body ? w->answer.body->length : 0;
	w->http->held += w->held;
	resume(w);
}

static int on_deadline(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct wait *w = userdata;

	(void)source, (void)usec;
	work_abandon(w->job);
	w->result = answer_problem(&w->answer, 504, "This takes longer than %u seconds. Ask for a "
				   "shorter time, fewer fields or a longer step.",
				   (unsigned)(w->http->server->work.deadline_us / 1000000));
	resume(w);
	return 0;
}

/* Half of a connection may be closed by who still listens, but who does that goes without this. */
static int on_gone(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct wait *w = userdata;

	(void)source, (void)fd, (void)events;
	work_abandon(w->job);
	w->result = -ECONNRESET;
	resume(w);
	return 0;
}

static int watch(struct wait *w, int fd)
{
	struct http *h = w->http;
	int r = sd_event_add_io(h->event, &w->gone, fd, EPOLLRDHUP, on_gone, w);

	if (r >= 0)
		r = sd_event_add_time_relative(h->event, &w->deadline, CLOCK_MONOTONIC,
					       h->server->work.deadline_us, SLOPPY_US, on_deadline,
					       w);
	return r;
}

static int busy(struct answer *ret)
{
	int r = answer_problem(ret, 503, "Too many such requests are waiting already. Try again in "
			       RETRY_SECONDS " seconds.");

	ret->retry_after = RETRY_SECONDS;
	return r < 0 ? r : 1;
}

int wait_begin(struct wait *w, struct http *h, struct MHD_Connection *connection, int fd,
	       struct job *j)
{
	int r;

	*w = (struct wait){ .http = h, .connection = connection };
	r = h->held > HELD_MAX ? -EBUSY : watch(w, fd);
	if (r >= 0)
		r = work_begin(h->work, j, on_done, w);
	if (r < 0) {
		j->free(j);
		w->deadline = sd_event_source_disable_unref(w->deadline);
		w->gone = sd_event_source_disable_unref(w->gone);
		return r == -EBUSY ? busy(&w->answer) : r;
	}
	w->job = j;
	w->next = h->waits;
	w->link = &h->waits;
	if (w->next)
		w->next->link = &w->next;
	h->waits = w;
	w->state = WAITING;
	MHD_suspend_connection(connection);
	return 0;
}

void wait_done(struct wait *w)
{
	if (w->state == WAITING) {
		work_abandon(w->job);
		leave(w);
	}
	if (w->held)
		w->http->held -= w->held;
	answer_done(&w->answer);
	*w = (struct wait){ 0 };
}

void waits_release(struct http *h)
{
	for (struct wait *w = h->waits; w; w = w->next)
		MHD_resume_connection(w->connection);
}
