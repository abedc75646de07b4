/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The floor of a poll: decoding every field of one page 02h, again and again. Prints the CPU time of
 * one in microseconds. */

#include <stdio.h>
#include <time.h>

#include "nvmewatch/page.h"

#define ROUNDS 200000

static double cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int64_t decode(const struct page *p, const uint8_t *bytes)
{
	int64_t sum = 0;
	struct value v;

	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++)
			if (page_decode(p, &p->fields[i], n, bytes, &v) == 0)
				sum += v.type == VALUE_INTEGER ? v.integer : (int64_t)v.real;
	return sum;
}

int main(void)
{
	static uint8_t bytes[PAGE_SIZE_MAX];
	volatile int64_t sink = 0;

	page_blank(&smart_page, bytes);
	for (unsigned i = 32; i < 200; i += 16)
		bytes[i] = 77;
	bytes_put(bytes + 1, 2, 310);
	double start = cpu_us();
	for (int i = 0; i < ROUNDS; i++)
		sink += decode(&smart_page, bytes);
	printf("%.3f\n", (cpu_us() - start) / ROUNDS);
	return 0;
}
