/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps of store/column_*.h by themselves: each undoes what it did, whichever of them a column takes. */

#include <string.h>

#include "check_main.h"
#include "nvmewatch/cleanup.h"
#include "store/column_predict.h"
#include "store/column_split.h"
#include "store/column_unit.h"

#define NUMBERS 257

/* Small, large, at the ends of what there is. */
static uint64_t any_number(uint64_t *state)
{
	uint64_t random = random_next(state);

	switch (random % 5) {
	case 0: return random >> 59;
	case 1: return (uint64_t)INT64_MAX - (random >> 60);
	case 2: return (uint64_t)INT64_MIN + (random >> 60);
	case 3: return 0 - (random >> 40);
	default: return random_next(state);
	}
}

/* Groups of 1 to 5, or few large ones. */
static struct groups any_groups(uint64_t *state, size_t n, uint32_t *starts)
{
	unsigned most = random_next(state) % 2 ? 5 : 200;
	struct groups g = { .starts = starts };
	size_t at = 0;

	while (at < n) {
		starts[g.n++] = (uint32_t)at;
		at += 1 + random_next(state) % most;
	}
	starts[g.n] = (uint32_t)n;
	return g;
}

static void expect_prediction(enum predictor p, const struct groups *g, const uint64_t *numbers, size_t n)
{
	uint64_t heads[NUMBERS], seconds[NUMBERS], rests[NUMBERS], again[NUMBERS];
	struct prediction sizes;

	predict_sizes(p, g, &sizes);
	ck_assert_uint_le(sizes.rests, n);
	predict_apply(p, g, numbers, heads, seconds, rests);
	memcpy(again + n - sizes.rests, rests, sizes.rests * sizeof(*rests));
	predict_undo(p, g, again, heads, seconds);
	ck_assert_msg(memcmp(again, numbers, n * sizeof(*again)) == 0, "predictor %d, %zu", (int)p, n);
}

START_TEST(test_every_predictor_is_exact_on_any_numbers_and_groups)
{
	uint64_t state = 7, numbers[NUMBERS];
	uint32_t starts[NUMBERS + 1];

	for (unsigned round = 0; round < 500; round++) {
		size_t n = 1 + random_next(&state) % NUMBERS;
		struct groups g = any_groups(&state, n, starts);
		for (size_t i = 0; i < n; i++)
			numbers[i] = round % 2 ? any_number(&state)
					       : 10000 * i + random_next(&state) % 6;
		for (unsigned p = 0; p < PREDICTORS; p++)
			expect_prediction(p, &g, numbers, n);
	}
}
END_TEST

START_TEST(test_a_clock_with_jitter_leaves_nothing_but_the_jitter)
{
	uint64_t state = 7, numbers[NUMBERS], head, second, rests[NUMBERS];
	uint32_t starts[2] = { 0, NUMBERS };
	struct groups g = { 1, starts };

	for (size_t i = 0; i < NUMBERS; i++)
		numbers[i] = 1700000000000 + 10000 * i + (i == 0 ? 0 : random_next(&state) % 6);
	predict_apply(PREDICT_LINE, &g, numbers, &head, &second, rests);
	ck_assert_uint_eq(second, 10000 * (NUMBERS - 1));
	for (size_t i = 0; i < NUMBERS - 1; i++)
		ck_assert_uint_le(rests[i], 5);
}
END_TEST

START_TEST(test_a_clock_leaves_nothing_but_the_jitter_after_a_gap_either)
{
	uint64_t state = 7, numbers[NUMBERS], head, second, rests[NUMBERS], time = 1700000000000;
	uint32_t starts[2] = { 0, NUMBERS };
	struct groups g = { 1, starts };

	for (size_t i = 0; i < NUMBERS; i++, time += i == 100 ? 1234567 : i % 50 == 0 ? 20000 : 10000)
		numbers[i] = time + random_next(&state) % 6;
	predict_apply(PREDICT_GRID, &g, numbers, &head, &second, rests);
	unsigned gaps = 0;
	for (size_t i = 0; i < NUMBERS - 1; i++) {
		gaps += rests[i] + 1000 > 2000;
		ck_assert(rests[i] + 1000 > 2000 || rests[i] + 6 <= 12);
	}
	ck_assert_uint_eq(gaps, (NUMBERS - 1) / 50);
}
END_TEST

START_TEST(test_noise_around_a_level_is_not_doubled)
{
	uint64_t state = 7, numbers[NUMBERS], head, second, rests[NUMBERS];
	uint32_t starts[2] = { 0, NUMBERS };
	struct groups g = { 1, starts };

	for (size_t i = 0; i < NUMBERS; i++)
		numbers[i] = 1000 + random_next(&state) % 3 - 1;
	predict_apply(PREDICT_LEVEL, &g, numbers, &head, &second, rests);
	/* Behind the first few, which find the level. */
	for (size_t i = 32; i < NUMBERS - 1; i++)
		ck_assert_uint_le(rests[i] + 2, 4);
}
END_TEST

START_TEST(test_units_are_found_and_divided_exactly)
{
	static const uint64_t units[] = { 1, 3, 3600, 512000, UINT64_C(1) << 40, UINT64_C(1) << 63 };
	uint64_t state = 7, numbers[NUMBERS], again[NUMBERS];

	for (unsigned round = 0; round < 300; round++) {
		uint64_t unit = units[round % ELEMENTS(units)];
		struct unit u = { 0 };
		for (size_t i = 0; i < NUMBERS; i++)
			numbers[i] = round % 4 == 3 ? any_number(&state)
						    : unit * (random_next(&state) % 1000 - 500);
		unit_find(numbers, NUMBERS, &u);
		ck_assert(round % 4 == 3 || u.unit % unit == 0);
		for (unsigned based = 0; based < 2; based++) {
			u.based = based;
			unit_apply(&u, numbers, again, NUMBERS);
			unit_undo(&u, again, NUMBERS);
			ck_assert(memcmp(again, numbers, sizeof(again)) == 0);
		}
	}
}
END_TEST

START_TEST(test_numbers_read_back_wherever_they_are_cut)
{
	struct codec c = { .level = 1 };
	uint64_t state = 7, numbers[NUMBERS], again[NUMBERS];

	for (unsigned low = 0; low <= SPLIT_LOW_MAX; low++)
		for (unsigned width = 0; width <= 64; width += 4) {
			struct split s = { .low_bits = low };
			_cleanup_(buffer_done) struct buffer b = { 0 };
			size_t n = 1 + random_next(&state) % NUMBERS;
			for (size_t i = 0; i < n; i++)
				numbers[i] = width ? random_next(&state) >> (64 - width) : 0;
			ck_assert_int_eq(split_put(&c, numbers, n, &b, &s), 0);
			struct intake in = { (uint8_t *)b.data, (uint8_t *)b.data + b.length };
			ck_assert_int_eq(split_get(&c, &in, &s, again, n), 0);
			ck_assert_ptr_eq(in.at, in.end);
			ck_assert_msg(memcmp(again, numbers, n * sizeof(*again)) == 0, "%u of %u", low, width);
		}
	codec_done(&c);
}
END_TEST

START_TEST(test_an_estimate_is_near_the_truth)
{
	struct codec c = { .level = 9 };
	uint64_t state = 7;
	static uint64_t numbers[4096];

	for (unsigned bits = 4; bits < 20; bits += 3) {
		struct split s = { .low_bits = bits > 4 ? bits - 4 : 0 };
		_cleanup_(buffer_done) struct buffer b = { 0 };
		for (size_t i = 0; i < ELEMENTS(numbers); i++)
			numbers[i] = random_next(&state) >> (64 - bits);
		ck_assert_int_eq(split_put(&c, numbers, ELEMENTS(numbers), &b, &s), 0);
		size_t estimate = split_estimate(numbers, ELEMENTS(numbers), s.low_bits);
		ck_assert_uint_le(estimate, b.length * 5 / 4);
		ck_assert_uint_ge(estimate, b.length * 3 / 4);
	}
	codec_done(&c);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_every_predictor_is_exact_on_any_numbers_and_groups,
		test_a_clock_with_jitter_leaves_nothing_but_the_jitter,
		test_a_clock_leaves_nothing_but_the_jitter_after_a_gap_either,
		test_noise_around_a_level_is_not_doubled,
		test_units_are_found_and_divided_exactly,
		test_numbers_read_back_wherever_they_are_cut,
		test_an_estimate_is_near_the_truth,
		NULL,
	};

	return check_main("column", tests);
}
