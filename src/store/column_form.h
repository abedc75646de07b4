/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The first byte of a stream, as both column_put.c and column_get.c have it. */

#include "column_predict.h"

enum form {
	FORM_CONSTANT, /* zigzag varint */
	FORM_RUNS,     /* how many, their values as a stream, their lengths less 1 as a stream */
	FORM_SPLIT,    /* unit, least number if FLAG_BASED, low bits, streams of heads, split */
	FORM_PACKED,   /* the same of which nothing but low bits are left */
};

enum {
	FORM_MASK = 3,
	PREDICTOR_SHIFT = 2,
	PREDICTOR_MASK = 7,
	FLAG_BASED = 1 << 5,
	FLAG_HIGH_FRAMED = 1 << 6,
	FLAG_LOW_FRAMED = 1 << 7,
};

/* Streams within streams: heads, their runs, the runs' values and the first of these, and no further. */
enum { RUNS_DEPTH = 2, STREAM_DEPTH };

/* Numbers that are one group. */
static inline struct groups groups_of_one(uint32_t starts[static 2], size_t n)
{
	starts[0] = 0;
	starts[1] = (uint32_t)n;
	return (struct groups){ .n = n ? 1 : 0, .starts = starts };
}
