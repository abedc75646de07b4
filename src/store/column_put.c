/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the form that takes fewest bytes: every way is estimated, the best few are tried. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "column_form.h"
#include "column_split.h"
#include "column_stream.h"
#include "column_unit.h"

#define TRIALS 5

/* One way to write a stream. */
struct way {
	enum predictor predictor;
	struct unit unit;
	unsigned low_bits;
	size_t estimate;
};

/* A stream that is being written, and room for what each way makes of it. */
struct putting {
	struct codec *codec;
	const uint64_t *numbers;
	const struct groups *groups;
	size_t n;
	unsigned depth;
	uint64_t *heads, *seconds, *rests, *plain; /* groups->n, groups->n, n, n */
	struct way ways[TRIALS];                   /* the best first */
	size_t n_ways;
};

static int put(struct codec *c, const uint64_t *numbers, const struct groups *g, unsigned depth,
	       struct buffer *out);

static int put_single(struct putting *t, const uint64_t *numbers, size_t n, struct buffer *out)
{
	uint32_t starts[2];
	struct groups g = groups_of_one(starts, n);

	return put(t->codec, numbers, &g, t->depth + 1, out);
}

/* What the heads will take, more or less. */
static size_t estimate_heads(const uint64_t *heads, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 1; i < n; i++)
		bytes += varint_size(zigzag(heads[i] - heads[i - 1]));
	return bytes;
}

static void add_way(struct putting *t, const struct way *w)
{
	size_t at = t->n_ways;

	while (at > 0 && t->ways[at - 1].estimate > w->estimate)
		at--;
	if (at == TRIALS)
		return;
	size_t behind = (t->n_ways < TRIALS ? t->n_ways++ : TRIALS - 1) - at;
	memmove(&t->ways[at + 1], &t->ways[at], behind * sizeof(*t->ways));
	t->ways[at] = *w;
}

/* The number of bits that all but a few of the numbers have at most. */
static unsigned usual_bits(const uint64_t *numbers, size_t n)
{
	size_t counts[65] = { 0 }, odd = 0;
	unsigned bits = 64;

	for (size_t i = 0; i < n; i++)
		counts[numbers[i] ? 64 - __builtin_clzll(numbers[i]) : 0]++;
	while (bits > 0 && odd + counts[bits] <= n / 64)
		odd += counts[bits--];
	return bits;
}

/* Cuts low enough that what is left above has one byte, and shows how the numbers are spread. */
static void add_cuts(struct putting *t, struct way *w, size_t n, size_t heads)
{
	unsigned bits = usual_bits(t->plain, n), top = bits < SPLIT_LOW_MAX ? bits : SPLIT_LOW_MAX;

	for (unsigned low = 0; low <= top; low++) {
		bool aligned = low == 1 || low == 2 || low == 4;
		if (low != 0 && !aligned && (bits < low + 3 || bits > low + 7) && low != bits)
			continue;
		w->low_bits = low;
		w->estimate = heads + split_estimate(t->plain, n, low);
		add_way(t, w);
	}
}

static void find_ways(struct putting *t)
{
	/* Heads and runs are few, and have no noise. */
	unsigned predictors = t->depth > 0 ? PREDICT_STEP + 1 : PREDICTORS;

	for (unsigned p = 0; p < predictors; p++) {
		struct way w = { .predictor = p };
		struct prediction sizes;
		predict_sizes(p, t->groups, &sizes);
		predict_apply(p, t->groups, t->numbers, t->heads, t->seconds, t->rests);
		size_t heads = estimate_heads(t->heads, sizes.heads) +
			       estimate_heads(t->seconds, sizes.seconds);
		unit_find(t->rests, sizes.rests, &w.unit);
		for (unsigned based = 0; based < 2; based++) {
			w.unit.based = based;
			unit_apply(&w.unit, t->rests, t->plain, sizes.rests);
			add_cuts(t, &w, sizes.rests, heads);
		}
	}
}

static int put_way(struct putting *t, const struct way *w, struct buffer *out)
{
	struct split s = { .low_bits = w->low_bits };
	struct prediction sizes;
	size_t mode = out->length;
	int r;

	predict_sizes(w->predictor, t->groups, &sizes);
	predict_apply(w->predictor, t->groups, t->numbers, t->heads, t->seconds, t->rests);
	unit_apply(&w->unit, t->rests, t->plain, sizes.rests);
	buffer_put(out, "", 1);
	varint_put(out, w->unit.unit);
	if (w->unit.based)
		varint_put(out, zigzag(w->unit.least));
	byte_put(out, (uint8_t)w->low_bits);
	r = put_single(t, t->heads, sizes.heads, out);
	if (r == 0)
		r = put_single(t, t->seconds, sizes.seconds, out);
	if (r == 0)
		r = split_put(t->codec, t->plain, sizes.rests, out, &s);
	if (r < 0 || out->failed)
		return -ENOMEM;
	out->data[mode] = (char)((s.high ? FORM_SPLIT : FORM_PACKED) | w->predictor << PREDICTOR_SHIFT |
				 (w->unit.based ? FLAG_BASED : 0) |
				 (s.high_framed ? FLAG_HIGH_FRAMED : 0) |
				 (s.low_framed ? FLAG_LOW_FRAMED : 0));
	return 0;
}

static int put_runs(struct putting *t, size_t runs, struct buffer *out)
{
	size_t k = 0, start = 0;
	int r;

	for (size_t i = 1; i <= t->n; i++) {
		if (i < t->n && t->numbers[i] == t->numbers[i - 1])
			continue;
		t->rests[k] = t->numbers[start];
		t->plain[k++] = i - start - 1;
		start = i;
	}
	byte_put(out, FORM_RUNS);
	varint_put(out, runs);
	r = put_single(t, t->rests, runs, out);
	return r < 0 ? r : put_single(t, t->plain, runs, out);
}

/* Appends the shortest of the ways found, and of runs where there may be an advantage in them. */
static int put_best(struct putting *t, size_t runs, struct buffer *out)
{
	bool few = t->depth < RUNS_DEPTH && runs <= t->n / 4 + 1;
	struct buffer best = { 0 }, trial = { 0 };
	int r = few ? put_runs(t, runs, &best) : 0;

	for (size_t i = 0; r == 0 && i < t->n_ways; i++) {
		trial.length = 0;
		r = put_way(t, &t->ways[i], &trial);
		if (r == 0 && (best.length == 0 || trial.length < best.length)) {
			struct buffer longer = best;
			best = trial;
			trial = longer;
		}
	}
	if (r == 0)
		buffer_put(out, best.data, best.length);
	r = r < 0 || best.failed || trial.failed ? -ENOMEM : 0;
	buffer_done(&best);
	buffer_done(&trial);
	return r;
}

static size_t count_runs(const uint64_t *numbers, size_t n)
{
	size_t runs = 1;

	for (size_t i = 1; i < n; i++)
		runs += numbers[i] != numbers[i - 1];
	return runs;
}

static int put(struct codec *c, const uint64_t *numbers, const struct groups *g, unsigned depth,
	       struct buffer *out)
{
	size_t n = g->starts[g->n], runs = count_runs(numbers, n);
	struct putting t = { .codec = c, .numbers = numbers, .groups = g, .n = n, .depth = depth };

	if (n == 0)
		return 0;
	if (runs == 1) {
		byte_put(out, FORM_CONSTANT);
		varint_put(out, zigzag(numbers[0]));
		return 0;
	}
	_cleanup_(freep) uint64_t *room = reallocarray(NULL, 2 * (n + g->n), sizeof(*room));
	if (!room)
		return -ENOMEM;
	t.rests = room;
	t.plain = t.rests + n;
	t.heads = t.plain + n;
	t.seconds = t.heads + g->n;
	if (depth >= RUNS_DEPTH || runs > n / 32)
		find_ways(&t);
	return put_best(&t, runs, out);
}

int stream_put(struct codec *c, const uint64_t *numbers, const struct groups *g, struct buffer *out)
{
	return put(c, numbers, g, 0, out);
}
