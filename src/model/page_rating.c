/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the drive catalogue says of a drive (rating.c). No page of any drive; one that is not in the
 * catalogue does not have it. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define TEXT(offset_, size_, name_, help_)                                               \
	{ .name = name_, .type = FIELD_ASCII, .offset = offset_, .size = size_,          \
	  .absent = ABSENT_ZERO, .help = help_ }
#define WHOLE(offset_, name_, help_)                                                     \
	{ .name = name_, .offset = offset_, .size = 8, .absent = ABSENT_ZERO, .help = help_ }
/* In millionths; latencies in billionths. */
#define REAL(offset_, name_, help_)                                                      \
	{ .name = name_, .offset = offset_, .size = 6, .div = 1000000,                   \
	  .absent = ABSENT_ZERO, .help = help_ }
#define LATENCY(offset_, name_, help_)                                                   \
	{ .name = name_, .offset = offset_, .size = 6, .div = 1000000000,                \
	  .absent = ABSENT_ZERO, .help = help_ }

static const struct field fields[] = {
	{ .name = "rated_drive_writes_per_day", .kind = FIELD_GAUGE, .offset = 0, .size = 6,
	  .div = 1000000, .absent = ABSENT_ZERO,
	  .help = "Writes of the whole capacity per day that the drive's maker rates it for, over the "
		  "warranty." },
	REAL(8, "rated_sequential_drive_writes_per_day",
	     "The same for sequential writes, where it is another."),
	WHOLE(16, "rated_written_bytes", "Bytes that the drive is rated to have written to it."),
	TEXT(24, 16, "basis", "The writes that the rating is for: random, sequential, jesd219 (that "
			      "standard's workloads) or unstated."),
	REAL(40, "rated_warranty_years", "Years that the rating is for."),
	WHOLE(48, "rated_capacity_bytes", "Capacity that the rating is for."),
	REAL(56, "rated_throttle_min_celsius", "Temperature from which the drive throttles."),
	REAL(64, "rated_throttle_max_celsius", "Temperature at which it throttles most."),
	REAL(72, "rated_active_watts", "Power under load."),
	REAL(80, "rated_idle_watts", "Power when idle."),
	WHOLE(88, "rated_read_bytes_per_second", "Sequential read throughput."),
	WHOLE(96, "rated_write_bytes_per_second", "Sequential write throughput."),
	WHOLE(104, "rated_random_read_ios_per_second", "Random reads of 4 KiB."),
	WHOLE(112, "rated_random_write_ios_per_second", "Random writes of 4 KiB, in steady state."),
	LATENCY(120, "rated_read_latency_seconds", "Latency of a single read."),
	LATENCY(128, "rated_write_latency_seconds", "Latency of a single write."),
	WHOLE(136, "rated_indirection_unit_bytes", "Size below which writes cost more than they are."),
	TEXT(144, 64, "family", "What the maker calls these drives."),
	TEXT(208, 192, "source", "Where the figures are from."),
	TEXT(400, 64, "entry", "The entry of the drive catalogue that was matched."),
	TEXT(464, 64, "pattern", "The pattern of it that the model matches."),
	TEXT(528, 64, "file", "The file that it is in."),
	TEXT(592, 8, "origin", "Whether that file is shipped or the site's own."),
};

const struct page rating_page = {
	.name = "rating",
	.title = "Rated figures (from the drive catalogue)",
	.prefix = "wear",
	.command = PAGE_DERIVED,
	.size = 600,
	.cadence = CADENCE_ATTACH,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
