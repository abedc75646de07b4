/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The list of drives. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "human.h"
#include "render.h"

static const char *text_at(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static int compare_texts(const char *a, const char *b, int (*compare)(const char *, const char *))
{
	if (!a || !b)
		return (a == NULL) - (b == NULL);
	return compare(a, b);
}

/* nvme10 comes after nvme9; what has no device comes last. */
static int compare_drives(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
	int order = compare_texts(text_at(x, "device"), text_at(y, "device"), strverscmp);

	return order ? order : compare_texts(text_at(x, "serial"), text_at(y, "serial"), strcmp);
}

static void put_number(struct table *t, const json_t *drive, const char *key,
		       void (*show)(double n, char ret[static HUMAN_MAX]))
{
	const json_t *value = json_object_get(drive, key);
	char text[HUMAN_MAX] = "";

	if (json_is_number(value))
		show(json_number_value(value), text);
	table_put(t, text, TONE_PLAIN);
}

static void show_celsius(double n, char ret[static HUMAN_MAX])
{
	snprintf(ret, HUMAN_MAX, "%.0f C", n);
}

enum tone render_health_tone(const char *status)
{
	static const struct {
		const char *status;
		enum tone tone;
	} tones[] = {
		{ "critical", TONE_BAD }, { "warning", TONE_WARNING }, { "unknown", TONE_FAINT },
	};

	for (size_t i = 0; status && i < ELEMENTS(tones); i++)
		if (!strcmp(tones[i].status, status))
			return tones[i].tone;
	return TONE_PLAIN;
}

static void put_health(struct table *t, const json_t *drive)
{
	const char *status = text_at(json_object_get(drive, "health"), "status");

	/* That says more than that its health is not known. */
	if (json_is_false(json_object_get(drive, "present")))
		table_put(t, "gone", TONE_FAINT);
	else
		table_put(t, status, render_health_tone(status));
}

static void put_drive(struct table *t, const json_t *drive)
{
	table_put(t, text_at(drive, "device"), TONE_PLAIN);
	table_put(t, text_at(drive, "serial"), TONE_PLAIN);
	table_put(t, text_at(drive, "model"), TONE_PLAIN);
	table_put(t, text_at(drive, "firmware"), TONE_PLAIN);
	put_number(t, drive, "capacity_bytes", human_bytes);
	put_number(t, drive, "temperature_celsius", show_celsius);
	put_number(t, drive, "endurance_used_ratio", human_ratio);
	put_number(t, drive, "host_written_bytes", human_bytes);
	put_health(t, drive);
}

int render_list(const json_t *drives, bool colour, struct buffer *out)
{
	static const struct column columns[] = {
		{ "DEVICE", false }, { "SERIAL", false }, { "MODEL", false }, { "FIRMWARE", false },
		{ "CAPACITY", true }, { "TEMP", true }, { "USED", true }, { "WRITTEN", true },
		{ "HEALTH", false },
	};
	_cleanup_(table_done) struct table t = {
		.columns = columns, .n_columns = ELEMENTS(columns),
	};
	size_t n = json_array_size(drives);
	_cleanup_(freep) const json_t **sorted = calloc(n ? n : 1, sizeof(json_t *));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		sorted[i] = json_array_get(drives, i);
	qsort(sorted, n, sizeof(json_t *), compare_drives);
	for (size_t i = 0; i < n; i++)
		put_drive(&t, sorted[i]);
	return table_render(&t, colour, out);
}
