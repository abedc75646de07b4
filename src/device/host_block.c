/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The block device of a namespace. Below the controller hangs nvme0n1; or, where the kernel joins the
 * paths of a namespace (nvme_core.multipath), the hidden nvme0c2n1, path by way of controller 2 to
 * nvme0n1, which is what the host uses and where all its paths are counted, once. Before Linux 6.3 they
 * are not counted there: then a path's own counters stand for it, if it is the only one. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/field.h"
#include "nvmewatch/parse.h"

static bool is_of_namespace(int folder, uint32_t nsid)
{
	char text[16];
	uint64_t n;

	return folder >= 0 && host_text(folder, "nsid", text, sizeof(text)) == 0 &&
	       parse_uint(text, &n) == 0 && n == nsid;
}

bool host_block_name(const char *name, char *ret, size_t size)
{
	unsigned a, b;
	int end = 0;

	if (sscanf(name, "nvme%4un%9u%n", &a, &b, &end) != 2 || !end || name[end]) {
		end = 0;
		if (sscanf(name, "nvme%4uc%*4un%9u%n", &a, &b, &end) != 2 || !end || name[end])
			return false;
	}
	snprintf(ret, size, "nvme%un%u", a, b);
	return true;
}

/* A block device by its name. -1: there is none of that namespace. */
static int device_open(const struct host *h, const char *name, uint32_t nsid)
{
	_cleanup_(closep) int class = openat(h->sysfs, "class/block", O_PATH | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(closep) int device = -1;

	if (class >= 0)
		device = openat(class, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return is_of_namespace(device, nsid) ? TAKE_FD(device) : -1;
}

struct block {
	char name[HOST_BLOCK_NAME_SIZE];
	int device, path; /* folders; path -1: the device hangs below the controller itself */
};

static void block_done(struct block *b)
{
	closep(&b->device);
	closep(&b->path);
}

/* The block device of an entry of the controller's folder. False: it is not that namespace's. */
static bool entry_open(const struct host *h, const char *entry, uint32_t nsid, struct block *ret)
{
	_cleanup_(closep) int below = -1;

	if (!host_block_name(entry, ret->name, sizeof(ret->name)))
		return false;
	below = openat(h->folder, entry, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (!is_of_namespace(below, nsid))
		return false;
	if (!strcmp(entry, ret->name)) {
		ret->device = TAKE_FD(below);
		return true;
	}
	ret->device = device_open(h, ret->name, nsid);
	ret->path = ret->device < 0 ? -1 : TAKE_FD(below);
	return ret->device >= 0;
}

static DIR *list_open(int folder, const char *name)
{
	_cleanup_(closep) int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	if (list)
		(void)TAKE_FD(fd); /* the list's */
	return list;
}

static bool block_find(const struct host *h, uint32_t nsid, struct block *ret)
{
	DIR *list = list_open(h->folder, ".");
	bool found = false;

	for (struct dirent *entry; list && !found && (entry = readdir(list));)
		found = entry_open(h, entry->d_name, nsid, ret);
	if (list)
		closedir(list);
	return found;
}

/* How many controllers of this host lead to a joined device. */
static unsigned paths_count(const struct host *h, const char *name)
{
	DIR *list = list_open(h->sysfs, "class/nvme");
	unsigned subsystem, head, controller, n = 0;
	char path[64];

	sscanf(name, "nvme%4un%9u", &subsystem, &head);
	for (struct dirent *entry; list && (entry = readdir(list));) {
		if (sscanf(entry->d_name, "nvme%4u", &controller) != 1)
			continue;
		snprintf(path, sizeof(path), "nvme%u/nvme%uc%un%u", controller, subsystem, controller,
			 head);
		n += faccessat(dirfd(list), path, F_OK, 0) == 0;
	}
	if (list)
		closedir(list);
	return n;
}

static bool is_counted(int folder)
{
	char text[8];

	return host_text(folder, "queue/iostats", text, sizeof(text)) < 0 || strcmp(text, "0") != 0;
}

/* Whose counters are those of the device. -1: nobody's, they stand still while it works. */
static int counted(const struct host *h, const struct block *b)
{
	if (is_counted(b->device))
		return b->device;
	return b->path >= 0 && is_counted(b->path) && paths_count(h, b->name) == 1 ? b->path : -1;
}

bool host_is_wwid(const char *text)
{
	static const char *const kinds[] = { "eui.", "uuid.", "nvme.", "t10." };

	/* All zeros are what a drive has that was given none. */
	for (size_t i = 0; i < ELEMENTS(kinds); i++)
		if (!strncmp(text, kinds[i], strlen(kinds[i])))
			return text[strspn(text + strlen(kinds[i]), "0-") + strlen(kinds[i])];
	return false;
}

void host_parse_stat(const char *text, uint8_t *ret)
{
	unsigned long long n;
	int used;

	/* Kernels have added columns at the end, and will. */
	for (unsigned i = 0; i < HOST_BLOCK_STATS && sscanf(text, "%llu%n", &n, &used) == 1; i++) {
		bytes_put(ret + HOST_BLOCK_STAT + HOST_NUMBER * i, HOST_NUMBER, n);
		text += used;
	}
}

int host_block(const struct host *h, uint32_t nsid, uint8_t *ret)
{
	_cleanup_(block_done) struct block b = { .device = -1, .path = -1 };
	char text[512];
	int stat;

	if (!block_find(h, nsid, &b))
		return -ENODATA;
	memset(ret, 0, HOST_BLOCK_TEXTS);
	memcpy(ret + HOST_BLOCK_NAME, b.name, strlen(b.name));
	if (host_text(b.device, "wwid", text, sizeof(text)) == 0 && host_is_wwid(text))
		memcpy(ret + HOST_BLOCK_WWID, text, strnlen(text, HOST_BLOCK_WWID_SIZE));
	host_put_number(b.device, "queue/logical_block_size", ret, HOST_BLOCK_LOGICAL);
	stat = counted(h, &b);
	if (stat >= 0 && host_text(stat, "stat", text, sizeof(text)) == 0)
		host_parse_stat(text, ret);
	return 0;
}
