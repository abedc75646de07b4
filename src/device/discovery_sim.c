/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Simulated drives: the *.drive files of a folder, read once. */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "discovery_sources.h"
#include "nvmewatch/buffer.h"

static int is_drive_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 6 && !strcmp(entry->d_name + length - 6, ".drive");
}

static int load_one(struct discovery *d, const char *folder, const char *name, char *error,
		    size_t error_size)
{
	struct simulated_drive *drive = &d->drives[d->n_drives];

	drive->path = format_text("%s/%s", folder, name);
	if (!drive->path)
		return -ENOMEM;
	d->n_drives++;
	int r = sim_load(drive->path, &drive->sim, error, error_size);
	if (r == 0)
		sim_keep_names(drive->sim);
	return r;
}

int discovery_load_sims(struct discovery *d, const char *folder, char *error, size_t error_size)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, is_drive_file, versionsort), r = 0;

	if (n < 0) {
		r = -errno;
		snprintf(error, error_size, "collect.source: folder %s cannot be read: %s", folder,
			 strerror(-r));
		return r;
	}
	d->drives = calloc((size_t)n + 1, sizeof(*d->drives));
	if (!d->drives)
		r = -ENOMEM;
	for (int i = 0; i < n; i++) {
		if (r == 0)
			r = load_one(d, folder, entries[i]->d_name, error, error_size);
		free(entries[i]);
	}
	free(entries);
	return r;
}

void discovery_free_sims(struct discovery *d)
{
	for (size_t i = 0; i < d->n_drives; i++) {
		sim_free(d->drives[i].sim);
		free(d->drives[i].path);
	}
	free(d->drives);
}

int discovery_scan_sim(const struct discovery *d, int64_t now, struct scan *s)
{
	uint64_t elapsed = (uint64_t)(now - d->start);

	for (size_t i = 0; i < d->n_drives; i++) {
		if (!sim_is_present(d->drives[i].sim, elapsed))
			continue;
		struct discovered *found = scan_add(s);
		if (!found)
			return -ENOMEM;
		sim_describe_at(d->drives[i].sim, elapsed, &found->drive);
		if (!found->drive.device[0])
			snprintf(found->drive.device, sizeof(found->drive.device), "nvme%zu", i);
		found->source = "sim";
		snprintf(found->target, sizeof(found->target), "%s@nvme%zu@%lld", d->drives[i].path, i,
			 (long long)d->start);
	}
	return 0;
}

int64_t discovery_next_change(const struct discovery *d, int64_t now)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < d->n_drives; i++) {
		int64_t change = sim_next_change_us(d->drives[i].sim, (uint64_t)(now - d->start));
		if (change < INT64_MAX - d->start && d->start + change < next)
			next = d->start + change;
	}
	return next;
}
