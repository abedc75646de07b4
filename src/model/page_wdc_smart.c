/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Performance statistics of WDC and HGST data-centre drives, log page CAh: what OCP made C0h of later,
 * but with the parts of two fields the other way round. HGST's C1h, statistics of intervals in
 * sub-pages, is not read: its fields are not published. */

#include "nvmewatch/cleanup.h"
#include "vendor.h"

#define BY " (WDC)."
#define COUNT(full_, offset_, size_, name_, help_)                                       \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = size_, .full = full_, \
	  .help = help_ BY }
#define PERCENT .div = 100, .full = true

static const struct field fields[] = {
	COUNT(false, 0, 16, "nand_written_bytes", "Bytes written to the NAND"),
	COUNT(true, 16, 16, "nand_read_bytes", "Bytes read from the NAND"),
	{ .name = "bad_nand_blocks_normalized_ratio", .kind = FIELD_GAUGE, .offset = 32, .size = 2,
	  .max = 100, PERCENT, .help = "Spare NAND blocks left, 1 when new" BY },
	{ .name = "bad_nand_blocks", .kind = FIELD_GAUGE, .offset = 34, .size = 6, .full = true,
	  .help = "Retired NAND blocks" BY },
	COUNT(true, 40, 8, "uncorrectable_read_errors", "Unrecoverable reads"),
	COUNT(true, 48, 8, "soft_ecc_errors", "Reads that needed second-level error correction"),
	COUNT(true, 56, 4, "end_to_end_detected_errors", "End-to-end data path errors detected"),
	COUNT(true, 60, 4, "end_to_end_corrected_errors", "End-to-end data path errors corrected"),
	{ .name = "data_used_ratio", .kind = FIELD_GAUGE, .offset = 64, .size = 1, PERCENT,
	  .help = "Share of the endurance used, may exceed 1" BY },
	{ .name = "erase_cycles_max", .family = "erase_cycles", .labels = "stat=\"max\"",
	  .kind = FIELD_GAUGE, .offset = 65, .size = 4, .full = true,
	  .help = "Erase cycles of the user area's blocks" BY },
	{ .name = "erase_cycles_min", .family = "erase_cycles", .labels = "stat=\"min\"",
	  .kind = FIELD_GAUGE, .offset = 69, .size = 4, .full = true,
	  .help = "Fewest erase cycles of a user block" BY },
	COUNT(true, 73, 8, "refreshes", "Blocks rewritten to keep their data readable"),
	COUNT(false, 81, 8, "program_failures", "Failed NAND programs"),
	{ .name = "user_erase_failures", .family = "erase_failures", .labels = "area=\"user\"",
	  .kind = FIELD_COUNTER, .offset = 89, .size = 8, .help = "Failed NAND erases" BY },
	{ .name = "system_erase_failures", .family = "erase_failures", .labels = "area=\"system\"",
	  .kind = FIELD_COUNTER, .offset = 97, .size = 8,
	  .help = "Failed NAND erases of the system area" BY },
	{ .name = "throttled", .kind = FIELD_GAUGE, .offset = 105, .size = 1,
	  .help = "Thermal throttling status, 0 while not throttled" BY },
	COUNT(false, 106, 1, "thermal_throttle_events", "Thermal throttling events, saturates at 255"),
	COUNT(true, 107, 8, "pcie_correctable_errors", "PCIe correctable errors"),
	COUNT(true, 115, 4, "incomplete_shutdowns", "Shutdowns that lost data or state"),
	{ .name = "free_blocks_ratio", .kind = FIELD_GAUGE, .offset = 119, .size = 1, .max = 100,
	  PERCENT, .help = "Share of the spare block pool that is erased" BY },
};

/* Boot drives have a list of items under this id: here the upper halves of the first two are empty. */
static bool recognise(const uint8_t *bytes)
{
	return !bytes_get(bytes + 8, 8) && !bytes_get(bytes + 24, 8);
}

const struct page wdc_smart_page = {
	.name = "wdc_smart",
	.title = "WDC and HGST performance statistics (log page CAh)",
	.prefix = "wdc",
	.command = PAGE_LOG,
	.id = 0xca,
	.size = 120,
	.cadence = CADENCE_OCP,
	.history = true,
	.presence = vendor_wdc_presence,
	.recognise = recognise,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
