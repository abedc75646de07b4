/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What bytes will take as a zstd frame, without making one: their entropy, for these are mostly noise. */

#include <math.h>

#include "column_split.h"

#define FRAME_BYTES 8     /* lengths and headers */
#define SYMBOL_BYTES 0.5  /* of a byte value in the table of codes */
#define SEQUENCE_BYTES 2  /* an odd byte among many equal ones */

/* The logarithm to within a hundredth; the C library's is most of the time otherwise. */
static double log2_of(size_t n)
{
	unsigned bits = 63 - (unsigned)__builtin_clzll(n);
	double part = (double)n / (double)(UINT64_C(1) << bits) - 1;

	return bits + part * (1.3465 - 0.3465 * part);
}

static double estimate_frame(const uint32_t histogram[static 256], size_t total)
{
	double entropy = 0, log2_total = log2_of(total);
	size_t most = 0, symbols = 0;

	for (unsigned i = 0; i < 256; i++) {
		if (histogram[i] == 0)
			continue;
		entropy += histogram[i] * (log2_total - log2_of(histogram[i]));
		most = histogram[i] > most ? histogram[i] : most;
		symbols++;
	}
	/* A code has one bit at least. */
	double coded = fmax(entropy, (double)total) / 8 + (double)symbols * SYMBOL_BYTES;
	double odd = fmax(entropy / 8, (double)(total - most) * SEQUENCE_BYTES);
	return fmin(fmin(coded, odd) + FRAME_BYTES, (double)total);
}

static double estimate_high(const uint64_t *numbers, size_t n, unsigned low_bits)
{
	uint32_t histogram[256] = { 0 };
	size_t total = n;
	uint64_t any = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t high = numbers[i] >> low_bits;
		any |= high;
		for (; high > 127; high >>= 7, total++)
			histogram[(high & 127) | 128]++;
		histogram[high]++;
	}
	return any ? estimate_frame(histogram, total) : 0;
}

static double estimate_low(const uint64_t *numbers, size_t n, unsigned bits)
{
	uint32_t histogram[256] = { 0 };
	uint64_t mask = (UINT64_C(1) << bits) - 1;
	size_t each, total = 0;

	if (bits == 0 || 8 % bits != 0)
		return (double)n * bits / 8;
	each = 8 / bits;
	for (size_t i = 0; i < n; i += each, total++) {
		uint64_t byte = 0;
		for (size_t k = 0; k < each && i + k < n; k++)
			byte |= (numbers[i + k] & mask) << k * bits;
		histogram[byte]++;
	}
	return estimate_frame(histogram, total);
}

size_t split_estimate(const uint64_t *numbers, size_t n, unsigned low_bits)
{
	return (size_t)(estimate_high(numbers, n, low_bits) + estimate_low(numbers, n, low_bits));
}
