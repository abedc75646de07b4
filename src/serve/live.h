/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The last publication of collect, kept in memory and read again when now.db has been replaced.
 * Opens it read-only, takes no lock, waits for nobody. One thread. */

#include <stdint.h>
#include <sys/stat.h>

#include "nvmewatch/view.h"

struct live {
	char *path;
	char boot_id[40];
	struct now_snapshot *snapshot;
	struct stat seen; /* of the file that .snapshot came from, or that could not be read */
	bool broken;         /* .seen could not be read */
	uint64_t generation; /* changes with .snapshot, never 0 */
};

/* 0 or a negative errno. live_done() in every case. */
int live_init(struct live *l, const char *run_dir);
void live_done(struct live *l);

/* Looks at now.db and at the clock. A missing or broken file is no publication. What *ret points
 * to is valid until the next call. */
void live_look(struct live *l, struct view *ret);
