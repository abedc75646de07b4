/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Controllers as the kernel lists them in /sys/class/nvme. Every attribute may be missing: a
 * controller can vanish between the listing and the reading. */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "discovery_sources.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/log.h"

/* A namespace's block device: nvme0n1. */
static bool is_namespace(const char *name)
{
	int end = 0;

	return (sscanf(name, "nvme%*un%*u%n", &end), end && !name[end]);
}

/* Under multipath a controller has hidden nodes instead, nvme0c1n1, one for each namespace that is
 * attached to it. They are never opened and not counted: what they are paths to is nvme0n1. */
static bool is_hidden(const char *name, unsigned *ret_subsystem, unsigned *ret_namespace)
{
	int end = 0;

	return sscanf(name, "nvme%uc%*un%u%n", ret_subsystem, ret_namespace, &end) == 2 && end &&
	       !name[end];
}

static uint64_t sectors_of(const char *folder, const char *name)
{
	_cleanup_(freep) char *path = format_text("%s/%s/size", folder, name);
	_cleanup_(fclosep) FILE *f = path ? fopen(path, "re") : NULL;
	unsigned long long n;

	return f && fscanf(f, "%llu", &n) == 1 ? n : 0;
}

/* The sectors of the namespaces in a folder; *subsystem, where that is asked for: the folder of those
 * that its hidden nodes lead to, if there are any. Their attribute `nuse` would send a command: it is
 * never read. */
static uint64_t namespaces(const char *path, char **subsystem)
{
	DIR *folder = opendir(path);
	uint64_t sectors = 0;
	unsigned instance, number;

	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (is_namespace(entry->d_name))
			sectors += sectors_of(path, entry->d_name);
		else if (subsystem && !*subsystem && is_hidden(entry->d_name, &instance, &number))
			*subsystem = format_text("/sys/class/block/nvme%un%u/..", instance, number);
	if (folder)
		closedir(folder);
	return sectors;
}

/* What the block layer knows of all namespaces of the controller, or of its subsystem. */
static uint64_t capacity(const char *syspath)
{
	_cleanup_(freep) char *subsystem = NULL;
	uint64_t sectors = namespaces(syspath, &subsystem);

	if (subsystem)
		sectors += namespaces(subsystem, NULL);
	return sectors * 512;
}

static void describe(sd_device *device, const char *name, const char *syspath,
		     struct discovered *found)
{
	struct drive *d = &found->drive;
	sd_device *parent;

	*d = (struct drive){ .numa_node = -1, .present = true };
	snprintf(d->device, sizeof(d->device), "%s", name);
	sysfs_text(device, "serial", d->serial, sizeof(d->serial));
	sysfs_text(device, "model", d->model, sizeof(d->model));
	sysfs_text(device, "firmware_rev", d->firmware, sizeof(d->firmware));
	sysfs_text(device, "transport", d->transport, sizeof(d->transport));
	sysfs_text(device, "address", d->address, sizeof(d->address));
	sysfs_text(device, "subsysnqn", d->subsystem_nqn, sizeof(d->subsystem_nqn));
	sysfs_text(device, "state", d->state, sizeof(d->state));
	if (sd_device_get_parent_with_subsystem_devtype(device, "pci", NULL, &parent) >= 0) {
		const char *address;
		char control[16];
		sysfs_text(parent, "power/control", control, sizeof(control));
		found->may_sleep = !strcmp(control, "auto");
		d->vendor = (uint32_t)sysfs_number(parent, "vendor", 0);
		d->numa_node = (int32_t)sysfs_number(parent, "numa_node", -1);
		if (!d->address[0] && sd_device_get_sysname(parent, &address) >= 0)
			drive_text(address, strlen(address), d->address, sizeof(d->address));
	}
	if (!strcmp(d->transport, "pcie"))
		discovery_slot("/sys", d->address, d->slot, sizeof(d->slot));
	d->capacity_bytes = capacity(syspath);
}

int discovery_scan_linux(struct scan *s)
{
	_cleanup_(sd_device_enumerator_unrefp_) sd_device_enumerator *e = NULL;
	int r = sysfs_enumerate("nvme", &e);

	for (sd_device *device = r < 0 ? NULL : sd_device_enumerator_get_device_first(e); device;
	     device = sd_device_enumerator_get_device_next(e)) {
		const char *name, *syspath;
		int end = 0;

		if (sd_device_get_sysname(device, &name) < 0 ||
		    sd_device_get_syspath(device, &syspath) < 0 ||
		    (sscanf(name, "nvme%*u%n", &end), !end || name[end]))
			continue;
		struct discovered *found = scan_add(s);
		if (!found)
			return -ENOMEM;
		describe(device, name, syspath, found);
		if (!sysfs_is_there(syspath)) {
			log_msg(LOG_DEBUG, "%s has gone while it was looked at", name);
			s->n--;
			continue;
		}
		found->source = "linux";
		found->cntlid = (uint16_t)sysfs_number(device, "cntlid", 0);
		snprintf(found->target, sizeof(found->target), "%s", name);
	}
	return r < 0 ? r : 0;
}

/* Reads a short attribute of a controller; 0 bytes where there is none. */
static size_t read_attribute(const struct drive *d, const char *name, char *ret, size_t size)
{
	char path[128];
	snprintf(path, sizeof(path), "/sys/class/nvme/%s/%s", d->device, name);
	_cleanup_(fclosep) FILE *f = fopen(path, "re");

	return f ? fread(ret, 1, size, f) : 0;
}

void discovery_state(struct drive *d)
{
	char text[64];
	size_t n = read_attribute(d, "state", text, sizeof(text));

	drive_text(text, n, d->state, sizeof(d->state));
}

bool discovery_is_suspended(const struct drive *d)
{
	static const char suspended[] = "suspended";
	char text[32];

	return read_attribute(d, "device/power/runtime_status", text, sizeof(text)) >=
		       sizeof(suspended) - 1 &&
	       !memcmp(text, suspended, sizeof(suspended) - 1);
}
