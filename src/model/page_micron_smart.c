/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Micron's extended SMART, log page E1h. */

#include "nvmewatch/cleanup.h"
#include "vendor.h"

#define BY " (Micron, E1h)."
#define COUNT(full_, offset_, size_, name_, help_)                                       \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = size_, .full = full_, \
	  .help = help_ BY }
#define GAUGE(offset_, size_, name_, help_)                                              \
	{ .name = name_, .kind = FIELD_GAUGE, .offset = offset_, .size = size_, .full = true, \
	  .help = help_ BY }

static const struct field fields[] = {
	GAUGE(12, 4, "grown_bad_blocks", "NAND blocks retired since manufacture"),
	GAUGE(16, 4, "block_erase_cycles", "Most erase cycles of a block"),
	{ .name = "power_on_seconds", .kind = FIELD_COUNTER, .offset = 20, .size = 4, .mul = 60,
	  .full = true, .help = "Time powered on" BY },
	GAUGE(48, 4, "write_protect_reason_raw", "Why the drive is write protected, 0 while it is not"),
	GAUGE(64, 8, "capacity_raw", "Capacity, in a unit that no source names"),
	COUNT(true, 80, 8, "erase_cycles", "NAND erases"),
	GAUGE(88, 8, "life_use_rate_raw", "Rate of use of the drive's life"),
	COUNT(false, 96, 8, "erase_failures", "Failed NAND erases"),
	COUNT(true, 112, 8, "uncorrectable_read_errors", "Unrecoverable reads returned to the host"),
	COUNT(false, 144, 16, "program_failures", "Failed NAND programs"),
	COUNT(true, 160, 16, "read_bytes", "Bytes read"),
	COUNT(true, 176, 16, "written_bytes", "Bytes written"),
	GAUGE(208, 4, "translation_unit_raw", "Size of a translation unit"),
	GAUGE(212, 4, "block_stripes_raw", "Block stripes"),
	GAUGE(216, 4, "free_block_stripes_raw", "Free block stripes"),
	GAUGE(220, 8, "block_stripe_size_raw", "Size of a block stripe"),
	{ .name = "user_erase_cycles_min", .family = "user_erase_cycles", .labels = "stat=\"min\"",
	  .kind = FIELD_GAUGE, .offset = 244, .size = 4, .full = true,
	  .help = "Erase cycles of the user blocks" BY },
	{ .name = "user_erase_cycles_avg", .family = "user_erase_cycles", .labels = "stat=\"avg\"",
	  .kind = FIELD_GAUGE, .offset = 248, .size = 4, .full = true,
	  .help = "Mean erase cycles of the user blocks" BY },
	{ .name = "user_erase_cycles_max", .family = "user_erase_cycles", .labels = "stat=\"max\"",
	  .kind = FIELD_GAUGE, .offset = 252, .size = 4, .full = true,
	  .help = "Most erase cycles of a user block" BY },
};

const struct page micron_smart_page = {
	.name = "micron_smart",
	.title = "Micron extended SMART (log page E1h)",
	.prefix = "micron_smart",
	.command = PAGE_LOG,
	.id = 0xe1,
	.size = 256,
	.cadence = CADENCE_SLOW,
	.history = true,
	.presence = vendor_micron_presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
