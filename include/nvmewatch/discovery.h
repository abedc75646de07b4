/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which drives there are. For the kernel's controllers this reads names in sysfs only: nothing
 * here opens a device, sends a command or blocks on a drive. Called by collect, one thread. */

#include "nvmewatch/drive.h"
#include "nvmewatch/settings.h"

/* A drive was found: `target` is what reader_spawn() takes for it. 0 to go on. */
typedef int discovery_fn(void *userdata, const struct drive *d, const char *source,
			 const char *target);

/* Calls fn for every drive of the configured source that the settings let through, in the order of
 * device names. Returns 0 (also for none), what fn returned, or a negative errno with a message in
 * error[]. */
int discovery_scan(const struct settings *s, discovery_fn *fn, void *userdata, char *error,
		   size_t error_size);

/* Whether collect.include, collect.exclude and collect.fabrics let the drive through. Pure. */
bool discovery_wants(const struct settings *s, const struct drive *d);

/* Reads d->state anew for a controller of the kernel (an attribute that no drive can block). */
void discovery_state(struct drive *d);
