/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "column_split.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#define FRAMED_MIN 16 /* no frame of less is shorter than what is in it */

/* Bits side by side, the first number's lowest bit first. */
static void pack(struct buffer *b, const uint64_t *numbers, size_t n, unsigned bits)
{
	uint64_t mask = (UINT64_C(1) << bits) - 1, have = 0;
	unsigned filled = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t low = numbers[i] & mask;
		have |= low << filled;
		filled += bits;
		if (filled >= 64) {
			uint8_t bytes[8];
			for (unsigned k = 0; k < 8; k++)
				bytes[k] = (uint8_t)(have >> 8 * k);
			buffer_put(b, bytes, 8);
			filled -= 64;
			have = filled ? low >> (bits - filled) : 0;
		}
	}
	for (; filled > 0; filled = filled > 8 ? filled - 8 : 0, have >>= 8)
		byte_put(b, (uint8_t)have);
}

static uint64_t load(const uint8_t *bytes, size_t size)
{
	uint64_t n = 0;

	memcpy(&n, bytes, size < 8 ? size : 8);
	return le64toh(n);
}

/* Sets the low bits of numbers whose other bits are there; `size` bytes hold them all. */
static void unpack(const uint8_t *bytes, size_t size, uint64_t *numbers, size_t n, unsigned bits)
{
	uint64_t mask = (UINT64_C(1) << bits) - 1;
	size_t at = 0, i = 0;

	for (; i < n && at / 8 + 8 <= size; i++, at += bits) {
		uint64_t word;
		memcpy(&word, bytes + at / 8, 8);
		numbers[i] = numbers[i] << bits | (le64toh(word) >> at % 8 & mask);
	}
	for (; i < n; i++, at += bits)
		numbers[i] = numbers[i] << bits | (load(bytes + at / 8, size - at / 8) >> at % 8 & mask);
}

static size_t packed_size(size_t n, unsigned bits)
{
	return (n * bits + 7) / 8;
}

/* Appends bytes as a frame if that is shorter, else as they are. */
static int put_shorter(struct codec *c, const struct buffer *bytes, struct buffer *out,
		       bool *ret_framed)
{
	size_t before = out->length;
	int r = bytes->length < FRAMED_MIN ? 0 : frame_put(c, bytes->data, bytes->length, out);

	if (r < 0)
		return r;
	*ret_framed = out->length > before && out->length - before < bytes->length;
	if (*ret_framed)
		return 0;
	out->length = before;
	buffer_put(out, bytes->data, bytes->length);
	return 0;
}

static int put_high(struct codec *c, const uint64_t *numbers, size_t n, struct buffer *out,
		    struct split *s)
{
	struct buffer bytes = { 0 };
	uint64_t any = 0;
	int r = 0;

	s->high_framed = false;
	for (size_t i = 0; i < n; i++)
		any |= numbers[i] >> s->low_bits;
	s->high = any != 0;
	if (!any)
		return 0;
	for (size_t i = 0; i < n; i++)
		varint_put(&bytes, numbers[i] >> s->low_bits);
	r = bytes.failed ? -ENOMEM : put_shorter(c, &bytes, out, &s->high_framed);
	buffer_done(&bytes);
	return r;
}

static int put_low(struct codec *c, const uint64_t *numbers, size_t n, struct buffer *out,
		   struct split *s)
{
	struct buffer bytes = { 0 };
	int r = 0;

	s->low_framed = false;
	if (s->low_bits == 0)
		return 0;
	pack(&bytes, numbers, n, s->low_bits);
	/* A pattern that goes across bytes is none. */
	if (bytes.failed)
		r = -ENOMEM;
	else if (8 % s->low_bits == 0)
		r = put_shorter(c, &bytes, out, &s->low_framed);
	else
		buffer_put(out, bytes.data, bytes.length);
	buffer_done(&bytes);
	return r;
}

int split_put(struct codec *c, const uint64_t *numbers, size_t n, struct buffer *out,
	      struct split *ret)
{
	int r = put_high(c, numbers, n, out, ret);

	return r < 0 ? r : put_low(c, numbers, n, out, ret);
}

int split_get(struct codec *c, struct intake *in, const struct split *s, uint64_t *numbers, size_t n)
{
	size_t size = packed_size(n, s->low_bits);
	struct intake part;
	int r = 0;

	if (!s->high)
		memset(numbers, 0, n * sizeof(*numbers));
	else if (!s->high_framed && !varint_get_all(in, numbers, n))
		return -EUCLEAN;
	else if (s->high_framed) {
		r = frame_get(c, in, n * VARINT_MAX, &part);
		if (r == 0 && (!varint_get_all(&part, numbers, n) || part.at < part.end))
			r = -EUCLEAN;
	}
	if (r < 0 || s->low_bits == 0)
		return r;
	if (s->low_framed)
		r = frame_get(c, in, size, &part);
	else if (!intake_take(in, size, &part))
		r = -EUCLEAN;
	if (r < 0 || (size_t)(part.end - part.at) != size)
		return r < 0 ? r : -EUCLEAN;
	unpack(part.at, size, numbers, n, s->low_bits);
	return 0;
}
