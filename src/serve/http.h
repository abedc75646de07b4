/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* HTTP over sockets: libmicrohttpd under sd-event. Takes the clients that gate.h lets in, hands
 * their requests to routes_answer() and sends what comes back, over TLS where the server has a
 * certificate. With call.c, secure.c and wait.c the only user of microhttpd.h. One thread, that of the event
 * loop. */

#include <systemd/sd-event.h>

#include "nvmewatch/cleanup.h"

#include "server.h"

struct http;

/* The server and the loop must outlive it. 0 or a negative errno. */
int http_new(struct server *server, sd_event *event, struct http **ret);
void http_free(struct http *h);
DEFINE_CLEANUP(struct http *, http_free)

/* Serves a listening stream socket, which it owns from then on, failure included. */
int http_listen(struct http *h, int fd);
