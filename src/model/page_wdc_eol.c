/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* End of life status of older WDC drives, log page C0h, which newer ones use for OCP's. It has neither
 * GUID nor version: it is asked for only of models that came before OCP, and where C0h was not OCP's,
 * and believed only without a GUID in the usual place. */

#include <string.h>

#include "nvmewatch/cleanup.h"
#include "vendor.h"

#define END 494 /* where pages with a GUID have their version */

#define BY " (WDC, C0h)."

static const struct field fields[] = {
	{ .name = "reallocated_blocks", .kind = FIELD_GAUGE, .offset = 76, .size = 4, .full = true,
	  .help = "Reallocated blocks" BY },
	{ .name = "write_amplification_raw", .kind = FIELD_GAUGE, .offset = 84, .size = 4, .full = true,
	  .help = "Write amplification, in a unit that no source names" BY },
	{ .name = "life_remaining_ratio", .kind = FIELD_GAUGE, .offset = 88, .size = 4, .div = 100,
	  .max = 100, .full = true, .help = "Life left" BY },
	{ .name = "program_failures", .kind = FIELD_COUNTER, .offset = 96, .size = 4,
	  .help = "Failed NAND programs" BY },
	{ .name = "erase_failures", .kind = FIELD_COUNTER, .offset = 100, .size = 4,
	  .help = "Failed NAND erases" BY },
	{ .name = "raw_read_error_rate_raw", .kind = FIELD_GAUGE, .offset = 108, .size = 4, .full = true,
	  .help = "Raw read error rate" BY },
};

static enum page_presence presence(const struct page_facts *facts)
{
	static const uint32_t vendors[] = { VENDOR_WDC, 0 };
	enum page_presence maker = vendor_is(facts, vendors);

	if (maker == PAGE_POSSIBLE)
		maker = vendor_wdc_presence(facts);
	return maker == PAGE_POSSIBLE ? vendor_lacks_ocp(facts) : maker;
}

static bool recognise(const uint8_t *bytes)
{
	static const uint8_t none[512 - END];

	return !memcmp(bytes + END, none, sizeof(none));
}

const struct page wdc_eol_page = {
	.name = "wdc_eol",
	.title = "WDC end of life status (log page C0h)",
	.prefix = "wdc_eol",
	.command = PAGE_LOG,
	.id = 0xc0,
	.size = 512,
	.cadence = CADENCE_SLOW,
	.presence = presence,
	.recognise = recognise,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
