/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Vendor unique SMART of WDC and SanDisk drives, log page D0h. Some fields are not aligned. */

#include "nvmewatch/cleanup.h"
#include "vendor.h"

#define BY " (WDC, D0h)."
#define COUNT(offset_, size_, name_, help_)                                              \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = size_, .full = true, \
	  .help = help_ BY }
#define RAW(offset_, name_, help_)                                                       \
	{ .name = name_, .kind = FIELD_GAUGE, .offset = offset_, .size = 4, .full = true, \
	  .help = help_ ", in a unit that no source names" BY }

static const struct field fields[] = {
	{ .name = "reallocated_blocks", .kind = FIELD_GAUGE, .offset = 4, .size = 4, .full = true,
	  .help = "Reallocated blocks" BY },
	{ .name = "power_on_seconds", .kind = FIELD_COUNTER, .offset = 8, .size = 4, .mul = 3600,
	  .full = true, .help = "Time powered on" BY },
	COUNT(12, 4, "uncorrectable_ecc_errors", "Uncorrectable ECC errors"),
	RAW(16, "write_amplification_raw", "Write amplification over the drive's life"),
	RAW(20, "hourly_write_amplification_raw", "Write amplification of the last hour"),
	{ .name = "reserve_blocks", .kind = FIELD_GAUGE, .offset = 24, .size = 4, .full = true,
	  .help = "Blocks in reserve" BY },
	COUNT(28, 4, "program_failures", "Failed NAND programs"),
	COUNT(32, 4, "erase_failures", "Failed NAND erases"),
	COUNT(36, 4, "die_failures", "Failed NAND dies"),
	RAW(40, "link_rate_raw", "PCIe link rate"),
	COUNT(44, 4, "clean_shutdowns", "Clean shutdowns"),
	COUNT(48, 4, "unclean_shutdowns", "Unclean shutdowns"),
	RAW(52, "temperature_raw", "Temperature"),
	RAW(56, "temperature_max_raw", "Highest temperature"),
	{ .name = "retired_blocks", .kind = FIELD_GAUGE, .offset = 60, .size = 4, .full = true,
	  .help = "Retired blocks" BY },
	COUNT(64, 4, "read_disturb_events", "Blocks rewritten as they were read often"),
	{ .name = "nand_written_raw", .kind = FIELD_COUNTER, .offset = 68, .size = 8,
	  .help = "Written to the NAND, in pages of a size that no source names" BY },
	RAW(76, "capacitor_health_raw", "Power-loss capacitor's health"),
	{ .name = "host_written_raw", .kind = FIELD_COUNTER, .offset = 80, .size = 8, .full = true,
	  .help = "Written by the host, in a unit that no source names" BY },
	{ .name = "host_read_raw", .kind = FIELD_COUNTER, .offset = 88, .size = 8, .full = true,
	  .help = "Read by the host, in a unit that no source names" BY },
	COUNT(96, 4, "throttle_events", "Activations of throttling"),
	{ .name = "erase_cycles_remaining_ratio", .kind = FIELD_GAUGE, .offset = 100, .size = 4,
	  .div = 100, .max = 100, .full = true, .help = "Share of the erase cycles left" BY },
};

/* HGST's drives are not known to have it. */
static enum page_presence presence(const struct page_facts *facts)
{
	static const uint32_t vendors[] = { VENDOR_WDC, 0 };
	enum page_presence maker = vendor_is(facts, vendors);

	return maker == PAGE_POSSIBLE ? vendor_wdc_presence(facts) : maker;
}

const struct page wdc_vu_smart_page = {
	.name = "wdc_vu_smart",
	.title = "WDC vendor unique SMART (log page D0h)",
	.prefix = "wdc_vu",
	.command = PAGE_LOG,
	.id = 0xd0,
	.size = 104,
	.cadence = CADENCE_SLOW,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
