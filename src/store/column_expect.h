/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where the next value is expected, for column_predict.c: on a line, or at the level of those before. */

#include <stdint.h>

#define GAP_MIN 64 /* off by so much, a row is not late but another beginning */
#define LEVEL_FRACTION 6
#define LEVEL_HALF UINT64_C(32)
#define LEVEL_WEIGHT 3 /* a value counts 1 / 2^LEVEL_WEIGHT, those before it the rest */

/* The points of a line in whole numbers, without a division each. */
struct line {
	uint64_t at, step; /* whole part of a step, towards minus infinity */
	uint64_t error, part, steps;
};

static inline struct line line_new(uint64_t first, uint64_t way, uint64_t steps)
{
	int64_t whole = (int64_t)way / (int64_t)steps, part = (int64_t)way % (int64_t)steps;

	if (part < 0) {
		part += (int64_t)steps;
		whole--;
	}
	return (struct line){ .at = first, .step = (uint64_t)whole, .part = (uint64_t)part,
			      .steps = steps };
}

static inline uint64_t line_next(struct line *l)
{
	l->at += l->step;
	l->error += l->part;
	if (l->error >= l->steps) {
		l->error -= l->steps;
		l->at++;
	}
	return l->at;
}

/* What the values lie around, in units of 1 / 2^LEVEL_FRACTION, and half a unit of theirs more. */
static inline uint64_t level_new(uint64_t first)
{
	return (first << LEVEL_FRACTION) + LEVEL_HALF;
}

static inline uint64_t level_get(uint64_t level)
{
	return (uint64_t)((int64_t)level >> LEVEL_FRACTION);
}

/* The level after a value that was off by `rest`. Each waits for the one before: what can be done without
 * it is. */
static inline uint64_t level_next(uint64_t level, uint64_t rest)
{
	uint64_t off = (rest << LEVEL_FRACTION) + LEVEL_HALF - (level & (2 * LEVEL_HALF - 1));

	return level + (uint64_t)((int64_t)off >> LEVEL_WEIGHT);
}

static inline uint64_t grid_next(uint64_t level, uint64_t rest, uint64_t value)
{
	return rest + GAP_MIN < 2 * GAP_MIN ? level_next(level, rest) : level_new(value);
}
