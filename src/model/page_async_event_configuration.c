/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Asynchronous Event Configuration, feature 0Bh (NVMe Base 2.3, 5.2.26.1.8): what the host's driver
 * wants to be told of. Read only. Every drive has it since NVMe 1.0. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

static const struct field fields[] = {
	{ .name = "smart_events", .size = 4, .bits = 8,
	  .help = "Critical warnings that raise an event, bits as in the critical warning byte." },
	{ .name = "notices", .size = 4, .shift = 8, .bits = 24,
	  .help = "Other events that are reported, bit 0 namespace attributes, 1 firmware activation, 2 "
		  "telemetry log, 3 namespace access, 6 endurance group, 7 normal shutdown, 8 "
		  "temperature hysteresis." },
};

const struct page async_event_configuration_page = {
	.name = "async_event_configuration",
	.title = "Asynchronous Event Configuration (feature 0Bh)",
	.prefix = "drive",
	.command = PAGE_FEATURE,
	.id = 0x0b,
	.size = 4,
	.cadence = CADENCE_SLOW,
	.may_be_zero = true,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
