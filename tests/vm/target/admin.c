/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "target.h"

bool admin_has(const uint8_t *sqe)
{
	switch (sqe[0]) {
	case OPCODE_IDENTIFY: return identify_has((uint8_t)cdw(sqe, 10));
	case OPCODE_GET_LOG_PAGE: return log_has((uint8_t)cdw(sqe, 10));
	default: return true;
	}
}

void admin_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret)
{
	if (simulated_takes(s, sqe)) {
		simulated_execute(s, sqe, ret);
		return;
	}
	switch (sqe[0]) {
	case OPCODE_IDENTIFY:
		identify_execute(s, sqe, ret);
		break;
	case OPCODE_GET_LOG_PAGE:
		log_execute(s, sqe, ret);
		break;
	case OPCODE_SET_FEATURES:
	case OPCODE_GET_FEATURES:
		features_execute(s, sqe, ret);
		break;
	case OPCODE_KEEP_ALIVE:
		break;
	case OPCODE_ABORT:
		ret->result = 1; /* was not aborted */
		break;
	default:
		ret->status = STATUS_INVALID_OPCODE | STATUS_DNR;
	}
}
