/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The door: listening sockets, who of those that knock comes in, and when they are shown out. Who
 * does not come in is told so at once, in HTTP. One thread, that of the event loop. */

#include <systemd/sd-event.h>

#include "client.h"
#include "nvmewatch/cleanup.h"

struct gate;

/* Takes over the socket of a client that has come in. */
typedef void gate_admit_fn(void *userdata, int fd, struct client *client, socklen_t peer_length);

/* 0 or a negative errno. The loop must outlive it. */
int gate_new(sd_event *event, gate_admit_fn *admit, void *userdata, struct gate **ret);

/* Stops listening; clients are to have left. */
void gate_free(struct gate *g);
DEFINE_CLEANUP(struct gate *, gate_free)

/* Lets clients in through a listening stream socket, which it owns from then on, failure
 * included. 0 or a negative errno. */
int gate_listen(struct gate *g, int fd);

/* The most clients that there can be. */
unsigned gate_capacity(const struct gate *g);

/* Gives a client so many µs from now, instead of what it had left. */
void gate_extend(struct gate *g, struct client *client, uint64_t by);

/* The client's connection is closed. NULL is fine. */
void gate_leave(struct gate *g, struct client *client);
