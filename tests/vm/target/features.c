/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Features, as far as they are one dword: what was set is what is got, until the next Connect. What
 * was not, the simulated drive is asked first. */

#include "target.h"

#define FID_POWER 0x02
#define FID_TEMPERATURE 0x04
#define FID_QUEUES 0x07
#define WCTEMP_OFFSET 266

/* Those that a driver may set at start, data and all (which is dropped); some drives refuse some
 * of them, and the driver goes on. */
static bool is_known(uint8_t fid)
{
	static const uint8_t known[] = { FID_POWER, FID_TEMPERATURE, FID_QUEUES, 0x05, 0x06, 0x0b,
					 0x0c, 0x0e, 0x0f, 0x10, 0x16 };

	for (unsigned i = 0; i < sizeof(known); i++)
		if (known[i] == fid)
			return true;
	return false;
}

/* Only the composite temperature has a limit of its own to begin with. */
static uint32_t temperature_limit(struct subsystem *s, uint32_t which)
{
	uint8_t identify[PAGE_SIZE_MAX];
	bool under = which >> 20 & 3, sensor = which >> 16 & 0xf;

	if (under)
		return 0;
	identify_controller(s, identify);
	uint32_t limit = (uint32_t)bytes_get(identify + WCTEMP_OFFSET, 2);
	return sensor || !limit ? 0xffff : limit;
}

static uint32_t get(struct subsystem *s, const uint8_t *sqe)
{
	uint8_t fid = (uint8_t)cdw(sqe, 10);

	if (fid == FID_TEMPERATURE && !s->features[fid])
		return temperature_limit(s, cdw(sqe, 11));
	return s->features[fid];
}

void features_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret)
{
	uint8_t fid = (uint8_t)cdw(sqe, 10);

	if (!is_known(fid)) {
		ret->status = STATUS_INVALID_FIELD | STATUS_DNR;
		return;
	}
	if (sqe[0] == OPCODE_SET_FEATURES)
		s->features[fid] = cdw(sqe, 11);
	/* The driver asks for as many queues as it will use, and is told how many it has. */
	if (sqe[0] == OPCODE_GET_FEATURES || fid == FID_QUEUES)
		ret->result = get(s, sqe);
}
