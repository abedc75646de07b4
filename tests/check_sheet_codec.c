/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* store/sheet_codec.h: what is encoded reads back exactly, whatever it is. */

#include <errno.h>
#include <math.h>

#include "sheet_support.h"
#include "store/sheet_codec.h"

#define SHAPES 18

/* Row i of a column of a shape: what drives do, and what they never should. */
static int64_t shaped(unsigned shape, size_t i, uint64_t *state)
{
	uint64_t random = random_next(state), n = i;

	switch (shape) {
	case 0: return -7;
	case 1: return (int64_t)(1000 * n);
	case 2: return (int64_t)(10000 * n + random % 6);
	case 3: return (int64_t)(random % 3) + 40;
	case 4: return n % 2 ? INT64_MIN : INT64_MAX;
	case 5: return INT64_MIN + (int64_t)(random % 5);
	case 6: return INT64_MAX - (int64_t)(n * n);
	case 7: return (int64_t)random;
	case 8: return (int64_t)(random >> random % 64);
	case 9: return (int64_t)(512000 * (n * 77 + random % 1000));
	case 10: return (int64_t)(n * n * 3 + random % 2);
	case 11: return (int64_t)(n < 100 ? n * 5 : (n - 100) * 5); /* a reset */
	case 12: return random % 50 == 0 ? INT64_MIN : 3;
	case 13: return (int64_t)(3600 * (n / 60));
	case 14: return (int64_t)(n * UINT64_C(0x0123456789abcdef)); /* wraps */
	case 15: return n % 3 ? 0 : INT64_MIN; /* its unit is 2^63 */
	case 16: return (int64_t)(n / 17 % 2);
	default: return (int64_t)(1 + (random % 100 ? 0 : random >> 40));
	}
}

static void set_real(struct sheet *s, size_t row, size_t column, unsigned shape, uint64_t *state)
{
	struct value v = { .type = VALUE_REAL };
	uint64_t random = random_next(state);

	switch (shape % 6) {
	case 0: v.real = (double)(random % 10000) / 100; break;
	case 1: v.integer = (int64_t)random; break; /* any bits */
	case 2: v.real = random % 2 ? 0.0 : -0.0; break;
	case 3: v.real = random % 2 ? (double)NAN : (double)INFINITY; break;
	case 4: v.real = (double)(random % 100) / 3; break;
	default: v.real = (double)(int64_t)(random >> 8); break;
	}
	ck_assert_int_eq(sheet_set(s, row, column, &v), 0);
}

static void set_any_text(struct sheet *s, size_t row, size_t column, unsigned shape, uint64_t *state)
{
	char text[FIELD_TEXT_MAX + 1] = "";

	switch (shape % 4) {
	case 0: strcpy(text, "1.0"); break;
	case 1: snprintf(text, sizeof(text), "%d", (int)(random_next(state) % 1000)); break;
	case 2: memset(text, 'x', sizeof(text) - 1 - random_next(state) % 3); break;
	default: strcpy(text, random_next(state) % 2 ? "" : "\xc3\xa9"); break;
	}
	set_text(s, row, column, text);
}

/* Whether row i has a value: always, never, by turns, by chance, but once. */
static bool shaped_presence(unsigned shape, size_t i, uint64_t *state)
{
	switch (shape % 7) {
	case 1: return false;
	case 2: return i % 2;
	case 3: return random_next(state) % 3 > 0;
	case 4: return i == 5;
	case 5: return i < 40;
	default: return true;
	}
}

static void fill(struct sheet *s, size_t rows, unsigned drives, uint64_t seed)
{
	uint64_t state = seed;
	size_t start = s->n_rows;
	unsigned first = (unsigned)(random_next(&state) % SHAPES);

	for (size_t i = 0; i < rows; i++) {
		size_t row = add_row(s, (int64_t)(i * drives / rows), shaped(2, i, &state));
		if (drives > 3 && i % 2)
			set_integer(s, row, SHEET_INSTANCE, (int64_t)(i / 8));
	}
	for (size_t c = SHEET_FIXED; c < s->layout->n_columns; c++) {
		unsigned shape = (first + (unsigned)c) % SHAPES, presence = (unsigned)random_next(&state);
		for (size_t i = 0; i < rows; i++) {
			if (!shaped_presence(presence, i, &state))
				continue;
			if (s->layout->columns[c].type == VALUE_REAL)
				set_real(s, start + i, c, shape, &state);
			else if (s->layout->columns[c].type == VALUE_TEXT)
				set_any_text(s, start + i, c, shape, &state);
			else
				set_integer(s, start + i, c, shaped(shape, i, &state));
		}
	}
}

static struct sheet *round_trip(const struct sheet *s, int level, const bool *wanted)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };
	struct sheet *again = NULL;

	ck_assert_int_eq(sheet_encode(s, level, &b), 0);
	ck_assert_int_eq(sheet_decode(b.data, b.length, s->layout, wanted, &again), 0);
	return again;
}

static const char columns[] = FIXED_TEXT " a:i b:i c:i d:r e:i f:t g:i h:r i:i j:i k:t l:i";

START_TEST(test_sheets_of_every_shape_read_back_exactly)
{
	static const size_t rows[] = { 1, 2, 3, 4, 7, 63, 64, 65, 300, 1440 };
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);

	for (unsigned i = 0; i < 150; i++) {
		_cleanup_(sheet_freep) struct sheet *s = test_sheet(l), *again = NULL;
		fill(s, rows[i % ELEMENTS(rows)], 1 + i % 5 * 3, i);
		again = round_trip(s, i % 10 == 9 ? 9 : 1, NULL);
		ck_assert_msg(same_sheet(s, again), "seed %u", i);
	}
}
END_TEST

START_TEST(test_rows_of_drives_that_are_not_sorted_read_back)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l), *again = NULL;
	uint64_t state = 5;

	fill(s, 500, 1, 3);
	for (size_t i = 0; i < 500; i++)
		set_integer(s, i, SHEET_DRIVE, (int64_t)(random_next(&state) % 20));
	again = round_trip(s, 3, NULL);
	ck_assert(same_sheet(s, again));
}
END_TEST

START_TEST(test_clocks_at_their_extremes_read_back)
{
	static const int64_t times[] = { INT64_MIN, INT64_MAX, 0, -1, INT64_MIN + 1, INT64_MAX, 1 };
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l), *again = NULL;

	for (size_t i = 0; i < ELEMENTS(times); i++) {
		ck_assert_int_eq(sheet_add_row(s), 0);
		for (unsigned c = 0; c < SHEET_FIXED; c++)
			set_integer(s, i, c, times[(i + c) % ELEMENTS(times)]);
	}
	again = round_trip(s, 19, NULL);
	ck_assert(same_sheet(s, again));
}
END_TEST

START_TEST(test_a_sheet_without_rows_reads_back)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l), *again = round_trip(s, 9, NULL);

	ck_assert_uint_eq(again->n_rows, 0);
	fill(again, 3, 1, 1);
	ck_assert_uint_eq(again->n_rows, 3);
}
END_TEST

START_TEST(test_one_column_alone_is_the_same_as_among_all)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);
	struct value v;

	fill(s, 700, 7, 42);
	for (size_t c = SHEET_FIXED; c < l->n_columns; c++) {
		bool wanted[64] = { false };
		wanted[c] = true;
		_cleanup_(sheet_freep) struct sheet *one = round_trip(s, 3, wanted);
		ck_assert_uint_eq(one->n_rows, 700);
		for (size_t i = 0; i < l->n_columns; i++) {
			ck_assert_int_eq(one->columns[i].loaded, i < SHEET_FIXED || i == c);
			if (one->columns[i].loaded)
				ck_assert(same_column(s, one, i));
			else
				ck_assert_ptr_null(one->columns[i].values);
		}
		sheet_get(one, 0, c == 5 ? 6 : 5, &v);
		ck_assert_int_eq(v.type, VALUE_ABSENT);
	}
}
END_TEST

START_TEST(test_what_is_not_loaded_stays_away_when_rows_are_added)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l), *one = NULL, *again = NULL;
	bool wanted[64] = { [5] = true };
	struct value v = { .type = VALUE_INTEGER };

	fill(s, 100, 7, 42);
	one = round_trip(s, 3, wanted);
	add_row(one, 1, 1);
	ck_assert_int_eq(sheet_set(one, 100, 6, &v), -EINVAL);
	ck_assert_int_eq(sheet_append(one, s, 0, 100), 0);
	ck_assert_int_eq(sheet_append(s, one, 0, 201), 0);
	ck_assert_int_eq(sheet_sort(one), 0);
	again = round_trip(one, 3, NULL);
	ck_assert_uint_eq(again->n_rows, 201);
	ck_assert(same_sheet(one, again));
}
END_TEST

START_TEST(test_one_sheet_after_the_other_is_read_into_the_same_memory)
{
	static const size_t rows[] = { 100, 7, 0, 300, 299, 1 };
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(sheet_freep) struct sheet *into = test_sheet(l);

	for (unsigned i = 0; i < 60; i++) {
		_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);
		_cleanup_(buffer_done) struct buffer b = { 0 };
		bool wanted[64] = { false };
		fill(s, rows[i % ELEMENTS(rows)], 1 + i % 4, i);
		ck_assert_int_eq(sheet_encode(s, 1, &b), 0);
		for (size_t c = 0; c < l->n_columns; c++)
			wanted[c] = (c + i / 12) % 3;
		ck_assert_int_eq(sheet_decode_into(b.data, b.length, wanted, into), 0);
		ck_assert_uint_eq(into->n_rows, s->n_rows);
		for (size_t c = 0; c < l->n_columns; c++) {
			ck_assert_int_eq(into->columns[c].loaded, c < SHEET_FIXED || wanted[c]);
			ck_assert(!into->columns[c].loaded || same_column(s, into, c));
		}
		if (i % 5 == 4)
			add_row(into, 1, 1);
		if (i % 7 == 6) {
			ck_assert_int_eq(sheet_decode_into(b.data, b.length - 1, wanted, into), -EUCLEAN);
			ck_assert_uint_eq(into->n_rows, 0);
			add_row(into, 1, 1);
		}
	}
}
END_TEST

START_TEST(test_sheets_are_appended_to_what_is_in_the_buffer)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l), *again = NULL;
	_cleanup_(buffer_done) struct buffer b = { 0 };

	fill(s, 20, 1, 1);
	buffer_text(&b, "head");
	ck_assert_int_eq(sheet_encode(s, 3, &b), 0);
	ck_assert_int_eq(memcmp(b.data, "head", 4), 0);
	ck_assert_int_eq(sheet_decode(b.data + 4, b.length - 4, l, NULL, &again), 0);
	ck_assert(same_sheet(s, again));
}
END_TEST

START_TEST(test_more_rows_than_a_sheet_may_have_are_refused)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(FIXED_TEXT);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l), *again = NULL;
	_cleanup_(buffer_done) struct buffer b = { 0 };

	add_row(s, 1, 1);
	while (s->n_rows < SHEET_ROWS_MAX)
		ck_assert_int_eq(sheet_append(s, s, 0, s->n_rows), 0);
	again = round_trip(s, 1, NULL);
	ck_assert(same_sheet(s, again));
	add_row(s, 1, 1);
	ck_assert_int_eq(sheet_encode(s, 1, &b), -E2BIG);
}
END_TEST

START_TEST(test_rows_that_hardly_change_take_next_to_nothing)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);
	_cleanup_(buffer_done) struct buffer b = { 0 };

	for (size_t i = 0; i < 24 * 90; i++) {
		size_t row = add_row(s, (int64_t)(i / 90), 1700000000000 + (int64_t)(i % 90 * 10000));
		for (unsigned c = 5; c < 8; c++)
			set_integer(s, row, c, 512000 * ((int64_t)(i / 90) * 1000 + (int64_t)(i % 90)));
	}
	ck_assert_int_eq(sheet_encode(s, 3, &b), 0);
	ck_assert_uint_le(b.length, 150);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_sheets_of_every_shape_read_back_exactly,
		test_rows_of_drives_that_are_not_sorted_read_back,
		test_clocks_at_their_extremes_read_back,
		test_a_sheet_without_rows_reads_back,
		test_one_column_alone_is_the_same_as_among_all,
		test_what_is_not_loaded_stays_away_when_rows_are_added,
		test_one_sheet_after_the_other_is_read_into_the_same_memory,
		test_sheets_are_appended_to_what_is_in_the_buffer,
		test_more_rows_than_a_sheet_may_have_are_refused,
		test_rows_that_hardly_change_take_next_to_nothing,
		NULL,
	};

	return check_main("sheet_codec", tests);
}
