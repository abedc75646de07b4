/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void buffer_done(struct buffer *b)
{
	free(b->data);
	*b = (struct buffer){ 0 };
}

static bool buffer_reserve(struct buffer *b, size_t length)
{
	if (b->failed)
		return false;
	if (b->capacity - b->length >= length)
		return true;

	size_t capacity = b->capacity ? b->capacity : 4096;
	while (capacity - b->length < length)
		capacity *= 2;
	char *data = realloc(b->data, capacity);
	if (!data) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->capacity = capacity;
	return true;
}

void buffer_put(struct buffer *b, const void *bytes, size_t length)
{
	if (!length || !buffer_reserve(b, length))
		return;
	memcpy(b->data + b->length, bytes, length);
	b->length += length;
}

void buffer_text(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text));
}

void buffer_integer(struct buffer *b, int64_t n)
{
	/* Written by hand: an exposition prints thousands, and printf() is half its cost. */
	char digits[24], *p = digits + sizeof(digits);
	uint64_t u = n < 0 ? -(uint64_t)n : (uint64_t)n;

	do
		*--p = (char)('0' + u % 10);
	while (u /= 10);
	if (n < 0)
		*--p = '-';
	buffer_put(b, p, (size_t)(digits + sizeof(digits) - p));
}

void format_real(double x, char ret[static 32])
{
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(ret, 32, "%.*g", precision, x);
		if (strtod(ret, NULL) == x)
			break;
	}
}

void buffer_real(struct buffer *b, double x)
{
	char text[32];

	format_real(x, text);
	buffer_text(b, text);
}

void buffer_time(struct buffer *b, int64_t us)
{
	int64_t ms = us / 1000 - (us % 1000 < 0), rest = (ms % 1000 + 1000) % 1000;
	time_t seconds = (time_t)((ms - rest) / 1000);
	char day[40];
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(day, sizeof(day), "%FT%T", &tm))
		return;
	buffer_printf(b, "%s.%03uZ", day, (unsigned)rest);
}

void buffer_printf(struct buffer *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0 || !buffer_reserve(b, (size_t)length + 1))
		return;
	va_start(args, format);
	vsnprintf(b->data + b->length, (size_t)length + 1, format, args);
	va_end(args);
	b->length += (size_t)length;
}

char *format_text_va(const char *format, va_list args)
{
	char *text;

	/* Where it fails, vasprintf() leaves text undefined. */
	return vasprintf(&text, format, args) < 0 ? NULL : text;
}

char *format_text(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = format_text_va(format, args);
	va_end(args);
	return text;
}
