/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "call.h"

#include <errno.h>

#include "http_internal.h"
#include "nvmewatch/log.h"
#include "routes.h"

struct call {
	struct request *request;
	int error;  /* of request_parse() */
	bool begun; /* call_answer() was called before */
	struct wait wait;
};

struct client *call_client(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

void *call_begin(void *cls, const char *target, struct MHD_Connection *connection)
{
	struct http *h = cls;
	struct call *call = calloc(1, sizeof(*call));
	struct client *client = call_client(connection);

	if (client) {
		secure_request(client->secure);
		gate_request_begins(h->gate, client);
	}
	if (call)
		call->error = request_parse(target, &call->request);
	return call;
}

void call_end(void *cls, struct MHD_Connection *connection, void **context,
	      enum MHD_RequestTerminationCode code)
{
	struct http *h = cls;
	struct call *call = *context;
	struct client *client = call_client(connection);

	(void)code;
	if (client)
		gate_request_ends(h->gate, client);
	if (call) {
		wait_done(&call->wait);
		request_free(call->request);
	}
	free(call);
	*context = NULL;
}

static int answer(struct http *h, struct call *call, struct answer *ret)
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
	if (a->retry_after)
		MHD_add_response_header(response, "Retry-After", a->retry_after);
	if (a->challenge)
		MHD_add_response_header(response, "WWW-Authenticate", a->challenge);
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

static bool has_body(struct MHD_Connection *connection)
{
	return header(connection, "Content-Length") || header(connection, "Transfer-Encoding");
}

/* MHD calls with the headers and again at the end of the request. An answer to the first call
 * makes it close the connection, which is right only where a body would have to be read first. */
static bool too_early(struct MHD_Connection *connection, struct call *call)
{
	if (call->begun || has_body(connection))
		return false;
	call->begun = true;
	return true;
}

/* The answer is there: what the wait was for, or else what can be said at once. 1: it is waited for. */
static int get_answer(struct http *h, struct MHD_Connection *connection, struct call *call,
		      struct answer *ret)
{
	struct client *client = call_client(connection);
	struct job *job;
	int r;

	if (call->wait.state == WAIT_OVER) {
		*ret = call->wait.answer;
		call->wait.answer = (struct answer){ 0 };
		return call->wait.result;
	}
	r = answer(h, call, ret);
	job = ret->job;
	if (r < 0 || !job)
		return r;
	*ret = (struct answer){ 0 };
	/* MHD would want to read the body meanwhile. */
	if (!client || has_body(connection)) {
		job->free(job);
		return answer_problem(ret, 400, "This takes no body.");
	}
	r = wait_begin(&call->wait, h, connection, client->fd, job);
	if (r <= 0)
		return r < 0 ? r : 1;
	*ret = call->wait.answer;
	call->wait.answer = (struct answer){ 0 };
	return 0;
}

enum MHD_Result call_answer(void *cls, struct MHD_Connection *connection, const char *url,
			    const char *method, const char *version, const char *upload,
			    size_t *upload_size, void **context)
{
	struct call *call = *context;
	struct answer a = { 0 };
	enum MHD_Result sent;
	int r;

	(void)url, (void)version, (void)upload, (void)upload_size;
	if (call && too_early(connection, call))
		return MHD_YES;
	if (call && call->request) {
		call->request->method = method;
		call->request->accept = header(connection, "Accept");
		call->request->accept_encoding = header(connection, "Accept-Encoding");
		call->request->authorization = header(connection, "Authorization");
	}
	r = call ? get_answer(cls, connection, call, &a) : -ENOMEM;
	if (r > 0)
		return MHD_YES;
	if (r < 0) {
		if (r == -ENOMEM)
			log_msg(LOG_WARNING, "Out of memory, dropping a request");
		return MHD_NO;
	}
	sent = send_answer(connection, &a);
	answer_done(&a);
	return sent;
}
