/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A folder of its own for each test, and files in it. */

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_main.h"
#include "nvmewatch/cleanup.h"

static char folder[] = "/tmp/nvmewatch-check-XXXXXX";

static inline void folder_make(void)
{
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline int folder_remove_one(const char *path, const struct stat *st, int type,
				    struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void folder_remove(void)
{
	nftw(folder, folder_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A path in the folder. Two live at a time. */
static inline const char *in_folder(const char *name)
{
	static char paths[2][512];
	static unsigned turn;
	char *path = paths[turn++ % 2];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static inline void write_bytes(const char *path, const void *bytes, size_t length)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "w");

	ck_assert_msg(f != NULL, "%s", path);
	ck_assert_uint_eq(fwrite(bytes, 1, length, f), length);
}

static inline void write_text(const char *path, const char *text)
{
	write_bytes(path, text, strlen(text));
}
