/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How a host brings a controller up (NVMe Base 2.0, 3.1.3 and 6.3): Connect, then its properties,
 * which are what the registers of a PCI drive are. */

#include <string.h>
#include <strings.h>

#include "target.h"

#define CONNECT_DATA 1024
#define CONNECT_NQN 256 /* offset of the subsystem's name, 256 bytes */
#define CNTLID_OFFSET 78
#define VER_OFFSET 80

#define CC_ENABLE 0x1u
#define CC_SHUTDOWN 0xc000u
#define CSTS_READY 0x1u
#define CSTS_SHUT_DOWN 0x8u

static struct subsystem *named(struct target *t, const uint8_t *data)
{
	char nqn[256 + 1] = "";

	memcpy(nqn, data + CONNECT_NQN, 256);
	if (strncasecmp(nqn, NQN_PREFIX, strlen(NQN_PREFIX)) != 0)
		return NULL;
	return subsystem_find(t, nqn + strlen(NQN_PREFIX));
}

static void power_up(struct connection *c)
{
	struct subsystem *s = c->subsystem;

	s->admin = c;
	s->configuration = 0;
	memset(s->features, 0, sizeof(s->features));
}

static void connect_queue(struct connection *c, const uint8_t *sqe, const uint8_t *data,
			  size_t length, struct answer *ret)
{
	uint16_t queue = (uint16_t)bytes_get(sqe + 42, 2);
	uint8_t identify[PAGE_SIZE_MAX];
	struct subsystem *s = length >= CONNECT_DATA ? named(c->target, data) : NULL;

	if (!s || c->subsystem || (queue && !s->admin)) {
		ret->status = STATUS_CONNECT_PARAMETER | STATUS_DNR;
		return;
	}
	if (sim_presence(s->sim, subsystem_elapsed(s)) != SIM_LIVE) {
		ret->status = STATUS_CONNECT_BUSY; /* to be tried again */
		return;
	}
	c->subsystem = s;
	c->queue = queue;
	c->size = (uint16_t)(bytes_get(sqe + 44, 2) + 1);
	if (!queue)
		power_up(c);
	/* The drive's own number, so that Identify need not be changed for the driver's sake. */
	identify_controller(s, identify);
	ret->result = bytes_get(identify + CNTLID_OFFSET, 2);
}

/* Of drives from before NVMe 1.2, which have no VER, the oldest that lists its namespaces. */
static uint32_t version(struct subsystem *s)
{
	uint8_t identify[PAGE_SIZE_MAX];

	identify_controller(s, identify);
	uint32_t ver = (uint32_t)bytes_get(identify + VER_OFFSET, 4);
	return ver ? ver : 0x00010100;
}

static uint32_t controller_status(const struct subsystem *s)
{
	if (s->configuration & CC_SHUTDOWN)
		return CSTS_SHUT_DOWN;
	return s->configuration & CC_ENABLE ? CSTS_READY : 0;
}

static void property_get(struct subsystem *s, const uint8_t *sqe, struct answer *ret)
{
	switch (cdw(sqe, 11)) {
	case PROPERTY_CAP:
		/* MQES, contiguous queues, 15 s to get ready, the NVM command set. */
		ret->result = (QUEUE_SIZE - 1) | 1u << 16 | 30u << 24 | UINT64_C(1) << 37;
		break;
	case PROPERTY_VS: ret->result = version(s); break;
	case PROPERTY_CC: ret->result = s->configuration; break;
	case PROPERTY_CSTS: ret->result = controller_status(s); break;
	default: ret->status = STATUS_INVALID_FIELD | STATUS_DNR;
	}
}

static void property_set(struct subsystem *s, const uint8_t *sqe, struct answer *ret)
{
	if (cdw(sqe, 11) == PROPERTY_CC)
		s->configuration = cdw(sqe, 12);
	else
		ret->status = STATUS_INVALID_FIELD | STATUS_DNR;
}

void fabrics_execute(struct connection *c, const uint8_t *sqe, const uint8_t *data, size_t length,
		     struct answer *ret)
{
	uint8_t type = sqe[4];

	if (type == FABRICS_CONNECT)
		connect_queue(c, sqe, data, length, ret);
	else if (!c->subsystem)
		ret->status = STATUS_SEQUENCE;
	else if (type == FABRICS_PROPERTY_GET)
		property_get(c->subsystem, sqe, ret);
	else if (type == FABRICS_PROPERTY_SET)
		property_set(c->subsystem, sqe, ret);
	else
		ret->status = STATUS_INVALID_FIELD | STATUS_DNR;
}
