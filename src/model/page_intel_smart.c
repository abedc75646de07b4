/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Additional SMART attributes of Intel and Solidigm data-centre drives, log page CAh: a list of items
 * whose order differs by model. The latency pages C1h and C2h are not read: on Optane drives reading
 * them clears them. */

#include <errno.h>

#include "items.h"
#include "nvmewatch/cleanup.h"
#include "vendor.h"

#define ITEM_SIZE 12
#define ITEM_NORMAL 3
#define ITEM_RAW 5
#define ITEM_BY " (Intel)."

#define ID_CRC_OR_TLP 0xc7
#define ID_BAD_DLLP 0xe7
#define ID_RECEIVER_ERROR 0xe8

/* C7h counts CRC errors, but bad TLPs where the other PCIe errors are counted too. */
static bool counts_tlp(const uint8_t *bytes)
{
	return items_find(bytes, ITEM_SIZE, ID_BAD_DLLP) >= 0 ||
	       items_find(bytes, ITEM_SIZE, ID_RECEIVER_ERROR) >= 0;
}

static int count_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	ret->integer = (int64_t)bytes_get(bytes + at, f->size);
	ret->type = VALUE_INTEGER;
	return 0;
}

static int crc_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	return counts_tlp(bytes) ? -ENODATA : count_decode(f, bytes, at, ret);
}

static int tlp_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	return counts_tlp(bytes) ? count_decode(f, bytes, at, ret) : -ENODATA;
}

static int count_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	if (v->type != VALUE_INTEGER)
		return -EINVAL;
	if (v->integer < 0 || v->integer >> (8 * f->size))
		return -ERANGE;
	bytes_put(bytes + at, f->size, (uint64_t)v->integer);
	return 0;
}

static const struct field_conversion crc = { .decode = crc_decode, .encode = count_encode };
static const struct field_conversion tlp = { .decode = tlp_decode, .encode = count_encode };

static const struct field fields[] = {
	ITEM_CORE(0xab, "program_failures", "Failed NAND programs"),
	ITEM_CORE(0xac, "erase_failures", "Failed NAND erases"),
	{ .name = "erase_cycles_min", .family = "erase_cycles", .labels = "stat=\"min\"",
	  .kind = FIELD_GAUGE, ITEM(0xad, 0, 2), .full = true,
	  .help = "Erase cycles of the NAND blocks" ITEM_BY },
	{ .name = "erase_cycles_max", .family = "erase_cycles", .labels = "stat=\"max\"",
	  .kind = FIELD_GAUGE, ITEM(0xad, 2, 2), .full = true, .help = "Most erase cycles" ITEM_BY },
	{ .name = "erase_cycles_avg", .family = "erase_cycles", .labels = "stat=\"avg\"",
	  .kind = FIELD_GAUGE, ITEM(0xad, 4, 2), .full = true, .help = "Mean erase cycles" ITEM_BY },
	ITEM_NORMALIZED(0xad, "wear_leveling", "Wear leveling"),
	ITEM_COUNT(0xb8, "end_to_end_errors", "End-to-end data path errors detected"),
	{ .name = "crc_errors", .kind = FIELD_COUNTER, ITEM(ID_CRC_OR_TLP, 0, 6), .conversion = &crc,
	  .full = true, .help = "CRC errors of the PCIe link" ITEM_BY },
	{ .name = "bad_tlp_errors", .kind = FIELD_COUNTER, ITEM(ID_CRC_OR_TLP, 0, 6), .conversion = &tlp,
	  .full = true, .help = "Bad transaction layer packets" ITEM_BY },
	ITEM_NORMALIZED(ID_CRC_OR_TLP, "crc_or_tlp_errors", "CRC errors or bad TLPs"),
	{ .name = "timed_workload_media_wear_ratio", .kind = FIELD_GAUGE, ITEM(0xe2, 0, 6),
	  .div = 102400, .full = true, .help = "Wear since the timed workload began" ITEM_BY },
	ITEM_NORMALIZED(0xe2, "timed_workload_media_wear_rating", "Wear of the timed workload"),
	{ .name = "timed_workload_host_reads_ratio", .kind = FIELD_GAUGE, ITEM(0xe3, 0, 6), .div = 100,
	  .full = true, .help = "Share of reads since the timed workload began" ITEM_BY },
	ITEM_NORMALIZED(0xe3, "timed_workload_host_reads_rating", "Reads of the timed workload"),
	{ .name = "timed_workload_seconds", .kind = FIELD_GAUGE, ITEM(0xe4, 0, 6), .mul = 60,
	  .full = true, .help = "Time since the timed workload began" ITEM_BY },
	ITEM_NORMALIZED(0xe4, "timed_workload_timer", "Timer of the timed workload"),
	{ .name = "thermal_throttle_ratio", .kind = FIELD_GAUGE, ITEM(0xea, 0, 1), .div = 100,
	  .help = "Thermal throttling, 0 while not throttled" ITEM_BY },
	{ .name = "thermal_throttle_events", .kind = FIELD_COUNTER, ITEM(0xea, 1, 4),
	  .help = "Thermal throttling events" ITEM_BY },
	ITEM_NORMALIZED(0xea, "thermal_throttle", "Thermal throttling"),
	ITEM_COUNT(0xf0, "retry_buffer_overflow_events", "Overflows of the PCIe retry buffer"),
	/* Older drives count, newer ones have four numbers from byte 4 on, and nothing tells which. */
	{ .name = "pll_lock_loss_raw", .type = FIELD_HEX, .item = 0xf3, .item_size = ITEM_SIZE,
	  .offset = 4, .size = 8, .help = "PLL lock losses, bytes 4 to 11 of the item" ITEM_BY },
	ITEM_NORMALIZED(0xf3, "pll_lock_loss", "PLL lock losses"),
	/* The unit is known from tools only, and by other tools it is a sector. */
	{ .name = "nand_written_raw", .kind = FIELD_COUNTER, ITEM(0xf4, 0, 6),
	  .help = "Written to the NAND, in units of 32 MiB as far as known, which holds where "
		  "host_written_raw x 33554432 is about the bytes that page smart tells" ITEM_BY },
	ITEM_NORMALIZED(0xf4, "nand_written", "Written to the NAND"),
	{ .name = "host_written_raw", .kind = FIELD_COUNTER, ITEM(0xf5, 0, 6),
	  .help = "Written by the host, in the unit of nand_written_raw" ITEM_BY },
	ITEM_NORMALIZED(0xf5, "host_written", "Written by the host"),
	ITEM_GAUGE(0xf6, "host_context_wear_used_raw", "Host context wear used"),
	ITEM_GAUGE(0xf7, "performance_status_raw", "Performance status indicator"),
	ITEM_COUNT(0x05, "reallocated_blocks", "Reallocated sectors"),
	ITEM_GAUGE(0x0d, "soft_ecc_error_rate_raw", "Soft ECC error rate"),
	ITEM_COUNT(0xae, "unexpected_power_loss_events", "Unexpected power losses"),
	ITEM_GAUGE(0xe5, "in_flight_read_commands", "Read commands in flight"),
	ITEM_GAUGE(0xe6, "in_flight_write_commands", "Write commands in flight"),
	ITEM_COUNT(ID_BAD_DLLP, "bad_dllp_errors", "Bad data link layer packets"),
	ITEM_COUNT(ID_RECEIVER_ERROR, "receiver_errors", "PCIe receiver errors"),
	ITEM_COUNT(0xee, "re_sku_events", "Changes of the drive's capacity class (re-SKU)"),
	{ .name = "media_read_raw", .kind = FIELD_COUNTER, ITEM(0xf8, 0, 6), .full = true,
	  .help = "Read from the media, presumably in the unit of nand_written_raw" ITEM_BY },
	ITEM_NORMALIZED(0xf8, "media_read", "Read from the media"),
	ITEM_GAUGE(0xf9, "firmware_downgrades_available_raw", "Firmware downgrades that are left"),
	ITEM_COUNT(0xfa, "host_read_collision_events", "Host read collisions"),
	ITEM_COUNT(0xfb, "host_write_collision_events", "Host write collisions"),
	ITEM_COUNT(0xfc, "xor_pass_events", "XOR recoveries that succeeded"),
	ITEM_COUNT(0xfd, "xor_failures", "XOR recoveries that failed"),
	ITEM_COUNT(0xfe, "xor_invoked_events", "XOR recoveries begun"),
};

static bool recognise(const uint8_t *bytes)
{
	return items_fit(fields, ELEMENTS(fields), bytes);
}

const struct page intel_smart_page = {
	.name = "intel_smart",
	.title = "Intel and Solidigm additional SMART attributes (log page CAh)",
	.prefix = "intel",
	.command = PAGE_LOG,
	.id = 0xca,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.uuid = solidigm_uuid,
	.presence = vendor_intel_presence,
	.recognise = recognise,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
