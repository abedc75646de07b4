/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* From controllers to drives: the controllers of one subsystem are one drive with several paths, and
 * every drive gets its key. Pure. */

#include "nvmewatch/discovery.h"

struct candidate {
	struct drive drive;   /* with key and paths; device and address are those of the path to use */
	const char *source;
	const char *target;   /* within the scan; empty: it cannot be read */
	bool may_sleep;       /* as in struct discovered */
	bool duplicate;       /* its serial is claimed by another drive of the host */
};

/* The drives of a scan. *ret is the caller's to free(), and points into `found`. 0 or -ENOMEM. */
int census_take(const struct discovered *found, size_t n, struct candidate **ret, size_t *ret_n);
