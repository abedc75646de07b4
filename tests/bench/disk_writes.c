/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "disk_writes.h"

#include <sqlite3.h>
#include <string.h>

static sqlite3_vfs *original, counting;
static sqlite3_io_methods counted;
static const sqlite3_io_methods *plain;
static const char *counted_folder;
static uint64_t total;

static int count_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 offset)
{
	total += (uint64_t)n;
	return plain->xWrite(file, bytes, n, offset);
}

static int count_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *ret_flags)
{
	int code = original->xOpen(vfs, name, file, flags, ret_flags);

	if (code != SQLITE_OK || !name || strncmp(name, counted_folder, strlen(counted_folder)) != 0)
		return code;
	if (!plain) {
		plain = file->pMethods;
		counted = *plain;
		counted.xWrite = count_write;
	}
	if (file->pMethods == plain)
		file->pMethods = &counted;
	return code;
}

int disk_writes_count(const char *folder)
{
	original = sqlite3_vfs_find(NULL);
	if (!original)
		return -1;
	counted_folder = folder;
	counting = *original;
	counting.zName = "counting";
	counting.xOpen = count_open;
	return sqlite3_vfs_register(&counting, 1) == SQLITE_OK ? 0 : -1;
}

uint64_t disk_writes_bytes(void)
{
	return total;
}
