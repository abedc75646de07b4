/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP Unsupported Requirements, log page C5h (OCP Datacenter NVMe SSD Specification 2.0, 4.8.8): which
 * of the specification's requirements the drive does not meet. */

#include "nvmewatch/cleanup.h"
#include "ocp.h"

#define COUNT_MAX 253 /* as many as the page holds */

static const uint8_t guid[16] = {
	0x2f, 0x72, 0x9c, 0x0e, 0x99, 0x23, 0x2c, 0xbb, 0x63, 0x48, 0x32, 0xd0, 0xb7, 0x98, 0xbb, 0xc7,
};

static bool reported(const uint8_t *bytes, unsigned index)
{
	return index < bytes_get(bytes, 2);
}

/* A drive that meets most of them has few; of one that does not the first tell enough. */
static const struct field fields[] = {
	{ .name = "requirements_unsupported", .kind = FIELD_INFO, .offset = 0, .size = 2,
	  .max = COUNT_MAX, .help = "Requirements of the OCP specification that the drive does not "
				    "meet." },
	{ .name = "requirement", .kind = FIELD_INFO, .type = FIELD_STRING, .offset = 16, .size = 16,
	  .count = 16, .stride = 16, .first = 1, .label = "position", .absent = ABSENT_ZERO,
	  .reported = reported, .help = "Id of a requirement that is not met, the first 16." },
	{ .name = "log_page_version", .kind = FIELD_INFO, .offset = 4078, .size = 2,
	  .help = "Log page version." },
	{ .name = "log_page_guid", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 4080,
	  .size = 16, .help = "Log page GUID as the specification prints it." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, 0, OCP_NEWEST);
}

const struct page ocp_unsupported_requirements_page = {
	.name = "ocp_unsupported_requirements",
	.title = "OCP Unsupported Requirements (log page C5h)",
	.prefix = "ocp",
	.command = PAGE_LOG,
	.id = 0xc5,
	.size = 4096,
	.cadence = CADENCE_ATTACH,
	.uuid = ocp_uuid,
	.guid = guid,
	.guid_offset = 4080,
	.version_offset = 4078,
	.version_size = 2,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
