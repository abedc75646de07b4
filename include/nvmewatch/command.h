/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What collect may ask of a reader, and what a reader answers: fixed-size messages over a
 * SOCK_SEQPACKET pair. The reader checks every command against the allow-list before anything
 * reaches a drive (command_allowed). Used by collect (one thread) and by each reader. */

#include <stdbool.h>
#include <stdint.h>

#include "nvmewatch/page.h"

#define COMMAND_PROTOCOL 2

#define OPCODE_GET_LOG_PAGE 0x02
#define OPCODE_IDENTIFY 0x06
#define OPCODE_GET_FEATURES 0x0a
#define LID_PERSISTENT_EVENTS 0x0d
#define LSP_ESTABLISH 1 /* of that log: makes its reporting context and reads in it */
#define LSP_RELEASE 2
#define NSID_ALL 0xffffffffu
#define FEATURE_RESULT 4 /* bytes: dword 0 of the completion, in front of a feature's data */

enum command_kind {
	COMMAND_ADMIN, /* an NVMe admin command */
	COMMAND_HOST,  /* no command: what the host's kernel says of the drive, .id is enum host_page */
};

struct command {
	uint16_t protocol;  /* COMMAND_PROTOCOL */
	uint8_t kind;       /* enum command_kind */
	uint8_t opcode;     /* an admin opcode */
	uint8_t id;         /* LID, CNS or FID */
	uint8_t lsp;        /* log specific parameter */
	uint8_t rae;        /* retain asynchronous event */
	uint8_t uuid_index; /* 0: none */
	uint32_t nsid;
	uint32_t cdw11;  /* of Get Features */
	uint16_t lsi;    /* log specific identifier */
	uint16_t reserved;
	uint32_t length; /* of the answer's data: bytes, a multiple of 4, at most PAGE_SIZE_MAX */
	uint32_t sequence; /* given back in the reply */
};

/* error: 0, or a negative errno of open() or ioctl() (-EPERM: not on the allow-list).
 * status: the NVMe status, SCT<<8 | SC, without CRD, More and DNR; 0 is success.
 * Data is sent, and .length set, only where both are 0; that of Get Features begins with dword 0 of
 * the completion. */
struct reply {
	uint32_t sequence;
	int32_t error;
	uint16_t status;
	uint16_t length;
	uint32_t duration_us; /* of the command in the driver */
	uint8_t data[PAGE_SIZE_MAX];
};

#define REPLY_HEADER offsetof(struct reply, data)

/* Whether a reader may execute it: the one table of what nvmewatch ever sends to a drive. */
bool command_allowed(const struct command *c);

/* The command that reads a page, of whose instances .selector says which is meant. */
struct command command_for_page(const struct page *p, uint32_t instance, uint8_t uuid_index);

/* The inverse: whether the command asks for the page, and for which instance of it. Several pages may
 * share an id, as vendors' own do. */
bool command_is_for_page(const struct command *c, const struct page *p, uint32_t *ret_instance);

/* The command by which a reader has to end one that it has executed: the read of the Persistent Event
 * Log makes a context that shuts every other tool out until it is released, also where the read failed
 * in whatever way. False: there is nothing to release, as where the context is another tool's. */
bool command_release(const struct command *c, const struct reply *reply, struct command *ret);

/* The index of a UUID in a UUID list (the bytes of Identify CNS 17h), 0: not in it. */
uint8_t uuid_index_of(const uint8_t *list, const uint8_t *uuid);

/* The status codes that mean "this drive does not have that page": never ask again. */
bool status_is_refusal(uint16_t status);

/* The status codes of a drive that is not ready yet: asking again soon may do. */
bool status_is_temporary(uint16_t status);

/* A sanitize is in progress: the drive answers few commands until it is over. */
bool status_is_sanitize(uint16_t status);

/* The drive does not like the buffer or its length (quirk of some: PRP Offset Invalid). */
bool status_is_of_length(uint16_t status);

/* Another tool has the log's reporting context (Command Sequence Error). */
bool status_is_busy(uint16_t status);

/* The status codes that the host's driver gives by itself, of a drive that it cannot reach now. */
bool status_is_of_host(uint16_t status);

/* "Invalid Log Page (SCT 1h, SC 09h)"; the text is static or in buf. */
const char *status_text(uint16_t status, char *buf, unsigned size);
