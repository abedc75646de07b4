/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Memblaze additional SMART attributes of the models before P5920, log page CAh: items of 12 bytes in
 * a fixed order, an id of 24 bits, a normalized value of 16 and 48 bits of raw value. From the seventh
 * on one counts only with the right id, which [raw] has to put there where such a drive is simulated. */

#include "page_memblaze.h"

#define ITEM_SIZE 12
#define ITEM_RAW 5

/* A part of the raw value of an item. */
#define PLACE(slot_, at_, size_) .offset = ITEM_SIZE * (slot_) + ITEM_RAW + (at_), .size = (size_)
#define VALID(slot_, at_, size_) PLACE(slot_, at_, size_), .reported = item_##slot_##_is_valid

#define ID(slot_, id_)                                                                   \
	static bool item_##slot_##_is_valid(const uint8_t *bytes, unsigned index)        \
	{                                                                                \
		(void)index;                                                             \
		return bytes_get(bytes + ITEM_SIZE * (slot_), 3) == (id_);               \
	}

ID(6, 0xec)
ID(7, 0xad)
ID(8, 0xf5)
ID(9, 0xeb)
ID(10, 0xed)
ID(11, 0xee)
ID(12, 0xef)
ID(13, 0xf0)
ID(14, 0xf1)
ID(15, 0xf2)

#define DEGREES(slot_, at_, name_, help_)                                                \
	{ .name = name_, .kind = FIELD_GAUGE, PLACE(slot_, at_, 2), MEMBLAZE_KELVIN,     \
	  .help = help_ ITEM_BY }
#define WATTS(at_, name_, help_)                                                         \
	{ .name = name_, .kind = FIELD_GAUGE, PLACE(4, at_, 2), .full = true, .help = help_ ITEM_BY }
#define COUNT(full_, slot_, name_, help_)                                                \
	{ .name = name_, .kind = FIELD_COUNTER, VALID(slot_, 0, 6), .full = full_,       \
	  .help = help_ ITEM_BY }

static const struct field fields[] = {
	{ .name = "total_written_bytes", .kind = FIELD_COUNTER, PLACE(0, 0, 6), .mul = 1000000000,
	  .full = true, .help = "Bytes written since the factory reset" ITEM_BY },
	{ .name = "total_read_bytes", .kind = FIELD_COUNTER, PLACE(1, 0, 6), .mul = 1000000000,
	  .full = true, .help = "Bytes read since the factory reset" ITEM_BY },
	{ .name = "thermal_throttled", .kind = FIELD_GAUGE, PLACE(2, 0, 1),
	  .help = "Thermal throttling status, 0 while not throttled" ITEM_BY },
	{ .name = "thermal_throttle_seconds", .kind = FIELD_GAUGE, PLACE(2, 1, 4), .mul = 60,
	  .full = true, .help = "Time throttled since power-on" ITEM_BY },
	DEGREES(3, 0, "life_temperature_max_celsius", "Highest temperature since the factory reset"),
	DEGREES(3, 2, "life_temperature_min_celsius", "Lowest temperature since the factory reset"),
	DEGREES(3, 4, "life_temperature_celsius", "Temperature now"),
	WATTS(0, "power_max_watts", "Highest power"),
	WATTS(2, "power_min_watts", "Lowest power"),
	WATTS(4, "power_watts", "Power now"),
	DEGREES(5, 0, "boot_temperature_max_celsius", "Highest temperature since power-on"),
	DEGREES(5, 2, "boot_temperature_min_celsius", "Lowest temperature since power-on"),
	{ .name = "power_loss_protection_normalized_ratio", .kind = FIELD_GAUGE, VALID(6, -2, 1),
	  .div = 100, .max = 100, .full = true, .help = "Power loss protection, normalized" ITEM_BY },
	{ .name = "wear_leveling_normalized_ratio", .kind = FIELD_GAUGE, VALID(7, -2, 2),
	  .div = 100, .max = 100, .full = true,
	  .help = "Wear leveling, normalized" ITEM_BY },
	{ .name = "erase_cycles_min", .family = "erase_cycles", .labels = "stat=\"min\"",
	  .kind = FIELD_GAUGE, VALID(7, 0, 2), .full = true,
	  .help = "Erase cycles of the NAND blocks" ITEM_BY },
	{ .name = "erase_cycles_max", .family = "erase_cycles", .labels = "stat=\"max\"",
	  .kind = FIELD_GAUGE, VALID(7, 2, 2), .full = true, .help = "Most erase cycles" ITEM_BY },
	{ .name = "erase_cycles_avg", .family = "erase_cycles", .labels = "stat=\"avg\"",
	  .kind = FIELD_GAUGE, VALID(7, 4, 2), .full = true, .help = "Mean erase cycles" ITEM_BY },
	{ .name = "host_written_bytes", .kind = FIELD_COUNTER, VALID(8, 0, 6), .mul = 1073741824,
	  .full = true, .help = "Bytes written by the host" ITEM_BY },
	{ .name = "throttled", .kind = FIELD_GAUGE, VALID(9, 0, 1),
	  .help = "Throttling status, 0 while not throttled" ITEM_BY },
	{ .name = "throttle_events", .kind = FIELD_COUNTER, VALID(9, 1, 4),
	  .help = "Throttling events" ITEM_BY },
	{ .name = "pcie_correctable_errors_0", .family = "pcie_correctable_errors",
	  .labels = "port=\"0\"", .kind = FIELD_COUNTER, VALID(10, 0, 6), .full = true,
	  .help = "PCIe correctable errors of a port" ITEM_BY },
	{ .name = "pcie_correctable_errors_1", .family = "pcie_correctable_errors",
	  .labels = "port=\"1\"", .kind = FIELD_COUNTER, VALID(11, 0, 6), .full = true,
	  .help = "PCIe correctable errors of the second port" ITEM_BY },
	COUNT(true, 12, "end_to_end_errors", "End-to-end data path errors"),
	COUNT(false, 13, "erase_failures", "Failed NAND erases"),
	COUNT(false, 14, "program_failures", "Failed NAND programs"),
	COUNT(true, 15, "read_failures", "Failed NAND reads"),
};

/* Any of the items that have both a place and an id. */
static bool recognise(const uint8_t *bytes)
{
	static const uint8_t ids[] = { 0xec, 0xad, 0xf5, 0xeb, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf2 };

	for (unsigned i = 0; i < ELEMENTS(ids); i++)
		if (bytes_get(bytes + ITEM_SIZE * (6 + i), 3) == ids[i])
			return true;
	return false;
}

const struct page memblaze_smart_old_page = {
	.name = "memblaze_smart_old",
	.title = "Memblaze additional SMART attributes, before P5920 (log page CAh)",
	.prefix = "memblaze",
	.command = PAGE_LOG,
	.id = 0xca,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.presence = vendor_memblaze_old_presence,
	.recognise = recognise,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
