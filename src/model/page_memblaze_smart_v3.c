/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Memblaze additional SMART attributes, log page CAh, version 3: shorter items, other meanings. */

#include "page_memblaze.h"

#define ITEM_SIZE 10
#define ITEM_NORMAL 1
#define ITEM_RAW 2

/* Three counters of 16 bits; no source says which is which. */
#define THREE(id_, name_, help_)                                                         \
	{ .name = name_, .kind = FIELD_COUNTER, ITEM(id_, 0, 2), .count = 3, .first = 1, .stride = 2, \
	  .label = "counter", .full = true, .help = help_ ITEM_BY },                     \
	ITEM_NORMALIZED(id_, name_, help_)

#define UPDATES(at_, name_, label_, help_)                                               \
	{ .name = "firmware_updates_" name_, .family = "firmware_update_outcome_events", \
	  .labels = "outcome=\"" label_ "\"", .kind = FIELD_COUNTER, ITEM(0xe9, at_, 2), \
	  .full = true, .help = help_ ITEM_BY }

#define MEMORY(count_id_, address_id_, name_, of_)                                       \
	{ .name = name_ "_correctable_errors", .kind = FIELD_COUNTER, ITEM(count_id_, 0, 4), \
	  .full = true, .help = "Correctable ECC errors of the " of_ ITEM_BY },          \
	ITEM_NORMALIZED(count_id_, name_ "_correctable_errors", "Correctable errors of the " of_), \
	{ .name = name_ "_correctable_error_address", ITEM(address_id_, 0, 4),           \
	  .help = "Where the last correctable error of the " of_ " was" ITEM_BY },       \
	ITEM_NORMALIZED(address_id_, name_ "_correctable_error_address",                 \
			"Address of the " of_ "'s correctable error")

static const struct field fields[] = {
	ITEM_CORE(0xab, "program_failures", "Failed NAND programs"),
	ITEM_CORE(0xac, "erase_failures", "Failed NAND erases"),
	MEMBLAZE_WEAR,
	ITEM_COUNT(0xc7, "crc_errors", "CRC errors"),
	ITEM_COUNT(0xd0, "reallocated_blocks", "Reallocated sectors"),
	ITEM_COUNT(0xd1, "uncorrectable_blocks", "Uncorrectable sectors"),
	ITEM_COUNT(0xd2, "nand_uncorrectable_errors", "Uncorrectable ECC errors of the NAND"),
	ITEM_COUNT(0xd3, "nand_xor_correction_events", "NAND reads corrected by XOR"),
	ITEM_COUNT(0xd4, "garbage_collection_events", "Garbage collections"),
	ITEM_COUNT(0xd5, "dram_uncorrectable_errors", "Uncorrectable ECC errors of the DRAM"),
	ITEM_COUNT(0xd6, "sram_uncorrectable_errors", "Uncorrectable ECC errors of the SRAM"),
	ITEM_COUNT(0xd7, "raid_recovery_failures", "Failed recoveries by the internal RAID"),
	{ .name = "in_flight_io_commands", .kind = FIELD_GAUGE, ITEM(0xd8, 0, 2), .full = true,
	  .help = "I/O commands in flight" ITEM_BY },
	{ .name = "in_flight_admin_commands", .kind = FIELD_GAUGE, ITEM(0xd8, 4, 2), .full = true,
	  .help = "Admin commands in flight" ITEM_BY },
	ITEM_NORMALIZED(0xd8, "in_flight_commands", "Commands in flight"),
	THREE(0xd9, "internal_end_to_end_errors", "Internal end-to-end data path errors"),
	ITEM_COUNT(0xda, "die_failures", "Failed NAND dies"),
	ITEM_COUNT(0xdb, "wear_leveling_events", "Wear leveling runs"),
	ITEM_COUNT(0xdc, "read_disturb_events", "Read disturb events"),
	ITEM_COUNT(0xdd, "data_retention_events", "Data retention events"),
	{ .name = "capacitor_health_raw", .kind = FIELD_GAUGE, ITEM(0xde, 0, 6),
	  .help = "Power-loss capacitor's health, in a unit that no source names" ITEM_BY },
	ITEM_NORMALIZED(0xde, "capacitor_health", "Power-loss capacitor's health"),
	THREE(0xdf, "external_end_to_end_errors", "External end-to-end data path errors"),
	ITEM_COUNT(0xe1, "block_padding_events", "Block paddings"),
	ITEM_COUNT(0xe5, "host_trimmed_blocks", "Sectors deallocated by the host"),
	ITEM_COUNT(0xe7, "host_zeroed_blocks", "Sectors zeroed by the host"),
	UPDATES(0, "without_reset", "without_reset", "Firmware updates by outcome"),
	UPDATES(2, "with_reset", "with_reset", "Firmware updates with a reset"),
	UPDATES(4, "failed", "failed", "Firmware updates that failed"),
	ITEM_NORMALIZED(0xe9, "firmware_updates", "Firmware updates of every outcome"),
	MEMBLAZE_THERMAL_THROTTLE,
	MEMBLAZE_WRITTEN,
	MEMORY(0xf6, 0xf7, "dram", "DRAM"),
	MEMORY(0xf8, 0xf9, "sram", "SRAM"),
	{ .name = "write_throttle_raw", .kind = FIELD_GAUGE, ITEM(0xfa, 0, 2), .full = true,
	  .help = "Write throttling now" ITEM_BY },
	{ .name = "write_throttle_life_raw", .kind = FIELD_COUNTER, ITEM(0xfa, 2, 2), .full = true,
	  .help = "Write throttling in total" ITEM_BY },
	ITEM_NORMALIZED(0xfa, "write_throttle", "Write throttling"),
	MEMBLAZE_VERSION_ROW(3),
};

static bool recognise(const uint8_t *bytes)
{
	return bytes[MEMBLAZE_VERSION] == 3 && items_fit(fields, ELEMENTS(fields), bytes);
}

const struct page memblaze_smart_v3_page = {
	.name = "memblaze_smart_v3",
	.title = "Memblaze additional SMART attributes, version 3 (log page CAh)",
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
