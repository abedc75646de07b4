/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/command.h"

#include <libnvme.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/cleanup.h"

enum may {
	MAY_UUID = 1 << 0,  /* a UUID index */
	MAY_CLEAR = 1 << 1, /* the event need not be retained */
	MAY_NSID = 1 << 2,  /* one namespace, and not all */
	MAY_LSI = 1 << 3,
	HAS_CONTEXT = 1 << 4, /* read in a context that the read makes and the reader releases */
};

/* Everything that nvmewatch ever sends to a drive. All of it reads, none of it changes a state: log
 * pages take no log specific parameter, but for the context of 0Dh (see command_release()), and retain
 * their asynchronous event, but for 02h of drives that answer rubbish then (see try_other_rae() in
 * collect); features are asked for their current value. */
static const struct {
	uint8_t opcode, id;
	uint16_t length_max;
	unsigned may;     /* what may be other than 0, enum may together */
	uint32_t cdw11;   /* the bits of it that may be set */
} allowed[] = {
	{ OPCODE_IDENTIFY, 0x00, 4096, MAY_NSID, 0 },      /* Identify Namespace */
	{ OPCODE_IDENTIFY, 0x01, 4096, 0, 0 },             /* Identify Controller */
	{ OPCODE_IDENTIFY, 0x02, 4096, 0, 0 },             /* Active Namespace ID List */
	{ OPCODE_IDENTIFY, 0x17, 4096, 0, 0 },             /* UUID List */
	{ OPCODE_GET_LOG_PAGE, 0x00, 1024, 0, 0 },         /* Supported Log Pages */
	{ OPCODE_GET_LOG_PAGE, 0x01, 4096, 0, 0 },         /* Error Information */
	{ OPCODE_GET_LOG_PAGE, 0x02, 512, MAY_CLEAR, 0 },  /* SMART / Health Information */
	{ OPCODE_GET_LOG_PAGE, 0x03, 512, 0, 0 },          /* Firmware Slot Information */
	{ OPCODE_GET_LOG_PAGE, 0x06, 564, 0, 0 },          /* Device Self-test */
	{ OPCODE_GET_LOG_PAGE, 0x09, 512, MAY_LSI, 0 },    /* Endurance Group Information */
	{ OPCODE_GET_LOG_PAGE, 0x0d, 4096, HAS_CONTEXT, 0 }, /* Persistent Event Log */
	{ OPCODE_GET_LOG_PAGE, 0x16, 512, MAY_LSI, 0 },    /* Rotational Media Information */
	{ OPCODE_GET_LOG_PAGE, 0x25, 4096, 0, 0 },         /* Power Measurement */
	{ OPCODE_GET_LOG_PAGE, 0x81, 512, 0, 0 },          /* Sanitize Status */
	{ OPCODE_GET_LOG_PAGE, 0xc0, 512, MAY_UUID, 0 },   /* OCP's, or a vendor's own, from here on */
	{ OPCODE_GET_LOG_PAGE, 0xc1, 512, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xc2, 4096, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xc3, 512, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xc4, 4096, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xc5, 4096, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xc6, 4096, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xc7, 512, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xc9, 4096, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xca, 512, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xd0, 1024, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xd5, 512, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xe1, 512, MAY_UUID, 0 },
	{ OPCODE_GET_LOG_PAGE, 0xfb, 512, MAY_UUID, 0 },
	{ OPCODE_GET_FEATURES, 0x02, 4, 0, 0 },            /* Power Management */
	{ OPCODE_GET_FEATURES, 0x04, 4, 0, 0x1f0000 },     /* Temperature Threshold: TMPSEL, THSEL */
	{ OPCODE_GET_FEATURES, 0x0b, 4, 0, 0 },            /* Asynchronous Event Configuration */
	{ OPCODE_GET_FEATURES, 0x0c, 260, 0, 0 },          /* Autonomous Power State Transition */
	{ OPCODE_GET_FEATURES, 0x10, 4, 0, 0 },            /* Host Controlled Thermal Management */
	{ OPCODE_GET_FEATURES, 0xc2, 4, MAY_UUID, 0 },     /* OCP: EOL/PLP Failure Mode */
	{ OPCODE_GET_FEATURES, 0xc4, 4, MAY_UUID, 0 },     /* OCP: IEEE 1667 Silo */
	{ OPCODE_GET_FEATURES, 0xc6, 4, MAY_UUID, 0 },     /* OCP: PLP Health Check Interval */
	{ OPCODE_GET_FEATURES, 0xc7, 4, MAY_UUID, 0 },     /* OCP: DSSD Power State */
	{ OPCODE_GET_FEATURES, 0xc9, 4, MAY_UUID, 0 },     /* OCP: Asynchronous Event Configuration */
};

static bool admin_allowed(const struct command *c, unsigned may, uint32_t cdw11)
{
	bool log = c->opcode == OPCODE_GET_LOG_PAGE;

	return c->lsp == (may & HAS_CONTEXT ? LSP_ESTABLISH : 0) &&
	       (c->rae == log || (!c->rae && may & MAY_CLEAR)) &&
	       c->nsid >= (may & MAY_NSID ? 1 : log ? NSID_ALL : 0) &&
	       c->nsid <= (may & MAY_NSID ? NSID_ALL - 2 : log ? NSID_ALL : 0) &&
	       c->uuid_index <= (may & MAY_UUID ? 127 : 0) && (!c->lsi || may & MAY_LSI) &&
	       !(c->cdw11 & ~cdw11) && !c->reserved;
}

bool command_allowed(const struct command *c)
{
	if (c->length < 4 || c->length % 4)
		return false;
	if (c->kind == COMMAND_HOST)
		return c->length <= PAGE_SIZE_MAX;
	for (size_t i = 0; c->kind == COMMAND_ADMIN && i < ELEMENTS(allowed); i++)
		if (c->opcode == allowed[i].opcode && c->id == allowed[i].id)
			return c->length <= allowed[i].length_max &&
			       admin_allowed(c, allowed[i].may, allowed[i].cdw11);
	return false;
}

static uint8_t page_opcode(const struct page *p)
{
	switch (p->command) {
	case PAGE_LOG: return OPCODE_GET_LOG_PAGE;
	case PAGE_IDENTIFY: return OPCODE_IDENTIFY;
	case PAGE_FEATURE: return OPCODE_GET_FEATURES;
	case PAGE_HOST:
	case PAGE_DERIVED: break;
	}
	return 0;
}

static uint32_t cdw11_of(const struct page *p, uint32_t instance)
{
	return p->selector == SELECT_CDW11
		       ? instance << __builtin_ctz(p->cdw11_instance) & p->cdw11_instance
		       : 0;
}

struct command command_for_page(const struct page *p, uint32_t instance, uint8_t uuid_index)
{
	bool log = p->command == PAGE_LOG;

	return (struct command){
		.kind = p->command == PAGE_HOST ? COMMAND_HOST : COMMAND_ADMIN,
		.opcode = page_opcode(p),
		.id = p->id,
		.lsp = p->lsp,
		.rae = log,
		.uuid_index = p->uuid ? uuid_index : 0,
		.nsid = p->selector == SELECT_NSID ? instance : log ? NSID_ALL : 0,
		.lsi = p->selector == SELECT_LSI ? (uint16_t)instance : 0,
		.cdw11 = p->cdw11 | cdw11_of(p, instance),
		.length = p->size,
	};
}

bool command_is_for_page(const struct command *c, const struct page *p, uint32_t *ret_instance)
{
	uint32_t instance = 0;

	if (p->command == PAGE_DERIVED || (c->kind == COMMAND_HOST) != (p->command == PAGE_HOST) ||
	    c->opcode != page_opcode(p) || c->id != p->id)
		return false;
	if (p->selector == SELECT_NSID)
		instance = c->nsid;
	else if (p->selector == SELECT_LSI)
		instance = c->lsi;
	else if (p->selector == SELECT_CDW11)
		instance = (c->cdw11 & p->cdw11_instance) >> __builtin_ctz(p->cdw11_instance);
	if (c->cdw11 != command_for_page(p, instance, 0).cdw11)
		return false;
	*ret_instance = instance;
	return true;
}

bool command_release(const struct command *c, const struct reply *reply, struct command *ret)
{
	if (c->kind != COMMAND_ADMIN || c->opcode != OPCODE_GET_LOG_PAGE ||
	    c->id != LID_PERSISTENT_EVENTS || c->lsp != LSP_ESTABLISH)
		return false;
	/* Somebody else's context, which our read did not make. */
	if (!reply->error && status_is_busy(reply->status))
		return false;
	*ret = *c;
	ret->lsp = LSP_RELEASE;
	ret->length = 512;
	return true;
}

uint8_t uuid_index_of(const uint8_t *list, const uint8_t *uuid)
{
	static const uint8_t end[16];

	for (unsigned i = 1; i <= 127; i++) {
		const uint8_t *entry = list + 32 * i + 16; /* behind the association byte */
		if (!memcmp(entry, uuid, 16))
			return (uint8_t)i;
		if (!memcmp(entry, end, sizeof(end)))
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

bool status_is_sanitize(uint16_t status)
{
	return status == NVME_SC_SANITIZE_IN_PROGRESS;
}

bool status_is_of_length(uint16_t status)
{
	return status == NVME_SC_PRP_INVALID_OFFSET;
}

bool status_is_busy(uint16_t status)
{
	return status == NVME_SC_CMD_SEQ_ERROR;
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
