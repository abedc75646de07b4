/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* store/sheet_codec.h: bytes that are not what sheet_encode() wrote are refused, whatever they are. */

#include <errno.h>
#include <zlib.h>

#include "sheet_support.h"
#include "store/sheet_codec.h"

#define ROUNDS 30000

static const char columns[] = FIXED_TEXT " a:i b:i c:i d:r e:t";

static void encode(const struct layout *l, size_t rows, uint64_t seed, struct buffer *b)
{
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);
	static const char *const texts[] = { "one", "two", "three" };

	for (size_t i = 0; i < rows; i++) {
		uint64_t random = random_next(&seed);
		size_t row = add_row(s, (int64_t)(4 * i / rows), (int64_t)(i * 1000 + random % 5));
		struct value v = { .type = VALUE_REAL, .real = (double)(random % 777) / 10 };
		set_integer(s, row, 5, (int64_t)(random % 3));
		if (i % 3)
			set_integer(s, row, 6, (int64_t)(random >> 30));
		set_integer(s, row, 7, (int64_t)(i / 10 * 3600));
		ck_assert_int_eq(sheet_set(s, row, 8, &v), 0);
		if (random % 2)
			set_text(s, row, 9, texts[random / 2 % 3]);
	}
	ck_assert_int_eq(sheet_encode(s, 3, b), 0);
}

static int decode(const struct layout *l, const void *data, size_t size)
{
	/* Of its own, that a byte too far is noticed. */
	_cleanup_(freep) uint8_t *bytes = malloc(size ? size : 1);
	struct sheet *s = NULL;

	memcpy(bytes, data, size);
	int r = sheet_decode(bytes, size, l, NULL, &s);
	ck_assert(r == 0 ? s != NULL : s == NULL);
	sheet_free(s);
	return r;
}

/* Makes the checksum true again, so that the damage gets past it. */
static void seal(uint8_t *bytes, size_t size)
{
	bytes_put(bytes, 4, crc32_z(0, bytes + 4, size - 4));
}

START_TEST(test_any_changed_byte_is_noticed)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);

	for (unsigned seed = 0; seed < 4; seed++) {
		_cleanup_(buffer_done) struct buffer b = { 0 };
		encode(l, seed * 40, seed, &b);
		for (size_t i = 0; i < b.length; i++)
			for (unsigned x = 1; x < 256; x += x < 4 || x > 250 ? 1 : 31) {
				b.data[i] = (char)(b.data[i] ^ (int)x);
				ck_assert_int_eq(decode(l, b.data, b.length), -EUCLEAN);
				b.data[i] = (char)(b.data[i] ^ (int)x);
			}
		ck_assert_int_eq(decode(l, b.data, b.length), 0);
	}
}
END_TEST

START_TEST(test_any_missing_end_is_noticed)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);

	for (unsigned seed = 0; seed < 4; seed++) {
		_cleanup_(buffer_done) struct buffer b = { 0 };
		encode(l, seed * 100, seed, &b);
		for (size_t i = 0; i < b.length; i++) {
			_cleanup_(freep) uint8_t *bytes = malloc(i + 4);
			ck_assert_int_eq(decode(l, b.data, i), -EUCLEAN);
			memcpy(bytes, b.data, i);
			if (i < 4)
				continue;
			seal(bytes, i);
			ck_assert_int_eq(decode(l, bytes, i), -EUCLEAN);
		}
		buffer_put(&b, "", 1);
		seal((uint8_t *)b.data, b.length);
		ck_assert_int_eq(decode(l, b.data, b.length), -EUCLEAN);
	}
}
END_TEST

START_TEST(test_bytes_made_up_to_pass_the_checksum_do_no_harm)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	uint64_t state = 2026;
	unsigned refused = 0;

	for (unsigned seed = 0; seed < 6; seed++) {
		_cleanup_(buffer_done) struct buffer b = { 0 };
		encode(l, 1 + seed * seed * 20, seed, &b);
		_cleanup_(freep) uint8_t *bytes = malloc(b.length);
		for (unsigned i = 0; i < ROUNDS / 6; i++) {
			memcpy(bytes, b.data, b.length);
			for (unsigned n = 1 + (unsigned)(random_next(&state) % 3); n > 0; n--) {
				/* The heads of things are where it matters. */
				uint64_t at = random_next(&state) % (n % 2 ? b.length - 4 : 40);
				bytes[4 + at % (b.length - 4)] = (uint8_t)(random_next(&state) >> 20);
			}
			seal(bytes, b.length);
			int r = decode(l, bytes, b.length);
			ck_assert(r == 0 || r == -EUCLEAN || r == -EPROTO);
			refused += r < 0;
		}
	}
	ck_assert_uint_gt(refused, ROUNDS / 4);
}
END_TEST

START_TEST(test_another_layout_is_refused)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns), *less = test_layout(FIXED_TEXT " a:i");
	_cleanup_(buffer_done) struct buffer b = { 0 };

	encode(l, 10, 1, &b);
	ck_assert_int_eq(decode(less, b.data, b.length), -EUCLEAN);
}
END_TEST

START_TEST(test_what_a_newer_version_wrote_is_told_apart)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(buffer_done) struct buffer b = { 0 };

	encode(l, 10, 1, &b);
	b.data[4]++;
	seal((uint8_t *)b.data, b.length);
	ck_assert_int_eq(decode(l, b.data, b.length), -EPROTO);
	b.data[4] = 0;
	seal((uint8_t *)b.data, b.length);
	ck_assert_int_eq(decode(l, b.data, b.length), -EUCLEAN);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_any_changed_byte_is_noticed,
		test_any_missing_end_is_noticed,
		test_bytes_made_up_to_pass_the_checksum_do_no_harm,
		test_another_layout_is_refused,
		test_what_a_newer_version_wrote_is_told_apart,
		NULL,
	};

	return check_main("sheet_damage", tests);
}
