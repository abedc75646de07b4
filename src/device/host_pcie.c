/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The PCI function behind a controller: its folder `device`. That of a fabric's controller has no
 * such attributes. */

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "nvmewatch/field.h"

bool host_parse_speed(const char *text, uint64_t *ret)
{
	unsigned whole, tenths = 0;
	int end = 0;

	/* "Unknown", and "Unknown speed" in older kernels. */
	if (!isdigit((unsigned char)*text))
		return false;
	if (sscanf(text, "%4u GT/s%n", &whole, &end) != 1 || !end) {
		end = 0;
		if (sscanf(text, "%4u.%1u GT/s%n", &whole, &tenths, &end) != 2 || !end)
			return false;
	}
	if (text[end] && text[end] != ' ')
		return false;
	*ret = whole * UINT64_C(1000000000) + tenths * UINT64_C(100000000);
	return *ret != 0;
}

static bool put_speed(const struct host *h, const char *name, uint8_t *bytes, unsigned at)
{
	char text[64];
	uint64_t speed;

	if (host_text(h->folder, name, text, sizeof(text)) < 0)
		return false;
	if (host_parse_speed(text, &speed))
		bytes_put(bytes + at, HOST_NUMBER, speed);
	return true;
}

int host_pcie_link(const struct host *h, uint32_t nsid, uint8_t *ret)
{
	(void)nsid;
	bool current = put_speed(h, "device/current_link_speed", ret, HOST_LINK_SPEED);
	bool max = put_speed(h, "device/max_link_speed", ret, HOST_LINK_SPEED_MAX);

	host_put_number(h->folder, "device/current_link_width", ret, HOST_LINK_WIDTH);
	host_put_number(h->folder, "device/max_link_width", ret, HOST_LINK_WIDTH_MAX);
	return current || max ? 0 : -ENODATA;
}
