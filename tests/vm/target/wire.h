/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the bytes on the wire mean, as far as a host's driver needs it: PDUs (NVMe/TCP Transport
 * 1.0, 3.6), submission and completion entries (NVMe Base 2.0, 3.3.3), Fabrics commands (6). */

#include <stdint.h>

#include "nvmewatch/field.h"

enum pdu {
	PDU_ICREQ = 0x00, /* initialise connection */
	PDU_ICRESP = 0x01,
	PDU_COMMAND = 0x04,
	PDU_RESPONSE = 0x05,
	PDU_C2H_DATA = 0x07,
};

#define PDU_HEADER 8 /* type, flags, header length, data offset, whole length (4) */
#define ICREQ_SIZE 128
#define COMMAND_SIZE (PDU_HEADER + 64)
#define RESPONSE_SIZE (PDU_HEADER + 16)
#define C2H_DATA_SIZE 24
#define DATA_LAST 0x04        /* flag of a C2H data PDU */
#define IN_CAPSULE_MAX 8192   /* of an admin queue, fixed by the transport */

#define OPCODE_SET_FEATURES 0x09
#define OPCODE_GET_FEATURES 0x0a
#define OPCODE_ABORT 0x08
#define OPCODE_ASYNC_EVENT 0x0c
#define OPCODE_KEEP_ALIVE 0x18
#define OPCODE_FABRICS 0x7f
#define OPCODE_FLUSH 0x00 /* of an I/O queue */
#define OPCODE_WRITE 0x01
#define OPCODE_READ 0x02

#define FABRICS_PROPERTY_SET 0x00
#define FABRICS_CONNECT 0x01
#define FABRICS_PROPERTY_GET 0x04

#define PROPERTY_CAP 0x00
#define PROPERTY_VS 0x08
#define PROPERTY_CC 0x14
#define PROPERTY_CSTS 0x1c

/* SCT << 8 | SC, with the flag bits where the Linux ioctl has them. */
#define STATUS_INVALID_OPCODE 0x001
#define STATUS_INVALID_FIELD 0x002
#define STATUS_INTERNAL 0x006
#define STATUS_SEQUENCE 0x00c
#define STATUS_WRITE_PROTECTED 0x120
#define STATUS_CONNECT_BUSY 0x181
#define STATUS_CONNECT_PARAMETER 0x182
#define STATUS_DNR 0x4000

#define QUEUE_SIZE 128    /* entries that the host may use: CAP.MQES, MAXCMD */
#define BLOCK_SIZE 512

/* Dword n of a submission entry. */
static inline uint32_t cdw(const uint8_t *sqe, unsigned n)
{
	return (uint32_t)bytes_get(sqe + 4 * n, 4);
}

static inline uint16_t command_id(const uint8_t *sqe)
{
	return (uint16_t)bytes_get(sqe + 2, 2);
}

static inline uint32_t command_nsid(const uint8_t *sqe)
{
	return cdw(sqe, 1);
}

/* The bytes that the host has room for: the length of the command's SGL descriptor. */
static inline uint32_t command_room(const uint8_t *sqe)
{
	return cdw(sqe, 8);
}
