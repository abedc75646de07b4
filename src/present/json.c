/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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
	time_t seconds = (time_t)(time / 1000000);
	char day[32], text[48];
	struct tm tm;

	if (!time || !gmtime_r(&seconds, &tm) || !strftime(day, sizeof(day), "%FT%T", &tm))
		return json_null();
	snprintf(text, sizeof(text), "%s.%03uZ", day, (unsigned)(time / 1000 % 1000));
	return json_string(text);
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
