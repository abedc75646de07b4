/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "select.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static bool text_is(const json_t *drive, const char *key, const char *name)
{
	const char *text = json_string_value(json_object_get(drive, key));

	return text && !strcmp(text, name);
}

static bool by_key(const json_t *drive, const char *name)
{
	return text_is(drive, "serial", name);
}

static bool by_device(const json_t *drive, const char *name)
{
	return text_is(drive, "device", strncmp(name, "/dev/", 5) ? name : name + 5);
}

/* A name that a vanished drive had may be another's by now. */
static bool by_present_device(const json_t *drive, const char *name)
{
	return json_is_true(json_object_get(drive, "present")) && by_device(drive, name);
}

static bool by_beginning(const json_t *drive, const char *name)
{
	const char *key = json_string_value(json_object_get(drive, "serial"));

	return key && !strncmp(key, name, strlen(name));
}

typedef bool match_fn(const json_t *drive, const char *name);

static size_t matches(const json_t *drives, match_fn *match, const char *name, json_t **ret_first)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(drives); i++) {
		json_t *drive = json_array_get(drives, i);

		if (match(drive, name) && n++ == 0)
			*ret_first = drive;
	}
	return n;
}

static void list_candidates(const json_t *drives, match_fn *match, const char *name,
			    struct buffer *error)
{
	const char *between = "";

	for (size_t i = 0; i < json_array_size(drives); i++) {
		const json_t *drive = json_array_get(drives, i);
		const char *device = json_string_value(json_object_get(drive, "device"));

		if (!match(drive, name))
			continue;
		buffer_text(error, between);
		buffer_text(error, json_string_value(json_object_get(drive, "serial")));
		if (device)
			buffer_printf(error, " (%s)", device);
		between = ", ";
	}
}

int select_drive(const json_t *drives, const char *name, json_t **ret, struct buffer *error)
{
	match_fn *const ways[] = { by_key, by_present_device, by_device, by_beginning };
	json_t *drive = NULL;

	for (size_t i = 0; i < ELEMENTS(ways) && name[0]; i++) {
		size_t n = matches(drives, ways[i], name, &drive);

		if (n == 1) {
			*ret = drive;
			return 0;
		}
		if (n > 1) {
			buffer_printf(error, "\"%s\" may be any of %zu drives: ", name, n);
			list_candidates(drives, ways[i], name, error);
			return -ENOTUNIQ;
		}
	}
	buffer_printf(error, "no drive is called \"%s\": nvmewatch list shows them all", name);
	return -ENOENT;
}
