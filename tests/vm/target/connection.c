/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A TCP connection of NVMe/TCP: what comes in, taken as it comes. Without digests; what a host
 * sends is inside its capsules. */

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "target.h"

void connection_drop(struct connection *c)
{
	shutdown(c->fd, SHUT_RDWR);
}

static void connection_free(struct connection *c)
{
	request_forget(c);
	if (c->subsystem && c->subsystem->admin == c)
		c->subsystem->admin = NULL;
	sd_event_source_disable_unref(c->source);
	close(c->fd);
	free(c);
}

/* Returns 0, or -EPROTO for what the transport forbids or this target does not take. */
static int handle_pdu(struct connection *c, size_t length)
{
	size_t data = c->bytes[3];

	switch (c->bytes[0]) {
	case PDU_ICREQ:
		if (length != ICREQ_SIZE)
			return -EPROTO;
		connection_greet(c);
		return 0;
	case PDU_COMMAND:
		if (length < COMMAND_SIZE || data > length || (data && data < COMMAND_SIZE))
			return -EPROTO;
		data = data ? data : length;
		request_arrived(c, c->bytes + PDU_HEADER, c->bytes + data, length - data);
		return 0;
	default:
		return -EPROTO;
	}
}

static int handle_input(struct connection *c)
{
	while (c->filled >= PDU_HEADER) {
		size_t length = bytes_get(c->bytes + 4, 4);

		if (length < PDU_HEADER || length > sizeof(c->bytes))
			return -EPROTO;
		if (c->filled < length)
			break;
		int r = handle_pdu(c, length);
		if (r < 0)
			return r;
		c->filled -= length;
		memmove(c->bytes, c->bytes + length, c->filled);
	}
	return 0;
}

static int on_input(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct connection *c = userdata;
	ssize_t n = recv(fd, c->bytes + c->filled, sizeof(c->bytes) - c->filled, MSG_DONTWAIT);

	(void)source;
	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	c->filled += n > 0 ? (size_t)n : 0;
	if (n <= 0 || handle_input(c) < 0)
		connection_free(c);
	return 0;
}

int connection_new(struct target *t, int fd)
{
	struct connection *c = calloc(1, sizeof(*c));
	int on = 1;

	if (!c) {
		close(fd);
		return -ENOMEM;
	}
	c->target = t;
	c->fd = fd;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	int r = sd_event_add_io(t->event, &c->source, fd, EPOLLIN, on_input, c);
	if (r < 0)
		connection_free(c);
	return r;
}
