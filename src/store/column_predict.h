/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a value is compared with, so that little is left of it. Everything modulo 2^64. Rows of several
 * drives or instances lie in groups, one behind the other; each begins with values of its own, its
 * heads, and no row is compared with one of another group. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum predictor {
	PREDICT_NOTHING, /* the value itself; no heads, no groups */
	PREDICT_SAME,    /* the row before; head: the first value */
	PREDICT_STEP,    /* the row before and its step; heads: the first value, the first step */
	PREDICT_LINE,    /* the line from first to last value; heads: the first, the whole way */
	PREDICTORS,
};

struct groups {
	size_t n;
	const uint32_t *starts; /* n + 1 of them; the last is the number of values. None is empty. */
};

/* How many heads there are: of the first kind one for each group, of the second one for each group of
 * two values and more. */
size_t predict_heads(enum predictor p, const struct groups *g, size_t *ret_second);

/* Writes both kinds of heads and the rests: as many as values, less predict_heads(). */
void predict_apply(enum predictor p, const struct groups *g, const uint64_t *values, uint64_t *heads,
		   uint64_t *seconds, uint64_t *rests);

/* The inverse, in place: the rests are the last of values[]. */
void predict_undo(enum predictor p, const struct groups *g, uint64_t *values, const uint64_t *heads,
		  const uint64_t *seconds);
