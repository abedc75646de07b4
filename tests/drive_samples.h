/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Real drives (tests/data/drives, from public reports): what each was published to report is put
 * into bytes by the offsets in drive_keys.h and must come back through the field table. */

#include <dirent.h>
#include <jansson.h>

#include "drive_keys.h"
#include "page_support.h"

#define DRIVES "tests/data/drives"
#define DRIVES_AT_LEAST 62

static unsigned compared;

static inline const struct sample_key *key_find(const struct sample_key *keys, const char *name)
{
	for (; keys->name; keys++)
		if (!strcmp(keys->name, name))
			return keys;
	ck_abort_msg("the key %s is in no table", name);
	return NULL;
}

/* What is to come back, by the meaning of the unit alone. */
static inline void expected_text(enum unit unit, int64_t n, char ret[static 64])
{
	static const int64_t factors[] = {
		[SAME] = 1, [NO_ZERO] = 1, [UNITS] = 512000, [MINUTES] = 60, [HOURS] = 3600,
		[PAGES] = 4096, [GIGABYTES] = 1000000000,
	};

	if (unit == KELVIN)
		snprintf(ret, 64, "%" PRId64, n - 273);
	else if (unit == PERCENT)
		format_real((double)n / 100, ret);
	else if (unit == MICRO)
		format_real((double)n / 1000000, ret);
	else if (unit == TENTHS)
		format_real((double)n / 10, ret);
	else
		snprintf(ret, 64, "%" PRId64, n * factors[unit]);
}

static inline void compare(const struct page *p, const uint8_t *bytes, const char *column,
		    const char *expected)
{
	check_value(p, bytes, column, expected);
	compared++;
}

static inline void compare_number(const struct page *p, const uint8_t *bytes,
				  const struct sample_key *key, int64_t n)
{
	static const bool zero_is_absent[ELSEWHERE] = {
		[NO_ZERO] = true, [KELVIN] = true, [UNITS] = true, [MICRO] = true, [TENTHS] = true,
		[PAGES] = true, [GIGABYTES] = true,
	};
	char expected[64];

	expected_text(key->unit, n, expected);
	compare(p, bytes, key->column, !n && zero_is_absent[key->unit] ? "absent" : expected);
}

/* First all bytes, then all values: no field may disturb another. */
static inline void numbers(const struct page *p, const struct sample_key *keys, json_t *object,
		    uint8_t *bytes)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value) {
		const struct sample_key *key = key_find(keys, name);
		if (json_is_integer(value) && key->length)
			put_number(bytes, key->offset, key->length,
				   (uint64_t)json_integer_value(value));
	}
	json_object_foreach(object, name, value) {
		const struct sample_key *key = key_find(keys, name);
		if (json_is_integer(value) && key->unit != ELSEWHERE)
			compare_number(p, bytes, key, json_integer_value(value));
	}
}

static inline int64_t integer_in(json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* Calls fn for every drive. At least so many values must have been compared by then, or samples
 * and keys are passed over. */
static inline void each_drive(void (*fn)(json_t *drive), unsigned values_at_least)
{
	DIR *folder = opendir(source_path(DRIVES));
	unsigned drives = 0;

	ck_assert_msg(folder != NULL, "%s", source_path(DRIVES));
	for (struct dirent *entry; (entry = readdir(folder));) {
		char path[sizeof(DRIVES) + sizeof(entry->d_name)];
		json_error_t error;

		if (!strstr(entry->d_name, ".json"))
			continue;
		snprintf(path, sizeof(path), DRIVES "/%s", entry->d_name);
		json_t *drive = json_load_file(source_path(path), 0, &error);
		ck_assert_msg(drive != NULL, "%s: %s", path, error.text);
		fn(drive);
		json_decref(drive);
		drives++;
	}
	closedir(folder);
	printf("%u values of %u drives compared\n", compared, drives);
	ck_assert_uint_ge(drives, DRIVES_AT_LEAST);
	ck_assert_uint_ge(compared, values_at_least);
}
