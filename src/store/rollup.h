/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What remains of an hour's or a day's rows of one drive and page. Pure. */

#include "sheet.h"

struct rollup {
	int64_t start;           /* of the hour or day, milliseconds */
	int64_t count, resets;   /* rows; counters that were smaller than before */
	int64_t last_time, last_mono;
	struct rolled {
		struct value min, max, last; /* min and max: of gauges */
		int64_t n;      /* values in .sum */
		double sum;     /* of gauges */
		int64_t increase; /* of counters: what they grew by, without what a reset took */
		int64_t before;   /* of counters: the value before, whichever hour or day it was of */
		bool has_before;
	} *columns; /* of the layout; those of sheet_fixed[] are not used */
};

/* What a column of a page is rolled up to. */
enum rolled_kind { ROLLED_LAST, ROLLED_GAUGE, ROLLED_COUNTER };
enum rolled_kind rolled_kind(const struct field *f);

/* 0 or -ENOMEM. */
int rollup_new(const struct layout *l, struct rollup **ret);
void rollup_free(struct rollup *r);
DEFINE_CLEANUP(struct rollup *, rollup_free)

/* Begins another hour or day: nothing is in it. */
void rollup_begin(struct rollup *r, const struct layout *l, int64_t start);

/* Adds a row. kinds: of each column of the layout. */
void rollup_add(struct rollup *r, const enum rolled_kind *kinds, const struct sheet *rows, size_t row);
