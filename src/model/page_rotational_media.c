/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rotational Media Information, log page 16h (NVMe Base 2.3, 5.2.12.1.21), of the endurance groups of a
 * drive that spins. The first group tells for all: of a page of which there are several, another page
 * sees the first. */

#include <errno.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define ROTATIONAL 1

static enum page_presence presence(const struct page_facts *facts)
{
	bool settled;
	const uint8_t *group = facts->bytes(facts->userdata, &endurance_group_page, &settled);

	if (page_presence(&endurance_group_page, facts) == PAGE_LACKED)
		return PAGE_LACKED;
	if (!group)
		return settled ? PAGE_LACKED : PAGE_LATER;
	return group[1] & ROTATIONAL ? PAGE_POSSIBLE : PAGE_LACKED;
}

static int instances(const struct page_facts *facts, uint32_t *ret, unsigned most)
{
	enum page_presence spins = presence(facts);

	if (spins == PAGE_LATER)
		return -EAGAIN;
	return spins == PAGE_POSSIBLE ? endurance_group_page.instances(facts, ret, most) : 0;
}

#define COUNT(offset_, name_, help_)                                                     \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = 4,            \
	  .full = true, .help = help_ }

static const struct field fields[] = {
	{ .name = "endgid", .offset = 0, .size = 2, .help = "Endurance group id." },
	{ .name = "actuators", .offset = 2, .size = 2, .help = "Actuators." },
	{ .name = "nominal_rotation_per_minute", .offset = 4, .size = 2, .absent = ABSENT_ZERO,
	  .help = "Nominal rotational speed, revolutions per minute." },
	COUNT(8, "spinup_events", "Times that the spindle was spun up."),
	COUNT(12, "failed_spinup_events", "Times that the spindle could not be spun up."),
	COUNT(16, "load_events", "Times that the heads were loaded."),
	COUNT(20, "failed_load_events", "Times that the heads could not be loaded."),
};

const struct page rotational_media_page = {
	.name = "rotational_media",
	.title = "Rotational Media Information (log page 16h)",
	.prefix = "rotational_media",
	.command = PAGE_LOG,
	.id = 0x16,
	.size = 512,
	.cadence = CADENCE_SLOW,
	.selector = SELECT_LSI,
	.instance = "endurance_group",
	.presence = presence,
	.instances = instances,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
