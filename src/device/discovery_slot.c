/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Where in the machine a PCI function sits, as the platform's firmware calls it: the slot (hot-plug
 * and ACPI), else the label or index that firmware gives the device itself (SMBIOS type 41, ACPI _DSM),
 * else the slot of the card above it. Names only: no configuration space is read. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discovery_sources.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"

static bool first_line(const char *path, char *ret, size_t size)
{
	_cleanup_(fclosep) FILE *f = path ? fopen(path, "re") : NULL;
	char line[128];

	ret[0] = 0;
	if (f && fgets(line, sizeof(line), f))
		drive_text(line, strlen(line), ret, size);
	return ret[0];
}

/* As in bus/pci/slots/3/address: 0000:3b:00, of all functions of a device. */
static bool slot_of(const char *root, const char *address, char *ret, size_t size)
{
	_cleanup_(freep) char *path = format_text("%s/bus/pci/slots", root);
	DIR *folder = path ? opendir(path) : NULL;

	ret[0] = 0;
	for (struct dirent *entry; folder && !ret[0] && (entry = readdir(folder));) {
		_cleanup_(freep) char *file = format_text("%s/%s/address", path, entry->d_name);
		char place[32];

		if (entry->d_name[0] != '.' && first_line(file, place, sizeof(place)) &&
		    strlen(place) == strcspn(address, ".") && !strncmp(address, place, strlen(place)))
			drive_text(entry->d_name, strlen(entry->d_name), ret, size);
	}
	if (folder)
		closedir(folder);
	return ret[0];
}

static bool label_of(const char *root, const char *address, char *ret, size_t size)
{
	_cleanup_(freep) char *label = format_text("%s/bus/pci/devices/%s/label", root, address);
	_cleanup_(freep) char *index = format_text("%s/bus/pci/devices/%s/acpi_index", root, address);
	char number[16];

	if (first_line(label, ret, size))
		return true;
	if (first_line(index, number, sizeof(number)))
		snprintf(ret, size, "index %s", number);
	return ret[0];
}

/* The functions above it are the folders around its own: …/0000:00:1c.0/0000:3b:00.0. */
static void slot_above(const char *root, const char *address, char *ret, size_t size)
{
	_cleanup_(freep) char *link = format_text("%s/bus/pci/devices/%s", root, address);
	_cleanup_(freep) char *path = link ? realpath(link, NULL) : NULL;

	for (char *slash; path && (slash = strrchr(path, '/'));) {
		*slash = 0;
		const char *above = strrchr(path, '/');
		int end = 0;

		if (!above || (sscanf(above, "/%*4x:%*2x:%*2x.%*1x%n", &end), !end || above[end]) ||
		    slot_of(root, above + 1, ret, size))
			return;
	}
}

void discovery_slot(const char *root, const char *address, char *ret, size_t size)
{
	if (!slot_of(root, address, ret, size) && !label_of(root, address, ret, size))
		slot_above(root, address, ret, size);
}
