/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP Asynchronous Event Configuration (OCP Datacenter NVMe SSD Specification 2.5, feature C9h). */

#include "nvmewatch/cleanup.h"
#include "ocp.h"

static const struct field fields[] = {
	{ .name = "panic_notices", .kind = FIELD_INFO, .size = 4, .bits = 1,
	  .help = "1 where the drive tells a panic by an asynchronous event." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, OCP_2_5, OCP_NEWEST);
}

const struct page ocp_async_event_configuration_page = {
	.name = "ocp_async_event_configuration",
	.title = "OCP Asynchronous Event Configuration (feature C9h)",
	.prefix = "ocp",
	.command = PAGE_FEATURE,
	.id = 0xc9,
	.size = 4,
	.cadence = CADENCE_POWER,
	.may_be_zero = true,
	.uuid = ocp_uuid,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
