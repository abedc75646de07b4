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
	PREDICT_LINE,    /* a line through all of them; heads: the first, the whole way */
	PREDICT_LEVEL,   /* the level of the rows before, without their noise; head: the first value */
	PREDICT_RATE,    /* the row before and the level of the steps; heads: the first, the first step */
	PREDICT_GRID,    /* a step on from the level of the rows before, and anew after a gap; heads: the
			  * first value, the usual step */
	PREDICTORS,
};

struct groups {
	size_t n;
	const uint32_t *starts; /* n + 1 of them; the last is the number of values. None is empty. */
};

/* How many numbers there are of each kind: one first head for each group, a second one for each group of
 * two values and more. */
struct prediction {
	size_t heads, seconds, rests;
};

void predict_sizes(enum predictor p, const struct groups *g, struct prediction *ret);

/* Writes both kinds of heads and the rests. */
void predict_apply(enum predictor p, const struct groups *g, const uint64_t *values, uint64_t *heads,
		   uint64_t *seconds, uint64_t *rests);

/* The inverse, in place: the rests are the last of values[]. */
void predict_undo(enum predictor p, const struct groups *g, uint64_t *values, const uint64_t *heads,
		  const uint64_t *seconds);
