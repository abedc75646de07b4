/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "refusal.h"

#define LISTENERS_MAX 16
#define ACCEPTS 64 /* in one go */
#define PAUSE_US 1000000
#define SLOPPY_US 1000000 /* nobody minds when exactly a time-out comes */

struct gate {
	sd_event *event;
	struct gate_options options;
	gate_admit_fn *admit;
	void *userdata;
	struct clients clients;
	sd_event_source *deadline, *pause;
	uint64_t next_deadline;
	struct {
		int fd;
		sd_event_source *source;
	} listeners[LISTENERS_MAX];
	unsigned n_listeners;
};

static uint64_t now_us(struct gate *g)
{
	uint64_t now = 0;

	sd_event_now(g->event, CLOCK_MONOTONIC, &now);
	return now;
}

/* ---- Deadlines ---- */

static void deadline_arm(struct gate *g, uint64_t deadline)
{
	g->next_deadline = deadline;
	if (deadline == UINT64_MAX) {
		sd_event_source_set_enabled(g->deadline, SD_EVENT_OFF);
		return;
	}
	sd_event_source_set_time(g->deadline, deadline);
	sd_event_source_set_enabled(g->deadline, SD_EVENT_ONESHOT);
}

/* The timer may run out before any deadline, never after the first. */
static void extend(struct gate *g, struct client *client, uint64_t by)
{
	client->deadline = now_us(g) + by;
	if (client->deadline < g->next_deadline)
		deadline_arm(g, client->deadline);
}

void gate_request_begins(struct gate *g, struct client *client)
{
	if (client->idle)
		extend(g, client, g->options.times.request_us);
	client->idle = false;
}

void gate_request_ends(struct gate *g, struct client *client)
{
	client->idle = true;
	extend(g, client, g->options.times.idle_us);
}

static int on_deadline(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct gate *g = userdata;

	(void)source, (void)usec;
	deadline_arm(g, clients_expire(&g->clients, now_us(g)));
	return 0;
}

/* ---- Coming in ---- */

static void welcome(struct gate *g, int fd, const struct sockaddr_storage *peer, socklen_t length)
{
	struct client *client;

	if (!clients_admit(&g->clients, peer)) {
		refusal_send(fd, g->options.tls);
		return;
	}
	client = client_new(&g->clients, fd, peer, UINT64_MAX);
	if (!client) {
		close(fd);
		return;
	}
	extend(g, client, g->options.times.request_us);
	g->admit(g->userdata, fd, client, length);
}

static void listeners_enable(struct gate *g, int enable)
{
	for (unsigned i = 0; i < g->n_listeners; i++)
		sd_event_source_set_enabled(g->listeners[i].source, enable);
}

static int on_pause_over(sd_event_source *source, uint64_t usec, void *userdata)
{
	(void)source, (void)usec;
	listeners_enable(userdata, SD_EVENT_ON);
	return 0;
}

/* Without descriptors or memory the waiting client stays acceptable: look away for a while, or
 * the loop would spin. */
static void listeners_pause(struct gate *g)
{
	listeners_enable(g, SD_EVENT_OFF);
	sd_event_source_set_time_relative(g->pause, PAUSE_US);
	sd_event_source_set_enabled(g->pause, SD_EVENT_ONESHOT);
}

static int on_accept(sd_event_source *source, int listener, uint32_t events, void *userdata)
{
	struct gate *g = userdata;

	(void)source, (void)events;
	for (int i = 0; i < ACCEPTS; i++) {
		struct sockaddr_storage peer = { 0 };
		socklen_t length = sizeof(peer);
		int fd = accept4(listener, (struct sockaddr *)&peer, &length,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0) {
			welcome(g, fd, &peer, length);
			continue;
		}
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
			listeners_pause(g);
		if (errno != EINTR && errno != ECONNABORTED)
			break;
	}
	return 0;
}

/* ---- Life ---- */

static int timer_add(struct gate *g, sd_event_source **source, sd_event_time_handler_t handler)
{
	int r = sd_event_add_time(g->event, source, CLOCK_MONOTONIC, 0, SLOPPY_US, handler, g);

	return r < 0 ? r : sd_event_source_set_enabled(*source, SD_EVENT_OFF);
}

int gate_new(sd_event *event, const struct gate_options *options, gate_admit_fn *admit,
	     void *userdata, struct gate **ret)
{
	_cleanup_(gate_freep) struct gate *g = calloc(1, sizeof(*g));
	int r;

	if (!g)
		return -ENOMEM;
	g->event = sd_event_ref(event);
	g->options = *options;
	g->admit = admit;
	g->userdata = userdata;
	g->next_deadline = UINT64_MAX;
	clients_init(&g->clients);
	r = timer_add(g, &g->deadline, on_deadline);
	if (r >= 0)
		r = timer_add(g, &g->pause, on_pause_over);
	if (r < 0)
		return r;
	*ret = TAKE(g);
	return 0;
}

int gate_listen(struct gate *g, int fd_)
{
	_cleanup_(closep) int fd = fd_;
	sd_event_source *source;
	int r;

	if (g->n_listeners == LISTENERS_MAX)
		return -E2BIG;
	if (fcntl(fd, F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	r = sd_event_add_io(g->event, &source, fd, EPOLLIN, on_accept, g);
	if (r < 0)
		return r;
	g->listeners[g->n_listeners].source = source;
	g->listeners[g->n_listeners++].fd = TAKE_FD(fd);
	return 0;
}

unsigned gate_capacity(const struct gate *g)
{
	return g->clients.max;
}

void gate_leave(struct gate *g, struct client *client)
{
	client_free(&g->clients, client);
}

void gate_free(struct gate *g)
{
	if (!g)
		return;
	for (unsigned i = 0; i < g->n_listeners; i++) {
		sd_event_source_disable_unref(g->listeners[i].source);
		close(g->listeners[i].fd);
	}
	sd_event_source_disable_unref(g->deadline);
	sd_event_source_disable_unref(g->pause);
	sd_event_unref(g->event);
	free(g);
}
