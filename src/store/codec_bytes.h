/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Numbers as 1 to 10 bytes of 7 bits, least significant first, and what is left to be read of bytes
 * that are not trusted. */

#include "nvmewatch/buffer.h"

#define VARINT_MAX 10

struct intake {
	const uint8_t *at, *end;
};

static inline uint64_t zigzag(uint64_t n)
{
	return n << 1 ^ (n >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t unzigzag(uint64_t n)
{
	return n >> 1 ^ (0 - (n & 1));
}

static inline void byte_put(struct buffer *b, uint8_t byte)
{
	buffer_put(b, &byte, 1);
}

void varint_put(struct buffer *b, uint64_t n);

/* How many bytes varint_put() takes. */
static inline unsigned varint_size(uint64_t n)
{
	return n < 128 ? 1 : (unsigned)(63 - __builtin_clzll(n)) / 7 + 1;
}

/* The next number. False: there is none, or it has more than 64 bits. */
bool varint_get(struct intake *in, uint64_t *ret);

/* The same for n numbers in a row. */
bool varint_get_all(struct intake *in, uint64_t *ret, size_t n);

/* Takes `length` bytes off. False: there are not as many. */
bool intake_take(struct intake *in, size_t length, struct intake *ret);
