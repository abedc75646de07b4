/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP Telemetry String Log, log page C9h (OCP Datacenter NVMe SSD Specification 2.5): its header and the
 * names of the event FIFOs. The tables behind it decode telemetry captures (log pages 07h and 08h),
 * which nvmewatch never takes, so that only the header is read. */

#include "nvmewatch/cleanup.h"
#include "ocp.h"

static const uint8_t guid[16] = {
	0x44, 0xaa, 0x57, 0x00, 0x94, 0x95, 0xa4, 0x9e, 0x8b, 0x40, 0x8f, 0x1a, 0x69, 0x83, 0x3a, 0xb1,
};

#define DWORDS(offset_, name_, help_)                                                    \
	{ .name = name_, .kind = FIELD_INFO, .offset = offset_, .size = 8, .mul = 4, .help = help_ }

static const struct field fields[] = {
	{ .name = "log_page_version", .kind = FIELD_INFO, .offset = 0, .size = 1,
	  .help = "Log page version." },
	{ .name = "log_page_guid", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 16,
	  .size = 16, .help = "Log page GUID as the specification prints it." },
	DWORDS(32, "log_size_bytes", "Size of the whole log."),
	DWORDS(72, "statistic_table_bytes", "Size of the table of statistic identifiers."),
	DWORDS(88, "event_table_bytes", "Size of the table of event strings."),
	DWORDS(104, "vendor_event_table_bytes", "Size of the table of the vendor's event strings."),
	DWORDS(120, "ascii_table_bytes", "Size of the table of characters."),
	{ .name = "fifo_name", .kind = FIELD_INFO, .type = FIELD_ASCII, .offset = 128, .size = 16,
	  .count = 16, .stride = 16, .label = "fifo", .absent = ABSENT_ZERO,
	  .help = "Name of an event FIFO." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, OCP_2_5, OCP_NEWEST);
}

const struct page ocp_telemetry_strings_page = {
	.name = "ocp_telemetry_strings",
	.title = "OCP Telemetry String Log (log page C9h)",
	.prefix = "ocp",
	.command = PAGE_LOG,
	.id = 0xc9,
	.size = 384,
	.cadence = CADENCE_ATTACH,
	.uuid = ocp_uuid,
	.guid = guid,
	.guid_offset = 16,
	.version_offset = 0,
	.version_size = 1,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
