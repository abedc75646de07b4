/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sanitize Status, log page 81h (NVMe Base 2.3, 5.2.12.1.36). A page of zeros is none: it would say that
 * a sanitize is at its beginning that nobody has started. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

static enum page_presence presence(const struct page_facts *facts)
{
	int64_t capabilities;

	if (!facts_bytes(facts, &identify_page))
		return PAGE_LATER;
	return facts_integer(facts, &identify_page, "sanicap", &capabilities) && capabilities
		       ? PAGE_POSSIBLE
		       : PAGE_LACKED;
}

#define FLAG(bit_, name_, help_)                                                         \
	{ .name = name_, .offset = 2, .size = 2, .shift = bit_, .bits = 1, .help = help_ }
#define ESTIMATE(offset_, name_, help_)                                                  \
	{ .name = name_ "_estimate_seconds", .offset = offset_, .size = 4,               \
	  .absent = ABSENT_ONES, .help = help_ }

static bool runs(const uint8_t *bytes)
{
	return (bytes[2] & 7) == 2;
}

static const struct field fields[] = {
	{ .name = "sanitize_status", .kind = FIELD_GAUGE, .offset = 2, .size = 2, .bits = 3, .full = true,
	  .help = "Most recent sanitize, 0 there was none, 1 done, 2 in progress, 3 failed, 4 done with "
		  "blocks deallocated." },
	{ .name = "sanitize_progress_ratio", .kind = FIELD_GAUGE, .size = 2, .div = 65536,
	  .absent = ABSENT_ONES, .full = true,
	  .help = "Share of the sanitize that is done, absent while none runs." },
	{ .name = "overwrite_passes", .offset = 2, .size = 2, .shift = 3, .bits = 5,
	  .help = "Overwrite passes that are done." },
	FLAG(8, "global_data_erased", "1 where nothing was written since the drive was sanitized."),
	FLAG(9, "media_verification_cancelled", "1 where media verification was cancelled."),
	FLAG(10, "namespace_data_erased", "1 where a sanitized namespace was not written since."),
	{ .name = "sanitize_command", .offset = 4, .size = 4,
	  .help = "Dword 10 of the command that started the most recent sanitize." },
	ESTIMATE(8, "overwrite", "Time that an overwrite takes."),
	ESTIMATE(12, "block_erase", "Time that a block erase takes."),
	ESTIMATE(16, "crypto_erase", "Time that a crypto erase takes."),
	ESTIMATE(20, "overwrite_no_deallocate", "Time that an overwrite takes without deallocation."),
	ESTIMATE(24, "block_erase_no_deallocate", "Time that a block erase takes without deallocation."),
	ESTIMATE(28, "crypto_erase_no_deallocate", "Time that a crypto erase takes without deallocation."),
	ESTIMATE(32, "post_verification_deallocation", "Time that deallocation takes after verification."),
	{ .name = "sanitize_state", .offset = 36, .size = 1, .bits = 4,
	  .help = "State of the sanitize state machine, 0 idle." },
	{ .name = "sanitize_failed_state", .offset = 36, .size = 1, .shift = 4, .bits = 4,
	  .absent = ABSENT_ZERO, .help = "State in which the sanitize failed." },
	{ .name = "namespaces_at_once_max", .offset = 40, .size = 4, .absent = ABSENT_ZERO | ABSENT_ONES,
	  .help = "Namespaces that can be sanitized at one time (MNSOIP)." },
	{ .name = "namespace_sanitized", .offset = 44, .size = 4, .absent = ABSENT_ZERO,
	  .help = "Namespace that the values are of, where a namespace was sanitized (STNSID)." },
};

const struct page sanitize_page = {
	.name = "sanitize",
	.title = "Sanitize Status (log page 81h)",
	.prefix = "drive",
	.command = PAGE_LOG,
	.id = 0x81,
	.size = 512,
	.cadence = CADENCE_SLOW,
	.presence = presence,
	.moves = runs,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
