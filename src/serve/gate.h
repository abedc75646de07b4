/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The door: listening sockets, who of those that knock comes in, and when they are shown out. Who
 * does not come in is told so at once, in HTTP or TLS. One thread, that of the event loop. */

#include <systemd/sd-event.h>

#include "client.h"
#include "nvmewatch/cleanup.h"

struct gate;

struct gate_options {
	struct client_times times;
	bool tls; /* clients expect TLS */
};

/* Takes over the socket of a client that has come in. */
typedef void gate_admit_fn(void *userdata, int fd, struct client *client, socklen_t peer_length);

/* 0 or a negative errno. The loop must outlive it. */
int gate_new(sd_event *event, const struct gate_options *options, gate_admit_fn *admit,
	     void *userdata, struct gate **ret);

/* Stops listening; clients are to have left. */
void gate_free(struct gate *g);
DEFINE_CLEANUP(struct gate *, gate_free)

/* Lets clients in through a listening stream socket, which it owns from then on, failure
 * included. 0 or a negative errno. */
int gate_listen(struct gate *g, int fd);

/* The most clients that there can be. */
unsigned gate_capacity(const struct gate *g);

/* What a client does, which decides how long it may take. Its first request began when it came. */
void gate_request_begins(struct gate *g, struct client *client);
void gate_request_ends(struct gate *g, struct client *client);

/* The client's connection is closed. NULL is fine. */
void gate_leave(struct gate *g, struct client *client);
