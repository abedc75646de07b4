/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The namespace's block device: what the host asked of it since it is there, and how long that took.
 * Latency is what a host's own requests met, queues included, in the kernel's milliseconds; its counters
 * are of 32 bits and start again at 0 after 49 days of waiting. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/host.h"
#include "nvmewatch/page.h"

#define SECTOR 512 /* bytes, whatever the LBA format */

#define STAT(column_) .offset = HOST_BLOCK_STAT + HOST_NUMBER * (column_), .size = HOST_NUMBER, \
		      .absent = ABSENT_ONES
/* What a double holds to the millisecond. */
#define MILLISECONDS .div = 1000, .max = UINT64_C(1) << 52
#define OP(family_, op_) .name = op_ "_" family_, .family = family_, .labels = "op=\"" op_ "\""

static const struct field fields[] = {
	{ .name = "name", .type = FIELD_STRING, .offset = HOST_BLOCK_NAME,
	  .size = HOST_BLOCK_NAME_SIZE, .absent = ABSENT_ZERO,
	  .help = "The block device's name, which changes at reboot." },
	{ .name = "wwid", .type = FIELD_STRING, .offset = HOST_BLOCK_WWID,
	  .size = HOST_BLOCK_WWID_SIZE, .absent = ABSENT_ZERO,
	  .help = "World wide id of the namespace, as the kernel makes it of UUID, NGUID or EUI-64." },
	{ .name = "logical_block_bytes", .offset = HOST_BLOCK_LOGICAL, .size = HOST_NUMBER,
	  .absent = ABSENT_ONES, .help = "Size of a logical block." },

	{ OP("completed", "read"), .kind = FIELD_COUNTER, STAT(0),
	  .help = "Requests of the host completed, since the block device is there." },
	{ OP("completed", "write"), .kind = FIELD_COUNTER, STAT(4), .help = "Writes completed." },
	{ OP("completed", "discard"), .kind = FIELD_COUNTER, STAT(11), .full = true,
	  .help = "Discards completed." },
	{ OP("completed", "flush"), .kind = FIELD_COUNTER, STAT(15), .full = true,
	  .help = "Flushes completed." },

	{ OP("latency_seconds", "read"), .kind = FIELD_COUNTER, STAT(3), MILLISECONDS,
	  .help = "Time that the completed requests took, all together." },
	{ OP("latency_seconds", "write"), .kind = FIELD_COUNTER, STAT(7), MILLISECONDS,
	  .help = "Time that writes took." },
	{ OP("latency_seconds", "discard"), .kind = FIELD_COUNTER, STAT(14), MILLISECONDS,
	  .full = true, .help = "Time that discards took." },
	{ OP("latency_seconds", "flush"), .kind = FIELD_COUNTER, STAT(16), MILLISECONDS, .full = true,
	  .help = "Time that flushes took." },

	{ OP("bytes", "read"), .kind = FIELD_COUNTER, STAT(2), .mul = SECTOR, .full = true,
	  .help = "Bytes of the completed requests." },
	{ OP("bytes", "write"), .kind = FIELD_COUNTER, STAT(6), .mul = SECTOR, .full = true,
	  .help = "Bytes written." },
	{ OP("bytes", "discard"), .kind = FIELD_COUNTER, STAT(13), .mul = SECTOR, .full = true,
	  .help = "Bytes discarded." },

	{ OP("merged", "read"), .kind = FIELD_COUNTER, STAT(1), .full = true,
	  .help = "Requests that were merged with one that waited already." },
	{ OP("merged", "write"), .kind = FIELD_COUNTER, STAT(5), .full = true,
	  .help = "Writes that were merged." },
	{ OP("merged", "discard"), .kind = FIELD_COUNTER, STAT(12), .full = true,
	  .help = "Discards that were merged." },

	{ .name = "in_flight", .kind = FIELD_GAUGE, STAT(8), .full = true,
	  .help = "Requests that are not completed yet." },
	{ .name = "busy_seconds", .kind = FIELD_COUNTER, STAT(9), MILLISECONDS, .full = true,
	  .help = "Time in which there were any requests in flight." },
	{ .name = "queued_seconds", .kind = FIELD_COUNTER, STAT(10), MILLISECONDS, .full = true,
	  .help = "Time in flight of all requests together, those not completed included." },
};

const struct page block_page = {
	.name = "block",
	.title = "Block device of a namespace (kernel: stat)",
	.prefix = "io",
	.command = PAGE_HOST,
	.id = HOST_BLOCK,
	.size = HOST_BLOCK_SIZE,
	.cadence = CADENCE_SMART,
	.history = true,
	.selector = SELECT_NSID,
	.instance = "namespace",
	.instances = facts_namespaces,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
