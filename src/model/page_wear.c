/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How fast a drive wears and when it is worn out (wear.c), from its counters over time and the drive
 * catalogue. No page of any drive. */

#include <stdio.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"
#include "nvmewatch/wear.h"

/* Of each window 4 numbers, of each basis 3, of 8 bytes. */
#define AT(window_, number_) (32 * window_ + 8 * number_)
#define PACE 160
#define AT_END(basis_, number_) (168 + 24 * basis_ + 8 * number_)

#define LESS .full = true

#define WRITES(index_, window_, ...)                                                     \
	{ .name = "drive_writes_per_day_" window_, .family = "drive_writes_per_day",     \
	  .labels = "window=\"" window_ "\"", .kind = FIELD_GAUGE, .offset = AT(index_, 0), \
	  .size = 6, .div = 1000000, .absent = ABSENT_ONES, __VA_ARGS__                  \
	  .help = "Writes of the whole capacity per day, by hosts, over a window; over its life by the " \
		  "time the drive was powered on." }
#define AMPLIFICATION(index_, window_)                                                   \
	{ .name = "write_amplification_" window_ "_ratio", .family = "write_amplification_ratio", \
	  .labels = "window=\"" window_ "\"", .kind = FIELD_GAUGE, .offset = AT(index_, 1), \
	  .size = 6, .div = 1000000, .absent = ABSENT_ONES, LESS,                        \
	  .help = "Bytes written to the media for each byte that hosts wrote, over a window." }
#define FRACTION(index_, window_)                                                        \
	{ .name = "rated_fraction_" window_ "_ratio", .offset = AT(index_, 2), .size = 6, \
	  .div = 1000000, .absent = ABSENT_ONES,                                         \
	  .help = "Drive writes per day over that window, of those the drive is rated for." }
#define COVERED(index_, window_)                                                         \
	{ .name = "covered_" window_ "_seconds", .offset = AT(index_, 3), .size = 8,     \
	  .absent = ABSENT_ZERO, .help = "So much of that window is known." }

#define EXHAUSTION(index_, basis_)                                                       \
	{ .name = "exhaustion_" basis_ "_timestamp_seconds", .family = "exhaustion_timestamp_seconds", \
	  .labels = "basis=\"" basis_ "\"", .kind = FIELD_GAUGE, .offset = AT_END(index_, 0), \
	  .size = 8, .absent = ABSENT_ZERO,                                              \
	  .help = "When the drive will have used up its endurance if things go on as they do, in Unix " \
		  "time, by what says how much that is." }
#define RANGE(index_, basis_)                                                            \
	{ .name = "exhaustion_" basis_ "_earliest_timestamp_seconds",                    \
	  .offset = AT_END(index_, 1), .size = 8, .absent = ABSENT_ZERO,                 \
	  .help = "The same at the fastest rate seen." },                                \
	{ .name = "exhaustion_" basis_ "_latest_timestamp_seconds",                      \
	  .offset = AT_END(index_, 2), .size = 8, .absent = ABSENT_ZERO,                 \
	  .help = "The same at the slowest rate seen." }

static const struct field fields[] = {
	/* The windows that alerts are made of are for everybody; the others can be had from counters. */
	WRITES(0, "1h", LESS, ),
	WRITES(1, "24h", ),
	WRITES(2, "7d", LESS, ),
	WRITES(3, "30d", ),
	WRITES(4, "life", ),
	AMPLIFICATION(0, "1h"),
	AMPLIFICATION(1, "24h"),
	AMPLIFICATION(2, "7d"),
	AMPLIFICATION(3, "30d"),
	AMPLIFICATION(4, "life"),
	FRACTION(0, "1h"),
	FRACTION(1, "24h"),
	FRACTION(2, "7d"),
	FRACTION(3, "30d"),
	FRACTION(4, "life"),
	COVERED(0, "1h"),
	COVERED(1, "24h"),
	COVERED(2, "7d"),
	COVERED(3, "30d"),
	COVERED(4, "life"),
	{ .name = "endurance_used_per_day_ratio", .kind = FIELD_GAUGE, .offset = PACE, .size = 6,
	  .div = 1000000000, .absent = ABSENT_ONES, .full = true,
	  .help = "Share of the endurance used per day, from the steps of the percentage used." },
	EXHAUSTION(0, "percentage_used"),
	EXHAUSTION(1, "rated_tbw"),
	EXHAUSTION(2, "ocp_endurance"),
	EXHAUSTION(3, "endurance_group"),
	RANGE(0, "percentage_used"),
	RANGE(1, "rated_tbw"),
	RANGE(2, "ocp_endurance"),
	RANGE(3, "endurance_group"),
};

const struct page wear_page = {
	.name = "wear",
	.title = "Wear (derived from SMART, OCP SMART, vendor pages and the drive catalogue)",
	.prefix = "wear",
	.command = PAGE_DERIVED,
	.size = 264,
	.cadence = CADENCE_OCP,
	.history = true,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};

static void put(uint8_t *bytes, const char *column, const struct value *v)
{
	unsigned index;
	const struct field *f = page_field(&wear_page, column, &index);

	/* What does not fit stays absent. */
	if (f)
		(void)field_encode(f, index, v, bytes);
}

/* "write_amplification" of "1h" is the column write_amplification_1h_ratio. */
static void put_real(uint8_t *bytes, const char *name, const char *window, const char *unit, double x)
{
	struct value v = { .type = VALUE_REAL, .real = x };
	char column[FIELD_COLUMN_MAX];

	snprintf(column, sizeof(column), "%s_%s%s", name, window, unit);
	if (x >= 0)
		put(bytes, column, &v);
}

static void put_time(uint8_t *bytes, const char *basis, const char *which, int64_t t)
{
	struct value v = { .type = VALUE_INTEGER, .integer = t };
	char column[FIELD_COLUMN_MAX];

	snprintf(column, sizeof(column), "exhaustion_%s%s_timestamp_seconds", basis, which);
	if (t > 0)
		put(bytes, column, &v);
}

void wear_put(const struct wear_report *r, uint8_t *bytes)
{
	page_blank(&wear_page, bytes);
	for (enum wear_span i = 0; i < WEAR_SPANS; i++) {
		const struct wear_window *w = &r->windows[i];
		const char *window = wear_span_name(i);

		put_real(bytes, "drive_writes_per_day", window, "", w->drive_writes_per_day);
		put_real(bytes, "write_amplification", window, "_ratio", w->write_amplification);
		put_real(bytes, "rated_fraction", window, "_ratio", w->rated_fraction);
		put_real(bytes, "covered", window, "_seconds", w->covered_seconds);
	}
	put_real(bytes, "endurance_used", "per_day", "_ratio",
		 r->used_percent_per_day < 0 ? -1 : r->used_percent_per_day / 100);
	for (enum wear_basis i = 0; i < WEAR_BASES; i++) {
		put_time(bytes, wear_basis_name(i), "", r->ends[i].expected);
		put_time(bytes, wear_basis_name(i), "_earliest", r->ends[i].earliest);
		put_time(bytes, wear_basis_name(i), "_latest", r->ends[i].latest);
	}
}
