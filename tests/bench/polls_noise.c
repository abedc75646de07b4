/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "polls_noise.h"

#include <math.h>

#include "nvmewatch/cleanup.h"

#define TEMPERATURE 0.35 /* degrees */
#define GROWTH 0.10

static const struct {
	const struct page *page;
	unsigned offset, size;
	uint64_t unit;
} counters[NOISY_COUNTERS] = {
	{ &smart_page, 32, 8, 1 },	 { &smart_page, 48, 8, 1 },
	{ &smart_page, 64, 8, 1 },	 { &smart_page, 80, 8, 1 },
	{ &ocp_smart_page, 0, 8, 16384 }, { &ocp_smart_page, 16, 8, 16384 },
};

void noise_init(struct noise *n, unsigned seed)
{
	*n = (struct noise){ .state = seed * UINT64_C(7919) + 12345 };
}

/* 0 to 1 (splitmix64). */
static double uniform(struct noise *n)
{
	uint64_t z = n->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Of variance 1, as good as normal. */
static double gauss(struct noise *n)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += uniform(n);
	return sum - 6;
}

static void warm(struct noise *n, uint8_t *kelvin)
{
	int64_t value = (int64_t)bytes_get(kelvin, 2);

	if (value)
		bytes_put(kelvin, 2, (uint64_t)(value + lround(TEMPERATURE * gauss(n))));
}

/* It never falls: what it has grown by is what varies. */
static void grow(struct noise *n, unsigned i, uint8_t *bytes)
{
	uint8_t *at = bytes + counters[i].offset;
	uint64_t read = bytes_get(at, counters[i].size);

	if (!n->counters[i].read) {
		n->counters[i].shown = read;
	} else {
		double grown = (double)(read - n->counters[i].read) * (1 + GROWTH * gauss(n));
		n->counters[i].shown += (uint64_t)fmax(grown, 0) / counters[i].unit * counters[i].unit;
	}
	n->counters[i].read = read;
	bytes_put(at, counters[i].size, n->counters[i].shown);
}

void noise_add(struct noise *n, const struct page *p, uint8_t *bytes)
{
	for (unsigned i = 0; i < ELEMENTS(counters); i++)
		if (counters[i].page == p)
			grow(n, i, bytes);
	if (p != &smart_page)
		return;
	warm(n, bytes + 1);
	for (unsigned sensor = 0; sensor < 8; sensor++)
		warm(n, bytes + 200 + 2 * sensor);
}

/* One in a hundred waits for others. */
int64_t noise_delay(struct noise *n)
{
	double ms = 1 + fabs(1.5 * gauss(n)) + (uniform(n) < 0.01 ? 30 * uniform(n) : 0);

	return (int64_t)(ms * 1000);
}
