/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Decoding and encoding are each other's inverse, for every row and element. The bytes of a number
 * are laid out here by hand, so that both directions are held against a third. */

#include <errno.h>

#include "field_rows.h"

#define NPSS 263 /* Identify: how many power states there are */
#define RANDOM_VALUES 40

static uint64_t seed = 1;

/* A page of noise, in which every array element is reported, and a row's item is the first
 * and the only one of its id. */
static void noise(const struct row *r, uint8_t *bytes)
{
	const struct page *p = r->page;

	for (unsigned i = 0; i < p->size; i++)
		bytes[i] = (uint8_t)random_next(&seed);
	if (p == &identify_page) {
		bytes[NPSS] = 31;
		bytes[254] |= 0x80; /* VWCI is valid */
	}
	if (p == &error_information_page)
		for (unsigned at = 0; at < p->size; at += 64)
			bytes[at] |= 1, bytes[at + 15] &= 0x7f, bytes[at + 63] |= 1; /* numbers, places, opcodes */
	if (p == &self_test_page) {
		bytes[0] |= 1; /* one runs; all results are there, of segments that are known */
		for (unsigned at = 4; at < p->size; at += 28)
			bytes[at] = (uint8_t)((bytes[at] & 0xf0) | 0x17), bytes[at + 2] |= 0xf;
	}
	if (p == &power_measurement_page) {
		bytes[2] |= 8;                /* the time of the maximum, */
		put_number(bytes, 12, 2, 64); /* bins, */
		put_number(bytes, 24, 2, 8);  /* of the size that is known */
	}
	if (p == &namespace_page) {
		bytes[24] |= 0x10; /* granularities are valid */
		bytes[32] |= 0x80; /* so is the progress of a format */
	}
	if (p == &memblaze_smart_old_page)
		put_hex(bytes, 72, "ec 00 00 00 00 00 00 00 00 00 00 00 ad 00 00 00 00 00 00 00 00 00 00 00 "
			"f5 00 00 00 00 00 00 00 00 00 00 00 eb 00 00 00 00 00 00 00 00 00 00 00 "
			"ed 00 00 00 00 00 00 00 00 00 00 00 ee 00 00 00 00 00 00 00 00 00 00 00 "
			"ef 00 00 00 00 00 00 00 00 00 00 00 f0 00 00 00 00 00 00 00 00 00 00 00 "
			"f1 00 00 00 00 00 00 00 00 00 00 00 f2 00 00");
	for (unsigned at = 0; r->field->item && at < p->size; at += r->field->item_size)
		bytes[at] = at ? 1 : r->field->item;
	if (p == &ocp_latency_monitor_page) {
		bytes[0] |= 1;   /* enabled */
		bytes[462] |= 1; /* what triggered the debug log */
	}
}

static unsigned bits_of(const struct field *f)
{
	return f->bits ? f->bits : 8u * f->size;
}

/* The highest raw number whose value fits into 64 bits. */
static uint64_t highest(const struct field *f)
{
	uint64_t ones = bits_of(f) >= 64 ? UINT64_MAX : (UINT64_C(1) << bits_of(f)) - 1;
	uint64_t fits = (uint64_t)(INT64_MAX / (f->mul ? f->mul : 1));

	if (f->bias < 0 && fits < INT64_MAX)
		fits += (uint64_t)-f->bias;
	if (f->max && f->max < ones)
		ones = f->max;
	return ones < fits ? ones : fits;
}

static bool is_reported(const struct field *f, uint64_t raw)
{
	bool ones = bits_of(f) < 64 ? raw >> bits_of(f) == 0 &&
				      raw + 1 == UINT64_C(1) << bits_of(f) : raw == UINT64_MAX;

	return raw >= f->min && (!f->max || raw <= f->max) && !(ones && f->absent & ABSENT_ONES) &&
	       (raw || !(f->absent & ABSENT_ZERO));
}

static struct value value_of(const struct field *f, uint64_t raw)
{
	int64_t n = ((int64_t)raw + f->bias) * (f->mul ? f->mul : 1);

	if (f->div)
		return (struct value){ .type = VALUE_REAL, .real = (double)n / (double)f->div };
	return (struct value){ .type = VALUE_INTEGER, .integer = n };
}

/* Puts the number down bit by bit. */
static void put_raw(const struct field *f, unsigned index, uint8_t *bytes, uint64_t raw)
{
	unsigned at = 8 * (f->offset + index * f->stride) + f->shift;

	for (unsigned bit = 0; bit < bits_of(f); bit++, at++) {
		unsigned one = bit < 64 ? raw >> bit & 1 : 0;
		bytes[at / 8] = (uint8_t)((bytes[at / 8] & ~(1u << at % 8)) | one << at % 8);
	}
}

static void check_number(const struct row *r, unsigned index, uint64_t raw)
{
	uint8_t wanted[PAGE_SIZE_MAX], bytes[PAGE_SIZE_MAX];
	struct value expected = value_of(r->field, raw), v;
	char shown[2][VALUE_SHOWN_MAX];

	noise(r, bytes);
	memcpy(wanted, bytes, r->page->size);
	put_raw(r->field, index, wanted, raw);
	int code = field_decode(r->field, index, wanted, &v);
	if (!is_reported(r->field, raw)) {
		ck_row(r, "is not reported", code == -ENODATA && v.type == VALUE_ABSENT);
		return;
	}
	value_show(&v, shown[0]);
	value_show(&expected, shown[1]);
	ck_assert_msg(code == 0 && v.type == expected.type && !strcmp(shown[0], shown[1]),
		      "%s.%s: %s decoded as %s", r->page->name, r->field->name, shown[1], shown[0]);
	ck_row(r, shown[1], field_value_type(r->field) == v.type);
	ck_row(r, shown[1], field_encode(r->field, index, &expected, bytes) == 0);
	/* A double holds 53 bits, less what rounding costs. */
	if (!r->field->div || raw < UINT64_C(1) << 50)
		ck_row(r, "bytes", !memcmp(bytes, wanted, r->page->size));
}

START_TEST(test_numbers_survive_the_round_trip)
{
	for (struct row *r = rows; r < rows + n_rows; r++) {
		if (r->field->type != FIELD_NUMBER || r->field->conversion)
			continue;
		uint64_t most = highest(r->field);
		for (unsigned i = 0; i < field_count(r->field); i++) {
			check_number(r, i, 0);
			check_number(r, i, 1);
			check_number(r, i, most - 1);
			check_number(r, i, most);
			for (unsigned k = 0; k < RANDOM_VALUES; k++) {
				uint64_t n = random_next(&seed) >> k;
				check_number(r, i, most == UINT64_MAX ? n : n % (most + 1));
			}
		}
	}
}
END_TEST

/* Whatever can be written can be unwritten; what cannot be absent says so and leaves the page. */
START_TEST(test_absent_survives_the_round_trip)
{
	static const struct value absent = { .type = VALUE_ABSENT };
	uint8_t bytes[PAGE_SIZE_MAX], before[PAGE_SIZE_MAX];
	struct value v;

	for (struct row *r = rows; r < rows + n_rows; r++)
		for (unsigned i = 0; i < field_count(r->field); i++) {
			noise(r, bytes);
			memcpy(before, bytes, r->page->size);
			int code = field_encode(r->field, i, &absent, bytes);
			if (code == 0)
				ck_row(r, "absent",
				       field_decode(r->field, i, bytes, &v) == -ENODATA);
			else
				ck_row(r, "refused", code == -EINVAL &&
				       !memcmp(before, bytes, r->page->size));
			ck_row(r, "no way to be absent", code == 0 || !r->field->absent);
		}
}
END_TEST

static void check_text(const struct row *r, size_t length)
{
	uint8_t bytes[PAGE_SIZE_MAX];
	struct value v = { .type = VALUE_TEXT }, back;

	for (size_t i = 0; i < length; i++)
		v.text[i] = (char)('!' + random_next(&seed) % 94);
	noise(r, bytes);
	ck_row(r, v.text, field_encode(r->field, 0, &v, bytes) == 0);
	int code = field_decode(r->field, 0, bytes, &back);
	if (length)
		ck_row(r, v.text,
		       code == 0 && back.type == VALUE_TEXT && !strcmp(back.text, v.text));
	else
		ck_row(r, "empty", code == (r->field->absent & ABSENT_ZERO ? -ENODATA : 0));
}

START_TEST(test_texts_of_every_width_survive_the_round_trip)
{
	for (struct row *r = rows; r < rows + n_rows; r++)
		for (size_t length = 0; length <= r->field->size; length++)
			if ((r->field->type == FIELD_ASCII || r->field->type == FIELD_STRING) &&
			    !r->field->conversion)
				check_text(r, length);
}
END_TEST

START_TEST(test_hex_survives_the_round_trip)
{
	uint8_t bytes[PAGE_SIZE_MAX], again[PAGE_SIZE_MAX];
	struct value v;

	for (struct row *r = rows; r < rows + n_rows; r++) {
		if (r->field->type != FIELD_HEX && r->field->type != FIELD_HEX_LE)
			continue;
		noise(r, bytes);
		noise(r, again);
		const uint8_t *at = bytes + r->field->offset;
		ck_assert_int_eq(field_decode(r->field, 0, bytes, &v), 0);
		ck_assert_uint_eq(strlen(v.text), 2u * r->field->size);
		unsigned first, wanted = at[r->field->type == FIELD_HEX ? 0 : r->field->size - 1];
		ck_assert_int_eq(sscanf(v.text, "%2x", &first), 1);
		ck_assert_uint_eq(first, wanted);
		ck_assert_int_eq(field_encode(r->field, 0, &v, again), 0);
		ck_assert_mem_eq(again + r->field->offset, at, r->field->size);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_numbers_survive_the_round_trip,
		test_absent_survives_the_round_trip,
		test_texts_of_every_width_survive_the_round_trip,
		test_hex_survives_the_round_trip,
		NULL,
	};

	rows_gather();
	return check_main("field codec", tests);
}
