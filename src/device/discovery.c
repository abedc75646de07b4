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

static bool is_fabric(const struct drive *d)
{
	static const char *const fabrics[] = { "tcp", "rdma", "fc", "loop" };

	for (size_t i = 0; i < sizeof(fabrics) / sizeof(fabrics[0]); i++)
		if (!strcmp(d->transport, fabrics[i]))
			return true;
	return false;
}

bool discovery_wants(const struct settings *s, const struct drive *d)
{
	if (is_fabric(d) && !s->fabrics)
		return false;
	if (s->include && *s->include && !matches(d, s->include))
		return false;
	return !matches(d, s->exclude);
}

int discovery_scan(const struct settings *s, discovery_fn *fn, void *userdata, char *error,
		   size_t error_size)
{
	if (!strncmp(s->source, "sim:", 4))
		return discovery_sim(s, s->source + 4, fn, userdata, error, error_size);
	return discovery_linux(s, fn, userdata, error, error_size);
}
