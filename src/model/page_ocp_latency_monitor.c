/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP Latency Monitor, log page C3h (OCP Datacenter NVMe SSD Specification 2.0, 4.8.6): how many
 * commands took longer than thresholds A to D. Bucket 0 counts latencies from A to B, 1 from B to C, 2
 * from C to D, 3 from D on. The active set moves to the static one, and restarts at 0, when its timer
 * reaches the threshold.
 *
 * The arrays of stamps and measured latencies run backwards: bucket 3 comes first, and within a bucket
 * trim, then write, then read. Hence a row for each of them. */

#include <errno.h>
#include <string.h>

#include "nvmewatch/cleanup.h"
#include "ocp.h"

#define STATUS 0
#define ENABLED 0x01
#define STAMPS 96 /* of the active set: 4 buckets of 3 commands, 8 bytes each */
#define STAMP_UNITS 216
#define STATIC_SET 208 /* from the active set to the static one */
#define TRIGGER_SOURCE 462
#define DEBUG_STAMP_UNITS 464

static const uint8_t guid[16] = {
	0x92, 0x7a, 0xc0, 0x8c, 0xd0, 0x84, 0x6c, 0x9c, 0x70, 0x43, 0xe6, 0xd4, 0x58, 0x5e, 0xd4, 0x85,
};

/* While the feature is off the rest may be lost, or be of an earlier time. */
static bool enabled(const uint8_t *bytes, unsigned index)
{
	(void)index;
	return bytes[STATUS] & ENABLED;
}

static bool debug_log_valid(const uint8_t *bytes, unsigned index)
{
	return enabled(bytes, index) && bytes_get(bytes + TRIGGER_SOURCE, 2);
}

/* Whether a stamp is by the host's clock: a bit for each, 3 to a bucket, and in it read, write, trim. */
static unsigned stamp_units(unsigned at, unsigned *ret_bit)
{
	unsigned set = at < STAMPS + STATIC_SET ? 0 : STATIC_SET, n = (at - STAMPS - set) / 8;

	*ret_bit = 3 * (3 - n / 3) + 2 - n % 3;
	return STAMP_UNITS + set;
}

/* Of those by the power-on time, no moment is known. */
static int stamp_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	unsigned bit, units = stamp_units(at, &bit);

	(void)f;
	if (!(bytes_get(bytes + units, 2) >> bit & 1) || bytes_get(bytes + at, 8) == UINT64_MAX)
		return -ENODATA;
	ocp_seconds(bytes + at, ret);
	return 0;
}

static int stamp_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	unsigned bit, units = stamp_units(at, &bit);
	uint8_t stamp[8] = { 0 };
	int r = v->type == VALUE_ABSENT ? 0 : ocp_seconds_put(v, stamp);

	if (r < 0)
		return r;
	if (v->type == VALUE_ABSENT)
		memset(stamp, 0xff, sizeof(stamp));
	else
		bytes_put(bytes + units, 2, bytes_get(bytes + units, 2) | 1u << bit);
	memcpy(bytes + at, stamp, f->size);
	return 0;
}

static int debug_stamp_decode(const struct field *f, const uint8_t *bytes, unsigned at,
			      struct value *ret)
{
	(void)f;
	if (!(bytes[DEBUG_STAMP_UNITS] & 1) || bytes_get(bytes + at, 8) == UINT64_MAX)
		return -ENODATA;
	ocp_seconds(bytes + at, ret);
	return 0;
}

static int debug_stamp_encode(const struct field *f, const struct value *v, uint8_t *bytes,
			      unsigned at)
{
	uint8_t stamp[8] = { 0 };
	int r = v->type == VALUE_ABSENT ? 0 : ocp_seconds_put(v, stamp);

	if (r < 0)
		return r;
	if (v->type == VALUE_ABSENT)
		memset(stamp, 0xff, sizeof(stamp));
	else
		bytes[DEBUG_STAMP_UNITS] |= 1;
	memcpy(bytes + at, stamp, f->size);
	return 0;
}

static const struct field_conversion stamp = {
	.decode = stamp_decode, .encode = stamp_encode, .real = true,
};
static const struct field_conversion debug_stamp = {
	.decode = debug_stamp_decode, .encode = debug_stamp_encode, .real = true,
};

#define PLAIN(offset_, size_, name_, help_)                                              \
	{ .name = name_, .kind = FIELD_INFO, .offset = offset_, .size = size_,           \
	  .reported = enabled, .help = help_ }

/* The counters are the one array that runs forwards, but for the commands in a bucket. */
#define BUCKETS(op_, window_, full_, offset_)                                            \
	{ .name = window_ "_bucket_" op_ "_ios", .family = "latency_bucket_ios",         \
	  .labels = "op=\"" op_ "\",window=\"" window_ "\"", .kind = FIELD_GAUGE,        \
	  .offset = offset_, .size = 4, .count = 4, .stride = 16, .label = "bucket",     \
	  .full = full_, .reported = enabled,                                            \
	  .help = "Commands whose latency was past the bucket's threshold and not past the next, " \
		  "in the present window or the last full one." }

#define LATENCY(op_, bucket_, window_, offset_)                                          \
	{ .name = window_ "_measured_latency_" op_ "_" bucket_ "_seconds",               \
	  .family = "measured_latency_seconds",                                          \
	  .labels = "op=\"" op_ "\",bucket=\"" bucket_ "\",window=\"" window_ "\"",      \
	  .kind = FIELD_GAUGE, .offset = offset_, .size = 2, .div = 1000,                \
	  .absent = ABSENT_ZERO, .full = true, .reported = enabled,                      \
	  .help = "Latency of the bucket's first or slowest command." }

#define STAMP(op_, bucket_, window_, offset_)                                            \
	{ .name = window_ "_latency_stamp_" op_ "_" bucket_ "_timestamp_seconds",        \
	  .family = "latency_stamp_timestamp_seconds",                                   \
	  .labels = "op=\"" op_ "\",bucket=\"" bucket_ "\",window=\"" window_ "\"",      \
	  .kind = FIELD_GAUGE, .offset = offset_, .size = 8, .conversion = &stamp,       \
	  .full = true, .reported = enabled,                                             \
	  .help = "When the bucket's first or slowest command was, by the host's clock." }

/* Lowest address: trim of bucket 3. */
#define BUCKET_BACKWARDS(ROW, bucket_, window_, at_, step_)                              \
	ROW("read", bucket_, window_, at_ + 2 * step_),                                  \
	ROW("write", bucket_, window_, at_ + step_),                                     \
	ROW("trim", bucket_, window_, at_)
#define SET_BACKWARDS(ROW, window_, at_, step_)                                          \
	BUCKET_BACKWARDS(ROW, "0", window_, at_ + 9 * step_, step_),                     \
	BUCKET_BACKWARDS(ROW, "1", window_, at_ + 6 * step_, step_),                     \
	BUCKET_BACKWARDS(ROW, "2", window_, at_ + 3 * step_, step_),                     \
	BUCKET_BACKWARDS(ROW, "3", window_, at_, step_)

static const struct field fields[] = {
	{ .name = "feature_status_raw", .kind = FIELD_INFO, .offset = STATUS, .size = 1,
	  .help = "Feature status byte, bit 0 enabled, 1 active latency mode 1, 2 active measured "
		  "latency." },
	{ .name = "active_bucket_timer_seconds", .kind = FIELD_GAUGE, .offset = 2, .size = 2,
	  .mul = 300, .full = true, .reported = enabled,
	  .help = "Age of the present window in steps of 5 minutes, saturating." },
	{ .name = "active_bucket_timer_threshold_seconds", .kind = FIELD_GAUGE, .offset = 4,
	  .size = 2, .mul = 300, .full = true, .reported = enabled,
	  .help = "Age at which the present window becomes the last full one, 0 never." },
	{ .name = "latency_threshold_seconds", .kind = FIELD_GAUGE, .offset = 6, .size = 1,
	  .bias = 1, .mul = 5, .div = 1000, .count = 4, .stride = 1, .label = "bucket",
	  .reported = enabled, .help = "Latency from which on commands count in the bucket." },
	PLAIN(10, 2, "active_latency_configuration_raw",
	      "Bits 3b, 3b+1, 3b+2 for read, write, trim of bucket b, 0 keeps the first command, 1 the "
	      "slowest."),
	{ .name = "active_latency_minimum_window_seconds", .kind = FIELD_INFO, .offset = 12,
	  .size = 1, .div = 10, .reported = enabled,
	  .help = "Least time between two measured latencies, 0 any." },

	BUCKETS("read", "active", false, 44),
	BUCKETS("write", "active", false, 40),
	BUCKETS("trim", "active", false, 36),
	BUCKETS("read", "static", true, 252),
	BUCKETS("write", "static", true, 248),
	BUCKETS("trim", "static", true, 244),
	SET_BACKWARDS(LATENCY, "active", 192, 2),
	SET_BACKWARDS(LATENCY, "static", 400, 2),
	SET_BACKWARDS(STAMP, "active", STAMPS, 8),
	SET_BACKWARDS(STAMP, "static", STAMPS + STATIC_SET, 8),
	PLAIN(STAMP_UNITS, 2, "active_latency_stamp_units_raw",
	      "Bits as of the configuration, 1 by the host's clock, 0 by power-on time."),
	PLAIN(STAMP_UNITS + STATIC_SET, 2, "static_latency_stamp_units_raw",
	      "Bits as of the configuration, 1 by the host's clock, 0 by power-on time."),

	{ .name = "debug_log_size_bytes", .kind = FIELD_INFO, .offset = 436, .size = 12, .mul = 4,
	  .since = 4, .absent = ABSENT_ZERO,
	  .help = "Size of the latency monitor's debug telemetry." },
	PLAIN(448, 2, "debug_log_trigger_enable_raw",
	      "Bits as of the configuration, 1 where a command may trigger the debug log."),
	{ .name = "debug_log_measured_latency_seconds", .kind = FIELD_INFO, .offset = 450,
	  .size = 2, .div = 1000, .absent = ABSENT_ZERO, .reported = debug_log_valid,
	  .help = "Latency of the command that triggered the debug log, saturating." },
	{ .name = "debug_log_timestamp_seconds", .kind = FIELD_INFO, .offset = 452, .size = 8,
	  .conversion = &debug_stamp, .reported = debug_log_valid,
	  .help = "When the debug log was triggered, by the host's clock." },
	{ .name = "debug_log_pointer", .kind = FIELD_INFO, .offset = 460, .size = 2,
	  .reported = debug_log_valid, .help = "Where the vendor keeps the debug log." },
	{ .name = "debug_log_trigger_source_raw", .kind = FIELD_INFO, .offset = TRIGGER_SOURCE,
	  .size = 2, .absent = ABSENT_ZERO, .reported = enabled,
	  .help = "Bit as of the configuration, which command triggered the debug log." },
	{ .name = "debug_log_stamp_units_raw", .kind = FIELD_INFO, .offset = DEBUG_STAMP_UNITS,
	  .size = 1, .reported = debug_log_valid,
	  .help = "Bit 0 is 1 where the debug log's time is by the host's clock." },

	{ .name = "log_page_version", .kind = FIELD_INFO, .offset = 494, .size = 2,
	  .help = "Log page version." },
	{ .name = "log_page_guid", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 496,
	  .size = 16, .help = "Log page GUID as the specification prints it." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, 0, OCP_NEWEST);
}

const struct page ocp_latency_monitor_page = {
	.name = "ocp_latency_monitor",
	.title = "OCP Latency Monitor (log page C3h)",
	.prefix = "ocp",
	.command = PAGE_LOG,
	.id = 0xc3,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.uuid = ocp_uuid,
	.guid = guid,
	.guid_offset = 496,
	.version_offset = 494,
	.version_size = 2,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
