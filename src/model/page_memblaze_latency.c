/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Memblaze latency statistics, log page D0h, version 2: how many commands took how long.
 *
 * Memblaze's others are not read: C3h, high latencies, is drained by reading, so that whoever wants
 * it would miss what nvmewatch has taken; D1h is a list of the same; D2h holds a day of seconds, 2 MB;
 * C1h and C2h are the histograms of older models, whose layout no source gives. */

#include "nvmewatch/cleanup.h"
#include "vendor.h"

#define VERSION_AT 4

/* Bucket n ends below the n-th bound: 50, 100, 150, 200, 300 to 900 us by hundreds; 1, 5, 10, 20, 50,
 * 100, 200 to 900 ms; 1, 2, 3, 4, 5, 8 s; the last has none. */
#define BUCKETS(offset_, op_, help_)                                                     \
	{ .name = op_ "_latency_bucket_ios", .family = "latency_bucket_ios",             \
	  .labels = "op=\"" op_ "\"", .kind = FIELD_COUNTER, .offset = offset_, .size = 4, \
	  .count = 32, .first = 1, .stride = 4, .label = "bucket", .full = true, .help = help_ }

static const struct field fields[] = {
	{ .name = "log_page_minor_version", .offset = 0, .size = 4,
	  .help = "Minor version of the latency statistics (Memblaze)." },
	{ .name = "log_page_version", .offset = VERSION_AT, .size = 2, .since = 2,
	  .help = "Major version of the latency statistics (Memblaze)." },
	BUCKETS(8, "read",
		"Commands by latency, from bucket 1 below 50 us to 32 from 8 s on (Memblaze)."),
	BUCKETS(264, "write", "Writes by latency (Memblaze)."),
	BUCKETS(520, "trim", "Deallocations by latency (Memblaze)."),
};

/* No source says which models have it: those of the later series are asked. */
static enum page_presence presence(const struct page_facts *facts)
{
	static const char *const models[] = { "P6", "D6", "P7", "D7", NULL };
	enum page_presence maker = vendor_memblaze_presence(facts);

	if (maker != PAGE_POSSIBLE || vendor_lists_pages(facts))
		return maker;
	return vendor_model_begins(facts, models) ? PAGE_POSSIBLE : PAGE_LACKED;
}

static bool recognise(const uint8_t *bytes)
{
	return bytes_get(bytes + VERSION_AT, 4) == 2;
}

const struct page memblaze_latency_page = {
	.name = "memblaze_latency",
	.title = "Memblaze latency statistics (log page D0h)",
	.prefix = "memblaze",
	.command = PAGE_LOG,
	.id = 0xd0,
	.size = 648,
	.cadence = CADENCE_SLOW,
	.version_offset = VERSION_AT,
	.version_size = 2,
	.presence = presence,
	.recognise = recognise,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
