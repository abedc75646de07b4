/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP Error Recovery, log page C1h (OCP Datacenter NVMe SSD Specification 2.0, 4.8.4): whether the drive
 * has panicked, and what it wants done then. */

#include <errno.h>

#include "nvmewatch/cleanup.h"
#include "ocp.h"

static const uint8_t guid[16] = {
	0x44, 0xd9, 0x31, 0x21, 0xfe, 0x30, 0x34, 0xae, 0xab, 0x4d, 0xfd, 0x3d, 0xba, 0x83, 0x19, 0x5a,
};

#define PLAIN(version_, offset_, size_, name_, help_)                                    \
	{ .name = name_, .kind = FIELD_INFO, .offset = offset_, .size = size_,           \
	  .since = version_, .help = help_ }

/* An id may have all of its 64 bits, more than a number holds: that there is one is the number. */
static int panic_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	ret->integer = bytes_get(bytes + at, f->size) != 0;
	ret->type = VALUE_INTEGER;
	return 0;
}

/* 1 stays what id there is, or becomes the least. */
static int panic_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	if (v->type != VALUE_INTEGER)
		return -EINVAL;
	if (v->integer < 0 || v->integer > 1)
		return -ERANGE;
	if (!v->integer || !bytes_get(bytes + at, f->size))
		bytes_put(bytes + at, f->size, (uint64_t)v->integer);
	return 0;
}

static const struct field_conversion panic = { .decode = panic_decode, .encode = panic_encode };

static const struct field fields[] = {
	{ .name = "panic_reset_wait_seconds", .kind = FIELD_INFO, .offset = 0, .size = 2,
	  .div = 1000, .help = "Time to wait after a panic before the reset." },
	PLAIN(0, 2, 1, "panic_reset_action_raw",
	      "Resets that end a panic, bit 0 controller, 1 NVM subsystem, 2 function level, 3 PERST, 4 "
	      "main power cycle, 5 conventional hot reset."),
	PLAIN(0, 3, 1, "device_recovery_action_1_raw",
	      "What recovers the drive, which drives tell as bits or as a number."),
	{ .name = "panic", .kind = FIELD_GAUGE, .offset = 4, .size = 8, .conversion = &panic,
	  .help = "1 while the drive reports a panic." },
	{ .name = "panic_id_raw", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 4, .size = 8,
	  .absent = ABSENT_ZERO,
	  .help = "Id of the panic, 1 data lost at power loss, up to ffff as defined by hosts." },
	PLAIN(0, 12, 4, "device_capabilities_raw",
	      "How a panic is told, bit 0 asynchronous event, bit 1 controller fatal status."),
	PLAIN(0, 16, 1, "vendor_recovery_opcode",
	      "Opcode of the vendor's recovery command, where the action is that."),
	PLAIN(0, 20, 4, "vendor_recovery_cdw12", "Dword 12 of the vendor's recovery command."),
	PLAIN(0, 24, 4, "vendor_recovery_cdw13", "Dword 13 of the vendor's recovery command."),
	PLAIN(2, 28, 1, "vendor_recovery_timeout_seconds",
	      "Time that the vendor's recovery command may take."),
	PLAIN(2, 29, 1, "device_recovery_action_2_raw",
	      "Resets that are needed after the recovery, bits as of the panic reset action."),
	PLAIN(2, 30, 1, "device_recovery_action_2_timeout_seconds",
	      "Time that the drive may take to be ready after them."),
	{ .name = "panics", .kind = FIELD_COUNTER, .offset = 31, .size = 1, .since = 3,
	  .full = true, .help = "Panics, saturates at 255." },
	{ .name = "previous_panic_id", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 32,
	  .size = 8, .count = 4, .stride = 8, .first = 1, .label = "position", .since = 3,
	  .absent = ABSENT_ZERO, .help = "Id of an earlier panic, 1 the last." },
	PLAIN(0, 494, 2, "log_page_version", "Log page version."),
	{ .name = "log_page_guid", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 496,
	  .size = 16, .help = "Log page GUID as the specification prints it." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, 0, OCP_NEWEST);
}

/* No faster where the drive is hot: a panic is told by an event too. */
const struct page ocp_error_recovery_page = {
	.name = "ocp_error_recovery",
	.title = "OCP Error Recovery (log page C1h)",
	.prefix = "ocp",
	.command = PAGE_LOG,
	.id = 0xc1,
	.size = 512,
	.cadence = CADENCE_POWER,
	.uuid = ocp_uuid,
	.guid = guid,
	.guid_offset = 496,
	.version_offset = 494,
	.version_size = 2,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
