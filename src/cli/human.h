/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Numbers, times and texts as people read them. Pure, any thread. */

#include <jansson.h>
#include <stdint.h>

#include "nvmewatch/buffer.h"

#define HUMAN_MAX 64

/* "7.68 TB": decimal units, three digits. */
void human_bytes(double bytes, char ret[static HUMAN_MAX]);

/* "45 s", "12 min", "30 h", "260 d", "3.1 years". */
void human_duration(double seconds, char ret[static HUMAN_MAX]);

/* "97%". */
void human_ratio(double ratio, char ret[static HUMAN_MAX]);

/* A value of the API as it is; "-" for null. */
void human_value(const json_t *value, struct buffer *out);

/* What a value of that column amounts to in units for people; empty where it says it all itself. */
void human_reading(const char *column, const json_t *value, char ret[static HUMAN_MAX]);

/* A time of the API for people, with its age at `now` (µs since 1970) where that makes sense. */
void human_time(const char *time, int64_t now, struct buffer *out);

/* The text, with what could steer a terminal replaced by '?'. */
void human_text(const char *text, struct buffer *out);
