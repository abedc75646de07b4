/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "vendor.h"

static const uint32_t vendors[] = { VENDOR_MICRON, 0 };

/* Data-centre drives of the 7000 and 9000 series. */
static const char *const models[] = { "Micron_7", "Micron_9", NULL };

enum page_presence vendor_micron_presence(const struct page_facts *facts)
{
	enum page_presence maker = vendor_is(facts, vendors);

	if (maker != PAGE_POSSIBLE)
		return maker;
	if (!vendor_model_begins(facts, models))
		return PAGE_LACKED;
	return vendor_lists_pages(facts) ? PAGE_POSSIBLE : vendor_lacks_ocp(facts);
}
