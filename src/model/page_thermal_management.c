/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Host Controlled Thermal Management, feature 10h (NVMe Base 2.3, 5.2.26.1.13): the temperatures at which
 * a drive throttles because the host wants it to. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

/* 0 is "off"; what no drive can have is not believed. */
#define LIMIT(shift_, name_, help_)                                                     \
	{ .name = name_ "_celsius", .family = "temperature_limit_celsius",               \
	  .labels = "limit=\"" name_ "\"", .kind = FIELD_GAUGE, .size = 4,               \
	  .shift = shift_, .bits = 16,                                                   \
	  .bias = -273, .absent = ABSENT_ZERO, .min = 200, .max = 500, .help = help_ }

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_capability(facts, "hctma", 0);
}

static const struct field fields[] = {
	LIMIT(16, "tmt1", "Composite temperature at which the drive throttles lightly."),
	LIMIT(0, "tmt2", "Composite temperature at which the drive throttles whatever it costs."),
};

const struct page thermal_management_page = {
	.name = "thermal_management",
	.title = "Host Controlled Thermal Management (feature 10h)",
	.prefix = "drive",
	.command = PAGE_FEATURE,
	.id = 0x10,
	.size = 4,
	.cadence = CADENCE_SLOW,
	.may_be_zero = true,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
