/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Identify, where the simulated drive has nothing to say: there is one namespace, of its capacity,
 * if it has any. */

#include <string.h>

#include "target.h"

#define CNS_NAMESPACE 0x00
#define CNS_ACTIVE_NAMESPACES 0x02
#define CNS_DESCRIPTORS 0x03
#define CNS_COMMAND_SET_CONTROLLER 0x06

#define VER_OFFSET 80
#define SN_OFFSET 4
#define NGUID 2 /* type of a namespace identification descriptor */

/* A field that is 0 in a PCI drive, and that a driver for fabrics wants to be something. */
static void want(uint8_t *identify, unsigned offset, unsigned size, uint64_t value)
{
	if (!bytes_get(identify + offset, size))
		bytes_put(identify + offset, size, value);
}

void identify_fit(uint8_t *identify)
{
	want(identify, 320, 2, 10);         /* KAS: 1 s */
	want(identify, 514, 2, QUEUE_SIZE); /* MAXCMD */
	if (!(identify[536] & 3))           /* SGLS */
		identify[536] |= 1;
	want(identify, 1792, 4, 4); /* IOCCSZ: no data in capsules of I/O queues */
	want(identify, 1796, 4, 1); /* IORCSZ */
	bytes_put(identify + 1800, 2, 0); /* ICDOFF */
}

static uint64_t blocks(struct subsystem *s)
{
	struct drive d;

	sim_describe(s->sim, &d);
	return d.capacity_bytes / BLOCK_SIZE;
}

/* No two drives may have one, and it shall stay: the serial number's bytes, mixed (FNV-1a). */
static void put_nguid(struct subsystem *s, uint8_t *ret)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	uint8_t identify[PAGE_SIZE_MAX];

	identify_controller(s, identify);
	for (unsigned i = 0; i < 60; i++) /* the model's too */
		hash = (hash ^ identify[SN_OFFSET + i]) * UINT64_C(1099511628211);
	bytes_put(ret, 8, hash);
	bytes_put(ret + 8, 8, ~hash);
}

static void namespace(struct subsystem *s, uint32_t nsid, struct answer *ret)
{
	if (nsid != 1 || !blocks(s)) /* is not active */
		return;
	bytes_put(ret->data, 8, blocks(s));      /* NSZE */
	bytes_put(ret->data + 8, 8, blocks(s));  /* NCAP */
	bytes_put(ret->data + 16, 8, blocks(s)); /* NUSE */
	ret->data[99] = 1;                       /* NSATTR: write protected */
	put_nguid(s, ret->data + 104);
	ret->data[130] = 9; /* LBADS of format 0: 512 bytes */
}

static void descriptors(struct subsystem *s, uint32_t nsid, struct answer *ret)
{
	if (nsid != 1 || !blocks(s)) {
		ret->status = STATUS_INVALID_FIELD | STATUS_DNR;
		return;
	}
	ret->data[0] = NGUID;
	ret->data[1] = 16;
	put_nguid(s, ret->data + 4);
}

/* Drives from before NVMe 2.0 do not have it, which drivers bear with. */
static void command_set_controller(struct subsystem *s, struct answer *ret)
{
	uint8_t identify[PAGE_SIZE_MAX];

	identify_controller(s, identify);
	if (bytes_get(identify + VER_OFFSET, 4) < 0x00020000)
		ret->status = STATUS_INVALID_FIELD | STATUS_DNR;
}

bool identify_has(uint8_t cns)
{
	return cns == CNS_NAMESPACE || cns == CNS_ACTIVE_NAMESPACES || cns == CNS_DESCRIPTORS ||
	       cns == CNS_COMMAND_SET_CONTROLLER;
}

void identify_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret)
{
	uint32_t nsid = command_nsid(sqe);

	ret->length = PAGE_SIZE_MAX;
	switch ((uint8_t)cdw(sqe, 10)) {
	case CNS_NAMESPACE: namespace(s, nsid, ret); break;
	case CNS_ACTIVE_NAMESPACES: bytes_put(ret->data, 4, nsid < 1 && blocks(s)); break;
	case CNS_DESCRIPTORS: descriptors(s, nsid, ret); break;
	case CNS_COMMAND_SET_CONTROLLER: command_set_controller(s, ret); break;
	}
}
