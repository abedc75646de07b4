/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the host's kernel says of a drive, as pages of bytes (PAGE_HOST): their ids and where their
 * values lie. The reader fills them from sysfs (src/device/host.c), rows of the field table decode
 * them, simulated drives encode them. Numbers are 8 bytes, little-endian; all bits 1: the kernel does
 * not say. */

#define HOST_NUMBER 8 /* bytes of each */

enum host_page {
	HOST_PCIE_LINK = 1,
	HOST_BLOCK, /* of a namespace */
	HOST_PCIE_AER,
	HOST_CONTROLLER,
};

/* The PCIe link between the drive and the port above it: of the drive's function current_link_speed,
 * max_link_speed (transfers per second), current_link_width, max_link_width (lanes). */
enum host_pcie_link {
	HOST_LINK_SPEED = 0,
	HOST_LINK_SPEED_MAX = 8,
	HOST_LINK_WIDTH = 16,
	HOST_LINK_WIDTH_MAX = 24,
	HOST_LINK_SIZE = 32,
};

/* A namespace's block device: its name and wwid (texts, the rest of each 0), the size of a logical
 * block, and the columns of `stat` in their order (Documentation/block/stat.rst): requests completed
 * and merged, sectors of 512 bytes, milliseconds, of reads, then of writes; in flight, milliseconds
 * busy, milliseconds of all requests together; the four of discards; completed and milliseconds of
 * flushes. */
#define HOST_BLOCK_STATS 17

enum host_block {
	HOST_BLOCK_NAME = 0,
	HOST_BLOCK_NAME_SIZE = 32,
	HOST_BLOCK_WWID = 32,
	HOST_BLOCK_WWID_SIZE = 160,
	HOST_BLOCK_TEXTS = 192, /* end of both */
	HOST_BLOCK_LOGICAL = 192,
	HOST_BLOCK_STAT = 200,
	HOST_BLOCK_SIZE = HOST_BLOCK_STAT + HOST_NUMBER * HOST_BLOCK_STATS,
};

/* Advanced Error Reporting (aer_dev_correctable, aer_dev_nonfatal, aer_dev_fatal): the numbers of the
 * errors in the kernel's order, behind them their total, in which errors that a newer kernel knows are
 * counted too. */
#define HOST_AER_CORRECTABLES 9 /* the total included */
#define HOST_AER_UNCORRECTABLES 24

enum host_aer {
	HOST_AER_CORRECTABLE = 0,
	HOST_AER_NONFATAL = HOST_NUMBER * HOST_AER_CORRECTABLES,
	HOST_AER_FATAL = HOST_AER_NONFATAL + HOST_NUMBER * HOST_AER_UNCORRECTABLES,
	HOST_AER_SIZE = HOST_AER_FATAL + HOST_NUMBER * HOST_AER_UNCORRECTABLES,
};

/* The controller as the kernel's driver has it: numbers in the order of their attributes in
 * src/device/host_controller.c, then the firmware revision that it remembers (a text, the rest 0). */
enum host_controller {
	HOST_CONTROLLER_CNTLID = 0,
	HOST_CONTROLLER_QUEUES = 8,
	HOST_CONTROLLER_SQSIZE = 16,
	HOST_CONTROLLER_KATO = 24,
	HOST_CONTROLLER_NUMA = 32,
	HOST_CONTROLLER_HMB = 40,
	HOST_CONTROLLER_ERRORS = 48,
	HOST_CONTROLLER_RESETS = 56,
	HOST_CONTROLLER_RECONNECTS = 64,
	HOST_CONTROLLER_FIRMWARE = 72,
	HOST_CONTROLLER_FIRMWARE_SIZE = 16,
	HOST_CONTROLLER_SIZE = 88,
};
