/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Numbers without sign cut in two: the low bits, which are mostly noise, side by side as they are; the
 * rest as varints. Either part may be a zstd frame. */

#include "codec_frame.h"

#define SPLIT_LOW_MAX 56

struct split {
	unsigned low_bits; /* 0 to SPLIT_LOW_MAX */
	bool high;         /* any number has more bits than low_bits */
	bool high_framed, low_framed;
};

/* How many bytes split_put() will take, more or less. */
size_t split_estimate(const uint64_t *numbers, size_t n, unsigned low_bits);

/* Appends the two parts; low_bits is given, the rest of *ret says how they were written. */
int split_put(struct codec *c, const uint64_t *numbers, size_t n, struct buffer *out,
	      struct split *ret);

/* The inverse. 0, -ENOMEM or -EUCLEAN. */
int split_get(struct codec *c, struct intake *in, const struct split *s, uint64_t *numbers, size_t n);
