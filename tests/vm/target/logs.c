/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Get Log Page, where the simulated drive has none: every drive has to have the error log, the
 * firmware slots, and for the driver the changed namespaces and the command effects. */

#include <string.h>

#include "target.h"

#define LID_ERRORS 0x01
#define LID_FIRMWARE_SLOTS 0x03
#define LID_CHANGED_NAMESPACES 0x04
#define LID_EFFECTS 0x05

#define FR_OFFSET 64

bool log_has(uint8_t lid)
{
	return lid == LID_ERRORS || lid == LID_FIRMWARE_SLOTS || lid == LID_CHANGED_NAMESPACES ||
	       lid == LID_EFFECTS;
}

static void firmware_slots(struct subsystem *s, struct answer *ret)
{
	uint8_t identify[PAGE_SIZE_MAX];

	identify_controller(s, identify);
	ret->data[0] = 1; /* AFI: slot 1 is active */
	memcpy(ret->data + 8, identify + FR_OFFSET, 8);
}

/* Which commands there are; none has an effect that a driver has to care about. */
static void effects(struct answer *ret)
{
	static const uint8_t admin[] = {
		OPCODE_GET_LOG_PAGE, OPCODE_IDENTIFY, OPCODE_ABORT, OPCODE_SET_FEATURES,
		OPCODE_GET_FEATURES, OPCODE_ASYNC_EVENT, OPCODE_KEEP_ALIVE,
	};
	static const uint8_t io[] = { OPCODE_FLUSH, OPCODE_WRITE, OPCODE_READ };

	for (unsigned i = 0; i < sizeof(admin); i++)
		ret->data[4 * admin[i]] = 1;
	for (unsigned i = 0; i < sizeof(io); i++)
		ret->data[1024 + 4 * io[i]] = 1;
}

void log_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret)
{
	if (command_room(sqe) > sizeof(ret->data) || cdw(sqe, 12) || cdw(sqe, 13)) {
		ret->status = STATUS_INVALID_FIELD | STATUS_DNR;
		return;
	}
	ret->length = command_room(sqe);
	if ((uint8_t)cdw(sqe, 10) == LID_FIRMWARE_SLOTS)
		firmware_slots(s, ret);
	else if ((uint8_t)cdw(sqe, 10) == LID_EFFECTS)
		effects(ret);
	/* The others: no entries. */
}
