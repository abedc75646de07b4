/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* SMART / Health Information, log page 02h (NVMe Base 2.3, 5.2.12.1.3). */

#include "conversion.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define DATA_UNIT (1000 * 512) /* bytes, whatever the LBA format */

/* A temperature in kelvin. 0 is "not reported"; what no drive can have is not believed. */
#define KELVIN .bias = -273, .absent = ABSENT_ZERO, .min = 200, .max = 400

/* Drives without host controlled thermal management have 0. Of those with it, 0 is where the first
 * throttling is counted from. */
#define HOST_THERMAL .absent = ABSENT_ZERO, .zero_where = "hctma"

#define WARNING(bit_, name_, label_, help_)                                             \
	{ .name = "critical_warning_" name_, .family = "critical_warning",              \
	  .labels = "bit=\"" label_ "\"", .kind = FIELD_GAUGE, .offset = 0, .size = 1,  \
	  .shift = bit_, .bits = 1, .help = help_ }

#define COUNT(offset_, name_, help_)                                                    \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = 16, .help = help_ }

static const struct field fields[] = {
	{ .name = "critical_warning_raw", .kind = FIELD_GAUGE, .offset = 0, .size = 1,
	  .help = "Critical warning byte as the drive reports it, 0 when all is well." },
	WARNING(0, "spare", "spare", "1 while a critical warning of that kind is set."),
	WARNING(1, "temperature", "temperature", "1 while a temperature is past a threshold."),
	WARNING(2, "reliability", "reliability", "1 while reliability is degraded."),
	WARNING(3, "read_only", "read_only", "1 while all media are read-only."),
	WARNING(4, "backup_failed", "backup_failed", "1 while volatile memory backup has failed."),
	WARNING(5, "pmr", "pmr", "1 while persistent memory is unreliable or read-only."),
	WARNING(6, "personality", "personality", "1 while the personality state is indeterminate."),

	{ .name = "temperature_celsius", .kind = FIELD_GAUGE, .offset = 1, .size = 2, KELVIN,
	  .help = "Composite temperature." },
	{ .name = "available_spare_ratio", .kind = FIELD_GAUGE, .offset = 3, .size = 1,
	  .div = 100, .max = 100, .help = "Remaining spare capacity, 1 when new." },
	{ .name = "available_spare_threshold_ratio", .kind = FIELD_GAUGE, .offset = 4, .size = 1,
	  .div = 100, .max = 100,
	  .help = "Spare capacity below which the drive raises its spare warning." },
	{ .name = "endurance_used_ratio", .kind = FIELD_GAUGE, .offset = 5, .size = 1, .div = 100,
	  .help = "Share of the rated endurance used, may exceed 1, saturates at 2.55." },
	{ .name = "endurance_group_warning_raw", .kind = FIELD_GAUGE, .offset = 6, .size = 1,
	  .full = true, .help = "Endurance group critical warning summary byte." },

	{ .name = "host_read_bytes", .kind = FIELD_COUNTER, .offset = 32, .size = 16,
	  .mul = DATA_UNIT, .absent = ABSENT_ZERO,
	  .help = "Bytes the host has read, in units of 512000 rounded up." },
	{ .name = "host_written_bytes", .kind = FIELD_COUNTER, .offset = 48, .size = 16,
	  .mul = DATA_UNIT, .absent = ABSENT_ZERO,
	  .help = "Bytes the host has written, in units of 512000 rounded up." },
	COUNT(64, "host_read_commands", "Read commands completed."),
	COUNT(80, "host_write_commands", "Write commands completed."),
	{ .name = "controller_busy_seconds", .kind = FIELD_COUNTER, .offset = 96, .size = 16,
	  .mul = 60, .help = "Time the controller was busy with I/O commands, in whole minutes." },
	COUNT(112, "power_cycles", "Power cycles."),
	{ .name = "power_on_seconds", .kind = FIELD_COUNTER, .offset = 128, .size = 16,
	  .mul = 3600, .help = "Time powered on in whole hours, which may leave out "
			       "non-operational power states." },
	COUNT(144, "unsafe_shutdowns", "Power losses without a shutdown notification."),
	COUNT(160, "media_errors", "Unrecovered media and data integrity errors."),
	COUNT(176, "error_log_entries", "Error information log entries over the life of the drive, "
					"which host mistakes raise too."),

	{ .name = "temperature_over_warning_seconds", .family = "temperature_over_seconds",
	  .labels = "limit=\"warning\"", .kind = FIELD_COUNTER, .offset = 192, .size = 4, .mul = 60,
	  .help = "Time the composite temperature was over a limit, in whole minutes." },
	{ .name = "temperature_over_critical_seconds", .family = "temperature_over_seconds",
	  .labels = "limit=\"critical\"", .kind = FIELD_COUNTER, .offset = 196, .size = 4, .mul = 60,
	  .help = "Time the composite temperature was over the critical limit, in whole minutes." },
	{ .name = "sensor_temperature_celsius", .kind = FIELD_GAUGE, .offset = 200, .size = 2,
	  .count = 8, .stride = 2, .first = 1, .label = "sensor", KELVIN,
	  .help = "Temperature of one sensor, numbered as the drive does." },
	{ .name = "thermal_transitions", .kind = FIELD_COUNTER, .offset = 216, .size = 4,
	  .count = 2, .stride = 4, .first = 1, .label = "level", HOST_THERMAL,
	  .help = "Host thermal management transitions to a throttled state, level 1 light, 2 "
		  "heavy, saturating." },
	{ .name = "thermal_throttle_seconds", .kind = FIELD_COUNTER, .offset = 224, .size = 4,
	  .count = 2, .stride = 4, .first = 1, .label = "level", HOST_THERMAL,
	  .help = "Time throttled by host thermal management, saturating." },
	{ .name = "energy_joules", .kind = FIELD_COUNTER, .offset = 232, .size = 8, .mul = 3600,
	  .absent = ABSENT_ZERO | ABSENT_ONES,
	  .help = "Energy consumed over the life of the drive, in whole watt-hours rounded up." },
	{ .name = "power_watts", .kind = FIELD_GAUGE, .offset = 240, .size = 4,
	  .conversion = &interval_power, .help = "Mean power over the last second." },
};

const struct page smart_page = {
	.name = "smart",
	.title = "SMART / Health Information (log page 02h)",
	.prefix = "drive",
	.command = PAGE_LOG,
	.id = 0x02,
	.size = 512,
	.cadence = CADENCE_SMART,
	.history = true,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
