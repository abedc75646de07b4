/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Power Measurement, log page 25h (NVMe Base 2.3, 5.2.12.1.34): what a measurement that the host has
 * started has found, with a histogram of the samples. Its first 64 bins are read. */

#include "conversion.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define HEADER 64
#define BIN_SIZE 8
#define BINS 64

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_capability(facts, "ctratt", 21);
}

static bool maximum_time_reported(const uint8_t *bytes, unsigned index)
{
	(void)index;
	return bytes[2] >> 3 & 1;
}

/* NPHD bins of the size that is known. */
static bool bin_reported(const uint8_t *bytes, unsigned index)
{
	return index < bytes_get(bytes + 12, 2) && bytes_get(bytes + 24, 2) == BIN_SIZE;
}

#define PLAIN(offset_, size_, name_, help_)                                              \
	{ .name = name_, .offset = offset_, .size = size_, .help = help_ }
#define POWER(offset_, stat_, help_)                                                     \
	{ .name = "interval_power_" stat_ "_watts", .family = "interval_power_watts",    \
	  .labels = "stat=\"" stat_ "\"", .kind = FIELD_GAUGE, .offset = offset_,        \
	  .size = 4, .full = true, .conversion = &interval_power, .help = help_ }
#define BIN(at_)                                                                         \
	.offset = HEADER + at_, .size = 4, .count = BINS, .first = 1, .stride = BIN_SIZE, \
	.label = "bin", .reported = bin_reported

static const struct field fields[] = {
	PLAIN(0, 1, "version", "Version of the page."),
	PLAIN(1, 1, "generation", "Number of the measurement, modulo 256."),
	PLAIN(2, 2, "attributes",
	      "Bit 0 a measurement runs, 1 it has gaps, 2 values are estimated, 3 the time of the highest "
	      "is known, 4 the histogram overflowed, 15:12 what is measured."),
	PLAIN(4, 4, "size_bytes", "Size of the page."),
	{ .name = "samples", .kind = FIELD_GAUGE, .offset = 8, .size = 4, .full = true,
	  .help = "Power samples of the measurement, saturating." },
	PLAIN(12, 2, "histogram_bins", "Bins of the histogram."),
	{ .name = "stop_seconds", .offset = 14, .size = 2, .mul = 60,
	  .help = "Time until the measurement stops, in whole minutes." },
	{ .name = "start_timestamp_seconds", .offset = 16, .size = 8, .conversion = &timestamp,
	  .help = "When the measurement began." },
	{ .name = "histogram_bin_watts", .offset = 26, .size = 2, .div = 1000, .absent = ABSENT_ZERO,
	  .help = "Power that a bin of the histogram spans." },
	PLAIN(28, 2, "nphds", "NPHDS as the drive has it, of which bins it can keep."),
	PLAIN(30, 2, "vss", "VSS as the drive has it, of the vendor's part."),
	PLAIN(32, 4, "histogram_overflow_samples", "Samples above the last bin, saturating."),
	POWER(40, "avg", "Power of the intervals of a measurement."),
	POWER(44, "max", "Highest power of an interval."),
	{ .name = "interval_power_max_timestamp_seconds", .offset = 48, .size = 8,
	  .reported = maximum_time_reported, .conversion = &timestamp, .help = "When that was." },
	{ .name = "error_ratio", .offset = 56, .size = 1, .div = 100, .absent = ABSENT_ONES,
	  .help = "Uncertainty of the measurement." },
	{ .name = "histogram_samples", BIN(0), .help = "Samples in a bin of the histogram." },
	{ .name = "histogram_lower_raw", BIN(4),
	  .help = "Where a bin begins, as the drive has it (PHBLT)." },
};

const struct page power_measurement_page = {
	.name = "power_measurement",
	.title = "Power Measurement (log page 25h)",
	.prefix = "power_measurement",
	.command = PAGE_LOG,
	.id = 0x25,
	.size = HEADER + BINS * BIN_SIZE,
	.cadence = CADENCE_POWER,
	.may_be_zero = true, /* nothing was measured yet */
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
