/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "column_unit.h"

#include "codec_bytes.h"

static uint64_t magnitude(uint64_t n)
{
	return n >> 63 ? 0 - n : n;
}

/* Of a multiple of the unit. */
static uint64_t divide(uint64_t n, uint64_t unit)
{
	return n >> 63 ? 0 - magnitude(n) / unit : n / unit;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

void unit_find(const uint64_t *numbers, size_t n, struct unit *ret)
{
	int64_t least = n ? (int64_t)numbers[0] : 0;
	uint64_t unit = 0;

	for (size_t i = 0; i < n; i++) {
		if ((int64_t)numbers[i] < least)
			least = (int64_t)numbers[i];
		/* Most are multiples of what was found so far. */
		if (unit != 1 && (unit == 0 || magnitude(numbers[i]) % unit != 0))
			unit = common_divisor(magnitude(numbers[i]), unit);
	}
	ret->unit = unit ? unit : 1;
	ret->least = divide((uint64_t)least, ret->unit);
}

void unit_apply(const struct unit *u, const uint64_t *numbers, uint64_t *ret, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t x = u->unit == 1 ? numbers[i] : divide(numbers[i], u->unit);
		ret[i] = u->based ? x - u->least : zigzag(x);
	}
}

void unit_undo(const struct unit *u, uint64_t *numbers, size_t n)
{
	uint64_t unit = u->unit, least = u->least;

	if (u->based)
		for (size_t i = 0; i < n; i++)
			numbers[i] = (numbers[i] + least) * unit;
	else if (unit == 1)
		for (size_t i = 0; i < n; i++)
			numbers[i] = unzigzag(numbers[i]);
	else
		for (size_t i = 0; i < n; i++)
			numbers[i] = unzigzag(numbers[i]) * unit;
}
