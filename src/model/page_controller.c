/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The controller as the kernel's driver has it. The firmware revision that it remembers is that of its
 * last reset: another one in Identify is a firmware that was activated without (cases FWU-01). */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/host.h"
#include "nvmewatch/page.h"

#define NUMBER(at_, name_, help_)                                                               \
	{ .name = name_, .offset = at_, .size = HOST_NUMBER, .absent = ABSENT_ONES, .help = help_ }
#define COUNT(at_, name_, help_)                                                                \
	{ .name = name_, .kind = FIELD_COUNTER, .full = true, .offset = at_,                    \
	  .size = HOST_NUMBER, .absent = ABSENT_ONES, .help = help_ }

static const struct field fields[] = {
	NUMBER(HOST_CONTROLLER_CNTLID, "cntlid", "Controller id."),
	NUMBER(HOST_CONTROLLER_QUEUES, "queue_count", "Queue pairs, the admin queue among them."),
	{ .name = "io_queue_entries", .offset = HOST_CONTROLLER_SQSIZE, .size = HOST_NUMBER,
	  .bias = 1, .absent = ABSENT_ONES, .max = UINT32_MAX,
	  .help = "Entries of an I/O submission queue." },
	NUMBER(HOST_CONTROLLER_KATO, "kato_seconds", "Keep alive time-out, 0 where it is not used."),
	NUMBER(HOST_CONTROLLER_NUMA, "numa_node", "NUMA node that the controller is at."),
	NUMBER(HOST_CONTROLLER_HMB, "hmb", "1 where the drive uses memory of the host."),
	COUNT(HOST_CONTROLLER_ERRORS, "command_errors", "Admin commands that ended with an error."),
	COUNT(HOST_CONTROLLER_RESETS, "reset_events", "Resets of the controller."),
	COUNT(HOST_CONTROLLER_RECONNECTS, "reconnect_events",
	      "Attempts to connect to a controller of a fabric again."),
	{ .name = "firmware", .type = FIELD_ASCII, .offset = HOST_CONTROLLER_FIRMWARE,
	  .size = HOST_CONTROLLER_FIRMWARE_SIZE, .absent = ABSENT_ZERO,
	  .help = "Firmware revision that the kernel remembers, of the last reset." },
};

const struct page controller_page = {
	.name = "controller",
	.title = "Controller (kernel: its attributes in sysfs)",
	.prefix = "controller",
	.command = PAGE_HOST,
	.id = HOST_CONTROLLER,
	.size = HOST_CONTROLLER_SIZE,
	.cadence = CADENCE_SLOW,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
