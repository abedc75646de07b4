/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP TCG Configuration, log page C7h (OCP Datacenter NVMe SSD Specification 2.5, as published decoders
 * read it). Counts of one byte may saturate. */

#include "nvmewatch/cleanup.h"
#include "ocp.h"

static const uint8_t guid[16] = {
	0x06, 0x40, 0x24, 0xbd, 0x7e, 0xe0, 0xe6, 0x83, 0xc0, 0x47, 0x54, 0xfa, 0x9d, 0x2a, 0xe0, 0x54,
};

#define PLAIN(offset_, size_, name_, help_)                                              \
	{ .name = name_, .kind = FIELD_INFO, .offset = offset_, .size = size_, .help = help_ }

static const struct field fields[] = {
	PLAIN(0, 1, "tcg_state_raw", "State byte of the TCG security subsystem."),
	PLAIN(4, 1, "locking_sp_activations", "Activations of the Locking SP."),
	PLAIN(5, 1, "tper_reverts", "Reverts of the TPer."),
	PLAIN(6, 1, "locking_sp_reverts", "Reverts of the Locking SP."),
	PLAIN(7, 1, "locking_objects", "Locking objects."),
	PLAIN(8, 1, "locking_objects_single_user", "Locking objects in single user mode."),
	PLAIN(9, 1, "locking_objects_range", "Locking objects provisioned for a range."),
	PLAIN(10, 1, "locking_objects_namespace", "Locking objects provisioned for a namespace."),
	PLAIN(11, 1, "locking_objects_read_locked", "Locking objects locked for reads."),
	PLAIN(12, 1, "locking_objects_write_locked", "Locking objects locked for writes."),
	PLAIN(13, 1, "locking_objects_read_unlocked", "Locking objects open for reads."),
	PLAIN(14, 1, "locking_objects_write_unlocked", "Locking objects open for writes."),
	PLAIN(16, 4, "sid_authentication_tries", "Failed authentications of the SID."),
	PLAIN(20, 4, "sid_authentication_try_limit", "Failed authentications after which the SID is "
						     "locked out."),
	PLAIN(24, 4, "programmatic_tcg_resets", "Programmatic TCG resets."),
	PLAIN(28, 4, "programmatic_reset_locks", "Locks by programmatic resets."),
	{ .name = "tcg_errors", .kind = FIELD_COUNTER, .offset = 32, .size = 4, .full = true,
	  .help = "Errors of the TCG security subsystem." },
	{ .name = "locking_objects_namespace_extended", .kind = FIELD_INFO, .offset = 36, .size = 2,
	  .since = 2, .help = "Locking objects provisioned for a namespace, 16 bits." },
	PLAIN(494, 2, "log_page_version", "Log page version."),
	{ .name = "log_page_guid", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 496,
	  .size = 16, .help = "Log page GUID as the specification prints it." },
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, OCP_2_5, OCP_NEWEST);
}

const struct page ocp_tcg_configuration_page = {
	.name = "ocp_tcg_configuration",
	.title = "OCP TCG Configuration (log page C7h)",
	.prefix = "ocp",
	.command = PAGE_LOG,
	.id = 0xc7,
	.size = 512,
	.cadence = CADENCE_SLOW,
	.uuid = ocp_uuid,
	.guid = guid,
	.guid_offset = 496,
	.version_offset = 494,
	.version_size = 2,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
