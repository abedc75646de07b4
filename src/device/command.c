/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/command.h"

#include <libnvme.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/cleanup.h"

/* Everything that nvmewatch ever sends to a drive. All of it reads, none of it changes a state: log
 * pages take no log specific parameter and retain their asynchronous event, but for 02h of drives
 * that answer rubbish then (see try_without_rae() in collect). */
static const struct {
	uint8_t opcode, id;
	uint16_t length_max;
	bool uuid;     /* a UUID index may be given */
	bool clearing; /* the event need not be retained */
} allowed[] = {
	{ OPCODE_IDENTIFY, 0x01, 4096, false, false },          /* Identify Controller */
	{ OPCODE_IDENTIFY, CNS_UUID_LIST, 4096, false, false }, /* which UUID index is OCP's */
	{ OPCODE_GET_LOG_PAGE, 0x02, 512, false, true },        /* SMART / Health Information */
	{ OPCODE_GET_LOG_PAGE, 0xc0, 512, true, false },        /* OCP SMART, or a vendor's own */
};

bool command_allowed(const struct command *c)
{
	bool log = c->opcode == OPCODE_GET_LOG_PAGE;

	for (size_t i = 0; i < ELEMENTS(allowed); i++)
		if (c->opcode == allowed[i].opcode && c->id == allowed[i].id)
			return c->length >= 4 && c->length % 4 == 0 &&
			       c->length <= allowed[i].length_max && c->lsp == 0 &&
			       (c->rae == log || (!c->rae && allowed[i].clearing)) && c->nsid == (log ? NSID_ALL : 0) &&
			       c->uuid_index <= (allowed[i].uuid ? 127 : 0) && !c->reserved;
	return false;
}

struct command command_for_page(const struct page *p, uint8_t uuid_index)
{
	bool log = p->command == PAGE_LOG;

	return (struct command){
		.opcode = log ? OPCODE_GET_LOG_PAGE : OPCODE_IDENTIFY,
		.id = p->id,
		.rae = log,
		.uuid_index = p->ocp ? uuid_index : 0,
		.nsid = log ? NSID_ALL : 0,
		.length = p->size,
	};
}

uint8_t ocp_uuid_index(const uint8_t *list)
{
	/* C194D55B-E094-4794-A21D-29998F56BE6F, in display order as RFC 4122 has it. */
	static const uint8_t ocp[16] = { 0xc1, 0x94, 0xd5, 0x5b, 0xe0, 0x94, 0x47, 0x94,
					 0xa2, 0x1d, 0x29, 0x99, 0x8f, 0x56, 0xbe, 0x6f };
	static const uint8_t end[16];

	for (unsigned i = 1; i < UUID_LIST_SIZE / 32; i++) {
		const uint8_t *uuid = list + 32 * i + 16; /* behind the association byte */
		if (!memcmp(uuid, ocp, sizeof(ocp)))
			return (uint8_t)i;
		if (!memcmp(uuid, end, sizeof(end)))
			break;
	}
	return 0;
}

bool status_is_refusal(uint16_t status)
{
	/* Drives refuse a page with either of these; the reads are well-formed, so Invalid Field
	 * can only mean the page. */
	return status == NVME_SC_INVALID_OPCODE || status == NVME_SC_INVALID_FIELD ||
	       status == (NVME_SCT_CMD_SPECIFIC << 8 | NVME_SC_INVALID_LOG_PAGE);
}

bool status_is_temporary(uint16_t status)
{
	return status == NVME_SC_CMD_INTERRUPTED || status == NVME_SC_TRAN_TPORT_ERROR ||
	       status == NVME_SC_ADMIN_CMD_MEDIA_NOT_READY || status == NVME_SC_NS_NOT_READY;
}

bool status_is_of_host(uint16_t status)
{
	/* NVMe Base 2.0, 4.2.3.4: path related, 70h to 7Fh are what the host has found out. */
	return (status & ~0xfu) == (NVME_SCT_PATH << 8 | 0x70);
}

const char *status_text(uint16_t status, char *buf, unsigned size)
{
	/* libnvme gives "Name: what it means". */
	const char *name = nvme_status_to_string(status, false);

	snprintf(buf, size, "%.*s (SCT %xh, SC %02xh)", (int)strcspn(name, ":"), name, status >> 8,
		 status & 0xff);
	return buf;
}
