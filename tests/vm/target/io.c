/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A namespace that holds zeroes and takes nothing. */

#include "target.h"

static void read_blocks(const uint8_t *sqe, struct answer *ret)
{
	uint32_t length = ((cdw(sqe, 12) & 0xffff) + 1) * BLOCK_SIZE;

	if (length > command_room(sqe)) {
		ret->status = STATUS_INVALID_FIELD | STATUS_DNR;
		return;
	}
	ret->length = length;
	ret->zeroes = true;
}

void io_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret)
{
	(void)s;
	if (sqe[0] == OPCODE_READ)
		read_blocks(sqe, ret);
	else if (sqe[0] == OPCODE_WRITE)
		ret->status = STATUS_WRITE_PROTECTED | STATUS_DNR;
	else if (sqe[0] != OPCODE_FLUSH)
		ret->status = STATUS_INVALID_OPCODE | STATUS_DNR;
}
