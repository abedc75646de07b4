/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Micron's extended health, log page D0h. Other models have statistics of latencies under that id, with
 * a version of 64 bits in front, whose third and fourth byte are 0 where this page has its version. */

#include "nvmewatch/cleanup.h"
#include "vendor.h"

#define VERSION_AT 2

#define BY " (Micron)."
#define COUNT(full_, offset_, size_, name_, help_)                                       \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = size_, .full = full_, \
	  .help = help_ BY }
#define RAW(offset_, size_, name_, help_)                                                \
	{ .name = name_, .kind = FIELD_GAUGE, .offset = offset_, .size = size_, .full = true, \
	  .help = help_ ", in a unit that no source names" BY }
#define CYCLES(cells_, stat_, offset_, help_)                                            \
	{ .name = cells_ "_erase_cycles_" stat_, .family = cells_ "_erase_cycles",       \
	  .labels = "stat=\"" stat_ "\"", .kind = FIELD_GAUGE, .offset = offset_, .size = 4, \
	  .full = true, .help = help_ BY }

static const struct field fields[] = {
	{ .name = "log_page_version", .offset = VERSION_AT, .size = 2,
	  .help = "Version of the layout" BY },
	{ .name = "grown_bad_blocks", .kind = FIELD_GAUGE, .offset = 4, .size = 4, .full = true,
	  .help = "NAND blocks retired since manufacture" BY },
	COUNT(true, 8, 4, "sram_single_bit_errors", "Single-bit errors of the SRAM"),
	COUNT(true, 12, 4, "sram_double_bit_errors", "Double-bit errors of the SRAM"),
	{ .name = "write_protect_reason_raw", .kind = FIELD_GAUGE, .offset = 16, .size = 4, .full = true,
	  .help = "Why the drive is write protected, 0 while it is not" BY },
	COUNT(true, 20, 4, "erase_cycles", "NAND erases"),
	COUNT(false, 24, 4, "erase_failures", "Failed NAND erases"),
	COUNT(false, 28, 4, "program_failures", "Failed NAND programs"),
	COUNT(true, 72, 4, "power_loss_cycles",
	      "Completed cycles of power loss notification and acknowledge"),
	COUNT(true, 76, 4, "pln_asserted_events", "Power loss notifications asserted"),
	COUNT(true, 80, 4, "pln_deasserted_events", "Power loss notifications deasserted"),
	COUNT(true, 84, 4, "pla_asserted_events", "Power loss acknowledges asserted"),
	COUNT(true, 88, 4, "pla_deasserted_events", "Power loss acknowledges deasserted"),
	COUNT(true, 92, 4, "correctable_nand_errors", "NAND errors that could be corrected after all"),
	COUNT(true, 96, 4, "uncorrectable_read_errors", "Unrecoverable reads returned to the host"),
	CYCLES("tlc", "min", 100, "Erase cycles of the TLC super-blocks"),
	CYCLES("tlc", "avg", 104, "Mean erase cycles of the TLC super-blocks"),
	CYCLES("tlc", "max", 108, "Most erase cycles of a TLC super-block"),
	RAW(112, 2, "asic_temperature_min_raw", "Lowest temperature of the controller"),
	RAW(114, 2, "asic_temperature_max_raw", "Highest temperature of the controller"),
	RAW(116, 2, "nand_temperature_min_raw", "Lowest temperature of the NAND"),
	RAW(118, 2, "nand_temperature_max_raw", "Highest temperature of the NAND"),
	CYCLES("slc", "min", 120, "Erase cycles of the SLC super-blocks"),
	CYCLES("slc", "avg", 124, "Mean erase cycles of the SLC super-blocks"),
	CYCLES("slc", "max", 128, "Most erase cycles of an SLC super-block"),
	RAW(132, 2, "slc_life_used_raw", "Life used of the SLC area"),
	RAW(134, 2, "tlc_life_used_raw", "Life used of the TLC area"),
	{ .name = "unmapped_blocks", .kind = FIELD_GAUGE, .offset = 136, .size = 8, .full = true,
	  .help = "Logical blocks without data" BY },
	RAW(144, 4, "threshold_1_raw", "First threshold"),
	RAW(148, 4, "threshold_2_raw", "Second threshold"),
};

static bool recognise(const uint8_t *bytes)
{
	return bytes_get(bytes + VERSION_AT, 2) != 0;
}

const struct page micron_health_page = {
	.name = "micron_health",
	.title = "Micron extended health (log page D0h)",
	.prefix = "micron",
	.command = PAGE_LOG,
	.id = 0xd0,
	.size = 152,
	.cadence = CADENCE_SLOW,
	.history = true,
	.version_offset = VERSION_AT,
	.version_size = 2,
	.presence = vendor_micron_presence,
	.recognise = recognise,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
