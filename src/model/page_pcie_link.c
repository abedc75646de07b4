/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The drive's PCIe link as the kernel has it. A link that came up slower or narrower than both ends can
 * costs throughput and says nothing else. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/host.h"
#include "nvmewatch/page.h"

#define SPEED(which_, at_, help_)                                                               \
	{ .name = which_ "_link_speed_transfers_per_second",                                    \
	  .family = "link_speed_transfers_per_second", .labels = "which=\"" which_ "\"",        \
	  .kind = FIELD_GAUGE, .offset = at_, .size = HOST_NUMBER, .absent = ABSENT_ONES,       \
	  .help = help_ }

/* 0 is a link that is down, more than 32 lanes what a sleeping function reads as. */
#define WIDTH(which_, at_, help_)                                                               \
	{ .name = which_ "_link_width", .family = "link_width",                                 \
	  .labels = "which=\"" which_ "\"", .kind = FIELD_GAUGE, .offset = at_,                 \
	  .size = HOST_NUMBER, .absent = ABSENT_ONES | ABSENT_ZERO, .max = 32, .help = help_ }

static const struct field fields[] = {
	SPEED("current", HOST_LINK_SPEED, "Transfers per second and lane of the drive's PCIe link."),
	SPEED("max", HOST_LINK_SPEED_MAX, "The most that the drive can do."),
	WIDTH("current", HOST_LINK_WIDTH, "Lanes of the drive's PCIe link."),
	WIDTH("max", HOST_LINK_WIDTH_MAX, "The most that the drive has."),
};

const struct page pcie_link_page = {
	.name = "pcie_link",
	.title = "PCIe link (kernel: current_link_speed, max_link_speed, current_link_width, max_link_width)",
	.prefix = "pcie",
	.command = PAGE_HOST,
	.id = HOST_PCIE_LINK,
	.size = HOST_LINK_SIZE,
	.cadence = CADENCE_SLOW,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
