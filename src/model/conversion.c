/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "conversion.h"

#include <errno.h>
#include <math.h>

#define TIMESTAMP_BITS 48 /* milliseconds */
#define ORIGIN_HOST 1     /* byte 6, bits 3:1 */

static int power_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	uint64_t raw = bytes_get(bytes + at, f->size), scale = raw >> 16 & 3;

	if (scale != 1 && scale != 2)
		return -ENODATA;
	ret->real = (double)(raw & 0xffff) / (scale == 1 ? 10000 : 100);
	ret->type = VALUE_REAL;
	return 0;
}

static int power_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	double watts = v->type == VALUE_REAL ? v->real : (double)v->integer;
	uint64_t scale = watts * 10000 <= 0xffff ? 1 : 2;
	double raw = round(watts * (scale == 1 ? 10000 : 100));

	if (v->type == VALUE_TEXT)
		return -EINVAL;
	if (v->type == VALUE_ABSENT) {
		bytes_put(bytes + at, f->size, 0);
		return 0;
	}
	if (!(raw >= 0 && raw <= 0xffff))
		return -ERANGE;
	bytes_put(bytes + at, f->size, scale << 16 | (uint64_t)raw);
	return 0;
}

static int timestamp_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	uint64_t raw = bytes_get(bytes + at, f->size);
	uint64_t milliseconds = raw & ((UINT64_C(1) << TIMESTAMP_BITS) - 1);

	if (!milliseconds || raw == UINT64_MAX || (bytes[at + 6] >> 1 & 7) != ORIGIN_HOST)
		return -ENODATA;
	ret->real = (double)milliseconds / 1000;
	ret->type = VALUE_REAL;
	return 0;
}

static int timestamp_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	double seconds = v->type == VALUE_REAL ? v->real : (double)v->integer;
	double milliseconds = round(seconds * 1000);

	if (v->type == VALUE_TEXT)
		return -EINVAL;
	if (v->type == VALUE_ABSENT) {
		bytes_put(bytes + at, f->size, 0);
		return 0;
	}
	if (!(milliseconds > 0 && milliseconds < 0x1p48))
		return -ERANGE;
	bytes_put(bytes + at, f->size,
		  (uint64_t)milliseconds | (uint64_t)ORIGIN_HOST << (TIMESTAMP_BITS + 1));
	return 0;
}

const struct field_conversion interval_power = {
	.decode = power_decode, .encode = power_encode, .real = true,
};
const struct field_conversion timestamp = {
	.decode = timestamp_decode, .encode = timestamp_encode, .real = true,
};
