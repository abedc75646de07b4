/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The entries of log page 01h, Error Information (NVMe Base 2.3, 5.2.12.1.2), for whoever wants to know
 * what is new in it. Pure, any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ERROR_ENTRY_SIZE 64
#define ERROR_ENTRIES_MAX 64 /* of one read */

enum error_cause {
	ERROR_HOST,   /* what was asked for cannot be, whoever asked: the drive is well */
	ERROR_DEVICE, /* media, data path, transport, or what is not known to be the host's */
};

struct error_entry {
	uint64_t count;  /* number of the entry over the life of the drive */
	uint16_t status; /* SCT<<8 | SC, as in struct reply */
	enum error_cause cause;
	int32_t sqid, cid;     /* -1: of no queue, of no command */
	int16_t parameter_byte; /* of the command, the first that is wrong; -1: of none */
	int8_t parameter_bit;
	bool has_opcode; /* the drive tells opcode and command set */
	uint8_t opcode, csi;
	uint8_t transport; /* TRTYPE, 0: none told */
	uint8_t vendor_log; /* a log page that tells more of it, 0: none */
	uint32_t nsid;
	uint64_t lba; /* UINT64_MAX: of none */
};

/* Whose fault a status is. */
enum error_cause error_cause_of(uint16_t status);

/* "host" or "device", for the `cause` label. */
const char *error_cause_name(enum error_cause cause);

/* The highest number in the page, 0: there is no entry. On first sight of a drive, what is there is not
 * new. */
uint64_t error_log_newest(const uint8_t *bytes, size_t length);

/* The entries that are newer than last_seen, each once and in rising order, whatever their order in the
 * page; all of them where the drive counts anew, as its highest number is below last_seen. Returns how
 * many; the last one's number is the next last_seen. */
unsigned error_log_new(const uint8_t *bytes, size_t length, uint64_t last_seen,
		       struct error_entry ret[static ERROR_ENTRIES_MAX]);
