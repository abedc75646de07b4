/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Log page C0h by hand, as log page version 6 (OCP 2.7) lays it out, and what it means. .version is
 * the one that added the field. */

#include "page_support.h"

static const struct {
	unsigned offset;
	const char *bytes;
} ocp_bytes[] = {
	{ 0, "00 90 b9 51 6d 04 00 00" },        /* written, bytes */
	{ 16, "00 f0 eb 78 6a 04 00 00" },       /* read, bytes */
	{ 32, "01 02 03 04 05 06 63 00" },       /* bad user blocks, 48 bit; 99 % left */
	{ 40, "0a 0b 0c 0d 0e 0f 62 00" },       /* bad system blocks; 98 % */
	{ 48, "21 22 23 24 25 26 27 08" },       /* XOR recoveries */
	{ 56, "31 32 33 34 35 36 37 08" },       /* uncorrectable reads */
	{ 64, "41 42 43 44 45 46 47 08" },       /* soft ECC errors */
	{ 72, "51 52 53 54 61 62 63 64" },       /* end to end: detected, corrected */
	{ 80, "82 01 02 03 04 05 06 0f" },       /* system data 130 %; refreshes, 56 bit */
	{ 88, "71 72 73 74 04 03 02 01" },       /* erase cycles: most, fewest */
	{ 96, "c8 02 01 05 00 07 00 02" },       /* throttling: 200 events, level 2; OCP 2.7.5.1 */
	{ 104, "81 82 83 84 85 86 87 08" },      /* PCIe correctable errors */
	{ 112, "91 92 93 94 ff ff ff ff" },      /* incomplete shutdowns */
	{ 120, "02" },                           /* free blocks, 2 % */
	{ 128, "78 00 62 63 64 65" },            /* capacitor, 120 %; errata letters b c d e */
	{ 136, "a1 a2 a3 a4 a5 a6 a7 08" },      /* unaligned */
	{ 144, "01 00 01 00 00 00 00 00" },      /* security version */
	{ 152, "b1 b2 b3 b4 b5 b6 b7 08" },      /* NUSE */
	{ 160, "c1 c2 c3 c4 c5 c6 c7 08" },      /* PLP starts */
	{ 176, "e0 b4 32 01 00 00 00 00" },      /* endurance estimate, 20100320 of 10^9 bytes */
	{ 192, "d1 d2 d3 d4 d5 d6 d7 08" },      /* link retrains */
	{ 200, "e1 e2 e3 e4 e5 e6 e7 08" },      /* power state changes */
	{ 208, "46 57 31 2e 30 20 20 20" },      /* lowest firmware "FW1.0" */
	{ 216, "40 01 02 00 03 00 57 11" },      /* dies 320, 2 may fail, 3 did; 87 degrees; form */
	{ 224, "f1 f2 f3 f4 f5 f6 f7 08" },      /* mean erase cycles */
	{ 232, "01 00 00 01 02 00 00 02 61" },   /* time-outs; program failures, 97 % */
	{ 244, "03 00 00 03 60 00 00 00" },      /* uncorrectable system reads, 96 % */
	{ 252, "04 00 00 04 5f 00 00 00" },      /* system erase failures, 95 % */
	{ 260, "c2 01 5e 01 01 02 03 04 05 ff" }, /* powers and energy, unit unknown */
	{ 270, "46 57 32 2e 31 2e 33 34" },      /* "FW2.1.34" */
	{ 278, "00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff" },
	{ 294, "62 75 69 6c 64 20 31 00" },      /* "build 1" */
	{ 358, "0a 0a 0a 0a 0a 0a 5e 00" },      /* bad blocks of the dies in use, 94 % */
	{ 494, "06 00" },
	{ 496, "c5 af 10 28 ea bf f2 a4 9c 4f 6f 7c c9 14 d5 af" },
};

static const struct {
	unsigned version;
	const char *column, *value;
} ocp_values[] = {
	{ 0, "physical_media_written_bytes", "4867569061888" },
	{ 0, "physical_media_read_bytes", "4855341772800" },
	{ 0, "bad_user_nand_blocks", "6618611909121" },
	{ 0, "bad_user_nand_blocks_normalized_ratio", "0.99" },
	{ 0, "bad_system_nand_blocks", "16553022851850" },
	{ 0, "bad_system_nand_blocks_normalized_ratio", "0.98" },
	{ 0, "xor_recoveries", "587480217357066785" },
	{ 0, "uncorrectable_read_errors", "592001478159446577" },
	{ 0, "soft_ecc_errors", "596522738961826369" },
	{ 0, "end_to_end_detected_errors", "1414746705" },
	{ 0, "end_to_end_corrected_errors", "1684234849" },
	{ 0, "system_data_used_ratio", "1.3" },
	{ 0, "refreshes", "4228743262568961" },
	{ 0, "user_erase_cycles_max", "1953722993" },
	{ 0, "user_erase_cycles_min", "16909060" },
	{ 0, "thermal_throttle_events", "200" },
	{ 0, "throttled", "2" },
	{ 3, "dssd_errata_version", "1" },
	{ 3, "dssd_point_version", "5" },
	{ 3, "dssd_minor_version", "7" },
	{ 3, "dssd_major_version", "2" },
	{ 0, "pcie_correctable_errors", "614607782171345537" },
	{ 0, "incomplete_shutdowns", "2492699281" },
	{ 0, "free_blocks_ratio", "0.02" },
	{ 0, "capacitor_health_ratio", "1.2" },
	{ 3, "nvme_base_errata_version", "\"b\"" },
	{ 4, "nvme_command_set_errata_version", "\"c\"" },
	{ 5, "nvme_pcie_errata_version", "\"d\"" },
	{ 5, "nvme_mi_errata_version", "\"e\"" },
	{ 0, "unaligned_ios", "623650303776105121" },
	{ 0, "security_version_number", "65537" },
	{ 0, "namespace_used_blocks", "628171564578484913" },
	{ 0, "plp_starts", "632692825380864705" },
	{ 0, "endurance_estimate_bytes", "20100320000000000" },
	{ 3, "pcie_link_retrains", "637214086183244497" },
	{ 3, "power_state_changes", "641735346985624289" },
	{ 4, "lowest_permitted_firmware", "\"FW1.0\"" },
	{ 5, "media_dies", "320" },
	{ 5, "die_failure_tolerance", "2" },
	{ 5, "media_dies_offline", "3" },
	{ 5, "temperature_recorded_max_celsius", "87" },
	{ 6, "form_factor", "17" },
	{ 5, "user_erase_cycles_avg", "646256607788004081" },
	{ 5, "command_timeouts", "16777217" },
	{ 5, "system_program_failures", "33554434" },
	{ 5, "system_program_failures_normalized_ratio", "0.97" },
	{ 5, "system_uncorrectable_reads", "50331651" },
	{ 5, "system_uncorrectable_reads_normalized_ratio", "0.96" },
	{ 5, "system_erase_failures", "67108868" },
	{ 5, "system_erase_failures_normalized_ratio", "0.95" },
	{ 5, "peak_power_max_raw", "450" },
	{ 5, "average_power_max_raw", "350" },
	{ 5, "lifetime_power_raw", "280397007225345" },
	{ 5, "dssd_firmware_revision", "\"FW2.1.34\"" },
	{ 5, "dssd_firmware_build_uuid", "\"00112233445566778899aabbccddeeff\"" },
	{ 5, "dssd_firmware_build_label", "\"build 1\"" },
	{ 6, "bad_in_use_die_nand_blocks", "11038234380810" },
	{ 6, "bad_in_use_die_nand_blocks_normalized_ratio", "0.94" },
	{ 0, "log_page_version", "6" },
	{ 0, "log_page_guid", "\"afd514c97c6f4f9ca4f2bfea2810afc5\"" },
};

static inline void ocp_fill(uint8_t *bytes)
{
	memset(bytes, 0, 512);
	/* What is reserved must not matter. */
	memset(bytes + 121, 0xee, 7);
	memset(bytes + 366, 0xee, 128);
	for (size_t i = 0; i < ELEMENTS(ocp_bytes); i++)
		put_hex(bytes, ocp_bytes[i].offset, ocp_bytes[i].bytes);
}
