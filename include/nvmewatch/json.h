/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* JSON as the API writes it: compact, keys in the order they were set, integers exact.
 * Any thread. */

#include <jansson.h>
#include <stdint.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/field.h"

/* Sets a key or appends an element, taking over the value. Only out of memory is it missing. */
void json_put(json_t *object, const char *key, json_t *value);
void json_add(json_t *array, json_t *value);

/* The text, or null where it is empty. */
json_t *json_text(const char *text);

/* A decoded value; absent is null. */
json_t *json_value(const struct value *v);

/* A time in µs since the epoch as RFC 3339 in UTC with milliseconds; null for 0. */
json_t *json_time(int64_t time);

/* Appends a text in quotes, or null; what is not UTF-8 in it is replaced. */
void json_write_text(const char *text, struct buffer *out);

/* Appends the document (NULL: there was no memory for it) and a line end. 0 or -ENOMEM. */
int json_write(const json_t *document, struct buffer *out);
