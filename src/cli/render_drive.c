/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A drive, and its pages. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "human.h"
#include "nvmewatch/page.h"
#include "render.h"

static void put_value(struct table *t, const json_t *value)
{
	struct buffer text = { 0 };

	human_value(value, &text);
	table_take(t, &text);
}

/* ---- What is known of the drive itself. ---- */

static void put_capacity(struct table *t, const json_t *value)
{
	char text[HUMAN_MAX], exact[2 * HUMAN_MAX];

	human_bytes(json_number_value(value), text);
	snprintf(exact, sizeof(exact), "%s (%" JSON_INTEGER_FORMAT " bytes)", text,
		 json_integer_value(value));
	table_put(t, json_is_integer(value) ? exact : NULL, TONE_PLAIN);
}

static void put_facts(struct table *t, json_t *drive, bool all)
{
	static const struct {
		const char *key, *title;
	} facts[] = {
		{ "serial", "Serial" }, { "device", "Device" }, { "model", "Model" },
		{ "firmware", "Firmware" }, { "capacity_bytes", "Capacity" }, { "slot", "Slot" },
		{ "address", "Address" }, { "transport", "Transport" },
		{ "subsystem_nqn", "Subsystem" }, { "state", "State" },
	};

	for (size_t i = 0; i < ELEMENTS(facts); i++) {
		const json_t *value = json_object_get(drive, facts[i].key);

		if (!all && (!value || json_is_null(value)))
			continue;
		table_put(t, facts[i].title, TONE_PLAIN);
		if (strcmp(facts[i].key, "capacity_bytes"))
			put_value(t, value);
		else
			put_capacity(t, value);
	}
}

/* A title before the first of several lines. */
static void put_title(struct table *t, const char *title, size_t line)
{
	if (line == 0)
		table_put(t, title, TONE_PLAIN);
	else
		table_skip(t);
}

static void put_health(struct table *t, const json_t *health)
{
	const char *status = json_string_value(json_object_get(health, "status"));
	const json_t *reasons = json_object_get(health, "reasons");

	put_title(t, "Health", 0);
	table_put(t, status, render_health_tone(status));
	for (size_t i = 0; i < json_array_size(reasons); i++) {
		put_title(t, NULL, 1);
		put_value(t, json_array_get(reasons, i));
	}
}

static void put_lacking(struct table *t, const json_t *unsupported)
{
	for (size_t i = 0; i < json_array_size(unsupported); i++) {
		put_title(t, "Lacks page", i);
		put_value(t, json_array_get(unsupported, i));
	}
}

static void put_errors(struct table *t, const json_t *errors)
{
	for (size_t i = 0; i < json_array_size(errors); i++) {
		const json_t *error = json_array_get(errors, i);
		struct buffer text = { 0 };

		put_title(t, "Failed reads", i);
		human_value(json_object_get(error, "page"), &text);
		buffer_text(&text, ": ");
		human_value(json_object_get(error, "count"), &text);
		buffer_text(&text, " ");
		human_value(json_object_get(error, "reason"), &text);
		table_take(t, &text);
	}
}

/* ---- Pages. ---- */

static void put_heading(const char *name, const json_t *page, const struct render *how,
			struct buffer *out)
{
	const char *time = json_string_value(json_object_get(page, "time"));
	uint32_t instance;
	const struct page *known = page_find_instance(name, &instance);

	human_text(name, out);
	if (known)
		buffer_printf(out, ": %s", known->title);
	buffer_text(out, "\n  read ");
	if (time)
		human_time(time, how->now, out);
	else
		buffer_text(out, "-");
	if (!json_is_true(json_object_get(page, "fresh")))
		buffer_text(out, "; no longer live");
	buffer_text(out, "\n");
}

int render_page(const char *name, json_t *page, const struct render *how, struct buffer *out)
{
	static const struct column columns[3]; /* no titles, all to the left */
	_cleanup_(table_done) struct table t = {
		.columns = columns, .n_columns = ELEMENTS(columns), .indent = "  ",
	};
	char reading[HUMAN_MAX];
	const char *column;
	json_t *value;

	put_heading(name, page, how, out);
	json_object_foreach(json_object_get(page, "fields"), column, value) {
		if (json_is_null(value) && !how->all)
			continue;
		human_reading(column, value, reading);
		table_put(&t, column, TONE_PLAIN);
		put_value(&t, value);
		if (reading[0])
			table_put(&t, reading, TONE_PLAIN);
		else
			table_skip(&t);
	}
	return table_render(&t, how->colour, out);
}

/* A page that is read once, or when asked for, says what the drive is, at length; how it is doing comes
 * first. */
static bool is_read_once(const char *name)
{
	uint32_t instance;
	const struct page *known = page_find_instance(name, &instance);

	return known && known->cadence >= CADENCE_ATTACH;
}

static int render_pages(json_t *list, bool once, const struct render *how, struct buffer *out)
{
	const char *name;
	json_t *page;
	int r = 0;

	json_object_foreach(list, name, page) {
		if (is_read_once(name) != once || r < 0)
			continue;
		buffer_text(out, "\n");
		r = render_page(name, page, how, out);
	}
	return r;
}

int render_drive(json_t *drive, const struct render *how, struct buffer *out)
{
	static const struct column columns[2];
	_cleanup_(table_done) struct table t = {
		.columns = columns, .n_columns = ELEMENTS(columns),
	};
	json_t *list = json_object_get(drive, "pages");
	int r;

	put_facts(&t, drive, how->all);
	put_health(&t, json_object_get(drive, "health"));
	put_lacking(&t, json_object_get(drive, "unsupported"));
	put_errors(&t, json_object_get(drive, "errors"));
	r = table_render(&t, how->colour, out);
	if (r >= 0)
		r = render_pages(list, false, how, out);
	return r < 0 ? r : render_pages(list, true, how, out);
}
