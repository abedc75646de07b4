/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The files of a damaged history.db. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "history_recover.h"
#include "nvmewatch/buffer.h"

#define KEEP 2 /* files that were set aside */

static const char suffix[] = ".damaged-";
#define STAMP_LENGTH (sizeof("YYYYMMDDTHHMMSSZ") - 1)

static bool exists(const char *path, const char *end)
{
	_cleanup_(freep) char *name = format_text("%s%s", path, end);

	return name && access(name, F_OK) == 0;
}

/* The path's folder, and the name in it. */
static char *folder_of(const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');

	*ret_name = slash ? slash + 1 : path;
	return slash ? format_text("%.*s", (int)(slash - path) + 1, path) : strdup("./");
}

/* Makes the renames last. */
static void sync_folder(const char *path)
{
	const char *name;
	_cleanup_(freep) char *folder = folder_of(path, &name);
	_cleanup_(closep) int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0)
		fsync(fd);
}

/* ---- Which there are ---- */

/* NAME.damaged-STAMP, without -wal and the like. */
static bool is_aside(const char *entry, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(entry, name, length) && !strncmp(entry + length, suffix, strlen(suffix)) &&
	       strlen(entry + length + strlen(suffix)) == STAMP_LENGTH;
}

/* Calls back with each that is older than the newest `skip` of them. */
static int each_aside(const char *path, int skip, void (*found)(void *userdata, const char *folder,
								const char *entry),
		      void *userdata)
{
	const char *name;
	_cleanup_(freep) char *folder = folder_of(path, &name);
	struct dirent **entries;
	int n = folder ? scandir(folder, &entries, NULL, alphasort) : -1;

	for (int i = n - 1; i >= 0; i--) {
		if (is_aside(entries[i]->d_name, name) && skip-- <= 0)
			found(userdata, folder, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return n < 0 ? -ENOENT : 0;
}

static void keep_first(void *userdata, const char *folder, const char *entry)
{
	char **ret = userdata;

	(void)folder;
	if (!*ret)
		*ret = strdup(entry);
}

char *history_aside(const char *path)
{
	char *newest = NULL;

	each_aside(path, 0, keep_first, &newest);
	return newest;
}

static void remove_one(void *userdata, const char *folder, const char *entry)
{
	static const char *const ends[] = { "", "-wal", "-shm" };

	(void)userdata;
	for (size_t i = 0; i < ELEMENTS(ends); i++) {
		_cleanup_(freep) char *name = format_text("%s%s%s", folder, entry, ends[i]);
		if (name)
			unlink(name);
	}
}

/* ---- Setting aside ---- */

/* A name of that second, or one after it, that is free. */
static char *aside_name(const char *path, int64_t time_us)
{
	for (time_t seconds = time_us / 1000000;; seconds++) {
		char stamp[STAMP_LENGTH + 8];
		struct tm tm;

		if (!gmtime_r(&seconds, &tm) || strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ",
							 &tm) != STAMP_LENGTH)
			return NULL;
		char *name = format_text("%s%s%s", path, suffix, stamp);
		if (!name || !exists(name, ""))
			return name;
		free(name);
	}
}

static int move(const char *path, const char *aside, const char *end)
{
	_cleanup_(freep) char *from = format_text("%s%s", path, end);
	_cleanup_(freep) char *to = format_text("%s%s", aside, end);

	if (!from || !to)
		return -ENOMEM;
	return rename(from, to) < 0 && errno != ENOENT ? -errno : 0;
}

int history_set_aside(const char *path, int64_t time_us)
{
	_cleanup_(freep) char *aside = aside_name(path, time_us);
	_cleanup_(freep) char *index = format_text("%s-shm", path);
	int r;

	if (!aside || !index)
		return -ENOMEM;
	/* The file first: a log without its file waits for it (history_end_set_aside()), a file without its log
	 * would be opened. */
	if ((r = move(path, aside, "")) < 0 || (r = move(path, aside, "-wal")) < 0)
		return r;
	unlink(index);
	sync_folder(path);
	each_aside(path, KEEP, remove_one, NULL);
	return 0;
}

void history_end_set_aside(const char *path)
{
	const char *name;
	_cleanup_(freep) char *folder = folder_of(path, &name);
	_cleanup_(freep) char *newest = history_aside(path);
	_cleanup_(freep) char *aside = folder && newest ? format_text("%s%s", folder, newest) : NULL;

	if (!aside || exists(path, "") || !exists(path, "-wal") || exists(aside, "-wal"))
		return;
	move(path, aside, "-wal");
	sync_folder(path);
}
