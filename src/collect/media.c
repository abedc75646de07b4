/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "media.h"

const struct media_counter media_counters[MEDIA_COUNTERS] = {
	{ &ocp_smart_page, { "physical_media_written_bytes" } },
	{ &memblaze_smart_v3_page, { "nand_written_bytes" } },
	{ &memblaze_smart_v2_page, { "nand_written_bytes" } },
	{ &memblaze_smart_v0_page, { "nand_written_bytes" } },
	{ &wdc_smart_page, { "nand_written_bytes" } },
	{ &hyperscale_boot_smart_page, { "tlc_written_bytes", "slc_written_bytes" } },
};
