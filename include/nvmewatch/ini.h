/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* INI files: `[section]`, `key = value`, comments from '#' or ';' at the start of a line. Used for
 * nvmewatch.conf, for *.drive files and for the drive catalogue. Any thread. */

#include <stddef.h>

/* Where an entry stands, and room for what is wrong with it. */
struct ini_place {
	const char *file;
	unsigned line;
	char *error;
	size_t error_size;
};

/* Called once per entry. Returns 0, or a negative errno after ini_fail(). */
typedef int ini_entry_fn(void *userdata, const struct ini_place *at, const char *section,
			 const char *key, const char *value);

/* Calls fn for every entry of the file, in order. Returns 0, the first failure of fn, or a
 * negative errno; then error[] holds "FILE:LINE: what is wrong". */
int ini_read(const char *path, ini_entry_fn *fn, void *userdata, char *error, size_t error_size);

/* The paths of the *.conf files of a folder in the order of their names, NULL at the end; none where there
 * is no such folder. 0 or a negative errno, other than -ENOENT. */
int ini_folder(const char *folder, char ***ret);
void ini_folder_free(char **files);

/* Writes "FILE:LINE: message" for the place (without a line where that is 0). Returns code. */
int ini_fail(const struct ini_place *at, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
