/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* NAND statistics of WDC and SanDisk boot drives, log page FBh: versions 1 and 2, and 3, which is packed
 * tightly. Where no source says how a field is divided, it is given as it is. */

#include "nvmewatch/cleanup.h"
#include "vendor.h"

#define VERSION_AT 510

#define BY " (WDC, FBh)."
#define COUNT(offset_, size_, name_, help_)                                              \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = size_, .full = true, \
	  .help = help_ BY }
#define GAUGE(offset_, size_, name_, help_)                                              \
	{ .name = name_, .kind = FIELD_GAUGE, .offset = offset_, .size = size_, .full = true, \
	  .help = help_ BY }
#define PERCENT(offset_, name_, help_)                                                   \
	{ .name = name_, .kind = FIELD_GAUGE, .offset = offset_, .size = 1, .div = 100, .full = true, \
	  .help = help_ BY }
#define WRITTEN                                                                          \
	{ .name = "tlc_written_raw", .family = "nand_written_raw", .labels = "cells=\"tlc\"", \
	  .kind = FIELD_COUNTER, .offset = 0, .size = 16,                                \
	  .help = "Written to the NAND, presumably bytes" BY },                          \
	{ .name = "slc_written_raw", .family = "nand_written_raw", .labels = "cells=\"slc\"", \
	  .kind = FIELD_COUNTER, .offset = 16, .size = 16,                               \
	  .help = "Written to the NAND used as SLC" BY }
#define VERSION_ROW(since_)                                                              \
	{ .name = "log_page_version", .offset = VERSION_AT, .size = 2, .since = (since_),   \
	  .help = "Version of the layout" BY }

static const struct field v2_fields[] = {
	WRITTEN,
	COUNT(32, 4, "program_failures", "Failed NAND programs"),
	COUNT(36, 4, "erase_failures", "Failed NAND erases"),
	GAUGE(40, 4, "bad_nand_blocks", "Retired NAND blocks"),
	COUNT(44, 8, "recovery_trigger_events", "Recoveries of NAND data begun"),
	COUNT(52, 8, "end_to_end_errors", "End-to-end data path errors"),
	COUNT(60, 8, "resize_events", "Resizings of the drive"),
	VERSION_ROW(1),
};

static const struct field v3_fields[] = {
	WRITTEN,
	GAUGE(32, 8, "bad_user_nand_blocks_raw", "Retired NAND blocks of the user area"),
	COUNT(40, 8, "xor_recoveries", "Reads that needed recovery across dies"),
	COUNT(48, 8, "uncorrectable_read_errors", "Unrecoverable reads"),
	COUNT(56, 16, "end_to_end_corrections_raw", "End-to-end data path corrections"),
	PERCENT(72, "data_used_ratio", "Share of the endurance used"),
	{ .name = "erase_cycles", .kind = FIELD_GAUGE, .offset = 73, .size = 8, .count = 4, .first = 1,
	  .stride = 8, .label = "counter", .full = true, .help = "Four counts of erase cycles" BY },
	COUNT(105, 8, "program_failures_raw", "Failed NAND programs, as one number"),
	COUNT(113, 8, "erase_failures_raw", "Failed NAND erases, as one number"),
	COUNT(121, 8, "pcie_correctable_errors", "PCIe correctable errors"),
	PERCENT(129, "free_user_blocks_ratio", "Share of the user area's blocks that is free"),
	{ .name = "security_version_number", .offset = 130, .size = 8,
	  .help = "Security version of the firmware image" BY },
	PERCENT(138, "free_system_blocks_ratio", "Share of the system area's blocks that is free"),
	{ .name = "trim_raw", .type = FIELD_HEX, .offset = 139, .size = 25, .absent = ABSENT_ZERO,
	  .help = "Statistics of deallocated data" BY },
	PERCENT(164, "back_pressure_ratio", "Back-pressure on writes"),
	COUNT(165, 8, "soft_ecc_errors", "Reads that needed second-level error correction"),
	COUNT(173, 8, "refreshes", "Blocks rewritten to keep their data readable"),
	GAUGE(181, 8, "bad_system_nand_blocks_raw", "Retired NAND blocks of the system area"),
	GAUGE(189, 16, "endurance_estimate_raw", "Bytes that may be written over the drive's life"),
	GAUGE(205, 2, "throttle_raw", "Thermal throttling, status and count"),
	COUNT(207, 8, "unaligned_ios", "Writes that do not start on an indirection unit"),
	COUNT(215, 16, "media_read_raw", "Read from the media, presumably bytes"),
	VERSION_ROW(3),
};

static bool recognise_v2(const uint8_t *bytes)
{
	return bytes_get(bytes + VERSION_AT, 2) == 1 || bytes_get(bytes + VERSION_AT, 2) == 2;
}

static bool recognise_v3(const uint8_t *bytes)
{
	return bytes_get(bytes + VERSION_AT, 2) == 3;
}

const struct page wdc_nand_statistics_v2_page = {
	.name = "wdc_nand_statistics_v2",
	.title = "WDC NAND statistics, versions 1 and 2 (log page FBh)",
	.prefix = "wdc_nand",
	.command = PAGE_LOG,
	.id = 0xfb,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.version_offset = VERSION_AT,
	.version_size = 2,
	.presence = vendor_wdc_boot_presence,
	.recognise = recognise_v2,
	.fields = v2_fields,
	.n_fields = ELEMENTS(v2_fields),
};

const struct page wdc_nand_statistics_v3_page = {
	.name = "wdc_nand_statistics_v3",
	.title = "WDC NAND statistics, version 3 (log page FBh)",
	.prefix = "wdc_nand",
	.command = PAGE_LOG,
	.id = 0xfb,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.version_offset = VERSION_AT,
	.version_size = 2,
	.presence = vendor_wdc_boot_presence,
	.recognise = recognise_v3,
	.fields = v3_fields,
	.n_fields = ELEMENTS(v3_fields),
};
