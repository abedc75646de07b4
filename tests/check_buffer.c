/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Text that is built piece by piece, and how numbers are written. */

#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "check_main.h"
#include "nvmewatch/buffer.h"

static const char *integer_text(int64_t n)
{
	static char text[64];
	_cleanup_(buffer_done) struct buffer b = { 0 };

	buffer_integer(&b, n);
	snprintf(text, sizeof(text), "%.*s", (int)b.length, b.data);
	return text;
}

static const char *real_text(double x)
{
	static char text[64];
	_cleanup_(buffer_done) struct buffer b = { 0 };

	buffer_real(&b, x);
	snprintf(text, sizeof(text), "%.*s", (int)b.length, b.data);
	return text;
}

START_TEST(test_integers_are_exact)
{
	static const int64_t samples[] = { 0, 1, -1, 9, 10, -10, 1000000,
					   INT64_C(16579274242048000), INT64_MAX, INT64_MIN,
					   INT64_MIN + 1 };
	char expected[32];

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		snprintf(expected, sizeof(expected), "%" PRId64, samples[i]);
		ck_assert_str_eq(integer_text(samples[i]), expected);
	}
	ck_assert_str_eq(integer_text(INT64_MIN), "-9223372036854775808");
}
END_TEST

/* Case DEC-06: a point, no separators, whatever the host's language. */
START_TEST(test_DEC_06_reals_have_a_point)
{
	ck_assert_str_eq(real_text(3.5), "3.5");
	ck_assert_str_eq(real_text(-0.25), "-0.25");
	ck_assert_str_eq(real_text(1234567.5), "1234567.5");
	ck_assert_str_eq(real_text(1e15), "1e+15");
}
END_TEST

START_TEST(test_reals_are_as_short_as_can_be)
{
	ck_assert_str_eq(real_text(0.03), "0.03");
	ck_assert_str_eq(real_text(0.97), "0.97");
	ck_assert_str_eq(real_text(0.0018), "0.0018");
	ck_assert_str_eq(real_text(1.3), "1.3");
	ck_assert_str_eq(real_text(0), "0");
	ck_assert_str_eq(real_text(25), "25");
	ck_assert_str_eq(real_text(0.1 + 0.2), "0.30000000000000004");
}
END_TEST

START_TEST(test_reals_read_back_equal)
{
	static const double edges[] = { DBL_MAX, DBL_MIN, DBL_EPSILON, 4.9e-324, -DBL_MAX,
					9007199254740993.0, 1.0 / 3 };
	uint64_t seed = 2, bits;
	char text[32];
	double x;

	for (size_t i = 0; i < ELEMENTS(edges); i++)
		ck_assert(strtod(real_text(edges[i]), NULL) == edges[i]);
	for (int i = 0; i < 100000; i++) {
		bits = random_next(&seed);
		memcpy(&x, &bits, sizeof(x));
		format_real(x, text);
		if (x == x && strtod(text, NULL) != x)
			ck_abort_msg("%a is written %s", x, text);
	}
}
END_TEST

START_TEST(test_pieces_stand_in_order)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };

	buffer_text(&b, "a=");
	buffer_integer(&b, -7);
	buffer_put(&b, "\0x", 2);
	buffer_printf(&b, "%s %d", "c", 9);
	buffer_text(&b, "");
	ck_assert(!b.failed);
	ck_assert_uint_eq(b.length, 9);
	ck_assert_mem_eq(b.data, "a=-7\0xc 9", 9);
}
END_TEST

/* Piece by piece over every size at which it has to grow. */
START_TEST(test_a_buffer_grows)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };

	for (unsigned i = 0; i < 100000; i++)
		buffer_put(&b, (char[]){ (char)('a' + i % 26) }, 1);
	ck_assert_uint_eq(b.length, 100000);
	for (unsigned i = 0; i < 100000; i++)
		if (b.data[i] != (char)('a' + i % 26))
			ck_abort_msg("byte %u", i);
}
END_TEST

START_TEST(test_a_long_piece_fits)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };
	_cleanup_(freep) char *text = malloc(70001);

	memset(text, 'x', 70000);
	text[70000] = 0;
	buffer_text(&b, "y");
	buffer_text(&b, text);
	buffer_printf(&b, "%s", text);
	ck_assert_uint_eq(b.length, 140001);
	ck_assert_int_eq(b.data[0], 'y');
	ck_assert_mem_eq(b.data + 1, text, 70000);
	ck_assert_mem_eq(b.data + 70001, text, 70000);
}
END_TEST

START_TEST(test_a_failed_buffer_takes_no_more)
{
	struct buffer b = { .failed = true };

	buffer_text(&b, "a");
	buffer_printf(&b, "%d", 1);
	ck_assert_uint_eq(b.length, 0);
	ck_assert_ptr_null(b.data);
	buffer_done(&b);
	ck_assert(!b.failed);
}
END_TEST

START_TEST(test_formatted_text_is_the_callers)
{
	_cleanup_(freep) char *text = format_text("%s/%d", "a", 7), *none = format_text("%s", "");

	ck_assert_str_eq(text, "a/7");
	ck_assert_str_eq(none, "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_integers_are_exact,
		test_DEC_06_reals_have_a_point,
		test_reals_are_as_short_as_can_be,
		test_reals_read_back_equal,
		test_pieces_stand_in_order,
		test_a_buffer_grows,
		test_a_long_piece_fits,
		test_a_failed_buffer_takes_no_more,
		test_formatted_text_is_the_callers,
		NULL,
	};

	return check_main("buffer", tests);
}
