/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The Persistent Event Log (0Dh) of a simulated drive: two events where its file says nothing of them, and
 * the reporting context, of which a controller has one: who reads makes it, and nobody else reads until
 * it is released, or a reset ends it. Bytes at the offsets of the specification. */

#include <errno.h>
#include <string.h>

#include "sim_internal.h"

#define HEADER 512
#define EVENT_HEADER 24
#define VER_2_0 0x20000
#define LSP_READ 0

/* Puts an event behind the others. Returns where its data go. */
static uint8_t *event_put(uint8_t *log, uint8_t type, uint16_t length)
{
	uint8_t *event = log + bytes_get(log + 8, 8);

	event[0] = type;
	event[1] = 1;
	event[2] = EVENT_HEADER - 3;
	bytes_put(event + 22, 2, length);
	bytes_put(log + 4, 4, bytes_get(log + 4, 4) + 1);
	bytes_put(log + 8, 8, bytes_get(log + 8, 8) + EVENT_HEADER + length);
	log[480 + type / 8] |= (uint8_t)(1 << type % 8);
	return event + EVENT_HEADER;
}

static void log_put(const uint8_t *identify, const uint8_t *smart, uint8_t *log)
{
	bytes_put(log + 8, 8, HEADER);
	log[16] = bytes_get(identify + 80, 4) >= VER_2_0 ? 2 : 1;
	memcpy(log + 28, smart + 128, 16); /* power on hours */
	memcpy(log + 44, smart + 112, 8);  /* power cycles */
	memcpy(log + 52, identify, 64);    /* VID to MN */
	memcpy(log + 116, identify + 768, 256); /* SUBNQN */
	uint8_t *power_on = event_put(log, 0x04, 8 + 36);
	memcpy(power_on, identify + 64, 8); /* FR */
	bytes_put(power_on + 8, 2, bytes_get(identify + 78, 2)); /* CNTLID */
	memcpy(power_on + 8 + 16, smart + 112, 4);
	memcpy(event_put(log, 0x01, 512), smart, 512);
}

int sim_events_settle(struct sim *s, const uint8_t *identify)
{
	struct sim_page *page = sim_page_find(s, &persistent_events_page, 0);

	if (!(identify[261] >> 4 & 1) && (!page || !page->supported))
		return 0;
	bool is_new = !page || !page->supported;
	page = sim_page_make(s, &persistent_events_page, 0);
	if (!page)
		return -ENOMEM;
	page->supported = true;
	page->bytes[0] = LID_PERSISTENT_EVENTS;
	bytes_put(page->bytes + 18, 2, HEADER - 20); /* LHL */
	if (is_new)
		log_put(identify, sim_page_find(s, &smart_page, 0)->bytes, page->bytes);
	return 0;
}

static bool is_for_log(const struct command *c)
{
	return c->kind == COMMAND_ADMIN && c->opcode == OPCODE_GET_LOG_PAGE &&
	       c->id == LID_PERSISTENT_EVENTS;
}

uint16_t sim_events_take(struct sim *s, const struct command *c, struct reply *ret)
{
	bool exists = s->now < s->context;

	if (!is_for_log(c))
		return 0;
	switch (c->lsp & 3) {
	case LSP_READ:
		return exists ? 0 : STATUS_SEQUENCE_ERROR;
	case LSP_ESTABLISH:
		if (exists)
			return STATUS_SEQUENCE_ERROR;
		s->context = sim_next_loss(s, s->now);
		return 0;
	case LSP_RELEASE:
		s->context = 0;
		memset(ret->data, 0, ret->length); /* no bytes of the log come with it */
		return 0;
	}
	return STATUS_INVALID_FIELD;
}

void sim_events_fail(struct sim *s, const struct command *c, uint16_t status)
{
	static struct reply none;

	if ((status & STATUS_MASK) != STATUS_SEQUENCE_ERROR && sim_presence(s, s->now) == SIM_LIVE)
		(void)sim_events_take(s, c, &none);
}
