/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What http.c and call.c share. */

#include <microhttpd.h>

#include "gate.h"
#include "http.h"
#include "secure.h"

struct http {
	struct server *server;
	struct gate *gate;
	struct MHD_Daemon *daemon;
	struct handshakes handshakes;
	struct client *incoming;  /* about to be a connection of MHD's */
	sd_event_source *io;      /* MHD has something to do */
	sd_event_source *pending; /* it has left something undone */
};
