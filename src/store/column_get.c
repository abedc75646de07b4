/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>

#include "column_form.h"
#include "column_split.h"
#include "column_stream.h"
#include "column_unit.h"

static int get(struct codec *c, struct intake *in, uint64_t *numbers, const struct groups *g,
	       unsigned depth);

static int get_single(struct codec *c, struct intake *in, uint64_t *numbers, size_t n, unsigned depth)
{
	uint32_t starts[2];
	struct groups g = groups_of_one(starts, n);

	return get(c, in, numbers, &g, depth + 1);
}

static int get_constant(struct intake *in, uint64_t *numbers, size_t n)
{
	uint64_t x;

	if (!varint_get(in, &x))
		return -EUCLEAN;
	x = unzigzag(x);
	for (size_t i = 0; i < n; i++)
		numbers[i] = x;
	return 0;
}

static int spread_runs(const uint64_t *values, const uint64_t *lengths, size_t runs, uint64_t *numbers,
		       size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < runs; i++) {
		if (lengths[i] >= n - at)
			return -EUCLEAN;
		for (size_t end = at + lengths[i] + 1; at < end; at++)
			numbers[at] = values[i];
	}
	return at == n ? 0 : -EUCLEAN;
}

static int get_runs(struct codec *c, struct intake *in, uint64_t *numbers, size_t n, unsigned depth)
{
	uint64_t runs;
	int r;

	if (!varint_get(in, &runs) || runs == 0 || runs > n)
		return -EUCLEAN;
	_cleanup_(freep) uint64_t *room = reallocarray(NULL, 2 * runs, sizeof(*room));
	if (!room)
		return -ENOMEM;
	r = get_single(c, in, room, runs, depth);
	if (r == 0)
		r = get_single(c, in, room + runs, runs, depth);
	return r < 0 ? r : spread_runs(room, room + runs, runs, numbers, n);
}

static int get_head(struct intake *in, uint8_t mode, struct unit *ret_unit, struct split *ret_split)
{
	uint64_t low_bits;

	*ret_unit = (struct unit){ .based = mode & FLAG_BASED };
	if (!varint_get(in, &ret_unit->unit) || ret_unit->unit == 0 ||
	    (ret_unit->based && !varint_get(in, &ret_unit->least)) || !varint_get(in, &low_bits) ||
	    low_bits > SPLIT_LOW_MAX)
		return -EUCLEAN;
	ret_unit->least = unzigzag(ret_unit->least);
	*ret_split = (struct split){ .low_bits = (unsigned)low_bits,
				     .high = (mode & FORM_MASK) == FORM_SPLIT,
				     .high_framed = mode & FLAG_HIGH_FRAMED,
				     .low_framed = mode & FLAG_LOW_FRAMED };
	return 0;
}

static int get_way(struct codec *c, struct intake *in, uint8_t mode, uint64_t *numbers,
		   const struct groups *g, unsigned depth)
{
	enum predictor p = mode >> PREDICTOR_SHIFT & PREDICTOR_MASK;
	uint64_t few[2], *room = few, *rests;
	struct prediction sizes;
	_cleanup_(freep) uint64_t *many = NULL;
	struct split split;
	struct unit unit;
	int r = p < PREDICTORS ? get_head(in, mode, &unit, &split) : -EUCLEAN;

	if (r < 0)
		return r;
	predict_sizes(p, g, &sizes);
	rests = numbers + g->starts[g->n] - sizes.rests;
	if (sizes.heads + sizes.seconds > ELEMENTS(few)) {
		many = reallocarray(NULL, sizes.heads + sizes.seconds, sizeof(*many));
		if (!many)
			return -ENOMEM;
		room = many;
	}
	r = get_single(c, in, room, sizes.heads, depth);
	if (r == 0)
		r = get_single(c, in, room + sizes.heads, sizes.seconds, depth);
	if (r == 0)
		r = split_get(c, in, &split, rests, sizes.rests);
	if (r < 0)
		return r;
	unit_undo(&unit, rests, sizes.rests);
	predict_undo(p, g, numbers, room, room + sizes.heads);
	return 0;
}

static int get(struct codec *c, struct intake *in, uint64_t *numbers, const struct groups *g,
	       unsigned depth)
{
	size_t n = g->starts[g->n];

	if (n == 0)
		return 0;
	if (in->at == in->end || depth > STREAM_DEPTH)
		return -EUCLEAN;
	uint8_t mode = *in->at++;
	switch ((enum form)(mode & FORM_MASK)) {
	case FORM_CONSTANT: return get_constant(in, numbers, n);
	case FORM_RUNS: return get_runs(c, in, numbers, n, depth);
	case FORM_SPLIT:
	case FORM_PACKED: return get_way(c, in, mode, numbers, g, depth);
	}
	return -EUCLEAN;
}

int stream_get(struct codec *c, struct intake *in, uint64_t *numbers, const struct groups *g)
{
	return get(c, in, numbers, g, 0);
}
