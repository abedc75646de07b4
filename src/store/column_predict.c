/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "column_predict.h"

#include <string.h>

#define SLOPE_MIN 64
#define JITTER_MAX 64
#define LEVEL_FRACTION 6
#define LEVEL_HALF UINT64_C(32)
#define LEVEL_WEIGHT 3 /* a value counts 1 / 2^LEVEL_WEIGHT, those before it the rest */

/* The points of a line in whole numbers, without a division each. */
struct line {
	uint64_t at, step; /* whole part of a step, towards minus infinity */
	uint64_t error, part, steps;
};

static struct line line_new(uint64_t first, uint64_t way, uint64_t steps)
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

/* The way from first to last value; but where it is a whole slope and some jitter, without that: it
 * would be spread over all of the rests. */
static uint64_t line_way(const uint64_t *v, size_t n)
{
	int64_t way = (int64_t)(v[n - 1] - v[0]), steps = (int64_t)n - 1;
	int64_t rest = way % steps, up = rest > steps / 2 ? steps : rest < -steps / 2 ? -steps : 0;
	int64_t off = rest - up;

	if (way / steps > -SLOPE_MIN && way / steps < SLOPE_MIN)
		return (uint64_t)way;
	return (uint64_t)way - (off > -JITTER_MAX && off < JITTER_MAX ? (uint64_t)off : 0);
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

static bool has_second(enum predictor p)
{
	return p == PREDICT_STEP || p == PREDICT_LINE || p == PREDICT_RATE;
}

/* The first value of a group that has a rest. */
static size_t first_rest(enum predictor p)
{
	return p == PREDICT_STEP || p == PREDICT_RATE ? 2 : 1;
}

void predict_sizes(enum predictor p, const struct groups *g, struct prediction *ret)
{
	*ret = (struct prediction){ .rests = p == PREDICT_NOTHING ? g->starts[g->n] : 0 };
	if (p == PREDICT_NOTHING)
		return;
	for (size_t i = 0; i < g->n; i++) {
		size_t n = g->starts[i + 1] - g->starts[i], first = first_rest(p);
		ret->heads++;
		ret->seconds += has_second(p) && n > 1;
		ret->rests += n > first ? n - first : 0;
	}
}

/* The rests of one group of n values, n > first_rest(). */
static void apply(enum predictor p, const uint64_t *v, size_t n, uint64_t way, uint64_t *rests)
{
	struct line line;
	uint64_t level;

	switch (p) {
	case PREDICT_SAME:
		for (size_t i = 1; i < n; i++)
			*rests++ = v[i] - v[i - 1];
		return;
	case PREDICT_STEP:
		for (size_t i = 2; i < n; i++)
			*rests++ = v[i] - 2 * v[i - 1] + v[i - 2];
		return;
	case PREDICT_LINE:
		line = line_new(v[0], way, n - 1);
		for (size_t i = 1; i < n; i++)
			*rests++ = v[i] - line_next(&line);
		return;
	case PREDICT_LEVEL:
		level = level_new(v[0]);
		for (size_t i = 1; i < n; i++) {
			*rests = v[i] - level_get(level);
			level = level_next(level, *rests++);
		}
		return;
	case PREDICT_RATE:
		level = level_new(v[1] - v[0]);
		for (size_t i = 2; i < n; i++) {
			*rests = v[i] - v[i - 1] - level_get(level);
			level = level_next(level, *rests++);
		}
		return;
	default: return;
	}
}

void predict_apply(enum predictor p, const struct groups *g, const uint64_t *values, uint64_t *heads,
		   uint64_t *seconds, uint64_t *rests)
{
	if (p == PREDICT_NOTHING) {
		memcpy(rests, values, g->starts[g->n] * sizeof(*rests));
		return;
	}
	for (size_t i = 0; i < g->n; i++) {
		const uint64_t *v = values + g->starts[i];
		size_t n = g->starts[i + 1] - g->starts[i], first = first_rest(p);
		uint64_t second = 0;
		heads[i] = v[0];
		if (has_second(p) && n > 1)
			*seconds++ = second = p == PREDICT_LINE ? line_way(v, n) : v[1] - v[0];
		if (n <= first)
			continue;
		apply(p, v, n, second, rests);
		rests += n - first;
	}
}

/* The values of one group behind its heads. A rest lies at or behind the place of its value, hence is
 * read before it is written over. */
static void undo(enum predictor p, uint64_t *v, size_t n, uint64_t second, const uint64_t *rests)
{
	uint64_t at = v[0] + second, step = second;
	struct line line;
	uint64_t level;

	switch (p) {
	case PREDICT_SAME:
		for (size_t i = 1; i < n; i++)
			v[i] = at += *rests++;
		return;
	case PREDICT_STEP:
		for (size_t i = 2; i < n; i++) {
			step += *rests++;
			v[i] = at += step;
		}
		return;
	case PREDICT_LINE:
		line = line_new(v[0], second, n - 1);
		for (size_t i = 1; i < n; i++)
			v[i] = line_next(&line) + *rests++;
		return;
	case PREDICT_LEVEL:
		level = level_new(v[0]);
		for (size_t i = 1; i < n; i++) {
			uint64_t rest = *rests++;
			v[i] = level_get(level) + rest;
			level = level_next(level, rest);
		}
		return;
	case PREDICT_RATE:
		level = level_new(second);
		for (size_t i = 2; i < n; i++) {
			uint64_t rest = *rests++;
			v[i] = at += level_get(level) + rest;
			level = level_next(level, rest);
		}
		return;
	default: return;
	}
}

void predict_undo(enum predictor p, const struct groups *g, uint64_t *values, const uint64_t *heads,
		  const uint64_t *seconds)
{
	size_t first = first_rest(p);
	struct prediction sizes;

	predict_sizes(p, g, &sizes);
	const uint64_t *rests = values + g->starts[g->n] - sizes.rests;
	if (p == PREDICT_NOTHING)
		return;
	for (size_t i = 0; i < g->n; i++) {
		size_t n = g->starts[i + 1] - g->starts[i];
		uint64_t *v = values + g->starts[i], second = has_second(p) && n > 1 ? *seconds++ : 0;
		v[0] = heads[i];
		if (n > first)
			undo(p, v, n, second, rests);
		if (n > 1 && first == 2)
			v[1] = v[0] + second;
		rests += n > first ? n - first : 0;
	}
}
