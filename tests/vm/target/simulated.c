/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bridge to the simulated drive: the same call that nvmewatch's reader makes, but with the
 * status as it goes over the wire. */

#include <string.h>

#include "device/sim_internal.h"
#include "nvmewatch/boot.h"
#include "target.h"

#define CNS_CONTROLLER 0x01
#define FEATURE_HEADER 4

/* The bytes that are asked for. */
static uint32_t command_length(const uint8_t *sqe)
{
	uint32_t low = cdw(sqe, 10) >> 16, high = cdw(sqe, 11) & 0xffff, room = command_room(sqe);

	switch (sqe[0]) {
	case OPCODE_GET_LOG_PAGE:
		/* 0's based dwords; what is too long for a page is refused by the drive. */
		return high >= 0x4000 ? 0 : ((high << 16 | low) + 1) * 4;
	case OPCODE_GET_FEATURES:
		/* Dword 0 of the completion, then the data of the few features that have some. */
		return room < PAGE_SIZE_MAX - FEATURE_HEADER ? FEATURE_HEADER + room : PAGE_SIZE_MAX;
	default: return PAGE_SIZE_MAX;
	}
}

static struct command command_of(const uint8_t *sqe)
{
	struct command c = {
		.protocol = COMMAND_PROTOCOL,
		.opcode = sqe[0],
		.id = (uint8_t)cdw(sqe, 10),
		.lsp = cdw(sqe, 10) >> 8 & 0x7f, /* SEL of Get Features */
		.uuid_index = cdw(sqe, 14) & 0x7f,
		.nsid = command_nsid(sqe),
		.lsi = sqe[0] == OPCODE_GET_LOG_PAGE ? (uint16_t)(cdw(sqe, 11) >> 16) : 0,
		.cdw11 = sqe[0] == OPCODE_GET_FEATURES ? cdw(sqe, 11) : 0,
		.length = command_length(sqe),
	};

	c.rae = c.opcode == OPCODE_GET_LOG_PAGE && cdw(sqe, 10) >> 15 & 1;
	return c;
}

/* The commands that a simulated drive may be asked; which of them it knows is its own business. */
static bool is_for_drive(const struct subsystem *s, const uint8_t *sqe)
{
	switch (sqe[0]) {
	case OPCODE_IDENTIFY:
	case OPCODE_GET_LOG_PAGE: return true;
	case OPCODE_GET_FEATURES: return !s->features[(uint8_t)cdw(sqe, 10)]; /* was not set */
	default: return false;
	}
}

bool simulated_takes(struct subsystem *s, const uint8_t *sqe)
{
	static struct reply scratch;
	struct command c = command_of(sqe);

	/* Without sim_execute(), which counts what is refused. */
	return is_for_drive(s, sqe) && (!admin_has(sqe) || !sim_command(s->sim, &c, &scratch));
}

uint64_t simulated_delay(struct subsystem *s, const uint8_t *sqe, bool *ret_crashes)
{
	struct command c = command_of(sqe);

	*ret_crashes = sim_crashes(s->sim, subsystem_elapsed(s), &c);
	return sim_delay_us(s->sim, subsystem_elapsed(s), &c);
}

/* A page is read in one go: there is nothing behind an offset. */
static bool has_offset(const uint8_t *sqe)
{
	return sqe[0] == OPCODE_GET_LOG_PAGE && (cdw(sqe, 12) || cdw(sqe, 13));
}

static void take(const uint8_t *sqe, const struct reply *reply, struct answer *ret)
{
	uint32_t room = command_room(sqe), start = 0;

	if (sqe[0] == OPCODE_GET_FEATURES && reply->length >= FEATURE_HEADER) {
		start = FEATURE_HEADER;
		ret->result = bytes_get(reply->data, FEATURE_HEADER);
	}
	ret->length = reply->length - start < room ? reply->length - start : room;
	memcpy(ret->data, reply->data + start, ret->length);
	if (sqe[0] == OPCODE_IDENTIFY && (uint8_t)cdw(sqe, 10) == CNS_CONTROLLER)
		identify_fit(ret->data);
}

void simulated_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret)
{
	static struct reply reply;
	struct command c = command_of(sqe);

	if (has_offset(sqe)) {
		ret->status = STATUS_INVALID_FIELD | STATUS_DNR;
		return;
	}
	sim_execute(s->sim, subsystem_elapsed(s), &c, &reply);
	/* An errno is the driver's own: no drive can make it return a certain one, but for that of
	 * a controller that it resets or has lost, which main.c sees to. */
	if (reply.error)
		ret->status = STATUS_INTERNAL | STATUS_DNR;
	else if (reply.status)
		ret->status = sim_wire_status(s->sim);
	if (!ret->status)
		take(sqe, &reply, ret);
}

void identify_controller(struct subsystem *s, uint8_t ret[static PAGE_SIZE_MAX])
{
	const struct sim_page *page = sim_page_find(s->sim, &identify_page, 0);

	sim_page_at(s->sim, page, subsystem_elapsed(s), ret);
	sim_page_overlay(page, ret);
}
