/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "http.h"

#include <errno.h>

#include "call.h"
#include "http_internal.h"
#include "nvmewatch/log.h"

#define HEADERS_MAX (size_t)16384 /* request line and headers; beyond, MHD answers 414 or 431 */
#define RUNS 16 /* of MHD before others have their turn */

/* ---- Connections ---- */

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
			  enum MHD_ConnectionNotificationCode code)
{
	struct http *h = cls;
	struct client *client = *context;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*context = client = TAKE(h->incoming);
		if (h->server->tls)
			client->secure = secure_begin(&h->handshakes, h->server->tls, connection,
						      client->fd);
		return;
	}
	if (client)
		secure_end(client->secure);
	gate_leave(h->gate, client);
	*context = NULL;
}

/* ---- The loop ---- */

void http_run(struct http *h)
{
	MHD_UNSIGNED_LONG_LONG wait = 1;

	for (int i = 0; i < RUNS; i++) {
		MHD_run(h->daemon);
		handshakes_wait(&h->handshakes);
		if (MHD_get_timeout(h->daemon, &wait) != MHD_YES) {
			sd_event_source_set_enabled(h->pending, SD_EVENT_OFF);
			return;
		}
		if (wait > 0)
			break;
	}
	/* Relative and in milliseconds, not an absolute time. */
	sd_event_source_set_time_relative(h->pending, wait * 1000);
	sd_event_source_set_enabled(h->pending, SD_EVENT_ONESHOT);
}

static int on_io(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	(void)source, (void)fd, (void)events;
	http_run(userdata);
	return 0;
}

static int on_pending(sd_event_source *source, uint64_t usec, void *userdata)
{
	(void)source, (void)usec;
	http_run(userdata);
	return 0;
}

static void on_handshake_ready(void *userdata)
{
	http_run(userdata);
}

static void on_admit(void *userdata, int fd, struct client *client, socklen_t peer_length)
{
	struct http *h = userdata;

	h->incoming = client;
	MHD_add_connection(h->daemon, fd, (const struct sockaddr *)&client->peer, peer_length);
	/* Still here where MHD refused it; MHD has closed the socket then. */
	gate_leave(h->gate, TAKE(h->incoming));
	http_run(h);
}

/* ---- Life ---- */

static void silent(void *cls, const char *format, va_list args)
{
	/* Every broken request would be a line of the log. */
	(void)cls, (void)format, (void)args;
}

static int daemon_start(struct http *h)
{
	static const struct MHD_OptionItem plain[] = { { MHD_OPTION_END, 0, NULL } };
	unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_TURBO |
			 MHD_ALLOW_SUSPEND_RESUME;

	if (h->server->tls)
		flags |= SECURE_FLAGS;
	h->daemon = MHD_start_daemon(
		flags, 0, NULL, NULL, call_answer, h,
		MHD_OPTION_EXTERNAL_LOGGER, silent, NULL,
		MHD_OPTION_CONNECTION_LIMIT, gate_capacity(h->gate),
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEADERS_MAX,
		MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
		MHD_OPTION_URI_LOG_CALLBACK, call_begin, h,
		MHD_OPTION_NOTIFY_COMPLETED, call_end, h,
		MHD_OPTION_ARRAY, h->server->tls ? secure_options : plain,
		MHD_OPTION_END);
	return h->daemon ? 0 : -ENOMEM;
}

static int sources_add(struct http *h, sd_event *event)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(h->daemon,
							       MHD_DAEMON_INFO_EPOLL_FD);
	int r = info ? sd_event_add_io(event, &h->io, info->epoll_fd, EPOLLIN, on_io, h) : -EIO;

	if (r >= 0)
		r = sd_event_add_time(event, &h->pending, CLOCK_MONOTONIC, 0, 1000, on_pending, h);
	return r < 0 ? r : sd_event_source_set_enabled(h->pending, SD_EVENT_OFF);
}

int http_new(struct server *server, sd_event *event, struct http **ret)
{
	_cleanup_(http_freep) struct http *h = calloc(1, sizeof(*h));
	const struct gate_options options = { server->times, server->tls != NULL };
	int r;

	if (!h)
		return -ENOMEM;
	h->server = server;
	h->event = event;
	h->handshakes.event = event;
	h->handshakes.on_ready = on_handshake_ready;
	h->handshakes.userdata = h;
	r = gate_new(event, &options, on_admit, h, &h->gate);
	if (r >= 0)
		r = work_new(event, &server->work, &h->work);
	if (r >= 0)
		r = daemon_start(h);
	if (r >= 0)
		r = sources_add(h, event);
	if (r < 0)
		return r;
	*ret = TAKE(h);
	return 0;
}

int http_listen(struct http *h, int fd)
{
	return gate_listen(h->gate, fd);
}

void http_free(struct http *h)
{
	if (!h)
		return;
	sd_event_source_disable_unref(h->io);
	sd_event_source_disable_unref(h->pending);
	handshakes_release(&h->handshakes);
	waits_release(h);
	if (h->daemon)
		MHD_stop_daemon(h->daemon);
	work_free(h->work);
	gate_free(h->gate);
	free(h);
}
