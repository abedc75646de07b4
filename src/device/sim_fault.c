/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stddef.h>

#include "sim_internal.h"

#define FAULT(name_, kind_, member_, min_, max_)                                       \
	{ .name = name_, .kind = kind_, .offset = offsetof(struct sim_fault, member_), \
	  .min = min_, .max = max_ }

static const struct sim_key keys[] = {
	FAULT("status", SIM_NUMBER, status, 1, 0x7fff),
	FAULT("error", SIM_NUMBER, error, 1, 133),
	FAULT("delay", SIM_TIME, delay, 0, 0),
	FAULT("hang", SIM_FLAG, hang, 0, 0),
	FAULT("crash", SIM_FLAG, crash, 0, 0),
	FAULT("after", SIM_TIME, after, 0, 0),
	FAULT("until", SIM_TIME, until, 0, 0),
};

int sim_fault_set(struct sim_fault *f, const struct ini_place *at, const char *name,
		  const char *value)
{
	int r = sim_key_set(keys, ELEMENTS(keys), f, at, "fault", name, value);

	if (r < 0)
		return r;
	if (f->status && !(f->status & STATUS_MASK))
		return ini_fail(at, -ERANGE,
				"[fault] status = %s: that is success with flag bits; allowed is a "
				"status as 0x109, also with CRD, More and DNR as 0x4109",
				value);
	return 0;
}

bool sim_fault_active(const struct sim_fault *f, uint64_t elapsed_us)
{
	return elapsed_us >= f->after && (!f->until || elapsed_us < f->until);
}
