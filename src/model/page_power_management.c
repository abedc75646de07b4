/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Power Management, feature 02h (NVMe Base 2.3, 5.2.26.1.2). Every drive has it since NVMe 1.0. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

static const struct field fields[] = {
	{ .name = "power_state", .kind = FIELD_GAUGE, .size = 4, .bits = 5,
	  .help = "Power state that the host has set, which with autonomous transitions need not be "
		  "the one that the drive is in." },
	{ .name = "workload_hint", .size = 4, .shift = 5, .bits = 3,
	  .help = "Workload that the host has announced, 0 none, 1 and 2 as the specification has "
		  "them." },
};

const struct page power_management_page = {
	.name = "power_management",
	.title = "Power Management (feature 02h)",
	.prefix = "drive",
	.command = PAGE_FEATURE,
	.id = 0x02,
	.size = 4,
	.cadence = CADENCE_POWER,
	.may_be_zero = true,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
