/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A request whose answer a job makes: its connection is suspended until the answer is made, the
 * deadline has passed or the client has gone. One thread, that of the event loop. */

#include <microhttpd.h>
#include <systemd/sd-event.h>

#include "answer.h"
#include "work.h"

struct http;

struct wait {
	enum { WAIT_NOT, WAITING, WAIT_OVER } state;
	struct http *http;
	struct MHD_Connection *connection; /* suspended while WAITING */
	struct wait *next, **link; /* while WAITING */
	struct job *job;
	sd_event_source *deadline, *gone;
	int result; /* < 0: there is no answer */
	struct answer answer;
	size_t held; /* bytes of it that are not sent yet, as far as is known */
};

/* Suspends the connection, whose socket is fd, and has the job done, taking it over. 0; 1: there is
 * an answer already, a problem; or a negative errno. The connection's handler is called again when
 * the wait is over. */
int wait_begin(struct wait *w, struct http *h, struct MHD_Connection *connection, int fd,
	       struct job *j);

/* In every case, waiting or not. */
void wait_done(struct wait *w);

/* Before libmicrohttpd is stopped, which it refuses while anything is suspended. */
void waits_release(struct http *h);
