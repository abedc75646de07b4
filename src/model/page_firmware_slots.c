/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Firmware Slot Information, log page 03h (NVMe Base 2.3, 5.2.12.1.4). */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

/* Every drive has it, but one that keeps a list of its log pages may leave it out. */
static enum page_presence presence(const struct page_facts *facts)
{
	return facts_bytes(facts, &identify_page) ? PAGE_POSSIBLE : PAGE_LATER;
}

static const struct field fields[] = {
	{ .name = "firmware_slot_active", .kind = FIELD_GAUGE, .size = 1, .bits = 3,
	  .absent = ABSENT_ZERO, .full = true, .help = "Slot of the firmware that runs." },
	{ .name = "firmware_slot_next", .kind = FIELD_GAUGE, .size = 1, .shift = 4, .bits = 3,
	  .absent = ABSENT_ZERO, .full = true,
	  .help = "Slot of the firmware that runs after the next reset, absent where none waits." },
	{ .name = "firmware_slot_revision", .type = FIELD_ASCII, .offset = 8, .size = 8, .count = 7,
	  .first = 1, .stride = 8, .label = "slot", .absent = ABSENT_ZERO,
	  .help = "Firmware revision in a slot, absent where the slot is empty." },
};

const struct page firmware_slots_page = {
	.name = "firmware_slots",
	.title = "Firmware Slot Information (log page 03h)",
	.prefix = "drive",
	.command = PAGE_LOG,
	.id = 0x03,
	.size = 512,
	.cadence = CADENCE_SLOW,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
