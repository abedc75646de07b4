/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/drive.h"

/* Real values are whole numbers over a power of ten: 15 digits show them as people write them,
 * and read back equal. */
#define DUMP (JSON_COMPACT | JSON_REAL_PRECISION(15))

void json_put(json_t *object, const char *key, json_t *value)
{
	(void)json_object_set_new(object, key, value);
}

void json_add(json_t *array, json_t *value)
{
	(void)json_array_append_new(array, value);
}

json_t *json_text(const char *text)
{
	return text && text[0] ? json_string(text) : json_null();
}

json_t *json_value(const struct value *v)
{
	switch (v->type) {
	case VALUE_INTEGER: return json_integer(v->integer);
	case VALUE_REAL: return json_real(v->real);
	case VALUE_TEXT: return json_string(v->text);
	case VALUE_ABSENT: break;
	}
	return json_null();
}

json_t *json_time(int64_t time)
{
	_cleanup_(buffer_done) struct buffer text = { 0 };

	if (time)
		buffer_time(&text, time);
	return text.length ? json_stringn(text.data, text.length) : json_null();
}

/* The text with every byte that is not UTF-8 replaced. */
static json_t *repaired(const char *text)
{
	size_t size = 3 * strlen(text) + 1;
	_cleanup_(freep) char *clean = malloc(size);

	if (!clean)
		return NULL;
	drive_text(text, strlen(text), clean, size);
	return json_string(clean);
}

static int buffer_dump(const char *bytes, size_t length, void *userdata)
{
	buffer_put(userdata, bytes, length);
	return 0;
}

int json_write(const json_t *document, struct buffer *out)
{
	int r = document ? json_dump_callback(document, buffer_dump, out, DUMP) : -1;

	buffer_put(out, "\n", 1);
	return r < 0 || out->failed ? -ENOMEM : 0;
}

void json_write_text(const char *text, struct buffer *out)
{
	if (!text) {
		buffer_text(out, "null");
		return;
	}
	json_auto_t *string = json_string(text);
	if (!string)
		string = repaired(text);
	if (!string || json_dump_callback(string, buffer_dump, out, DUMP | JSON_ENCODE_ANY) < 0)
		out->failed = true;
}
