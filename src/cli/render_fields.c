/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The field table. */

#include <errno.h>

#include "human.h"
#include "render.h"

static const char *text_at(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

/* "sensor_temperature_celsius_1..8" for an array. */
static void put_name(struct table *t, const json_t *field)
{
	const json_t *index = json_object_get(field, "index");
	struct buffer text = { 0 };

	human_value(json_object_get(field, "name"), &text);
	if (json_is_object(index)) {
		buffer_text(&text, "_");
		human_value(json_object_get(index, "first"), &text);
		buffer_text(&text, "..");
		human_value(json_object_get(index, "last"), &text);
	}
	table_take(t, &text);
}

/* "name{key="value",index}", or "-" without a series. */
static void put_metric(struct table *t, json_t *field)
{
	const char *label, *index = text_at(json_object_get(field, "index"), "label"), *more = "{";
	struct buffer text = { 0 };
	json_t *value;

	human_value(json_object_get(field, "metric"), &text);
	if (!text_at(field, "metric")) {
		table_take(t, &text);
		return;
	}
	json_object_foreach(json_object_get(field, "labels"), label, value) {
		buffer_printf(&text, "%s%s=\"%s\"", more, label, json_string_value(value));
		more = ",";
	}
	if (index) {
		buffer_printf(&text, "%s%s", more, index);
		more = ",";
	}
	buffer_text(&text, *more == ',' ? "}" : "");
	table_take(t, &text);
}

int render_fields(const json_t *pages, struct buffer *out)
{
	static const struct column columns[] = {
		{ "PAGE", false }, { "FIELD", false }, { "KIND", false }, { "TYPE", false },
		{ "SERIES", false }, { "MEANING", false },
	};
	_cleanup_(table_done) struct table t = {
		.columns = columns, .n_columns = ELEMENTS(columns),
	};

	for (size_t i = 0; i < json_array_size(pages); i++) {
		const json_t *page = json_array_get(pages, i);
		const json_t *fields = json_object_get(page, "fields");

		for (size_t k = 0; k < json_array_size(fields); k++) {
			json_t *field = json_array_get(fields, k);

			table_put(&t, text_at(page, "name"), TONE_PLAIN);
			put_name(&t, field);
			table_put(&t, text_at(field, "kind"), TONE_PLAIN);
			table_put(&t, text_at(field, "type"), TONE_PLAIN);
			put_metric(&t, field);
			table_put(&t, text_at(field, "help"), TONE_PLAIN);
		}
	}
	return table_render(&t, false, out);
}
