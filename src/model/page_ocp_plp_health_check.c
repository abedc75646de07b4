/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP PLP Health Check Interval (OCP Datacenter NVMe SSD Specification 2.0, feature C6h). */

#include "nvmewatch/cleanup.h"
#include "ocp.h"

static const struct field fields[] = {
	{ .name = "plp_health_check_interval_seconds", .kind = FIELD_GAUGE, .size = 4, .bits = 16,
	  .mul = 60, .full = true,
	  .help = "Time between checks of the power-loss protection, 0 never." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, 0, OCP_NEWEST);
}

const struct page ocp_plp_health_check_page = {
	.name = "ocp_plp_health_check",
	.title = "OCP PLP Health Check Interval (feature C6h)",
	.prefix = "ocp",
	.command = PAGE_FEATURE,
	.id = 0xc6,
	.size = 4,
	.cadence = CADENCE_POWER,
	.may_be_zero = true,
	.uuid = ocp_uuid,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
