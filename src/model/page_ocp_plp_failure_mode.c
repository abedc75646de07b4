/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP EOL/PLP Failure Mode (OCP Datacenter NVMe SSD Specification 2.0, feature C2h). */

#include "nvmewatch/cleanup.h"
#include "ocp.h"

static const struct field fields[] = {
	{ .name = "plp_failure_mode", .kind = FIELD_INFO, .size = 4, .bits = 3,
	  .help = "What the drive does when it is worn out or its power-loss protection fails, 1 turns "
		  "read-only, 2 writes through, 3 goes on as before." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, 0, OCP_NEWEST);
}

const struct page ocp_plp_failure_mode_page = {
	.name = "ocp_plp_failure_mode",
	.title = "OCP EOL/PLP Failure Mode (feature C2h)",
	.prefix = "ocp",
	.command = PAGE_FEATURE,
	.id = 0xc2,
	.size = 4,
	.cadence = CADENCE_POWER,
	.may_be_zero = true,
	.uuid = ocp_uuid,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
