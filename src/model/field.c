/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/field.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "field_bits.h"
#include "items.h"
#include "nvmewatch/drive.h"

uint64_t bytes_get(const uint8_t *bytes, unsigned size)
{
	uint64_t n = 0;

	/* The compiler makes one load of the common sizes. */
	if (size == 8)
		memcpy(&n, bytes, 8);
	else if (size == 4)
		memcpy(&n, bytes, 4);
	else
		memcpy(&n, bytes, size);
	return le64toh(n);
}

void bytes_put(uint8_t *bytes, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
}

unsigned field_count(const struct field *f)
{
	return f->count ? f->count : 1;
}

void field_column(const struct field *f, unsigned index, char ret[static FIELD_COLUMN_MAX])
{
	if (f->count)
		snprintf(ret, FIELD_COLUMN_MAX, "%s_%u", f->name, f->first + index);
	else
		snprintf(ret, FIELD_COLUMN_MAX, "%s", f->name);
}

enum value_type field_value_type(const struct field *f)
{
	if (f->type != FIELD_NUMBER)
		return VALUE_TEXT;
	if (f->conversion ? f->conversion->real : f->div != 0)
		return VALUE_REAL;
	return VALUE_INTEGER;
}

const char *field_family(const struct field *f)
{
	return f->family ? f->family : f->name;
}

unsigned field_at(const struct field *f, unsigned index)
{
	return f->offset + index * f->stride;
}

uint64_t field_ones(const struct field *f)
{
	unsigned bits = f->bits ? f->bits : f->size * 8u;

	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

bool field_may_overflow(const struct field *f)
{
	uint64_t product;

	return f->conversion || (f->type == FIELD_NUMBER && f->size > 8) ||
	       __builtin_mul_overflow(field_ones(f), (uint64_t)(f->mul ? f->mul : 1), &product) ||
	       product > INT64_MAX;
}

static bool bytes_all(const uint8_t *bytes, unsigned size, uint8_t byte)
{
	for (unsigned i = 0; i < size; i++)
		if (bytes[i] != byte)
			return false;
	return true;
}

static int field_raw(const struct field *f, const uint8_t *p, uint64_t *ret)
{
	unsigned low = f->size > 8 ? 8 : f->size;

	if ((f->absent & ABSENT_ONES) && !f->bits && bytes_all(p, f->size, 0xff))
		return -ENODATA;
	if (bytes_get(p + low, f->size - low))
		return -ERANGE;

	uint64_t raw = bytes_get(p, low);
	if (f->bits)
		raw = raw >> f->shift & field_ones(f);
	if ((f->absent & ABSENT_ZERO) && !raw)
		return -ENODATA;
	if ((f->absent & ABSENT_ONES) && f->bits && raw == field_ones(f))
		return -ENODATA;
	if (raw < f->min || (f->max && raw > f->max))
		return -ENODATA;
	*ret = raw;
	return 0;
}

static int number_decode(const struct field *f, const uint8_t *p, struct value *ret)
{
	uint64_t raw;
	int64_t n;
	int r = field_raw(f, p, &raw);

	if (r < 0)
		return r;
	if (raw > INT64_MAX || __builtin_add_overflow((int64_t)raw, f->bias, &n) ||
	    __builtin_mul_overflow(n, f->mul ? f->mul : 1, &n))
		return -ERANGE;
	if (f->div) {
		ret->real = (double)n / (double)f->div;
		ret->type = VALUE_REAL;
	} else {
		ret->integer = n;
		ret->type = VALUE_INTEGER;
	}
	return 0;
}

static int hex_decode(const struct field *f, const uint8_t *p, struct value *ret)
{
	if (((f->absent & ABSENT_ZERO) && bytes_all(p, f->size, 0)) ||
	    ((f->absent & ABSENT_ONES) && bytes_all(p, f->size, 0xff)))
		return -ENODATA;
	for (unsigned i = 0; i < f->size; i++)
		snprintf(ret->text + 2 * i, 3, "%02x",
			 p[f->type == FIELD_HEX_LE ? f->size - 1u - i : i]);
	ret->type = VALUE_TEXT;
	return 0;
}

static int text_decode(const struct field *f, const uint8_t *p, struct value *ret)
{
	drive_text(p, f->size, ret->text, sizeof(ret->text));
	if (!ret->text[0] && (f->absent & ABSENT_ZERO))
		return -ENODATA;
	ret->type = VALUE_TEXT;
	return 0;
}

int field_decode(const struct field *f, unsigned index, const uint8_t *bytes, struct value *ret)
{
	unsigned at = field_at(f, index);
	int r;

	ret->type = VALUE_ABSENT;
	if (f->reported && !f->reported(bytes, index))
		return -ENODATA;
	if (f->item) {
		int item = items_find(bytes, f->item_size, f->item);
		if (item < 0)
			return -ENODATA;
		at += (unsigned)item;
	}
	if (f->conversion)
		r = f->conversion->decode(f, bytes, at, ret);
	else if (f->type == FIELD_NUMBER)
		r = number_decode(f, bytes + at, ret);
	else if (f->type == FIELD_HEX || f->type == FIELD_HEX_LE)
		r = hex_decode(f, bytes + at, ret);
	else
		r = text_decode(f, bytes + at, ret);
	if (r < 0)
		ret->type = VALUE_ABSENT;
	return r;
}
