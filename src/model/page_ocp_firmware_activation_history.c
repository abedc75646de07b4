/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP Firmware Activation History, log page C2h (OCP Datacenter NVMe SSD Specification 2.0, 4.8.5;
 * obsolete from 2.5 on). The entries are a ring: after 20 the next one takes the place of the first, so
 * that it is their count that orders them. */

#include <errno.h>
#include <string.h>

#include "nvmewatch/cleanup.h"
#include "ocp.h"

#define ENTRIES 20
#define ORIGIN(attributes_) ((attributes_) >> 1 & 7)
#define ORIGIN_HOST 1 /* else it counts from the last reset */

static const uint8_t guid[16] = {
	0x6d, 0x79, 0x9a, 0x76, 0xb4, 0xda, 0xf6, 0xa3, 0xe2, 0x4d, 0xb2, 0x8a, 0xac, 0xf3, 0x1c, 0xd1,
};

static bool reported(const uint8_t *bytes, unsigned index)
{
	return index < bytes_get(bytes + 4, 4);
}

static int time_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	(void)f;
	if (ORIGIN(bytes[at + 6]) != ORIGIN_HOST)
		return -ENODATA;
	ocp_seconds(bytes + at, ret);
	return 0;
}

static int time_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	uint8_t stamp[8] = { 0 };
	int r = v->type == VALUE_ABSENT ? 0 : ocp_seconds_put(v, stamp);

	if (r < 0)
		return r;
	if (v->type != VALUE_ABSENT)
		stamp[6] = ORIGIN_HOST << 1;
	memcpy(bytes + at, stamp, f->size);
	return 0;
}

static const struct field_conversion host_time = {
	.decode = time_decode, .encode = time_encode, .real = true,
};

#define ENTRY(offset_, size_, name_, help_, ...)                                         \
	{ .name = "activation_" name_, .kind = FIELD_INFO, .offset = 8 + offset_,        \
	  .size = size_, .count = ENTRIES, .stride = 64, .label = "entry",               \
	  .reported = reported, .help = help_, __VA_ARGS__ }

static const struct field fields[] = {
	{ .name = "entries", .kind = FIELD_INFO, .offset = 4, .size = 4, .max = ENTRIES,
	  .help = "Activations in the history, at most 20." },
	ENTRY(4, 2, "count", "Activations in the drive's life up to this one, saturating."),
	ENTRY(6, 8, "timestamp_seconds", "When it was, by the host's clock.",
	      .conversion = &host_time),
	ENTRY(22, 8, "power_cycles", "Power cycles up to then."),
	ENTRY(30, 8, "previous_firmware", "Firmware before it.", .type = FIELD_ASCII,
	      .absent = ABSENT_ZERO),
	ENTRY(38, 8, "new_firmware", "Firmware after it, the same where it failed.",
	      .type = FIELD_ASCII, .absent = ABSENT_ZERO),
	ENTRY(46, 1, "slot", "Firmware slot."),
	ENTRY(47, 1, "commit_action", "Commit action of Firmware Commit."),
	ENTRY(48, 2, "result", "Status, 0 success."),
	{ .name = "log_page_version", .kind = FIELD_INFO, .offset = 4078, .size = 2,
	  .help = "Log page version." },
	{ .name = "log_page_guid", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 4080,
	  .size = 16, .help = "Log page GUID as the specification prints it." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, 0, OCP_2_5 - 1);
}

const struct page ocp_firmware_activation_history_page = {
	.name = "ocp_firmware_activation_history",
	.title = "OCP Firmware Activation History (log page C2h)",
	.prefix = "ocp",
	.command = PAGE_LOG,
	.id = 0xc2,
	.size = 4096,
	.cadence = CADENCE_SLOW,
	.uuid = ocp_uuid,
	.guid = guid,
	.guid_offset = 4080,
	.version_offset = 4078,
	.version_size = 2,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
