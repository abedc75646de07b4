/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bridge to the simulated drive: the same call that nvmewatch's reader makes, but with the
 * status as it goes over the wire. */

#include <string.h>

#include "device/sim_internal.h"
#include "nvmewatch/boot.h"
#include "target.h"

static struct command command_of(const uint8_t *sqe)
{
	struct command c = {
		.protocol = COMMAND_PROTOCOL,
		.opcode = sqe[0],
		.id = (uint8_t)cdw(sqe, 10),
		.uuid_index = cdw(sqe, 14) & 0x7f,
		.nsid = command_nsid(sqe),
		.length = PAGE_SIZE_MAX,
	};

	if (c.opcode == OPCODE_GET_LOG_PAGE) {
		uint32_t low = cdw(sqe, 10) >> 16, high = cdw(sqe, 11) & 0xffff;
		c.lsp = cdw(sqe, 10) >> 8 & 0x7f;
		c.rae = cdw(sqe, 10) >> 15 & 1;
		/* 0's based dwords; what is too long for a page is refused by the drive. */
		c.length = high >= 0x4000 ? 0 : ((high << 16 | low) + 1) * 4;
	}
	return c;
}

bool simulated_takes(const uint8_t *sqe)
{
	uint8_t id = (uint8_t)cdw(sqe, 10);

	if (sqe[0] == OPCODE_IDENTIFY)
		return id == 0x01 || id == 0x17;
	/* The log pages of logs.c; whatever else there may be, the drive knows. */
	return sqe[0] == OPCODE_GET_LOG_PAGE && id != 0x01 && id != 0x03 && id != 0x05;
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
	if (ret->status)
		return;
	ret->length = reply.length < command_room(sqe) ? reply.length : command_room(sqe);
	memcpy(ret->data, reply.data, ret->length);
}

void identify_controller(struct subsystem *s, uint8_t ret[static PAGE_SIZE_MAX])
{
	struct sim_page scratch;
	const struct sim_page *page = sim_page_at(s->sim, &identify_page, subsystem_elapsed(s), &scratch);

	memcpy(ret, page->bytes, PAGE_SIZE_MAX);
	sim_page_overlay(page, ret);
}
