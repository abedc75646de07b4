/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* All state of nvmewatch-serve but for its sockets. One thread. */

#include "nvmewatch/settings.h"

#include "client.h"
#include "family.h"
#include "live.h"
#include "metrics.h"
#include "tls.h"
#include "token.h"
#include "work.h"

struct server {
	struct settings settings;
	struct client_times times;
	struct work_limits work;
	struct tls *tls; /* of connections to come; NULL: they are not encrypted */
	struct tokens tokens;
	struct live live;
	struct families *families;
	struct metrics_cache cache;
};

/* Takes over the settings. 0 or a negative errno; server_done() in every case. */
int server_init(struct server *s, struct settings *settings);
void server_done(struct server *s);

/* Reads certificates, keys and tokens, before the first client. 0, or a negative errno with a message
 * in error[]. */
int server_unlock(struct server *s, char *error, size_t error_size);

/* Reads them again, as the new settings say, and takes those over. 0, or a negative errno with a
 * message in error[], and then nothing has changed. */
int server_reload(struct server *s, struct settings *settings, char *error, size_t error_size);
