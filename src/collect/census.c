/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "census.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/cleanup.h"

static bool is_live(const struct discovered *f)
{
	return !strcmp(f->drive.state, "live");
}

/* Two controllers of one subsystem have ids of their own; two drives with a serial and a name of the
 * factory's carelessness have the same. */
static bool same_drive(const struct discovered *a, const struct discovered *b)
{
	return a->drive.serial[0] && a->drive.subsystem_nqn[0] && a->target[0] && b->target[0] &&
	       !strcmp(a->drive.serial, b->drive.serial) &&
	       !strcmp(a->drive.subsystem_nqn, b->drive.subsystem_nqn) && a->cntlid != b->cntlid;
}

static void add_path(struct drive *d, const struct drive *from)
{
	if (d->n_paths == DRIVE_PATHS_MAX)
		return;
	struct drive_path *path = &d->paths[d->n_paths++];
	memcpy(path->device, from->device, sizeof(path->device));
	memcpy(path->transport, from->transport, sizeof(path->transport));
	memcpy(path->address, from->address, sizeof(path->address));
	memcpy(path->state, from->state, sizeof(path->state));
}

/* Whether found[k] is another path of the drive that found[i] is the first of; taken[] tells which
 * are paths of a drive: i + 1 of that one, 0 of none yet. */
static bool is_path(const struct discovered *found, size_t i, size_t k, const size_t *taken)
{
	if (taken[k] || !same_drive(&found[i], &found[k]))
		return false;
	for (size_t j = i + 1; j < k; j++)
		if (taken[j] == i + 1 && found[j].cntlid == found[k].cntlid)
			return false;
	return true;
}

/* The drive whose first controller is found[i]: described by the first path that is live. */
static struct candidate gather(const struct discovered *found, size_t n, size_t i, size_t *taken)
{
	const struct discovered *use = &found[i];
	struct drive paths = { 0 };

	for (size_t k = i; k < n; k++) {
		if (k != i && !is_path(found, i, k, taken))
			continue;
		taken[k] = i + 1;
		add_path(&paths, &found[k].drive);
		/* A path without namespaces knows no size. */
		if (found[k].drive.capacity_bytes > paths.capacity_bytes)
			paths.capacity_bytes = found[k].drive.capacity_bytes;
		if (!is_live(use) && is_live(&found[k]))
			use = &found[k];
	}
	struct candidate c = { .drive = use->drive, .source = use->source, .target = use->target,
			       .may_sleep = use->may_sleep };
	if (paths.n_paths > 1) {
		c.drive.n_paths = paths.n_paths;
		c.drive.capacity_bytes = paths.capacity_bytes;
		memcpy(c.drive.paths, paths.paths, sizeof(paths.paths));
	}
	return c;
}

static bool is_unique(const struct candidate *list, size_t n, size_t i)
{
	for (size_t k = 0; k < n; k++)
		if (k != i && !strcmp(list[k].drive.serial, list[i].drive.serial))
			return false;
	return true;
}

int census_take(const struct discovered *found, size_t n, struct candidate **ret, size_t *ret_n)
{
	_cleanup_(freep) struct candidate *list = calloc(n + 1, sizeof(*list));
	_cleanup_(freep) size_t *taken = calloc(n + 1, sizeof(*taken));
	size_t total = 0;

	if (!list || !taken)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (!taken[i])
			list[total++] = gather(found, n, i, taken);
	for (size_t i = 0; i < total; i++) {
		bool unique = is_unique(list, total, i);
		drive_set_key(&list[i].drive, unique);
		list[i].duplicate = list[i].drive.serial[0] && !unique;
	}
	*ret = TAKE(list);
	*ret_n = total;
	return 0;
}
