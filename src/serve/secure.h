/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* TLS of libmicrohttpd's connections. Version 0.9.75 has two gaps that are filled here. It keeps
 * the certificates that it was started with; ours are put into each session before its handshake.
 * And under epoll it takes a handshake that waits for its client for one that can go on, and tries
 * again without end (20 half-open ones are a third of a processor); so such a connection is
 * suspended until its socket has something. One thread. */

#include <microhttpd.h>
#include <systemd/sd-event.h>

#include "tls.h"

/* What MHD_start_daemon() is told, the options in an array. */
#define SECURE_FLAGS (MHD_USE_TLS | MHD_ALLOW_SUSPEND_RESUME)
extern const struct MHD_OptionItem secure_options[];

struct secure;

/* Those whose handshake is not over. */
struct handshakes {
	struct secure *first;
	sd_event *event;
	void (*on_ready)(void *userdata); /* libmicrohttpd is to be run */
	void *userdata;
};

/* A connection that has just come, before its handshake; fd is its socket. NULL without memory,
 * and then the handshake fails. */
struct secure *secure_begin(struct handshakes *all, struct tls *tls,
			    struct MHD_Connection *connection, int fd);

/* A request has come, so the handshake is over, whatever was sent behind it. NULL is fine. */
void secure_request(struct secure *s);

/* The connection is closed. NULL is fine. */
void secure_end(struct secure *s);

/* After libmicrohttpd has run: whatever handshakes there are wait for their clients. */
void handshakes_wait(struct handshakes *all);

/* Before libmicrohttpd is stopped, which it refuses while anything is suspended. */
void handshakes_release(struct handshakes *all);
