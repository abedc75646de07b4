/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Most real values are whole numbers of a drive's decimal unit: a hundredth of a watt, a tenth of a
 * per cent. Where every one is, exactly, it is written as that whole number, else as its bits. */

#include <math.h>
#include <string.h>

#include "column_value.h"

static const double units[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };

#define FORM_BITS ELEMENTS(units)
#define WHOLE_MAX 0x1p53

static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static double real_of(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static bool whole(uint64_t bits, double unit, int64_t *ret)
{
	double n = round(real_of(bits) * unit);

	if (!(fabs(n) <= WHOLE_MAX))
		return false;
	*ret = (int64_t)n;
	return bits_of((double)*ret / unit) == bits;
}

static bool all_whole(const uint64_t *numbers, size_t n, double unit)
{
	int64_t unused;

	for (size_t i = 0; i < n; i++)
		if (!whole(numbers[i], unit, &unused))
			return false;
	return true;
}

void real_put(uint64_t *numbers, size_t n, struct buffer *out)
{
	uint8_t form = 0;
	int64_t number = 0;

	while (form < FORM_BITS && !all_whole(numbers, n, units[form]))
		form++;
	byte_put(out, form);
	for (size_t i = 0; form < FORM_BITS && i < n; i++)
		if (whole(numbers[i], units[form], &number))
			numbers[i] = (uint64_t)number;
}

bool real_get(struct intake *in, uint8_t *ret_form)
{
	if (in->at == in->end || *in->at > FORM_BITS)
		return false;
	*ret_form = *in->at++;
	return true;
}

void real_undo(uint8_t form, uint64_t *numbers, size_t n)
{
	if (form == FORM_BITS)
		return;
	for (size_t i = 0; i < n; i++)
		numbers[i] = bits_of((double)(int64_t)numbers[i] / units[form]);
}
