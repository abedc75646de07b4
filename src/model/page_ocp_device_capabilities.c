/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP Device Capabilities, log page C4h (OCP Datacenter NVMe SSD Specification 2.0, 4.8.7). */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/cleanup.h"
#include "ocp.h"

#define VALID 0x80
#define STATE 0x1fu
#define WATTS_MAX 127

static const uint8_t guid[16] = {
	0x97, 0x42, 0x05, 0x0d, 0xd1, 0xe1, 0xc9, 0x98, 0x5d, 0x49, 0x58, 0x4b, 0x91, 0x3c, 0x05, 0xb7,
};

#define PLAIN(offset_, size_, name_, help_)                                              \
	{ .name = name_, .kind = FIELD_INFO, .offset = offset_, .size = size_, .help = help_ }

static bool same_state(uint8_t a, uint8_t b)
{
	return a & b & VALID && !((a ^ b) & STATE);
}

/* A byte for each watt from 1 on, as "5-9:4 14:1 25:0". */
static int states_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	const uint8_t *state = bytes + at - 1; /* by watts */
	char range[16];
	int used = 0;

	for (unsigned watts = 1, last; watts <= f->size; watts = last + 1) {
		for (last = watts; last < f->size && same_state(state[watts], state[last + 1]);)
			last++;
		if (!(state[watts] & VALID))
			continue;
		snprintf(range, sizeof(range), last > watts ? "%u-%u" : "%u", watts, last);
		used += snprintf(ret->text + used, sizeof(ret->text) - (size_t)used, "%s%s:%u",
				 used ? " " : "", range, state[watts] & STATE);
		if ((size_t)used >= sizeof(ret->text))
			return -ERANGE;
	}
	if (!used)
		return -ENODATA;
	ret->type = VALUE_TEXT;
	return 0;
}

static int states_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	const char *text = v->type == VALUE_TEXT ? v->text : "";
	uint8_t states[WATTS_MAX + 1] = { 0 };
	unsigned low, high, state;
	int used;

	if (v->type != VALUE_TEXT && v->type != VALUE_ABSENT)
		return -EINVAL;
	for (; *text; text += used + (text[used] == ' ')) {
		if (sscanf(text, "%3u-%3u:%2u%n", &low, &high, &state, &used) != 3) {
			if (sscanf(text, "%3u:%2u%n", &low, &state, &used) != 2)
				return -EINVAL;
			high = low;
		}
		if (!low || high < low || (text[used] && text[used] != ' '))
			return -EINVAL;
		if (high > f->size || state > STATE)
			return -ERANGE;
		memset(states + low, (int)(VALID | state), high - low + 1);
	}
	memcpy(bytes + at, states + 1, f->size);
	return 0;
}

static const struct field_conversion states = { .decode = states_decode, .encode = states_encode };

static const struct field fields[] = {
	PLAIN(0, 2, "pcie_ports", "PCI Express ports."),
	PLAIN(2, 2, "oob_management_support_raw",
	      "Out-of-band management, bit 0 MCTP over SMBus, 1 MCTP over PCIe VDM, 2 NVMe Basic "
	      "Management, 15 tested."),
	PLAIN(4, 2, "write_zeroes_support_raw",
	      "Write Zeroes, bit 0 supported, 1 DEAC, 2 FUA, 3 NVMe-IO-5 met, 4 NVMe-IO-6 met, 15 "
	      "tested."),
	PLAIN(6, 2, "sanitize_support_raw",
	      "Sanitize, bit 0 supported, 1 crypto erase, 2 block erase, 3 overwrite, 4 deallocates, 15 "
	      "tested."),
	PLAIN(8, 2, "dataset_management_support_raw",
	      "Dataset Management, bit 0 supported, 1 deallocate, 15 tested."),
	PLAIN(10, 2, "write_uncorrectable_support_raw",
	      "Write Uncorrectable, bit 0 supported, 1 one LBA, 2 as many LBAs as there can be, 3 "
	      "NVMe-IO-14 met, 15 tested."),
	PLAIN(12, 2, "fused_operation_support_raw",
	      "Fused operations, bit 0 compare and write, 15 tested."),
	PLAIN(14, 2, "minimum_dssd_power_state_watts", "Lowest valid DSSD power state."),
	{ .name = "dssd_power_states", .kind = FIELD_INFO, .type = FIELD_ASCII, .offset = 17,
	  .size = WATTS_MAX, .conversion = &states,
	  .help = "Valid DSSD power states in watts and the NVMe power state of each, as 5-9:4 14:1 "
		  "25:0." },
	PLAIN(4078, 2, "log_page_version", "Log page version."),
	{ .name = "log_page_guid", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 4080,
	  .size = 16, .help = "Log page GUID as the specification prints it." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, 0, OCP_NEWEST);
}

const struct page ocp_device_capabilities_page = {
	.name = "ocp_device_capabilities",
	.title = "OCP Device Capabilities (log page C4h)",
	.prefix = "ocp",
	.command = PAGE_LOG,
	.id = 0xc4,
	.size = 4096,
	.cadence = CADENCE_ATTACH,
	.uuid = ocp_uuid,
	.guid = guid,
	.guid_offset = 4080,
	.version_offset = 4078,
	.version_size = 2,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
