/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "http.h"

#include <errno.h>
#include <microhttpd.h>

#include "gate.h"
#include "nvmewatch/log.h"
#include "routes.h"

#define HEADERS_MAX (size_t)16384 /* request line and headers; beyond, MHD answers 414 or 431 */
#define RUNS 16 /* of MHD before others have their turn */

struct http {
	struct server *server;
	struct gate *gate;
	struct MHD_Daemon *daemon;
	struct client *incoming;  /* about to be a connection of MHD's */
	sd_event_source *io;      /* MHD has something to do */
	sd_event_source *pending; /* it has left something undone */
};

/* From the request line to the last byte of the answer. */
struct call {
	struct request *request;
	int error;  /* of request_parse() */
	bool begun; /* on_request() was called before */
};

/* ---- Requests ---- */

static struct client *client_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
			  enum MHD_ConnectionNotificationCode code)
{
	struct http *h = cls;

	(void)connection;
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*context = TAKE(h->incoming);
	} else {
		gate_leave(h->gate, *context);
		*context = NULL;
	}
}

/* The request line is there: the only moment at which MHD shows the target as it was sent. */
static void *on_target(void *cls, const char *target, struct MHD_Connection *connection)
{
	struct http *h = cls;
	struct call *call = calloc(1, sizeof(*call));
	struct client *client = client_of(connection);

	if (client)
		gate_extend(h->gate, client, CLIENT_REQUEST_US);
	if (call)
		call->error = request_parse(target, &call->request);
	return call;
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **context,
			 enum MHD_RequestTerminationCode code)
{
	struct http *h = cls;
	struct call *call = *context;
	struct client *client = client_of(connection);

	(void)code;
	if (client)
		gate_extend(h->gate, client, CLIENT_IDLE_US);
	if (call)
		request_free(call->request);
	free(call);
	*context = NULL;
}

static int call_answer(struct http *h, struct call *call, struct answer *ret)
{
	if (call->error == -EINVAL)
		return answer_problem(ret, 400, "The request target is malformed or too long.");
	return call->error < 0 ? call->error : routes_answer(h->server, call->request, ret);
}

static void on_body_sent(void *cls)
{
	body_unref(cls);
}

static struct MHD_Response *response_of(const struct answer *a)
{
	struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback_cls(
		a->body->length, a->body->data, on_body_sent, a->body);

	if (!response)
		return NULL;
	body_ref(a->body);
	MHD_add_response_header(response, "Content-Type", a->body->type);
	MHD_add_response_header(response, "Vary", a->vary ? a->vary : "Accept-Encoding");
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	if (a->body->gzip)
		MHD_add_response_header(response, "Content-Encoding", "gzip");
	if (a->allow)
		MHD_add_response_header(response, "Allow", a->allow);
	return response;
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, const struct answer *a)
{
	struct MHD_Response *response = response_of(a);
	enum MHD_Result sent;

	if (!response)
		return MHD_NO;
	sent = MHD_queue_response(connection, a->status, response);
	MHD_destroy_response(response);
	return sent;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* MHD calls with the headers and again at the end of the request. An answer to the first call
 * makes it close the connection, which is right only where a body would have to be read first. */
static bool too_early(struct MHD_Connection *connection, struct call *call)
{
	if (call->begun || header(connection, "Content-Length") ||
	    header(connection, "Transfer-Encoding"))
		return false;
	call->begun = true;
	return true;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *upload,
				  size_t *upload_size, void **context)
{
	struct call *call = *context;
	struct answer answer = { 0 };
	enum MHD_Result sent;

	(void)url, (void)version, (void)upload, (void)upload_size;
	if (call && too_early(connection, call))
		return MHD_YES;
	if (call && call->request) {
		call->request->method = method;
		call->request->accept = header(connection, "Accept");
		call->request->accept_encoding = header(connection, "Accept-Encoding");
	}
	if (!call || call_answer(cls, call, &answer) < 0) {
		log_msg(LOG_WARNING, "Out of memory, dropping a request");
		return MHD_NO;
	}
	sent = send_answer(connection, &answer);
	answer_done(&answer);
	return sent;
}

/* ---- The loop ---- */

/* Lets MHD work; what it leaves undone goes on in the next turn of the loop. */
static void http_run(struct http *h)
{
	MHD_UNSIGNED_LONG_LONG wait = 1;

	for (int i = 0; i < RUNS; i++) {
		MHD_run(h->daemon);
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
	h->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_TURBO, 0, NULL, NULL, on_request,
		h, MHD_OPTION_EXTERNAL_LOGGER, silent, NULL,
		MHD_OPTION_CONNECTION_LIMIT, gate_capacity(h->gate),
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEADERS_MAX,
		MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
		MHD_OPTION_URI_LOG_CALLBACK, on_target, h,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, h,
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
	int r;

	if (!h)
		return -ENOMEM;
	h->server = server;
	r = gate_new(event, on_admit, h, &h->gate);
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
	if (h->daemon)
		MHD_stop_daemon(h->daemon);
	gate_free(h->gate);
	free(h);
}
