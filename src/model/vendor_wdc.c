/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "vendor.h"

static const uint32_t data_centre[] = { VENDOR_HGST, VENDOR_WDC, 0 };
static const uint32_t all[] = { VENDOR_HGST, VENDOR_WDC, VENDOR_SANDISK, 0 };

/* Model numbers of the Ultrastar series. */
static const char *const models[] = { "HUS", "WUS", "HGST HUS", "WDC WUS", NULL };

/* SanDisk's drives for clouds, as against those for PCs. */
static const char *const boot_models[] = { "WDC CL ", NULL };

enum page_presence vendor_wdc_presence(const struct page_facts *facts)
{
	enum page_presence maker = vendor_is(facts, data_centre);

	if (maker != PAGE_POSSIBLE)
		return maker;
	if (!vendor_model_begins(facts, models))
		return PAGE_LACKED;
	return vendor_lists_pages(facts) ? PAGE_POSSIBLE : vendor_lacks_ocp(facts);
}

enum page_presence vendor_wdc_boot_presence(const struct page_facts *facts)
{
	enum page_presence maker = vendor_is(facts, all);

	if (maker != PAGE_POSSIBLE)
		return maker;
	return vendor_lists_pages(facts) || vendor_model_begins(facts, boot_models) ? PAGE_POSSIBLE
										    : PAGE_LACKED;
}
