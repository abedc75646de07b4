/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Memblaze additional SMART attributes, log page CAh, version 0: Intel's layout with a version byte
 * that is 0. */

#include "page_memblaze.h"

#define ITEM_SIZE 12
#define ITEM_NORMAL 3
#define ITEM_RAW 5

static const struct field fields[] = {
	ITEM_CORE(0xab, "program_failures", "Failed NAND programs"),
	ITEM_CORE(0xac, "erase_failures", "Failed NAND erases"),
	MEMBLAZE_WEAR,
	MEMBLAZE_TEMPERATURES(0xaf, "boot", "since power-on"),
	ITEM_COUNT(0xb8, "end_to_end_errors", "End-to-end data path errors"),
	ITEM_COUNT(0xc7, "crc_errors", "CRC errors"),
	MEMBLAZE_TIMED_WORKLOAD,
	MEMBLAZE_TEMPERATURES(0xe7, "life", "over the drive's life"),
	MEMBLAZE_POWER,
	{ .name = "thermal_throttle_raw", .kind = FIELD_GAUGE, ITEM(0xea, 0, 6),
	  .help = "Thermal throttling status of 48 bits" ITEM_BY },
	ITEM_NORMALIZED(0xea, "thermal_throttle", "Thermal throttling"),
	MEMBLAZE_THROTTLED,
	{ .name = "power_loss_protection_raw", .kind = FIELD_GAUGE, ITEM(0xec, 0, 6),
	  .help = "Power loss protection status" ITEM_BY },
	ITEM_NORMALIZED(0xec, "power_loss_protection", "Power loss protection"),
	ITEM_COUNT(0xed, "flash_media_errors", "Flash media errors"),
	ITEM_COUNT(0xf0, "retry_buffer_overflow_events", "Overflows of the PCIe retry buffer"),
	ITEM_COUNT(0xf2, "read_failures", "Failed NAND reads"),
	ITEM_COUNT(0xf3, "pll_lock_loss_events", "PLL lock losses"),
	MEMBLAZE_WRITTEN,
	ITEM_GAUGE(0xf6, "system_area_life_remaining_raw", "Life left of the system area"),
	{ .name = "nand_read_bytes", .kind = FIELD_COUNTER, ITEM(0xfa, 0, 6), .mul = MEMBLAZE_UNIT,
	  .full = true, .help = "Bytes read from the NAND" ITEM_BY },
	ITEM_NORMALIZED(0xfa, "nand_read", "Read from the NAND"),
};

static bool recognise(const uint8_t *bytes)
{
	return bytes[MEMBLAZE_VERSION] == 0 && items_fit(fields, ELEMENTS(fields), bytes);
}

const struct page memblaze_smart_v0_page = {
	.name = "memblaze_smart_v0",
	.title = "Memblaze additional SMART attributes, version 0 (log page CAh)",
	.prefix = "memblaze",
	.command = PAGE_LOG,
	.id = 0xca,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.presence = vendor_memblaze_presence,
	.recognise = recognise,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
