/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "discovery_sources.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/parse.h"

void sd_device_enumerator_unrefp_(sd_device_enumerator **e)
{
	sd_device_enumerator_unref(*e);
}

void sysfs_text(sd_device *device, const char *name, char *ret, size_t size)
{
	const char *value;

	ret[0] = 0;
	if (sd_device_get_sysattr_value(device, name, &value) >= 0)
		drive_text(value, strlen(value), ret, size);
}

int64_t sysfs_number(sd_device *device, const char *name, int64_t otherwise)
{
	char text[32];
	int64_t n;

	sysfs_text(device, name, text, sizeof(text));
	return parse_int(text, &n) < 0 ? otherwise : n;
}

bool sysfs_is_there(const char *syspath)
{
	_cleanup_(freep) char *path = format_text("%s/uevent", syspath);

	/* The kernel removes this attribute first of all. */
	return path && access(path, F_OK) == 0;
}

int sysfs_enumerate(const char *subsystem, sd_device_enumerator **ret)
{
	sd_device_enumerator *e;
	int r = sd_device_enumerator_new(&e);

	if (r < 0)
		return r;
	/* Containers and early boot have no udev database; the names are there all the same. */
	if ((r = sd_device_enumerator_allow_uninitialized(e)) < 0 ||
	    (r = sd_device_enumerator_add_match_subsystem(e, subsystem, true)) < 0) {
		sd_device_enumerator_unref(e);
		return r;
	}
	*ret = e;
	return 0;
}
