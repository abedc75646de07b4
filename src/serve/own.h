/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The families that do not come from a log page: what is known of the drives, of their collection
 * and of the programs. Used by the exposition. */

#include <stdbool.h>

#include "exposition.h"

struct own_family {
	const char *name; /* without _total or _info */
	enum metric_type type;
	const char *help;
	/* One drive's samples; or, without a drive, those of the process. */
	void (*put)(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
	bool process;
};

/* NULL name at the end. For the tests and the manual too. */
extern const struct own_family own_families[];

/* The family of that name, or NULL. */
const struct own_family *own_find(const char *name);

void own_put_process(struct exposition *e);
void own_put_drives(struct exposition *e);
