/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where the keys of tests/data/drives/NAME.json lie in the bytes of a page, and what column they
 * become. Written from the specification, not from the rows of src/model. */

#include <stddef.h>
#include <stdint.h>

enum unit {
	SAME,       /* the number as it is */
	NO_ZERO,    /* so, 0 being "not reported" */
	KELVIN,     /* to Celsius, 0 being "not reported" */
	PERCENT,    /* to a ratio */
	UNITS,      /* thousands of 512 bytes */
	MINUTES,    /* to seconds */
	HOURS,
	MICRO,      /* microseconds to seconds, 0 being "not reported" */
	TENTHS,     /* of seconds, so too */
	PAGES,      /* of 4096 bytes, so too */
	GIGABYTES,  /* of 10^9 bytes, so too */
	ELSEWHERE,  /* known, but of no page yet, or checked apart */
};

struct sample_key {
	const char *name;
	unsigned offset, length;
	const char *column;
	enum unit unit;
};

static const struct sample_key smart_keys[] = {
	{ "critical_warning", 0, 1, "critical_warning_raw", SAME },
	{ "composite_k", 1, 2, "temperature_celsius", KELVIN },
	{ "available_spare_pct", 3, 1, "available_spare_ratio", PERCENT },
	{ "available_spare_threshold_pct", 4, 1, "available_spare_threshold_ratio", PERCENT },
	{ "percentage_used_pct", 5, 1, "endurance_used_ratio", PERCENT },
	{ "data_units_read", 32, 16, "host_read_bytes", UNITS },
	{ "data_units_written", 48, 16, "host_written_bytes", UNITS },
	{ "host_read_cmds", 64, 16, "host_read_commands", SAME },
	{ "host_write_cmds", 80, 16, "host_write_commands", SAME },
	{ "controller_busy_minutes", 96, 16, "controller_busy_seconds", MINUTES },
	{ "power_cycles", 112, 16, "power_cycles", SAME },
	{ "power_on_hours", 128, 16, "power_on_seconds", HOURS },
	{ "unsafe_shutdowns", 144, 16, "unsafe_shutdowns", SAME },
	{ "media_errors", 160, 16, "media_errors", SAME },
	{ "error_log_entries", 176, 16, "error_log_entries", SAME },
	{ "warning_temp_minutes", 192, 4, "temperature_over_warning_seconds", MINUTES },
	{ "critical_temp_minutes", 196, 4, "temperature_over_critical_seconds", MINUTES },
	{ "composite_c", 0, 0, NULL, ELSEWHERE },
	{ "sensor_k", 0, 0, NULL, ELSEWHERE },
	{ NULL },
};

static const struct sample_key ocp_keys[] = {
	{ "physical_media_units_written", 0, 16, "physical_media_written_bytes", SAME },
	{ "physical_media_units_read", 16, 16, "physical_media_read_bytes", SAME },
	{ "bad_user_blocks_raw", 32, 6, "bad_user_nand_blocks", SAME },
	{ "bad_user_blocks_norm", 38, 2, "bad_user_nand_blocks_normalized_ratio", PERCENT },
	{ "bad_system_blocks_raw", 40, 6, "bad_system_nand_blocks", SAME },
	{ "bad_system_blocks_norm", 46, 2, "bad_system_nand_blocks_normalized_ratio", PERCENT },
	{ "xor_recoveries", 48, 8, "xor_recoveries", SAME },
	{ "uncorrectable_reads", 56, 8, "uncorrectable_read_errors", SAME },
	{ "soft_ecc_errors", 64, 8, "soft_ecc_errors", SAME },
	{ "e2e_detected", 72, 4, "end_to_end_detected_errors", SAME },
	{ "e2e_corrected", 76, 4, "end_to_end_corrected_errors", SAME },
	{ "system_data_used_pct", 80, 1, "system_data_used_ratio", PERCENT },
	{ "refresh_count", 81, 7, "refreshes", SAME },
	{ "user_erase_max", 88, 4, "user_erase_cycles_max", SAME },
	{ "user_erase_min", 92, 4, "user_erase_cycles_min", SAME },
	{ "throttle_events", 96, 1, "thermal_throttle_events", SAME },
	{ "throttle_status", 97, 1, "throttled", SAME },
	{ "pcie_correctable", 104, 8, "pcie_correctable_errors", SAME },
	{ "incomplete_shutdowns", 112, 4, "incomplete_shutdowns", SAME },
	{ "free_blocks_pct", 120, 1, "free_blocks_ratio", PERCENT },
	{ "capacitor_health_pct", 128, 2, "capacitor_health_ratio", PERCENT },
	{ "unaligned_io", 136, 8, "unaligned_ios", SAME },
	{ "security_version", 144, 8, "security_version_number", SAME },
	{ "total_nuse", 152, 8, "namespace_used_blocks", SAME },
	{ "plp_starts", 160, 16, "plp_starts", SAME },
	{ "endurance_estimate", 176, 16, "endurance_estimate_bytes", GIGABYTES },
	{ "log_page_version", 494, 2, "log_page_version", SAME },
	{ "log_page_guid", 0, 0, NULL, ELSEWHERE },
	{ NULL },
};

static const struct sample_key identify_keys[] = {
	{ "vid", 0, 2, "vid", SAME },
	{ "ssvid", 2, 2, "ssvid", SAME },
	{ "rab", 72, 1, "rab", SAME },
	{ "ieee", 73, 3, NULL, ELSEWHERE },
	{ "ieee_oui", 73, 3, NULL, ELSEWHERE },
	{ "cmic", 76, 1, "cmic", SAME },
	{ "mdts", 77, 1, "mdts", SAME },
	{ "mdts_pages", 77, 1, NULL, ELSEWHERE },
	{ "cntlid", 78, 2, "cntlid", SAME },
	{ "ver", 80, 4, "ver", NO_ZERO },
	{ "rtd3r", 84, 4, "rtd3r_seconds", MICRO },
	{ "rtd3e", 88, 4, "rtd3e_seconds", MICRO },
	{ "oaes", 92, 4, "oaes", SAME },
	{ "ctratt", 96, 4, "ctratt", SAME },
	{ "rrls", 100, 2, "rrls", SAME },
	{ "oacs", 256, 2, "oacs", SAME },
	{ "acl", 258, 1, "acl", SAME },
	{ "aerl", 259, 1, "aerl", SAME },
	{ "frmw", 260, 1, "frmw", SAME },
	{ "lpa", 261, 1, "lpa", SAME },
	{ "elpe", 262, 1, "elpe", SAME },
	{ "npss", 263, 1, "npss", SAME },
	{ "avscc", 264, 1, "avscc", SAME },
	{ "apsta", 265, 1, "apsta", SAME },
	{ "wctemp", 266, 2, "wctemp_celsius", KELVIN },
	{ "wctemp_k", 266, 2, "wctemp_celsius", KELVIN },
	{ "cctemp", 268, 2, "cctemp_celsius", KELVIN },
	{ "cctemp_k", 268, 2, "cctemp_celsius", KELVIN },
	{ "mtfa", 270, 2, "mtfa_seconds", TENTHS },
	{ "hmpre", 272, 4, "hmpre_bytes", PAGES },
	{ "hmmin", 276, 4, "hmmin_bytes", PAGES },
	{ "tnvmcap", 280, 16, "tnvmcap_bytes", NO_ZERO },
	{ "tnvmcap_bytes", 280, 16, "tnvmcap_bytes", NO_ZERO },
	{ "unvmcap", 296, 16, "unvmcap_bytes", SAME },
	{ "unvmcap_bytes", 296, 16, "unvmcap_bytes", SAME },
	{ "rpmbs", 312, 4, "rpmbs", SAME },
	{ "edstt", 316, 2, "edstt_seconds", MINUTES },
	{ "dsto", 318, 1, "dsto", SAME },
	{ "fwug", 319, 1, "fwug", NO_ZERO },
	{ "kas", 320, 2, "kas_seconds", TENTHS },
	{ "hctma", 322, 2, "hctma", SAME },
	{ "mntmt", 324, 2, "mntmt_celsius", KELVIN },
	{ "mntmt_k", 324, 2, "mntmt_celsius", KELVIN },
	{ "mxtmt", 326, 2, "mxtmt_celsius", KELVIN },
	{ "mxtmt_k", 326, 2, "mxtmt_celsius", KELVIN },
	{ "sanicap", 328, 4, "sanicap", SAME },
	{ "hmminds", 332, 4, "hmminds_bytes", PAGES },
	{ "hmmaxd", 336, 2, "hmmaxd", SAME },
	{ "nsetidmax", 338, 2, "nsetidmax", SAME },
	{ "anatt", 342, 1, "anatt_seconds", SAME },
	{ "anacap", 343, 1, "anacap", SAME },
	{ "anagrpmax", 344, 4, "anagrpmax", SAME },
	{ "nanagrpid", 348, 4, "nanagrpid", SAME },
	{ "sqes", 512, 1, "sqes", SAME },
	{ "cqes", 513, 1, "cqes", SAME },
	{ "maxcmd", 514, 2, "maxcmd", SAME },
	{ "nn", 516, 4, "nn", SAME },
	{ "oncs", 520, 2, "oncs", SAME },
	{ "fuses", 522, 2, "fuses", SAME },
	{ "fna", 524, 1, "fna", SAME },
	{ "vwc", 525, 1, "vwc", SAME },
	{ "awun", 526, 2, "awun", SAME },
	{ "awupf", 528, 2, "awupf", SAME },
	{ "nvscc", 530, 1, "icsvscc", SAME },
	{ "nwpc", 531, 1, "nwpc", SAME },
	{ "acwu", 532, 2, "acwu", SAME },
	{ "sgls", 536, 4, "sgls", SAME },
	{ "subnqn", 0, 0, NULL, ELSEWHERE },
	{ "ioccsz", 1792, 4, "ioccsz", SAME },
	{ "iorcsz", 1796, 4, "iorcsz", SAME },
	{ "icdoff", 1800, 2, "icdoff", SAME },
	{ "ctrattr", 1802, 1, "fcatt", SAME },
	{ "msdbd", 1803, 1, "msdbd", SAME },
	{ NULL },
};

/* Of an entry of 64 bytes. */
static const struct sample_key error_keys[] = {
	{ "error_count", 0, 8, "error_count", SAME },
	{ "sqid", 8, 2, "submission_queue", SAME },
	{ "cmdid", 10, 2, "command_id", SAME },
	{ "status_field_smartctl", 12, 2, "status", ELSEWHERE },
	{ "param_err_loc", 14, 2, NULL, ELSEWHERE },
	{ "lba", 16, 8, "lba", SAME },
	{ "nsid", 24, 4, "nsid", SAME },
	{ NULL },
};
