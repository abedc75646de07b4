/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Controllers as the kernel lists them in /sys/class/nvme. Every attribute may be missing: a
 * controller can vanish between the listing and the reading. */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-device.h>

#include "discovery_sources.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/parse.h"

static void sd_device_enumerator_unrefp_(sd_device_enumerator **e)
{
	sd_device_enumerator_unref(*e);
}

/* Copies a sysfs attribute, trimmed, cut to fit; empty where there is none. */
static void attribute(sd_device *device, const char *name, char *ret, size_t size)
{
	const char *value;

	ret[0] = 0;
	if (sd_device_get_sysattr_value(device, name, &value) >= 0)
		drive_text(value, strlen(value), ret, size);
}

static int64_t attribute_number(sd_device *device, const char *name, int64_t otherwise)
{
	char text[32];
	int64_t n;

	attribute(device, name, text, sizeof(text));
	return parse_int(text, &n) < 0 ? otherwise : n;
}

/* A namespace's block device below the controller: nvme0n1, or nvme0c0n1 under multipath. */
static bool is_namespace(const char *name)
{
	int end = 0;

	return (sscanf(name, "nvme%*uc%*un%*u%n", &end), end && !name[end]) ||
	       (sscanf(name, "nvme%*un%*u%n", &end), end && !name[end]);
}

/* The sizes that the block layer knows. Its attribute `nuse` would send a command: never read. */
static uint64_t capacity(const char *syspath)
{
	DIR *folder = opendir(syspath);
	uint64_t sectors = 0;

	if (!folder)
		return 0;
	for (struct dirent *entry; (entry = readdir(folder));) {
		_cleanup_(freep) char *path = is_namespace(entry->d_name) ?
			format_text("%s/%s/size", syspath, entry->d_name) : NULL;
		_cleanup_(fclosep) FILE *f = path ? fopen(path, "re") : NULL;
		unsigned long long n;

		if (f && fscanf(f, "%llu", &n) == 1)
			sectors += n;
	}
	closedir(folder);
	return sectors * 512;
}

static void describe(sd_device *device, const char *name, const char *syspath, struct drive *ret)
{
	struct drive d = { .numa_node = -1, .present = true };
	sd_device *parent;

	snprintf(d.device, sizeof(d.device), "%s", name);
	attribute(device, "serial", d.serial, sizeof(d.serial));
	attribute(device, "model", d.model, sizeof(d.model));
	attribute(device, "firmware_rev", d.firmware, sizeof(d.firmware));
	attribute(device, "transport", d.transport, sizeof(d.transport));
	attribute(device, "address", d.address, sizeof(d.address));
	attribute(device, "subsysnqn", d.subsystem_nqn, sizeof(d.subsystem_nqn));
	attribute(device, "state", d.state, sizeof(d.state));
	if (sd_device_get_parent_with_subsystem_devtype(device, "pci", NULL, &parent) >= 0) {
		const char *address;
		d.vendor = (uint32_t)attribute_number(parent, "vendor", 0);
		d.numa_node = (int32_t)attribute_number(parent, "numa_node", -1);
		if (!d.address[0] && sd_device_get_sysname(parent, &address) >= 0)
			drive_text(address, strlen(address), d.address, sizeof(d.address));
	}
	d.capacity_bytes = capacity(syspath);
	*ret = d;
}

void discovery_state(struct drive *d)
{
	char path[96], text[64] = "";
	snprintf(path, sizeof(path), "/sys/class/nvme/%s/state", d->device);
	_cleanup_(fclosep) FILE *f = fopen(path, "re");

	size_t n = f ? fread(text, 1, sizeof(text), f) : 0;
	drive_text(text, n, d->state, sizeof(d->state));
}

static int by_number(const void *a, const void *b)
{
	return strverscmp(((const struct drive *)a)->device, ((const struct drive *)b)->device);
}

static int found(sd_device_enumerator *e, struct drive **ret, size_t *ret_n)
{
	_cleanup_(freep) struct drive *drives = NULL;
	size_t n = 0;

	for (sd_device *device = sd_device_enumerator_get_device_first(e); device;
	     device = sd_device_enumerator_get_device_next(e)) {
		const char *name, *syspath;
		int end = 0;

		if (sd_device_get_sysname(device, &name) < 0 ||
		    sd_device_get_syspath(device, &syspath) < 0 ||
		    (sscanf(name, "nvme%*u%n", &end), !end || name[end]))
			continue;
		struct drive *more = reallocarray(drives, n + 1, sizeof(*drives));
		if (!more)
			return -ENOMEM;
		drives = more;
		describe(device, name, syspath, &drives[n++]);
	}
	*ret = TAKE(drives);
	*ret_n = n;
	return 0;
}

int discovery_linux(const struct settings *s, discovery_fn *fn, void *userdata, char *error,
		    size_t error_size)
{
	_cleanup_(sd_device_enumerator_unrefp_) sd_device_enumerator *e = NULL;
	_cleanup_(freep) struct drive *drives = NULL;
	size_t n;
	int r;

	if ((r = sd_device_enumerator_new(&e)) < 0 ||
	    (r = sd_device_enumerator_allow_uninitialized(e)) < 0 ||
	    (r = sd_device_enumerator_add_match_subsystem(e, "nvme", true)) < 0 ||
	    (r = found(e, &drives, &n)) < 0) {
		snprintf(error, error_size, "NVMe controllers cannot be listed from sysfs: %s",
			 strerror(-r));
		return r;
	}
	if (n)
		qsort(drives, n, sizeof(*drives), by_number);
	for (size_t i = 0; i < n && r >= 0; i++)
		if (discovery_wants(s, &drives[i]))
			r = fn(userdata, &drives[i], "linux", drives[i].device);
	return r < 0 ? r : 0;
}
