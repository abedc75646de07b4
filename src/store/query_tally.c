/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query_internal.h"

/* Eight bins for every doubling. */
static unsigned bin_of(uint64_t value)
{
	if (value < 8)
		return (unsigned)value;
	unsigned exponent = 63 - (unsigned)__builtin_clzll(value);
	return (exponent - 2) * 8 + (unsigned)(value >> (exponent - 3) & 7);
}

/* The greatest value in it. */
static int64_t greatest(unsigned bin)
{
	if (bin < 8)
		return bin;
	return (int64_t)(((UINT64_C(9) + bin % 8) << (bin / 8 - 1)) - 1);
}

void tally_add(struct tally *t, int64_t value, uint64_t times)
{
	if (value <= 0)
		return;
	t->bins[bin_of((uint64_t)value)] += times;
	t->n += times;
}

int64_t tally_median(const struct tally *t)
{
	uint64_t below = 0;

	for (unsigned i = 0; i < TALLY_BINS; i++) {
		below += t->bins[i];
		if (below && below * 2 >= t->n)
			return greatest(i);
	}
	return 0;
}
