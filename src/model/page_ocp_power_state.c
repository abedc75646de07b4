/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP DSSD Power State (OCP Datacenter NVMe SSD Specification 2.0, feature C7h). */

#include "nvmewatch/cleanup.h"
#include "ocp.h"

static const struct field fields[] = {
	{ .name = "dssd_power_state_watts", .kind = FIELD_GAUGE, .size = 4, .bits = 7,
	  .absent = ABSENT_ZERO, .full = true,
	  .help = "Present DSSD power state, which the drive keeps its power below." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, OCP_2_0, OCP_NEWEST);
}

const struct page ocp_power_state_page = {
	.name = "ocp_power_state",
	.title = "OCP DSSD Power State (feature C7h)",
	.prefix = "ocp",
	.command = PAGE_FEATURE,
	.id = 0xc7,
	.size = 4,
	.cadence = CADENCE_POWER,
	.may_be_zero = true,
	.uuid = ocp_uuid,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
