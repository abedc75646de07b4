/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/error_log.h"

#include <string.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/field.h"

#define GENERIC 0 /* status code types */
#define COMMAND_SPECIFIC 1
#define MEDIA 2

/* Statuses that a request alone brings about (NVMe Base 2.3, 4.2.3; NVM and Zoned command sets). Whatever
 * is not among them may be the drive's. */
static const struct {
	uint8_t type, first, last;
} of_host[] = {
	{ GENERIC, 0x01, 0x03 }, /* invalid opcode or field, command id conflict */
	{ GENERIC, 0x07, 0x18 }, /* aborted as asked, invalid namespace, sequence, SGL, PRP, … */
	{ GENERIC, 0x1a, 0x1b }, /* keep alive time-out invalid, aborted by preemption */
	{ GENERIC, 0x1d, 0x20 }, /* sanitize in progress, SGL, memory buffer, write protected */
	{ GENERIC, 0x23, 0x23 }, /* locked down */
	{ GENERIC, 0x25, 0x2a }, /* keys, host identifier, placement */
	{ GENERIC, 0x80, 0x81 }, /* LBA out of range, capacity exceeded */
	{ GENERIC, 0x83, 0x87 }, /* reservation, format in progress, key and value */
	{ GENERIC, 0x89, 0x89 }, /* key exists */
	{ COMMAND_SPECIFIC, 0x00, 0x24 }, /* queues, firmware, log pages, features, namespaces, … */
	{ COMMAND_SPECIFIC, 0x26, 0xb9 }, /* all but "ANA attach failed", … */
	{ COMMAND_SPECIFIC, 0xbc, 0xbf }, /* … and zones that are read-only or offline */
	{ MEDIA, 0x85, 0x87 },   /* compare failure, access denied, block that is not written */
};

enum error_cause error_cause_of(uint16_t status)
{
	for (size_t i = 0; i < ELEMENTS(of_host); i++)
		if (status >> 8 == of_host[i].type && (status & 0xff) >= of_host[i].first &&
		    (status & 0xff) <= of_host[i].last)
			return ERROR_HOST;
	return ERROR_DEVICE;
}

const char *error_cause_name(enum error_cause cause)
{
	return cause == ERROR_HOST ? "host" : "device";
}

/* Entries up to the first that is none: number 0, or rubbish. */
static unsigned entries(const uint8_t *bytes, size_t length)
{
	unsigned n = 0;

	while (n < ERROR_ENTRIES_MAX && (n + 1) * (size_t)ERROR_ENTRY_SIZE <= length) {
		uint64_t count = bytes_get(bytes + (size_t)n * ERROR_ENTRY_SIZE, 8);
		if (!count || count == UINT64_MAX)
			break;
		n++;
	}
	return n;
}

static int32_t number_or_none(const uint8_t *bytes)
{
	uint64_t n = bytes_get(bytes, 2);

	return n == 0xffff ? -1 : (int32_t)n;
}

static void entry_decode(const uint8_t *e, struct error_entry *ret)
{
	uint64_t where = bytes_get(e + 14, 2);

	*ret = (struct error_entry){
		.count = bytes_get(e, 8),
		.status = (uint16_t)(bytes_get(e + 12, 2) >> 1 & 0x7ff),
		.sqid = number_or_none(e + 8),
		.cid = number_or_none(e + 10),
		.parameter_byte = where == 0xffff ? -1 : (int16_t)(where & 0xff),
		.parameter_bit = where == 0xffff ? 0 : (int8_t)(where >> 8 & 7),
		.has_opcode = e[63] >= 1,
		.transport = e[29],
		.vendor_log = e[28],
		.nsid = (uint32_t)bytes_get(e + 24, 4),
		.lba = bytes_get(e + 16, 8),
	};
	ret->cause = error_cause_of(ret->status);
	if (ret->has_opcode) {
		ret->csi = e[30];
		ret->opcode = e[31];
	}
}

uint64_t error_log_newest(const uint8_t *bytes, size_t length)
{
	uint64_t newest = 0;

	for (unsigned i = 0, n = entries(bytes, length); i < n; i++) {
		uint64_t count = bytes_get(bytes + (size_t)i * ERROR_ENTRY_SIZE, 8);
		if (count > newest)
			newest = count;
	}
	return newest;
}

/* Keeps ret[n] rising and without doubles. Returns the new length. */
static unsigned insert(struct error_entry *ret, unsigned n, const uint8_t *e)
{
	uint64_t count = bytes_get(e, 8);
	unsigned at = n;

	while (at && ret[at - 1].count > count)
		at--;
	if (at && ret[at - 1].count == count)
		return n;
	memmove(ret + at + 1, ret + at, (n - at) * sizeof(*ret));
	entry_decode(e, &ret[at]);
	return n + 1;
}

unsigned error_log_new(const uint8_t *bytes, size_t length, uint64_t last_seen,
		       struct error_entry ret[static ERROR_ENTRIES_MAX])
{
	unsigned n = 0;

	if (error_log_newest(bytes, length) < last_seen)
		last_seen = 0;
	for (unsigned i = 0, all = entries(bytes, length); i < all; i++) {
		const uint8_t *e = bytes + (size_t)i * ERROR_ENTRY_SIZE;
		if (bytes_get(e, 8) > last_seen)
			n = insert(ret, n, e);
	}
	return n;
}
