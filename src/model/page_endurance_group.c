/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Endurance Group Information, log page 09h (NVMe Base 2.3, 5.2.12.1.10), of every endurance group. Its
 * unit of data is 10^9 bytes, that of log page 02h is not. */

#include <errno.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define GROUPS_MAX 16 /* each that is not there costs an entry in the drive's error log */
#define GIGABYTE 1000000000
#define CTRATT_GROUPS 4

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_capability(facts, "ctratt", CTRATT_GROUPS);
}

static int instances(const struct page_facts *facts, uint32_t *ret, unsigned most)
{
	int64_t highest;
	unsigned n = 0;

	if (facts_capability(facts, "ctratt", CTRATT_GROUPS) == PAGE_LATER)
		return -EAGAIN;
	if (facts_capability(facts, "ctratt", CTRATT_GROUPS) == PAGE_LACKED ||
	    !facts_integer(facts, &identify_page, "endgidmax", &highest))
		return 0;
	for (; n < most && n < GROUPS_MAX && n < highest; n++)
		ret[n] = n + 1;
	return (int)n;
}

#define WARNING(bit_, name_, help_)                                                      \
	{ .name = "critical_warning_" name_, .family = "critical_warning",              \
	  .labels = "bit=\"" name_ "\"", .kind = FIELD_GAUGE, .offset = 0, .size = 1,   \
	  .shift = bit_, .bits = 1, .full = true, .help = help_ }
#define DATA(offset_, name_, help_)                                                      \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = 16,           \
	  .mul = GIGABYTE, .absent = ABSENT_ZERO, .full = true, .help = help_ }
#define COUNT(offset_, name_, help_)                                                     \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = 16,           \
	  .full = true, .help = help_ }
#define CAPACITY(offset_, name_, help_)                                                  \
	{ .name = name_, .kind = FIELD_GAUGE, .offset = offset_, .size = 16,             \
	  .absent = ABSENT_ZERO, .full = true, .help = help_ }

static const struct field fields[] = {
	{ .name = "critical_warning_raw", .kind = FIELD_GAUGE, .offset = 0, .size = 1, .full = true,
	  .help = "Critical warning byte of an endurance group, 0 when all is well." },
	WARNING(0, "spare", "1 while a critical warning of that kind is set for an endurance group."),
	WARNING(2, "reliability", "1 while the reliability of an endurance group is degraded."),
	WARNING(3, "read_only", "1 while all namespaces of an endurance group are read-only."),
	{ .name = "features", .offset = 1, .size = 1,
	  .help = "Features of an endurance group, bit 0 rotational media." },
	{ .name = "available_spare_ratio", .kind = FIELD_GAUGE, .offset = 3, .size = 1, .div = 100,
	  .max = 100, .full = true,
	  .help = "Remaining spare capacity of an endurance group, 1 when new." },
	{ .name = "available_spare_threshold_ratio", .kind = FIELD_GAUGE, .offset = 4, .size = 1,
	  .div = 100, .max = 100, .full = true,
	  .help = "Spare capacity below which an endurance group raises its spare warning." },
	{ .name = "endurance_used_ratio", .kind = FIELD_GAUGE, .offset = 5, .size = 1, .div = 100,
	  .full = true,
	  .help = "Share of the rated endurance of an endurance group used, may exceed 1, saturates at "
		  "2.55." },
	{ .name = "domainid", .offset = 6, .size = 2, .absent = ABSENT_ZERO, .help = "Domain id." },
	{ .name = "endurance_estimate_bytes", .kind = FIELD_GAUGE, .offset = 32, .size = 16,
	  .mul = GIGABYTE, .absent = ABSENT_ZERO, .full = true,
	  .help = "Bytes that may be written over the life of an endurance group at a write "
		  "amplification of 1." },
	DATA(48, "host_read_bytes",
	     "Bytes the host has read from an endurance group, in whole gigabytes rounded up."),
	DATA(64, "host_written_bytes",
	     "Bytes the host has written to an endurance group, in whole gigabytes rounded up."),
	DATA(80, "media_written_bytes",
	     "Bytes written to the media of an endurance group, the drive's own included."),
	COUNT(96, "host_read_commands", "Read commands completed in an endurance group."),
	COUNT(112, "host_write_commands", "Write commands completed in an endurance group."),
	COUNT(128, "media_errors", "Unrecovered media and data integrity errors of an endurance group."),
	COUNT(144, "error_log_entries", "Error log entries of an endurance group over its life."),
	CAPACITY(160, "capacity_bytes", "Capacity of an endurance group."),
	CAPACITY(176, "unallocated_bytes", "Capacity of an endurance group that no namespace has."),
};

const struct page endurance_group_page = {
	.name = "endurance_group",
	.title = "Endurance Group Information (log page 09h)",
	.prefix = "endurance_group",
	.command = PAGE_LOG,
	.id = 0x09,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.selector = SELECT_LSI,
	.instance = "endurance_group",
	.presence = presence,
	.instances = instances,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
