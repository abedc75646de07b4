/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Error Information, log page 01h (NVMe Base 2.3, 5.2.12.1.2): the newest entries as values. All of them
 * are turned into events by error_log.c. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/error_log.h"
#include "nvmewatch/page.h"

#define SHOWN 8

/* Some drives refuse to be asked for more entries than they keep. */
static unsigned length(const struct page_facts *facts)
{
	int64_t elpe;

	if (!facts_integer(facts, &identify_page, "elpe", &elpe) || elpe >= ERROR_ENTRIES_MAX)
		return ERROR_ENTRIES_MAX * ERROR_ENTRY_SIZE;
	return ((unsigned)elpe + 1) * ERROR_ENTRY_SIZE;
}

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_bytes(facts, &identify_page) ? PAGE_POSSIBLE : PAGE_LATER;
}

/* An entry without a number is none. */
static bool entry_reported(const uint8_t *bytes, unsigned index)
{
	return bytes_get(bytes + (size_t)index * ERROR_ENTRY_SIZE, 8);
}

static bool place_reported(const uint8_t *bytes, unsigned index)
{
	return entry_reported(bytes, index) &&
	       bytes_get(bytes + (size_t)index * ERROR_ENTRY_SIZE + 14, 2) != 0xffff;
}

/* LPVER 1 and later. */
static bool opcode_reported(const uint8_t *bytes, unsigned index)
{
	return entry_reported(bytes, index) && bytes[index * ERROR_ENTRY_SIZE + 63];
}

#define ENTRY(offset_, size_)                                                            \
	.offset = offset_, .size = size_, .count = SHOWN, .first = 1,                    \
	.stride = ERROR_ENTRY_SIZE, .label = "entry"

static const struct field fields[] = {
	{ .name = "error_count", ENTRY(0, 8), .reported = entry_reported, .absent = ABSENT_ZERO,
	  .max = INT64_MAX,
	  .help = "Number of an entry over the life of the drive, the first is the newest." },
	{ .name = "submission_queue", ENTRY(8, 2), .reported = entry_reported, .absent = ABSENT_ONES,
	  .help = "Submission queue of the command, 0 for administration." },
	{ .name = "command_id", ENTRY(10, 2), .reported = entry_reported, .absent = ABSENT_ONES,
	  .help = "Command id, as the host's driver gave it." },
	{ .name = "status", ENTRY(12, 2), .shift = 1, .bits = 11, .reported = entry_reported,
	  .help = "Status the command ended with, 10:8 status code type, 7:0 status code." },
	{ .name = "parameter_byte", ENTRY(14, 1), .reported = place_reported,
	  .help = "First byte of the command that is wrong." },
	{ .name = "parameter_bit", ENTRY(15, 1), .bits = 3, .reported = place_reported,
	  .help = "First bit of that byte." },
	{ .name = "lba", ENTRY(16, 8), .reported = entry_reported, .absent = ABSENT_ONES,
	  .max = INT64_MAX, .help = "First logical block with the error." },
	{ .name = "nsid", ENTRY(24, 4), .reported = entry_reported, .help = "Namespace id." },
	{ .name = "vendor_log_page", ENTRY(28, 1), .reported = entry_reported, .absent = ABSENT_ZERO,
	  .help = "Log page that tells more of the error." },
	{ .name = "transport_type", ENTRY(29, 1), .reported = entry_reported, .absent = ABSENT_ZERO,
	  .help = "Transport of the error, 1 RDMA, 2 Fibre Channel, 3 TCP." },
	{ .name = "command_set", ENTRY(30, 1), .reported = opcode_reported,
	  .help = "Command set identifier of the command." },
	{ .name = "opcode", ENTRY(31, 1), .reported = opcode_reported, .help = "Opcode of the command." },
	{ .name = "command_information", .type = FIELD_HEX_LE, ENTRY(32, 8), .reported = entry_reported,
	  .absent = ABSENT_ZERO | ABSENT_ONES, .help = "Command specific information." },
	{ .name = "transport_information", ENTRY(40, 2), .reported = entry_reported,
	  .absent = ABSENT_ZERO | ABSENT_ONES, .help = "Transport specific information." },
};

const struct page error_information_page = {
	.name = "error_information",
	.title = "Error Information (log page 01h)",
	.prefix = "drive",
	.command = PAGE_LOG,
	.id = 0x01,
	.size = ERROR_ENTRIES_MAX * ERROR_ENTRY_SIZE,
	.size_min = ERROR_ENTRY_SIZE,
	.cadence = CADENCE_SLOW,
	.may_be_zero = true, /* there was no error yet */
	.presence = presence,
	.length = length,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
