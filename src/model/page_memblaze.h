/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What Memblaze's layouts of log page CAh have in common. The same id means different things in
 * different versions, hence a table for each; their families are shared, as no drive has two of them. */

#include "items.h"
#include "nvmewatch/cleanup.h"
#include "vendor.h"

#define ITEM_BY " (Memblaze)."
#define MEMBLAZE_UNIT 33554432 /* bytes: 32 MiB */
#define MEMBLAZE_VERSION 511   /* where the layout's version stands */
#define MEMBLAZE_KELVIN .bias = -273, .absent = ABSENT_ZERO, .min = 200, .max = 400, .full = true

#define MEMBLAZE_WEAR                                                                    \
	{ .name = "erase_cycles_min", .family = "erase_cycles", .labels = "stat=\"min\"", \
	  .kind = FIELD_GAUGE, ITEM(0xad, 0, 2), .full = true,                           \
	  .help = "Erase cycles of the NAND blocks" ITEM_BY },                           \
	{ .name = "erase_cycles_max", .family = "erase_cycles", .labels = "stat=\"max\"", \
	  .kind = FIELD_GAUGE, ITEM(0xad, 2, 2), .full = true,                           \
	  .help = "Most erase cycles" ITEM_BY },                                         \
	{ .name = "erase_cycles_avg", .family = "erase_cycles", .labels = "stat=\"avg\"", \
	  .kind = FIELD_GAUGE, ITEM(0xad, 4, 2), .full = true,                           \
	  .help = "Mean erase cycles" ITEM_BY },                                         \
	ITEM_NORMALIZED(0xad, "wear_leveling", "Wear leveling")

#define MEMBLAZE_WRITTEN                                                                 \
	{ .name = "nand_written_bytes", .kind = FIELD_COUNTER, ITEM(0xf4, 0, 6),         \
	  .mul = MEMBLAZE_UNIT, .help = "Bytes written to the NAND" ITEM_BY },           \
	ITEM_NORMALIZED(0xf4, "nand_written", "Written to the NAND"),                    \
	{ .name = "host_written_bytes", .kind = FIELD_COUNTER, ITEM(0xf5, 0, 6),         \
	  .mul = MEMBLAZE_UNIT, .full = true, .help = "Bytes written by the host" ITEM_BY }, \
	ITEM_NORMALIZED(0xf5, "host_written", "Written by the host")

/* Three temperatures or powers of 16 bits each: highest, lowest, now. */
#define MEMBLAZE_TEMPERATURES(id_, name_, when_)                                         \
	{ .name = name_ "_temperature_max_celsius", .kind = FIELD_GAUGE, ITEM(id_, 0, 2), \
	  MEMBLAZE_KELVIN, .help = "Highest temperature " when_ ITEM_BY },               \
	{ .name = name_ "_temperature_min_celsius", .kind = FIELD_GAUGE, ITEM(id_, 2, 2), \
	  MEMBLAZE_KELVIN, .help = "Lowest temperature " when_ ITEM_BY },                \
	{ .name = name_ "_temperature_celsius", .kind = FIELD_GAUGE, ITEM(id_, 4, 2),    \
	  MEMBLAZE_KELVIN, .help = "Temperature now, as beside the extremes " when_ ITEM_BY }, \
	ITEM_NORMALIZED(id_, name_ "_temperature", "Temperature " when_)

/* What versions 0 and 2 have alike. */
#define MEMBLAZE_TIMED_WORKLOAD                                                          \
	{ .name = "timed_workload_media_wear_ratio", .kind = FIELD_GAUGE, ITEM(0xe2, 0, 6), \
	  .div = 100000, .full = true,                                                   \
	  .help = "Wear since the timed workload began" ITEM_BY },                       \
	ITEM_NORMALIZED(0xe2, "timed_workload_media_wear_rating", "Wear of the timed workload"), \
	ITEM_GAUGE(0xe3, "timed_workload_host_reads_raw", "Reads of the timed workload"), \
	ITEM_GAUGE(0xe4, "timed_workload_timer_raw", "Timer of the timed workload")
#define MEMBLAZE_POWER                                                                   \
	{ .name = "power_max_watts", .kind = FIELD_GAUGE, ITEM(0xe8, 0, 2), .full = true, \
	  .help = "Highest power" ITEM_BY },                                             \
	{ .name = "power_min_watts", .kind = FIELD_GAUGE, ITEM(0xe8, 2, 2), .full = true, \
	  .help = "Lowest power" ITEM_BY },                                              \
	{ .name = "power_watts", .kind = FIELD_GAUGE, ITEM(0xe8, 4, 2), .full = true,    \
	  .help = "Power now" ITEM_BY },                                                 \
	ITEM_NORMALIZED(0xe8, "power", "Power")
#define MEMBLAZE_THROTTLED                                                               \
	{ .name = "throttled", .kind = FIELD_GAUGE, ITEM(0xeb, 0, 1),                    \
	  .help = "Throttling status, 0 while not throttled" ITEM_BY },                  \
	{ .name = "throttle_time_raw", .kind = FIELD_GAUGE, ITEM(0xeb, 1, 4), .full = true, \
	  .help = "Time throttled, in a unit that no source names" ITEM_BY },            \
	ITEM_NORMALIZED(0xeb, "throttle", "Throttling")

/* What versions 2 and 3 have alike. */
#define MEMBLAZE_THERMAL_THROTTLE                                                        \
	{ .name = "thermal_throttled", .kind = FIELD_GAUGE, ITEM(0xea, 0, 1),            \
	  .help = "Thermal throttling status, 0 while not throttled" ITEM_BY },          \
	{ .name = "thermal_throttle_events", .kind = FIELD_COUNTER, ITEM(0xea, 1, 4),    \
	  .help = "Thermal throttling events" ITEM_BY },                                 \
	ITEM_NORMALIZED(0xea, "thermal_throttle", "Thermal throttling")

#define MEMBLAZE_VERSION_ROW(version_)                                                   \
	{ .name = "log_page_version", .offset = MEMBLAZE_VERSION, .size = 1, .since = (version_), \
	  .help = "Version of the layout of log page CAh" ITEM_BY }
