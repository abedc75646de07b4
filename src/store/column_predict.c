/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "column_predict.h"

#include <string.h>

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

size_t predict_heads(enum predictor p, const struct groups *g, size_t *ret_second)
{
	size_t second = 0;

	*ret_second = 0;
	if (p == PREDICT_NOTHING)
		return 0;
	if (p == PREDICT_SAME)
		return g->n;
	for (size_t i = 0; i < g->n; i++)
		second += g->starts[i + 1] - g->starts[i] > 1;
	*ret_second = second;
	return g->n + second;
}

/* The rests of one group of n values; returns how many. */
static size_t apply(enum predictor p, const uint64_t *v, size_t n, uint64_t *rests)
{
	size_t k = 0;

	if (p == PREDICT_SAME) {
		for (size_t i = 1; i < n; i++)
			rests[k++] = v[i] - v[i - 1];
	} else if (p == PREDICT_STEP) {
		for (size_t i = 2; i < n; i++)
			rests[k++] = v[i] - 2 * v[i - 1] + v[i - 2];
	} else if (n > 2) {
		struct line l = line_new(v[0], v[n - 1] - v[0], n - 1);
		for (size_t i = 1; i < n - 1; i++)
			rests[k++] = v[i] - line_next(&l);
	}
	return k;
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
		size_t n = g->starts[i + 1] - g->starts[i];
		heads[i] = v[0];
		if (p != PREDICT_SAME && n > 1)
			*seconds++ = v[p == PREDICT_STEP ? 1 : n - 1] - v[0];
		rests += apply(p, v, n, rests);
	}
}

/* One group: v[0] and, where it has one, the second head are known. Returns how many rests it took. A
 * rest lies at or behind the place of its value, hence is read before it is written over. */
static size_t undo(enum predictor p, uint64_t *v, size_t n, uint64_t second, const uint64_t *rests)
{
	size_t k = 0;

	if (p == PREDICT_SAME) {
		uint64_t at = v[0];
		for (size_t i = 1; i < n; i++)
			v[i] = at += rests[k++];
	} else if (p == PREDICT_STEP) {
		uint64_t at = v[0] + second, step = second;
		for (size_t i = 2; i < n; i++) {
			step += rests[k++];
			v[i - 1] = at;
			at += step;
		}
		if (n > 1)
			v[n - 1] = at;
	} else if (n > 1) {
		struct line l = line_new(v[0], second, n - 1);
		for (size_t i = 1; i < n - 1; i++)
			v[i] = line_next(&l) + rests[k++];
		v[n - 1] = v[0] + second;
	}
	return k;
}

void predict_undo(enum predictor p, const struct groups *g, uint64_t *values, const uint64_t *heads,
		  const uint64_t *seconds)
{
	size_t n_seconds, n_heads = predict_heads(p, g, &n_seconds);
	const uint64_t *rests = values + n_heads;

	if (p == PREDICT_NOTHING)
		return;
	for (size_t i = 0; i < g->n; i++) {
		size_t n = g->starts[i + 1] - g->starts[i];
		bool second = p != PREDICT_SAME && n > 1;
		uint64_t *v = values + g->starts[i];
		v[0] = heads[i];
		rests += undo(p, v, n, second ? *seconds++ : 0, rests);
	}
}
