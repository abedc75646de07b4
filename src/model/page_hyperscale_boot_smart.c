/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* SMART of hyperscale NVMe boot drives, log page C0h under a GUID of its own. Normalized values stand
 * before raw ones, and the throttling status before the count: the reverse of OCP's C0h. */

#include "nvmewatch/cleanup.h"
#include "vendor.h"

static const uint8_t guid[16] = {
	0x65, 0x43, 0x88, 0x78, 0xac, 0xd8, 0x78, 0xa1, 0x66, 0x42, 0x1e, 0x0f, 0x92, 0xd7, 0x6d, 0xc4,
};

#define BY " (boot drives)."
#define COUNT(full_, offset_, size_, name_, help_)                                       \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = size_, .full = full_, \
	  .help = help_ BY }
#define GAUGE(offset_, size_, name_, help_)                                              \
	{ .name = name_, .kind = FIELD_GAUGE, .offset = offset_, .size = size_, .full = true, \
	  .help = help_ BY }
#define PERCENT(offset_, name_, help_)                                                   \
	{ .name = name_, .kind = FIELD_GAUGE, .offset = offset_, .size = 1, .div = 100, .full = true, \
	  .help = help_ BY }
#define NORMALIZED(offset_, name_, help_)                                                \
	{ .name = name_ "_normalized_ratio", .kind = FIELD_GAUGE, .offset = offset_, .size = 2, \
	  .div = 100, .max = 100, .full = true, .help = help_ ", normalized, 1 when new" BY }
#define CYCLES(cells_, stat_, offset_, help_)                                            \
	{ .name = cells_ "_erase_cycles_" stat_, .family = cells_ "_erase_cycles",       \
	  .labels = "stat=\"" stat_ "\"", .kind = FIELD_GAUGE, .offset = offset_, .size = 8, \
	  .full = true, .help = help_ BY }

static const struct field fields[] = {
	{ .name = "tlc_written_bytes", .family = "nand_written_bytes", .labels = "cells=\"tlc\"",
	  .kind = FIELD_COUNTER, .offset = 0, .size = 16, .help = "Bytes written to the NAND" BY },
	{ .name = "slc_written_bytes", .family = "nand_written_bytes", .labels = "cells=\"slc\"",
	  .kind = FIELD_COUNTER, .offset = 16, .size = 16,
	  .help = "Bytes written to the NAND used as SLC" BY },
	NORMALIZED(32, "bad_user_nand_blocks", "Retired NAND blocks of the user area"),
	GAUGE(34, 6, "bad_user_nand_blocks", "Retired NAND blocks of the user area"),
	COUNT(true, 40, 8, "xor_recoveries", "Reads that needed recovery across dies"),
	COUNT(true, 48, 8, "uncorrectable_read_errors", "Unrecoverable reads returned to the host"),
	COUNT(true, 56, 8, "end_to_end_corrected_errors", "End-to-end data path errors corrected"),
	COUNT(true, 64, 8, "end_to_end_detected_errors", "End-to-end data path errors detected"),
	COUNT(true, 72, 8, "end_to_end_uncorrected_errors", "End-to-end data path errors not corrected"),
	PERCENT(80, "system_data_used_ratio", "Share of the system area's endurance used"),
	CYCLES("tlc", "min", 84, "Erase cycles of the TLC blocks"),
	CYCLES("tlc", "max", 92, "Most erase cycles of a TLC block"),
	CYCLES("tlc", "avg", 100, "Mean erase cycles of the TLC blocks"),
	CYCLES("slc", "min", 108, "Erase cycles of the SLC blocks"),
	CYCLES("slc", "max", 116, "Most erase cycles of an SLC block"),
	CYCLES("slc", "avg", 124, "Mean erase cycles of the SLC blocks"),
	NORMALIZED(132, "program_failures", "Failed NAND programs"),
	COUNT(false, 134, 6, "program_failures", "Failed NAND programs"),
	NORMALIZED(140, "erase_failures", "Failed NAND erases"),
	COUNT(false, 142, 6, "erase_failures", "Failed NAND erases"),
	COUNT(true, 148, 8, "pcie_correctable_errors", "PCIe correctable errors"),
	PERCENT(156, "free_user_blocks_ratio", "Share of the user area's blocks that is free"),
	{ .name = "security_version_number", .offset = 160, .size = 8,
	  .help = "Security version of the firmware image" BY },
	PERCENT(168, "free_system_blocks_ratio", "Share of the system area's blocks that is free"),
	COUNT(true, 172, 16, "deallocate_commands", "Deallocate commands"),
	GAUGE(188, 8, "namespace_used_blocks", "Logical blocks in use (NUSE)"),
	COUNT(true, 196, 2, "format_commands", "Format commands"),
	PERCENT(198, "back_pressure_ratio", "Back-pressure on writes"),
	COUNT(true, 202, 8, "soft_ecc_errors", "Reads that needed second-level error correction"),
	COUNT(true, 210, 8, "refreshes", "Blocks rewritten to keep their data readable"),
	NORMALIZED(218, "bad_system_nand_blocks", "Retired NAND blocks of the system area"),
	GAUGE(220, 6, "bad_system_nand_blocks", "Retired NAND blocks of the system area"),
	GAUGE(226, 16, "endurance_estimate_raw", "What may be written over the drive's life"),
	{ .name = "throttled", .kind = FIELD_GAUGE, .offset = 242, .size = 1,
	  .help = "Thermal throttling status, 0 while not throttled" BY },
	COUNT(false, 243, 1, "thermal_throttle_events", "Thermal throttling events, saturates at 255"),
	COUNT(true, 244, 8, "unaligned_ios", "Writes that do not start on an indirection unit"),
	COUNT(true, 252, 16, "media_read_bytes", "Bytes read from the media"),
	COUNT(true, 268, 4, "read_timeouts", "Read commands that timed out"),
	COUNT(true, 272, 4, "write_timeouts", "Write commands that timed out"),
	COUNT(true, 276, 4, "trim_timeouts", "Deallocate commands that timed out"),
	COUNT(true, 284, 8, "pcie_link_retrains", "PCIe link retrainings"),
	COUNT(true, 292, 8, "power_state_changes", "Power state changes"),
	{ .name = "specification_version_raw", .type = FIELD_HEX_LE, .offset = 300, .size = 8,
	  .absent = ABSENT_ZERO,
	  .help = "Version of the specification" BY },
	{ .name = "ftl_unit", .offset = 308, .size = 4, .help = "Size of an FTL unit" BY },
	{ .name = "tcg_ownership", .offset = 312, .size = 4, .help = "TCG ownership status" BY },
	{ .name = "log_page_version", .offset = 494, .size = 2, .help = "Version of the layout" BY },
	{ .name = "log_page_guid", .type = FIELD_HEX_LE, .offset = 496, .size = 16,
	  .help = "Log page GUID as a specification would print it" BY },
};

/* The sources are WDC's and Micron's tools; C0h was asked for as OCP's before. */
static enum page_presence presence(const struct page_facts *facts)
{
	static const uint32_t micron[] = { VENDOR_MICRON, 0 };
	enum page_presence maker = vendor_wdc_boot_presence(facts);

	if (maker == PAGE_LACKED && vendor_lists_pages(facts))
		maker = vendor_is(facts, micron);
	return maker == PAGE_POSSIBLE ? vendor_lacks_ocp(facts) : maker;
}

const struct page hyperscale_boot_smart_page = {
	.name = "hyperscale_boot_smart",
	.title = "Hyperscale NVMe boot drive SMART (log page C0h)",
	.prefix = "hyperscale",
	.command = PAGE_LOG,
	.id = 0xc0,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.guid = guid,
	.guid_offset = 496,
	.version_offset = 494,
	.version_size = 2,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
