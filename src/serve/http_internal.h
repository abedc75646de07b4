/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What http.c, call.c and wait.c share. */

#include <microhttpd.h>

#include "gate.h"
#include "http.h"
#include "secure.h"
#include "wait.h"
#include "work.h"

struct http {
	struct server *server;
	sd_event *event; /* not owned */
	struct gate *gate;
	struct work *work;
	struct wait *waits; /* suspended for their answers */
	size_t held; /* bytes of answers that were waited for and are not sent yet */
	struct MHD_Daemon *daemon;
	struct handshakes handshakes;
	struct client *incoming;  /* about to be a connection of MHD's */
	sd_event_source *io;      /* MHD has something to do */
	sd_event_source *pending; /* it has left something undone */
};

/* Lets MHD work; what it leaves undone goes on in the next turn of the loop. Not from within MHD. */
void http_run(struct http *h);
