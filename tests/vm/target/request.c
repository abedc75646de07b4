/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The life of a command: some are held (Asynchronous Event Requests, and what a drive hangs on),
 * some are answered late, and each is written down once it is known what becomes of it. */

#include <stdlib.h>
#include <string.h>

#include "nvmewatch/boot.h"
#include "target.h"

/* A command without an answer yet. */
struct request {
	struct connection *connection;
	struct request *next;
	sd_event_source *timer; /* NULL: nothing but the connection's end or an event ends it */
	int64_t arrival;
	uint8_t sqe[64];
};

static bool is_async_event(const struct connection *c, const uint8_t *sqe)
{
	return !c->queue && sqe[0] == OPCODE_ASYNC_EVENT;
}

static void execute(struct connection *c, const uint8_t *sqe, const uint8_t *data, size_t length,
		    int64_t arrival)
{
	static struct answer a; /* one thread, one answer at a time */

	memset(&a, 0, sizeof(a));
	if (sqe[0] == OPCODE_FABRICS)
		fabrics_execute(c, sqe, data, length, &a);
	else if (!c->subsystem)
		a.status = STATUS_SEQUENCE;
	else if (c->queue)
		io_execute(c->subsystem, sqe, &a);
	else
		admin_execute(c->subsystem, sqe, &a);
	if (c->subsystem)
		journal_command(c->subsystem, c->queue, sqe, arrival, &a);
	connection_answer(c, sqe, &a);
}

static void request_free(struct request *r)
{
	struct request **link = &r->connection->held;

	while (*link != r)
		link = &(*link)->next;
	*link = r->next;
	sd_event_source_disable_unref(r->timer);
	free(r);
}

void request_forget(struct connection *c)
{
	while (c->held)
		request_free(c->held);
}

static int on_time(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct request *r = userdata;

	(void)source;
	(void)usec;
	execute(r->connection, r->sqe, NULL, 0, r->arrival);
	request_free(r);
	return 0;
}

/* Keeps a command, for so many microseconds or (UINT64_MAX) until something else answers it. */
static void hold(struct connection *c, const uint8_t *sqe, uint64_t delay)
{
	struct request *r = calloc(1, sizeof(*r));

	if (!r) {
		connection_drop(c);
		return;
	}
	r->connection = c;
	r->arrival = clock_mono();
	memcpy(r->sqe, sqe, sizeof(r->sqe));
	r->next = c->held;
	c->held = r;
	if (delay == UINT64_MAX)
		journal_command(c->subsystem, c->queue, sqe, r->arrival, NULL);
	else if (sd_event_add_time_relative(c->target->event, &r->timer, CLOCK_MONOTONIC, delay,
					    1000, on_time, r) < 0)
		connection_drop(c);
}

static void answer_event(struct request *r, uint32_t event)
{
	static struct answer a;

	a.result = event;
	journal_command(r->connection->subsystem, 0, r->sqe, r->arrival, &a);
	connection_answer(r->connection, r->sqe, &a);
	request_free(r);
}

void request_release(struct subsystem *s)
{
	struct connection *c = s->admin;
	struct request *next, *held = c ? c->held : NULL;

	for (struct request *r = held; r; r = next) {
		next = r->next;
		if (!is_async_event(c, r->sqe)) {
			execute(c, r->sqe, NULL, 0, r->arrival);
			request_free(r);
		}
	}
}

void request_event(struct subsystem *s, uint32_t event)
{
	for (struct request *r = s->admin ? s->admin->held : NULL; r; r = r->next)
		if (is_async_event(r->connection, r->sqe)) {
			answer_event(r, event);
			return;
		}
	s->event = event;
}

static void async_event(struct connection *c, const uint8_t *sqe)
{
	uint32_t waits = c->subsystem->event;

	hold(c, sqe, UINT64_MAX);
	c->subsystem->event = 0;
	if (waits)
		request_event(c->subsystem, waits);
}

void request_arrived(struct connection *c, const uint8_t *sqe, const uint8_t *data, size_t length)
{
	bool admin = c->subsystem && !c->queue, crashes = false;
	uint64_t delay = admin && simulated_takes(c->subsystem, sqe) ?
		simulated_delay(c->subsystem, sqe, &crashes) : 0;

	if (crashes)
		connection_drop(c);
	else if (admin && is_async_event(c, sqe))
		async_event(c, sqe);
	else if (delay)
		hold(c, sqe, delay);
	else
		execute(c, sqe, data, length, clock_mono());
}
