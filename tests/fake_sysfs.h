/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A /sys of the test's own, for the real sd-device to read: a file system in memory, mounted over
 * /sys in a mount namespace that this process alone is in. A path may begin with or without a slash. */

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_main.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"

#define FAKE_SYSFS_SKIP 77 /* as automake has it */

static inline void fake_proc(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fprintf(stderr, "%s: %m\n", path);
	if (fd >= 0)
		close(fd);
}

/* Once, before any test. False: this system does not let us. */
static inline bool fake_sysfs_init(void)
{
	char users[32], groups[32];

	snprintf(users, sizeof(users), "0 %u 1", geteuid());
	snprintf(groups, sizeof(groups), "0 %u 1", getegid());
	if (unshare(CLONE_NEWNS) < 0) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
			return false;
		fake_proc("/proc/self/uid_map", users);
		fake_proc("/proc/self/setgroups", "deny");
		fake_proc("/proc/self/gid_map", groups);
	}
	setenv("SYSTEMD_DEVICE_VERIFY_SYSFS", "0", 1);
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("sysfs", "/sys", "tmpfs", 0, NULL) == 0 && umount("/sys") == 0;
}

static inline void sysfs_parents(const char *path)
{
	char folder[512];

	snprintf(folder, sizeof(folder), "%s", path);
	for (char *p = folder + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = 0;
		ck_assert_msg(mkdir(folder, 0755) == 0 || errno == EEXIST, "%s: %m", folder);
	}
}

static inline void sysfs_write(const char *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* An attribute, below /sys. */
static inline void sysfs_write(const char *text, const char *format, ...)
{
	char path[512] = "/sys/";
	va_list args;

	va_start(args, format);
	vsnprintf(path + 5, sizeof(path) - 5, format, args);
	va_end(args);
	sysfs_parents(path);
	_cleanup_(fclosep) FILE *f = fopen(path, "w");
	ck_assert_msg(f && fputs(text, f) >= 0, "%s: %m", path);
}

static inline void sysfs_link(const char *target, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A link to a path below /sys. */
static inline void sysfs_link(const char *target, const char *format, ...)
{
	char path[512] = "/sys/", to[512];
	va_list args;

	va_start(args, format);
	vsnprintf(path + 5, sizeof(path) - 5, format, args);
	va_end(args);
	snprintf(to, sizeof(to), "/sys/%s", target);
	sysfs_parents(path);
	ck_assert_msg(symlink(to, path) == 0, "%s: %m", path);
}

static inline void sysfs_mount(void)
{
	ck_assert_msg(mount("sysfs", "/sys", "tmpfs", 0, "mode=755") == 0, "%m");
	for (unsigned i = 0; i < 3; i++)
		mkdir((const char *const[]){ "/sys/bus", "/sys/class", "/sys/devices" }[i], 0755);
}

static inline void sysfs_umount(void)
{
	ck_assert_int_eq(umount("/sys"), 0);
}

/* What makes a folder a device of a class: class/nvme, class/block; or of a bus: bus/pci/devices. */
static inline void sysfs_device(const char *path, const char *list)
{
	char subsystem[64];

	snprintf(subsystem, sizeof(subsystem), "%s", list);
	if (*list == 'b')
		*strrchr(subsystem, '/') = 0;
	sysfs_write("", "%s/uevent", path);
	sysfs_link(subsystem, "%s/subsystem", path);
	sysfs_link(path, "%s/%s", list, strrchr(path, '/') + 1);
}

/* The attributes and children of a device, as in a sysfs.json. */
static inline void sysfs_fill(const char *path, json_t *attributes)
{
	const char *name;
	json_t *value;

	json_object_foreach(attributes, name, value) {
		_cleanup_(freep) char *below = format_text("%s/%s", path, name);
		if (json_is_string(value) && strcmp(name, "path") != 0)
			sysfs_write(json_string_value(value), "%s", below);
		else if (!strcmp(name, "children") || !strcmp(name, "namespaces"))
			sysfs_fill(path, value);
		else if (json_is_object(value))
			sysfs_fill(below, value);
	}
}
