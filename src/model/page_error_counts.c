/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How many error log entries the collector has seen come, by whose fault they are (error_log.c). No page
 * of any drive: the drive's own count, in 02h, does not tell one from the other. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

static const struct field fields[] = {
	{ .name = "errors_logged_host", .family = "errors_logged", .labels = "cause=\"host\"",
	  .kind = FIELD_COUNTER, .offset = 0, .size = 8,
	  .help = "Entries of the drive's error log since the collector was started, by cause: host is "
		  "what was asked for wrongly, device everything else." },
	{ .name = "errors_logged_device", .family = "errors_logged", .labels = "cause=\"device\"",
	  .kind = FIELD_COUNTER, .offset = 8, .size = 8,
	  .help = "Entries of the drive's error log since the collector was started that are the drive's." },
};

const struct page error_counts_page = {
	.name = "error_counts",
	.title = "Error log entries by cause (derived from log page 01h)",
	.prefix = "drive",
	.command = PAGE_DERIVED,
	.size = 16,
	.cadence = CADENCE_SLOW,
	.may_be_zero = true,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
