/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Autonomous Power State Transition, feature 0Ch (NVMe Base 2.3, 5.2.26.1.9): whether a drive that is
 * idle goes to sleep by itself, and after how long. An entry without a time is no transition, so a
 * table of zeros says that there is none, though the feature is on. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define ENTRY_SIZE 8
#define TABLE 4 /* behind dword 0 of the completion */

/* One value of each entry; there is one per power state. */
#define ENTRY .offset = TABLE, .size = 4, .count = 32, .stride = ENTRY_SIZE, .label = "state"

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_capability(facts, "apsta", 0);
}

static bool entry_reported(const uint8_t *bytes, unsigned index)
{
	return bytes_get(bytes + TABLE + index * ENTRY_SIZE, 4) >> 8;
}

static const struct field fields[] = {
	{ .name = "apst_enabled", .kind = FIELD_GAUGE, .size = 4, .bits = 1,
	  .help = "1 while the drive changes its power state by itself when idle." },
	{ .name = "apst_idle_seconds", ENTRY, .shift = 8, .bits = 24, .div = 1000,
	  .absent = ABSENT_ZERO,
	  .help = "Idle time in a power state after which the drive leaves it, absent where it stays." },
	{ .name = "apst_target_state", ENTRY, .shift = 3, .bits = 5, .reported = entry_reported,
	  .help = "Power state that the drive goes to then." },
};

const struct page apst_page = {
	.name = "apst",
	.title = "Autonomous Power State Transition (feature 0Ch)",
	.prefix = "drive",
	.command = PAGE_FEATURE,
	.id = 0x0c,
	.size = TABLE + 32 * ENTRY_SIZE,
	.cadence = CADENCE_SLOW,
	.may_be_zero = true,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
