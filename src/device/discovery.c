/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/discovery.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "discovery_sources.h"

static bool matches(const struct drive *d, char *const *patterns)
{
	for (; patterns && *patterns; patterns++)
		if (!fnmatch(*patterns, d->serial, 0) || !fnmatch(*patterns, d->model, 0) ||
		    !fnmatch(*patterns, d->device, 0) || !fnmatch(*patterns, d->address, 0))
			return true;
	return false;
}

bool discovery_is_fabric(const struct drive *d)
{
	static const char *const fabrics[] = { "tcp", "rdma", "fc", "loop" };

	for (size_t i = 0; i < ELEMENTS(fabrics); i++)
		if (!strcmp(d->transport, fabrics[i]))
			return true;
	return false;
}

bool discovery_wants(const struct settings *s, const struct drive *d)
{
	if (discovery_is_fabric(d) && !s->fabrics)
		return false;
	if (s->include && *s->include && !matches(d, s->include))
		return false;
	return !matches(d, s->exclude);
}

int discovery_new(const struct settings *s, int64_t start, struct discovery **ret, char *error,
		  size_t error_size)
{
	_cleanup_(discovery_freep) struct discovery *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->start = start;
	d->simulated = !strncmp(s->source, "sim:", 4);
	int r = d->simulated ? discovery_load_sims(d, s->source + 4, error, error_size) : 0;
	if (r < 0)
		return r;
	*ret = TAKE(d);
	return 0;
}

void discovery_free(struct discovery *d)
{
	if (!d)
		return;
	sd_device_monitor_unref(d->monitor);
	discovery_free_sims(d);
	free(d->skipped);
	free(d);
}

struct discovered *scan_add(struct scan *s)
{
	struct discovered *found = reallocarray(s->found, s->n + 1, sizeof(*found));

	if (!found)
		return NULL;
	s->found = found;
	memset(&found[s->n], 0, sizeof(*found));
	return &found[s->n++];
}

static int by_device(const void *a, const void *b)
{
	return strverscmp(((const struct discovered *)a)->drive.device,
			  ((const struct discovered *)b)->drive.device);
}

static void drop_unwanted(struct scan *scan, const struct settings *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < scan->n; i++)
		if (discovery_wants(s, &scan->found[i].drive))
			scan->found[kept++] = scan->found[i];
	scan->n = kept;
}

int discovery_scan(struct discovery *d, const struct settings *s, int64_t now,
		   struct discovered **ret, size_t *ret_n)
{
	struct scan scan = { 0 };
	int r;

	if (d->simulated)
		r = discovery_scan_sim(d, now, &scan);
	else if ((r = discovery_scan_linux(&scan)) == 0)
		r = discovery_scan_pci(&scan);
	if (r < 0) {
		free(scan.found);
		return r;
	}
	discovery_note_skipped(d, &scan, s);
	drop_unwanted(&scan, s);
	if (scan.n)
		qsort(scan.found, scan.n, sizeof(*scan.found), by_device);
	*ret = scan.found;
	*ret_n = scan.n;
	return 0;
}
