/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec_bytes.h"

void varint_put(struct buffer *b, uint64_t n)
{
	uint8_t bytes[VARINT_MAX];
	size_t length = 0;

	for (; n > 127; n >>= 7)
		bytes[length++] = (uint8_t)(n | 128);
	bytes[length++] = (uint8_t)n;
	buffer_put(b, bytes, length);
}

bool varint_get(struct intake *in, uint64_t *ret)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
		uint8_t byte = *in->at++;
		if (shift == 63 && byte > 1)
			return false;
		n |= (uint64_t)(byte & 127) << shift;
		if (byte < 128) {
			*ret = n;
			return true;
		}
	}
	return false;
}

/* n numbers in n bytes, which is how it is mostly. */
static bool get_short(struct intake *in, uint64_t *ret, size_t n)
{
	uint8_t any = 0;

	for (size_t i = 0; i < n; i++) {
		any |= in->at[i];
		ret[i] = in->at[i];
	}
	in->at += n;
	return any < 128;
}

bool varint_get_all(struct intake *in, uint64_t *ret, size_t n)
{
	if ((size_t)(in->end - in->at) == n)
		return get_short(in, ret, n);
	for (size_t i = 0; i < n; i++) {
		if (in->at < in->end && *in->at < 128)
			ret[i] = *in->at++;
		else if (!varint_get(in, &ret[i]))
			return false;
	}
	return true;
}

bool intake_take(struct intake *in, size_t length, struct intake *ret)
{
	if ((size_t)(in->end - in->at) < length)
		return false;
	*ret = (struct intake){ in->at, in->at + length };
	in->at += length;
	return true;
}
