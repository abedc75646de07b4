/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A growing run of bytes for text that is built piece by piece. A failed allocation is
 * remembered, so that only the end has to be checked. One thread at a time. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"

struct buffer {
	char *data;
	size_t length, capacity;
	bool failed; /* out of memory: what follows was dropped */
};

void buffer_done(struct buffer *b);

void buffer_put(struct buffer *b, const void *bytes, size_t length);
void buffer_text(struct buffer *b, const char *text);
void buffer_integer(struct buffer *b, int64_t n);
void buffer_real(struct buffer *b, double x); /* the shortest form that reads back equal */
/* A time in µs since 1970 as RFC 3339 in UTC with milliseconds. */
void buffer_time(struct buffer *b, int64_t us);
void buffer_printf(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The formatted text in memory of its own, NULL where there is none. */
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *format_text_va(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* The shortest of %.15g to %.17g that reads back equal; at least 32 bytes. */
void format_real(double x, char ret[static 32]);
