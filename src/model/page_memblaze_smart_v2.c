/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Memblaze additional SMART attributes, log page CAh, version 2. */

#include "page_memblaze.h"

#define ITEM_SIZE 12
#define ITEM_NORMAL 3
#define ITEM_RAW 5

#define CAPACITOR(at_, name_, help_)                                                     \
	{ .name = name_, .kind = FIELD_GAUGE, ITEM(0xec, at_, 2), .help = help_ ITEM_BY }

static const struct field fields[] = {
	ITEM_CORE(0xab, "program_failures", "Failed NAND programs"),
	ITEM_CORE(0xac, "erase_failures", "Failed NAND erases"),
	MEMBLAZE_WEAR,
	MEMBLAZE_TEMPERATURES(0xaf, "boot", "since power-on"),
	ITEM_COUNT(0xb8, "end_to_end_errors", "End-to-end data path errors"),
	ITEM_COUNT(0xc7, "crc_errors", "CRC errors"),
	MEMBLAZE_TIMED_WORKLOAD,
	ITEM_GAUGE(0xe5, "in_flight_read_commands", "Read commands in flight"),
	ITEM_GAUGE(0xe6, "in_flight_write_commands", "Write commands in flight"),
	MEMBLAZE_TEMPERATURES(0xe7, "life", "over the drive's life"),
	MEMBLAZE_POWER,
	MEMBLAZE_THERMAL_THROTTLE,
	MEMBLAZE_THROTTLED,
	CAPACITOR(0, "capacitor_raw", "Power-loss capacitor now, in a unit that no source names"),
	CAPACITOR(2, "capacitor_nominal_raw", "Power-loss capacitor when new"),
	CAPACITOR(4, "capacitor_threshold_raw", "Below it the power-loss capacitor does not do"),
	ITEM_NORMALIZED(0xec, "capacitor", "Power-loss capacitor"),
	ITEM_GAUGE(0xed, "free_super_blocks", "Free super-blocks"),
	ITEM_GAUGE(0xf0, "lifetime_write_amplification_raw",
		   "Write amplification over the drive's life, in a unit that no source names"),
	ITEM_COUNT(0xf3, "pll_lock_loss_events", "PLL lock losses"),
	MEMBLAZE_WRITTEN,
	ITEM_GAUGE(0xf6, "system_area_life_remaining_raw", "Life left of the system area"),
	ITEM_ROWS(FIELD_COUNTER, true, 0xf8, "nand_read_raw",
		  "Read from the NAND, in a unit that no source names"),
	ITEM_COUNT(0xf9, "firmware_update_events", "Firmware updates"),
	ITEM_COUNT(0xfa, "dram_correctable_errors", "Correctable ECC errors of the DRAM"),
	ITEM_COUNT(0xfb, "dram_uncorrectable_errors", "Uncorrectable ECC errors of the DRAM"),
	ITEM_COUNT(0xfc, "xor_pass_events", "XOR recoveries that succeeded"),
	ITEM_COUNT(0xfd, "xor_failures", "XOR recoveries that failed"),
	ITEM_COUNT(0xfe, "xor_invoked_events", "XOR recoveries begun"),
	MEMBLAZE_VERSION_ROW(2),
};

static bool recognise(const uint8_t *bytes)
{
	return bytes[MEMBLAZE_VERSION] == 2 && items_fit(fields, ELEMENTS(fields), bytes);
}

const struct page memblaze_smart_v2_page = {
	.name = "memblaze_smart_v2",
	.title = "Memblaze additional SMART attributes, version 2 (log page CAh)",
	.prefix = "memblaze",
	.command = PAGE_LOG,
	.id = 0xca,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.version_offset = MEMBLAZE_VERSION,
	.version_size = 1,
	.presence = vendor_memblaze_presence,
	.recognise = recognise,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
