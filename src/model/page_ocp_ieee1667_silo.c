/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP IEEE 1667 Silo (OCP Datacenter NVMe SSD Specification 2.0, feature C4h). */

#include "nvmewatch/cleanup.h"
#include "ocp.h"

static const struct field fields[] = {
	{ .name = "ieee1667_silo", .kind = FIELD_INFO, .size = 4, .bits = 3,
	  .help = "IEEE 1667 silo, 0 off, 1 on." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, 0, OCP_NEWEST);
}

const struct page ocp_ieee1667_silo_page = {
	.name = "ocp_ieee1667_silo",
	.title = "OCP IEEE 1667 Silo (feature C4h)",
	.prefix = "ocp",
	.command = PAGE_FEATURE,
	.id = 0xc4,
	.size = 4,
	.cadence = CADENCE_POWER,
	.may_be_zero = true,
	.uuid = ocp_uuid,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
