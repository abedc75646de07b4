/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "field_bits.h"
#include "items.h"

static void raw_put(const struct field *f, uint8_t *p, uint64_t raw)
{
	unsigned low = f->size > 8 ? 8 : f->size;

	if (f->bits) {
		uint64_t mask = field_ones(f) << f->shift;
		bytes_put(p, low, (bytes_get(p, low) & ~mask) | raw << f->shift);
		return;
	}
	memset(p, 0, f->size);
	bytes_put(p, low, raw);
}

static int absent_encode(const struct field *f, uint8_t *p)
{
	if (f->absent & ABSENT_ZERO) {
		raw_put(f, p, 0);
	} else if (f->absent & ABSENT_ONES) {
		if (f->bits)
			raw_put(f, p, field_ones(f));
		else
			memset(p, 0xff, f->size);
	} else if (f->max && f->max < field_ones(f)) {
		raw_put(f, p, field_ones(f));
	} else {
		return -EINVAL;
	}
	return 0;
}

static int real_to_raw(const struct field *f, double x, int64_t *ret)
{
	double raw = round(x * (double)(f->div ? f->div : 1) / (double)(f->mul ? f->mul : 1)) -
		     (double)f->bias;

	if (!(raw >= 0 && raw < 9223372036854775808.0))
		return -ERANGE;
	*ret = (int64_t)raw;
	return 0;
}

static int integer_to_raw(const struct field *f, int64_t n, int64_t *ret)
{
	int64_t mul = f->mul ? f->mul : 1, rounded, raw;

	if (f->div)
		return real_to_raw(f, (double)n, ret);
	if (__builtin_add_overflow(n, n < 0 ? -(mul / 2) : mul / 2, &rounded))
		rounded = n;
	if (__builtin_sub_overflow(rounded / mul, f->bias, &raw) || raw < 0)
		return -ERANGE;
	*ret = raw;
	return 0;
}

static int number_encode(const struct field *f, const struct value *v, uint8_t *p)
{
	int64_t raw;
	int r;

	if (v->type == VALUE_TEXT)
		return -EINVAL;
	r = v->type == VALUE_REAL ? real_to_raw(f, v->real, &raw)
				  : integer_to_raw(f, v->integer, &raw);
	if (r < 0)
		return r;
	if ((uint64_t)raw > field_ones(f) || (uint64_t)raw < f->min ||
	    (f->max && (uint64_t)raw > f->max))
		return -ERANGE;
	raw_put(f, p, (uint64_t)raw);
	return 0;
}

static int hex_encode(const struct field *f, const struct value *v, uint8_t *p)
{
	static const char digits[] = "0123456789abcdef";

	if (v->type != VALUE_TEXT || strlen(v->text) != 2u * f->size ||
	    strspn(v->text, digits) != 2u * f->size)
		return -EINVAL;
	for (unsigned i = 0; i < f->size; i++) {
		long high = strchr(digits, v->text[2 * i]) - digits;
		long low = strchr(digits, v->text[2 * i + 1]) - digits;
		p[f->type == FIELD_HEX_LE ? f->size - 1u - i : i] = (uint8_t)(high * 16 + low);
	}
	return 0;
}

static int text_encode(const struct field *f, const struct value *v, uint8_t *p)
{
	if (v->type != VALUE_TEXT)
		return -EINVAL;
	size_t length = strlen(v->text);
	if (length > f->size)
		return -ERANGE;
	memset(p, f->type == FIELD_ASCII ? ' ' : 0, f->size);
	memcpy(p, v->text, length);
	return 0;
}

int field_encode(const struct field *f, unsigned index, const struct value *v, uint8_t *bytes)
{
	unsigned at = field_at(f, index);

	if (f->item)
		return items_encode(f, index, v, bytes);
	if (f->conversion)
		return f->conversion->encode(f, v, bytes, at);
	if (v->type == VALUE_ABSENT)
		return absent_encode(f, bytes + at);
	if (f->type == FIELD_NUMBER)
		return number_encode(f, v, bytes + at);
	if (f->type == FIELD_HEX || f->type == FIELD_HEX_LE)
		return hex_encode(f, v, bytes + at);
	return text_encode(f, v, bytes + at);
}
