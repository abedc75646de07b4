/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "vendor.h"

static const uint32_t vendors[] = { VENDOR_INTEL, VENDOR_SOLIDIGM, 0 };

const uint8_t solidigm_uuid[16] = {
	0x96, 0x19, 0x58, 0x6e, 0xc1, 0x1b, 0x43, 0xad, 0xaa, 0xaa, 0x65, 0x41, 0x87, 0xf6, 0xbb, 0xb2,
};

/* M.2 drives, most of them for PCs, which are not known to have it. */
static bool is_small(const char *model)
{
	return strstr(model, "SSDPEK") || strstr(model, "SSDPFK");
}

enum page_presence vendor_intel_presence(const struct page_facts *facts)
{
	enum page_presence maker = vendor_is(facts, vendors), uuid;

	if (maker != PAGE_POSSIBLE)
		return maker;
	if (is_small(facts->model))
		return PAGE_LACKED;
	if (vendor_lists_pages(facts))
		return PAGE_POSSIBLE;
	uuid = vendor_has_uuid(facts, solidigm_uuid);
	return uuid == PAGE_LACKED ? vendor_lacks_ocp(facts) : uuid;
}
