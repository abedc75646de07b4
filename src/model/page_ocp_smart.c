/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP SMART / Health Information Extended, log page C0h (OCP Datacenter NVMe SSD Specification 2.0,
 * 4.8.3; later fields as published decoders of 2.5 to 2.7 read them). Versions 2 to 6; the base
 * fields are read from every page with the right GUID, later ones from the version that added
 * them. */

#include <errno.h>
#include <math.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

static const uint8_t guid[16] = {
	0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4, 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf,
};

#define COUNT(offset_, size_, name_, help_)                                              \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = size_, .help = help_ }
#define COUNT_SINCE(version_, offset_, size_, name_, help_)                              \
	{ .name = name_, .kind = FIELD_COUNTER, .offset = offset_, .size = size_,        \
	  .since = version_, .full = true, .help = help_ }
#define PLAIN(version_, offset_, size_, name_, help_)                                    \
	{ .name = name_, .kind = FIELD_INFO, .offset = offset_, .size = size_,           \
	  .since = version_, .help = help_ }
#define TEXT(version_, offset_, size_, name_, help_)                                     \
	{ .name = name_, .kind = FIELD_INFO, .type = FIELD_ASCII, .offset = offset_,     \
	  .size = size_, .since = version_, .absent = ABSENT_ZERO, .help = help_ }
/* 100 when new, falling to 0. */
#define NORMALIZED .div = 100, .max = 100
#define PERCENT .div = 100, .absent = ABSENT_ONES

/* Drives disagree on the unit: some count bytes, some 10^9 bytes as log page 09h does. No drive is
 * rated for less than 10^12 bytes, none for 10^21. */
#define GIGABYTES_BELOW UINT64_C(1000000000000)

static int estimate_decode(const struct field *f, const uint8_t *bytes, unsigned at,
			   struct value *ret)
{
	uint64_t low = bytes_get(bytes + at, 8), high = bytes_get(bytes + at + 8, f->size - 8u);
	int64_t n;

	if (!low && !high)
		return -ENODATA;
	if (high || low > INT64_MAX ||
	    __builtin_mul_overflow((int64_t)low, low < GIGABYTES_BELOW ? 1000000000 : 1, &n))
		return -ERANGE;
	ret->integer = n;
	ret->type = VALUE_INTEGER;
	return 0;
}

static int estimate_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	int64_t n = v->type == VALUE_ABSENT ? 0 : v->integer;

	if (v->type != VALUE_ABSENT && v->type != VALUE_INTEGER)
		return -EINVAL;
	if (n < 0)
		return -ERANGE;
	if ((uint64_t)n < GIGABYTES_BELOW) { /* would be read back as 10^9 bytes */
		if (n % 1000000000)
			return -ERANGE;
		n /= 1000000000;
	}
	bytes_put(bytes + at, 8, (uint64_t)n);
	bytes_put(bytes + at + 8, f->size - 8u, 0);
	return 0;
}

static const struct field_conversion endurance_estimate = {
	.decode = estimate_decode, .encode = estimate_encode,
};

/* Nothing but the list of log pages tells of it: a drive without that list is asked. */
static enum page_presence presence(const struct page_facts *facts)
{
	return facts_bytes(facts, &identify_page) ? PAGE_POSSIBLE : PAGE_LATER;
}

static const struct field fields[] = {
	COUNT(0, 16, "physical_media_written_bytes",
	      "Bytes written to the media, user and system data."),
	COUNT(16, 16, "physical_media_read_bytes", "Bytes read from the media."),
	{ .name = "bad_user_nand_blocks", .family = "bad_nand_blocks", .labels = "area=\"user\"",
	  .kind = FIELD_GAUGE, .offset = 32, .size = 6, .help = "Retired NAND blocks." },
	{ .name = "bad_system_nand_blocks", .family = "bad_nand_blocks", .labels = "area=\"system\"",
	  .kind = FIELD_GAUGE, .offset = 40, .size = 6, .absent = ABSENT_ONES,
	  .help = "Retired NAND blocks of the system area, absent where the user count covers all." },
	{ .name = "bad_user_nand_blocks_normalized_ratio", .kind = FIELD_GAUGE, .offset = 38,
	  .family = "bad_nand_blocks_normalized_ratio", .labels = "area=\"user\"", .size = 2,
	  NORMALIZED, .help = "Spare NAND blocks left, 1 when new." },
	{ .name = "bad_system_nand_blocks_normalized_ratio", .kind = FIELD_GAUGE, .offset = 46,
	  .family = "bad_nand_blocks_normalized_ratio", .labels = "area=\"system\"", .size = 2,
	  NORMALIZED, .help = "Spare NAND blocks of the system area left, 1 when new." },
	COUNT(48, 8, "xor_recoveries", "Reads that needed recovery across dies."),
	COUNT(56, 8, "uncorrectable_read_errors", "Unrecoverable reads returned to the host."),
	COUNT(64, 8, "soft_ecc_errors", "Reads that needed second-level error correction."),
	COUNT(72, 4, "end_to_end_detected_errors", "End-to-end data path errors detected."),
	COUNT(76, 4, "end_to_end_corrected_errors", "End-to-end data path errors corrected."),
	{ .name = "system_data_used_ratio", .kind = FIELD_GAUGE, .offset = 80, .size = 1,
	  .div = 100, .help = "Share of the system area's endurance used, may exceed 1." },
	COUNT(81, 7, "refreshes", "Blocks rewritten to keep their data readable."),
	{ .name = "user_erase_cycles_max", .family = "erase_cycles", .labels = "stat=\"max\"",
	  .kind = FIELD_GAUGE, .offset = 88, .size = 4, .help = "Erase cycles of the user area's "
								"blocks." },
	{ .name = "user_erase_cycles_min", .family = "erase_cycles", .labels = "stat=\"min\"",
	  .kind = FIELD_GAUGE, .offset = 92, .size = 4,
	  .help = "Fewest erase cycles of a user block." },
	{ .name = "user_erase_cycles_avg", .family = "erase_cycles", .labels = "stat=\"avg\"",
	  .kind = FIELD_GAUGE, .offset = 224, .size = 8, .since = 5,
	  .help = "Mean erase cycles of the NAND." },
	COUNT(96, 1, "thermal_throttle_events", "Thermal throttling events, saturates at 255."),
	{ .name = "throttled", .kind = FIELD_GAUGE, .offset = 97, .size = 1, .max = 3,
	  .help = "Thermal throttling level, 0 while not throttled." },
	{ .name = "dssd_errata_version", .kind = FIELD_INFO, .offset = 98, .size = 1, .since = 3,
	  .absent = ABSENT_ZERO, .help = "OCP specification errata version." },
	PLAIN(3, 99, 2, "dssd_point_version", "OCP specification point version."),
	PLAIN(3, 101, 2, "dssd_minor_version", "OCP specification minor version."),
	{ .name = "dssd_major_version", .kind = FIELD_INFO, .offset = 103, .size = 1, .since = 3,
	  .absent = ABSENT_ZERO, .help = "OCP specification major version." },
	COUNT(104, 8, "pcie_correctable_errors", "PCIe correctable errors at run time."),
	COUNT(112, 4, "incomplete_shutdowns", "Shutdowns that lost data or state."),
	{ .name = "free_blocks_ratio", .kind = FIELD_GAUGE, .offset = 120, .size = 1, PERCENT,
	  .help = "Share of the spare block pool that is erased, swings with the load." },
	{ .name = "capacitor_health_ratio", .kind = FIELD_GAUGE, .offset = 128, .size = 2, PERCENT,
	  .help = "Energy of the power-loss capacitors over the factory threshold, absent without "
		  "power-loss protection." },
	TEXT(3, 130, 1, "nvme_base_errata_version", "NVMe Base specification errata letter."),
	TEXT(4, 131, 1, "nvme_command_set_errata_version", "NVM Command Set errata letter."),
	TEXT(5, 132, 1, "nvme_pcie_errata_version", "NVMe over PCIe Transport errata letter."),
	TEXT(5, 133, 1, "nvme_mi_errata_version", "NVMe-MI errata letter."),
	COUNT(136, 8, "unaligned_ios", "Writes that do not start on an indirection unit, cleared at "
				       "every power cycle."),
	PLAIN(0, 144, 8, "security_version_number", "Security version of the firmware image."),
	{ .name = "namespace_used_blocks", .kind = FIELD_GAUGE, .offset = 152, .size = 8,
	  .full = true, .help = "Logical blocks in use over all namespaces (NUSE)." },
	COUNT(160, 16, "plp_starts", "Power-loss protection starts."),
	{ .name = "endurance_estimate_bytes", .kind = FIELD_GAUGE, .offset = 176, .size = 16,
	  .conversion = &endurance_estimate,
	  .help = "Bytes that may be written over the life of the drive." },
	{ .name = "pcie_link_retrains", .kind = FIELD_COUNTER, .offset = 192, .size = 8, .since = 3,
	  .help = "PCIe link retrainings at run time." },
	{ .name = "power_state_changes", .kind = FIELD_COUNTER, .offset = 200, .size = 8, .since = 3,
	  .help = "Power state changes, by the host or the drive." },
	TEXT(4, 208, 8, "lowest_permitted_firmware", "Oldest firmware revision the drive accepts."),
	{ .name = "media_dies", .kind = FIELD_GAUGE, .offset = 216, .size = 2, .since = 5,
	  .absent = ABSENT_ZERO, .full = true, .help = "Media dies." },
	{ .name = "die_failure_tolerance", .kind = FIELD_INFO, .offset = 218, .size = 2,
	  .since = 5, .absent = ABSENT_ZERO, .help = "Die failures that cost no data." },
	{ .name = "media_dies_offline", .kind = FIELD_GAUGE, .offset = 220, .size = 2, .since = 5,
	  .help = "Media dies that have failed." },
	{ .name = "temperature_recorded_max_celsius", .kind = FIELD_GAUGE, .offset = 222, .size = 1,
	  .since = 5, .absent = ABSENT_ZERO, .full = true,
	  .help = "Highest temperature ever recorded." },
	{ .name = "form_factor", .kind = FIELD_INFO, .offset = 223, .size = 1, .since = 6,
	  .absent = ABSENT_ZERO, .help = "Form factor code." },
	COUNT_SINCE(5, 232, 4, "command_timeouts", "Commands that timed out."),
	COUNT_SINCE(5, 236, 4, "system_program_failures", "Program failures of the system area."),
	{ .name = "system_program_failures_normalized_ratio", .kind = FIELD_GAUGE, .offset = 240,
	  .size = 1, .since = 5, .full = true, NORMALIZED,
	  .help = "Program failures of the system area, normalized, 1 when new." },
	COUNT_SINCE(5, 244, 4, "system_uncorrectable_reads",
		    "Uncorrectable reads of the system area."),
	{ .name = "system_uncorrectable_reads_normalized_ratio", .kind = FIELD_GAUGE, .offset = 248,
	  .size = 1, .since = 5, .full = true, NORMALIZED,
	  .help = "Uncorrectable reads of the system area, normalized, 1 when new." },
	COUNT_SINCE(5, 252, 4, "system_erase_failures", "Erase failures of the system area."),
	{ .name = "system_erase_failures_normalized_ratio", .kind = FIELD_GAUGE, .offset = 256,
	  .size = 1, .since = 5, .full = true, NORMALIZED,
	  .help = "Erase failures of the system area, normalized, 1 when new." },
	{ .name = "peak_power_max_raw", .kind = FIELD_INFO, .offset = 260, .size = 2, .since = 5,
	  .absent = ABSENT_ZERO, .help = "Highest peak power, in a unit that no public source names." },
	{ .name = "average_power_max_raw", .kind = FIELD_INFO, .offset = 262, .size = 2,
	  .since = 5, .absent = ABSENT_ZERO,
	  .help = "Present limit of average power, in a unit that no public source names." },
	{ .name = "lifetime_power_raw", .kind = FIELD_INFO, .offset = 264, .size = 6, .since = 5,
	  .absent = ABSENT_ZERO,
	  .help = "Energy consumed, in a unit that no public source names." },
	TEXT(5, 270, 8, "dssd_firmware_revision", "OCP firmware revision."),
	{ .name = "dssd_firmware_build_uuid", .kind = FIELD_INFO, .type = FIELD_HEX, .offset = 278,
	  .size = 16, .since = 5, .absent = ABSENT_ZERO, .help = "Firmware build UUID." },
	TEXT(5, 294, 64, "dssd_firmware_build_label", "Firmware build label."),
	{ .name = "bad_in_use_die_nand_blocks", .kind = FIELD_GAUGE, .offset = 358, .size = 6,
	  .since = 6, .full = true, .help = "Retired NAND blocks of the dies in use." },
	{ .name = "bad_in_use_die_nand_blocks_normalized_ratio", .kind = FIELD_GAUGE, .offset = 364,
	  .size = 2, .since = 6, .full = true, NORMALIZED,
	  .help = "Spare NAND blocks of the dies in use left, 1 when new." },
	PLAIN(0, 494, 2, "log_page_version", "Log page version."),
	{ .name = "log_page_guid", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 496,
	  .size = 16, .help = "Log page GUID as the specification prints it." },
};

const struct page ocp_smart_page = {
	.name = "ocp_smart",
	.title = "OCP SMART / Health Information Extended (log page C0h)",
	.prefix = "ocp",
	.command = PAGE_LOG,
	.id = 0xc0,
	.size = 512,
	.cadence = CADENCE_OCP,
	.history = true,
	.uuid = ocp_uuid,
	.guid = guid,
	.guid_offset = 496,
	.version_offset = 494,
	.version_size = 2,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
