/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Controllers of fabrics that are known and not read: each is said once, as long as it is there. */

#include <string.h>

#include "discovery_sources.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/log.h"

static bool was_skipped(const struct discovery *d, const struct drive *drive)
{
	for (size_t i = 0; i < d->n_skipped; i++)
		if (!strcmp(d->skipped[i].device, drive->device) &&
		    !strcmp(d->skipped[i].subsystem_nqn, drive->subsystem_nqn))
			return true;
	return false;
}

void discovery_note_skipped(struct discovery *d, const struct scan *scan, const struct settings *s)
{
	_cleanup_(freep) struct skipped *list = calloc(scan->n + 1, sizeof(*list));
	size_t n = 0;

	if (!list)
		return; /* the next scan says it */
	for (size_t i = 0; i < scan->n; i++) {
		const struct drive *drive = &scan->found[i].drive;
		if (s->fabrics || !discovery_is_fabric(drive))
			continue;
		struct skipped *one = &list[n++];
		memcpy(one->device, drive->device, sizeof(one->device));
		memcpy(one->subsystem_nqn, drive->subsystem_nqn, sizeof(one->subsystem_nqn));
		if (!was_skipped(d, drive))
			log_msg(LOG_INFO, "%s is a controller over %s (%s): not read, as "
				"collect.fabrics is no", drive->device, drive->transport,
				drive->subsystem_nqn);
	}
	free(d->skipped);
	d->skipped = TAKE(list);
	d->n_skipped = n;
}
