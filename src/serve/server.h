/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* All state of nvmewatch-serve but for its sockets. One thread. */

#include "nvmewatch/settings.h"

#include "family.h"
#include "live.h"
#include "metrics.h"

struct server {
	struct settings settings;
	struct live live;
	struct families *families;
	struct metrics_cache cache;
};

/* Takes over the settings. 0 or a negative errno; server_done() in every case. */
int server_init(struct server *s, struct settings *settings);
void server_done(struct server *s);
