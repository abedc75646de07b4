/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What sheets take, in bytes and in CPU time, per value that is present: days of one drive, and quarters
 * of an hour of 24. Prints `name value unit`. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "samples.h"
#include "store/sheet_codec.h"

#define DAY_DRIVES 4
#define BATCH_DRIVES 24
#define BATCHES 8
#define BATCH_TICKS 90
#define DAY_TICKS 8640
#define SCAN_DAYS 30

static struct layout *layouts[SAMPLES_PAGES];

struct cost {
	double encode_seconds, decode_seconds;
	size_t bytes, values;
};

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *what)
{
	fprintf(stderr, "codec: %s\n", what);
	exit(1);
}

static size_t count_values(const struct sheet *s)
{
	size_t n = 0;

	for (size_t i = SHEET_FIXED; i < s->layout->n_columns; i++)
		for (size_t row = 0; row < s->n_rows; row++)
			n += s->columns[i].present[row];
	return n;
}

/* 30 days of two columns, as a query reads them. */
static void scan(const struct buffer *b, const struct layout *l)
{
	bool wanted[64] = { [SHEET_FIXED] = true, [SHEET_FIXED + 1] = true };
	struct sheet *s;

	if (sheet_new(l, &s) < 0)
		fail("no memory");
	double start = cpu_seconds();
	for (int i = 0; i < SCAN_DAYS; i++)
		if (sheet_decode_into(b->data, b->length, wanted, s) < 0)
			fail("cannot decode");
	printf("codec_scan_30_days_of_10_s %.2f ms (aim <= 3)\n", (cpu_seconds() - start) * 1e3);
	sheet_free(s);
}

static void measure(struct sheet *s, int level, bool scanned, struct cost *cost)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };
	struct sheet *again;
	double start = cpu_seconds();

	if (sheet_sort(s) < 0 || sheet_encode(s, level, &b) < 0)
		fail("cannot encode");
	double encoded = cpu_seconds();
	if (sheet_decode(b.data, b.length, s->layout, NULL, &again) < 0)
		fail("cannot decode");
	cost->decode_seconds += cpu_seconds() - encoded;
	cost->encode_seconds += encoded - start;
	cost->bytes += b.length;
	cost->values += count_values(s);
	sheet_free(again);
	if (scanned)
		scan(&b, s->layout);
	sheet_clear(s);
}

/* Sheets of `ticks` x 10 s of n drives each. */
static void run(unsigned first, unsigned n, unsigned sheets, unsigned ticks, bool whole_seconds, int level,
		bool scanned, struct cost *cost)
{
	struct samples_drive *drives = calloc(n, sizeof(*drives));
	struct sheet *s[SAMPLES_PAGES];

	for (unsigned p = 0; p < SAMPLES_PAGES; p++)
		if (sheet_new(layouts[p], &s[p]) < 0)
			fail("no memory");
	for (unsigned i = 0; drives && i < n; i++)
		samples_start(&drives[i], first + i);
	for (unsigned i = 0; drives && i < sheets; i++) {
		for (unsigned tick = 0; tick < ticks; tick++)
			for (unsigned k = 0; k < n; k++)
				if (!samples_next(&drives[k], whole_seconds, s))
					fail("no memory");
		for (unsigned p = 0; p < SAMPLES_PAGES; p++)
			measure(s[p], level, scanned && p == SAMPLES_THERMAL, &cost[p]);
	}
	for (unsigned p = 0; p < SAMPLES_PAGES; p++)
		sheet_free(s[p]);
	free(drives);
}

static void print(const char *what, int level, const struct cost cost[SAMPLES_PAGES], const char *aim)
{
	static const char *const names[] = { "thermal", "smart", "ocp" };
	struct cost sum = { 0 };

	for (unsigned p = 0; p < SAMPLES_PAGES; p++) {
		sum.bytes += cost[p].bytes;
		sum.values += cost[p].values;
		sum.encode_seconds += cost[p].encode_seconds;
		sum.decode_seconds += cost[p].decode_seconds;
		printf("codec_%s_level_%d_%s %.4f B/value\n", what, level, names[p],
		       (double)cost[p].bytes / (double)cost[p].values);
	}
	double millions = (double)sum.values / 1e6;
	printf("codec_%s_level_%d %.4f B/value%s\n", what, level, (double)sum.bytes / (double)sum.values, aim);
	printf("codec_%s_level_%d_encode %.3f s/10^6 values (aim <= 0.5)\n", what, level,
	       sum.encode_seconds / millions);
	printf("codec_%s_level_%d_decode %.4f s/10^6 values\n", what, level, sum.decode_seconds / millions);
}

static void days(int level, bool whole_seconds)
{
	struct cost cost[SAMPLES_PAGES] = { 0 };

	for (unsigned i = 0; i < DAY_DRIVES; i++)
		run(i, 1, 1, DAY_TICKS, whole_seconds, level, i == 2 && level == 12 && !whole_seconds,
		    cost);
	print(whole_seconds ? "days_of_whole_seconds" : "days", level, cost,
	      whole_seconds ? " (aim <= 0.193)" : " (aim <= 0.22)");
}

int main(void)
{
	static const int levels[] = { 3, 9, 12, 19 };

	for (unsigned p = 0; p < SAMPLES_PAGES; p++)
		if (!(layouts[p] = samples_layout(p)))
			fail("no memory");
	for (unsigned i = 0; i < ELEMENTS(levels); i++) {
		struct cost cost[SAMPLES_PAGES] = { 0 };
		days(levels[i], false);
		days(levels[i], true);
		run(0, BATCH_DRIVES, BATCHES, BATCH_TICKS, false, levels[i], false, cost);
		print("batches", levels[i], cost, "");
	}
	for (unsigned p = 0; p < SAMPLES_PAGES; p++)
		layout_free(layouts[p]);
	return 0;
}
