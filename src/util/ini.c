/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/ini.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"

int ini_fail(const struct ini_place *at, int code, const char *format, ...)
{
	va_list args;
	int n = at->line ? snprintf(at->error, at->error_size, "%s:%u: ", at->file, at->line)
			 : snprintf(at->error, at->error_size, "%s: ", at->file);

	if (n < 0 || (size_t)n >= at->error_size)
		return code;
	va_start(args, format);
	vsnprintf(at->error + n, at->error_size - (size_t)n, format, args);
	va_end(args);
	return code;
}

static char *strip(char *text)
{
	char *end = text + strlen(text);

	while (isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = 0;
	return text;
}

static int ini_section(const struct ini_place *at, char *line, char *section, size_t size)
{
	size_t length = strlen(line);

	if (line[length - 1] != ']')
		return ini_fail(at, -EINVAL, "a section is written [name]");
	line[length - 1] = 0;
	char *name = strip(line + 1);
	if (!*name || strlen(name) >= size)
		return ini_fail(at, -EINVAL, "not a section name: \"%s\"", name);
	strcpy(section, name);
	return 0;
}

static int ini_line(const struct ini_place *at, char *line, char *section, size_t section_size,
		    ini_entry_fn *fn, void *userdata)
{
	line = strip(line);
	if (!*line || *line == '#' || *line == ';')
		return 0;
	if (*line == '[')
		return ini_section(at, line, section, section_size);

	char *equals = strchr(line, '=');
	if (!equals)
		return ini_fail(at, -EINVAL, "expected \"key = value\", got \"%s\"", line);
	*equals = 0;
	char *key = strip(line), *value = strip(equals + 1);
	if (!*section)
		return ini_fail(at, -EINVAL, "\"%s\" stands before any [section]", key);
	return fn(userdata, at, section, key, value);
}

int ini_read(const char *path, ini_entry_fn *fn, void *userdata, char *error, size_t error_size)
{
	struct ini_place at = { .file = path, .error = error, .error_size = error_size };
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	_cleanup_(freep) char *line = NULL;
	size_t capacity = 0;
	char section[64] = "";
	ssize_t length;

	if (!f) {
		int code = -errno;
		return ini_fail(&at, code, "cannot be opened: %s", strerror(-code));
	}
	errno = 0;
	while ((length = getline(&line, &capacity, f)) >= 0) {
		at.line++;
		if (strlen(line) != (size_t)length)
			return ini_fail(&at, -EINVAL, "holds a NUL byte: not a text file");
		int r = ini_line(&at, line, section, sizeof(section), fn, userdata);
		if (r < 0)
			return r;
	}
	if (ferror(f)) {
		int code = errno ? -errno : -EIO;
		at.line = 0;
		return ini_fail(&at, code, "cannot be read: %s", strerror(-code));
	}
	return 0;
}

void ini_folder_free(char **files)
{
	for (char **p = files; p && *p; p++)
		free(*p);
	free(files);
}

static int is_configuration(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 5 && !strcmp(entry->d_name + length - 5, ".conf");
}

int ini_folder(const char *folder, char ***ret)
{
	struct dirent **entries = NULL;
	int n = scandir(folder, &entries, is_configuration, alphasort);
	bool failed = false;

	if (n < 0 && errno != ENOENT)
		return -errno;
	if (n < 0)
		n = 0;
	char **files = calloc((size_t)n + 1, sizeof(*files));
	for (int i = 0; i < n; i++) {
		if (files && !failed)
			failed = !(files[i] = format_text("%s/%s", folder, entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	if (!files || failed) {
		ini_folder_free(files);
		return -ENOMEM;
	}
	*ret = files;
	return 0;
}
