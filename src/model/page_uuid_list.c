/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* UUID List, Identify CNS 17h (NVMe Base 2.3, 5.2.13.2.14): whose definitions of vendor specific
 * pages the drive follows. The index of a UUID goes into the commands that ask for such pages. */

#include <string.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define CTRATT_UUID_LIST 9
#define ENTRY 32 /* bytes; the first is reserved */
#define SHOWN 16

/* C194D55B-E094-4794-A21D-29998F56BE6F, in display order as RFC 4122 has it. */
const uint8_t ocp_uuid[16] = { 0xc1, 0x94, 0xd5, 0x5b, 0xe0, 0x94, 0x47, 0x94,
			       0xa2, 0x1d, 0x29, 0x99, 0x8f, 0x56, 0xbe, 0x6f };

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_capability(facts, "ctratt", CTRATT_UUID_LIST);
}

/* The list ends with the first UUID of zeros. */
static bool reported(const uint8_t *bytes, unsigned index)
{
	static const uint8_t end[16];

	for (unsigned i = 1; i <= index + 1; i++)
		if (!memcmp(bytes + ENTRY * i + 16, end, sizeof(end)))
			return false;
	return true;
}

static const struct field fields[] = {
	{ .name = "uuid", .type = FIELD_HEX, .offset = ENTRY + 16, .size = 16, .count = SHOWN,
	  .first = 1, .stride = ENTRY, .label = "index", .reported = reported,
	  .help = "UUID of that index in the drive's list." },
	{ .name = "uuid_association", .offset = ENTRY, .size = 1, .bits = 2, .count = SHOWN, .first = 1,
	  .stride = ENTRY, .label = "index", .reported = reported,
	  .help = "What the UUID belongs to: 0 nothing, 1 PCI vendor id, 2 PCI subsystem vendor id." },
};

const struct page uuid_list_page = {
	.name = "uuid_list",
	.title = "UUID List (Identify CNS 17h)",
	.prefix = "drive",
	.command = PAGE_IDENTIFY,
	.id = 0x17,
	.size = 4096,
	.cadence = CADENCE_ATTACH,
	.may_be_zero = true,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
	.presence = presence,
};
