/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocp.h"

#include <errno.h>
#include <math.h>

#define TIMESTAMP_SIZE 6 /* bytes, milliseconds */

enum page_presence ocp_presence(const struct page_facts *facts, unsigned least, unsigned most)
{
	bool settled;
	const uint8_t *smart = facts->bytes(facts->userdata, &ocp_smart_page, &settled);

	if (!smart)
		return settled ? PAGE_LACKED : PAGE_LATER;
	unsigned version = page_version(&ocp_smart_page, smart);
	return version >= least && version <= most ? PAGE_POSSIBLE : PAGE_LACKED;
}

void ocp_seconds(const uint8_t *timestamp, struct value *ret)
{
	ret->real = (double)bytes_get(timestamp, TIMESTAMP_SIZE) / 1000;
	ret->type = VALUE_REAL;
}

int ocp_seconds_put(const struct value *v, uint8_t *timestamp)
{
	double ms = round((v->type == VALUE_REAL ? v->real : (double)v->integer) * 1000);

	if (v->type != VALUE_REAL && v->type != VALUE_INTEGER)
		return -EINVAL;
	if (!(ms >= 0 && ms < 0x1p48))
		return -ERANGE;
	bytes_put(timestamp, TIMESTAMP_SIZE, (uint64_t)ms);
	return 0;
}
