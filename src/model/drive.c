/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/drive.h"

#include <stdio.h>
#include <string.h>

void drive_set_key(struct drive *d, bool unique)
{
	const char *where = d->address[0] ? d->address : d->device;

	if (d->serial[0] && unique)
		snprintf(d->key, sizeof(d->key), "%s", d->serial);
	else
		snprintf(d->key, sizeof(d->key), "%s@%s", d->serial, where);
}

static bool blank(unsigned char c)
{
	return c == 0 || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool continues(const unsigned char *p, size_t n, size_t left)
{
	if (n > left)
		return false;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* The length of the UTF-8 sequence at p, 0 if it is none (RFC 3629: no overlong forms, no
 * surrogates, nothing above U+10FFFF). */
static size_t utf8_length(const unsigned char *p, size_t left)
{
	if (p[0] < 0x80)
		return 1;
	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		return continues(p, 2, left) ? 2 : 0;
	if (p[0] >= 0xe0 && p[0] <= 0xef && continues(p, 3, left))
		return (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ? 0 : 3;
	if (p[0] >= 0xf0 && p[0] <= 0xf4 && continues(p, 4, left))
		return (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) ? 0 : 4;
	return 0;
}

void drive_text(const void *bytes, size_t size, char *ret, size_t ret_size)
{
	const unsigned char *p = bytes, *end = p + size;
	size_t length = 0;

	while (p < end && blank(*p))
		p++;
	while (p < end && *p) {
		size_t n = utf8_length(p, (size_t)(end - p));

		if (length + (n ? n : 1) >= ret_size)
			break;
		if (n)
			memcpy(ret + length, p, n);
		else
			ret[length] = '?';
		length += n ? n : 1;
		p += n ? n : 1;
	}
	while (length && blank((unsigned char)ret[length - 1]))
		length--;
	ret[length] = 0;
}
