/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "discovery_sources.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/sim.h"

static int is_drive_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 6 && !strcmp(entry->d_name + length - 6, ".drive");
}

static int describe(const char *path, unsigned number, struct drive *ret, char *error,
		    size_t error_size)
{
	_cleanup_(sim_freep) struct sim *sim = NULL;
	int r = sim_load(path, &sim, error, error_size);

	if (r < 0)
		return r;
	sim_describe(sim, ret);
	if (!ret->device[0])
		snprintf(ret->device, sizeof(ret->device), "nvme%u", number);
	return 0;
}

int discovery_sim(const struct settings *s, const char *folder, discovery_fn *fn, void *userdata,
		  char *error, size_t error_size)
{
	struct dirent **entries;
	struct drive d;
	int r = 0, n = scandir(folder, &entries, is_drive_file, versionsort);

	if (n < 0) {
		r = -errno;
		snprintf(error, error_size, "collect.source: folder %s cannot be read: %s", folder,
			 strerror(-r));
		return r;
	}
	for (int i = 0; i < n; i++) {
		_cleanup_(freep) char *path = format_text("%s/%s", folder, entries[i]->d_name);
		if (r == 0)
			r = !path ? -ENOMEM : describe(path, (unsigned)i, &d, error, error_size);
		if (r == 0 && discovery_wants(s, &d))
			r = fn(userdata, &d, "sim", path);
		free(entries[i]);
	}
	free(entries);
	return r;
}
