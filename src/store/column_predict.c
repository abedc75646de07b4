/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "column_predict.h"

#include <stdlib.h>
#include <string.h>

#include "column_expect.h"

#define SLOPE_MIN 64
#define JITTER_MAX 64
#define STEPS_SEEN 31

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

static int compare_steps(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The step in the middle of the first few. */
static uint64_t usual_step(const uint64_t *v, size_t n)
{
	int64_t steps[STEPS_SEEN] = { 0 };
	size_t k = 0;

	for (; k < STEPS_SEEN && k + 1 < n; k++)
		steps[k] = (int64_t)(v[k + 1] - v[k]);
	qsort(steps, k, sizeof(*steps), compare_steps);
	return (uint64_t)steps[k / 2];
}

static bool has_second(enum predictor p)
{
	return p == PREDICT_STEP || p == PREDICT_LINE || p == PREDICT_RATE || p == PREDICT_GRID;
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
static void apply(enum predictor p, const uint64_t *v, size_t n, uint64_t second, uint64_t *rests)
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
		line = line_new(v[0], second, n - 1);
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
	case PREDICT_GRID:
		level = level_new(v[0]);
		for (size_t i = 1; i < n; i++) {
			level += second << LEVEL_FRACTION;
			*rests = v[i] - level_get(level);
			level = grid_next(level, *rests++, v[i]);
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

static uint64_t second_head(enum predictor p, const uint64_t *v, size_t n)
{
	switch (p) {
	case PREDICT_LINE: return line_way(v, n);
	case PREDICT_GRID: return usual_step(v, n);
	default: return v[1] - v[0];
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
			*seconds++ = second = second_head(p, v, n);
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
	case PREDICT_GRID:
		level = level_new(v[0]);
		for (size_t i = 1; i < n; i++) {
			uint64_t rest = *rests++;
			level += second << LEVEL_FRACTION;
			v[i] = level_get(level) + rest;
			level = grid_next(level, rest, v[i]);
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
