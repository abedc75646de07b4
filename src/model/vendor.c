/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "vendor.h"

#include <string.h>

uint32_t vendor_of(const struct page_facts *facts)
{
	int64_t vid;

	if (!facts->vendor && facts_integer(facts, &identify_page, "vid", &vid))
		return (uint32_t)vid;
	return facts->vendor;
}

enum page_presence vendor_is(const struct page_facts *facts, const uint32_t *vendors)
{
	uint32_t vendor = vendor_of(facts);

	if (!vendor && !facts_bytes(facts, &identify_page))
		return PAGE_LATER;
	for (; *vendors; vendors++)
		if (*vendors == vendor)
			return PAGE_POSSIBLE;
	return PAGE_LACKED;
}

bool vendor_model_begins(const struct page_facts *facts, const char *const *starts)
{
	for (; *starts; starts++)
		if (!strncmp(facts->model, *starts, strlen(*starts)))
			return true;
	return false;
}

bool vendor_lists_pages(const struct page_facts *facts)
{
	return facts_bytes(facts, &supported_logs_page) != NULL;
}

enum page_presence vendor_lacks_ocp(const struct page_facts *facts)
{
	bool settled;

	if (facts->bytes(facts->userdata, &ocp_smart_page, &settled))
		return PAGE_LACKED;
	return settled ? PAGE_POSSIBLE : PAGE_LATER;
}

enum page_presence vendor_has_uuid(const struct page_facts *facts, const uint8_t *uuid)
{
	bool settled;
	const uint8_t *list = facts->bytes(facts->userdata, &uuid_list_page, &settled);

	if (!list)
		return settled ? PAGE_LACKED : PAGE_LATER;
	for (unsigned entry = 32; entry < uuid_list_page.size; entry += 32)
		if (!memcmp(list + entry + 16, uuid, 16))
			return PAGE_POSSIBLE;
	return PAGE_LACKED;
}
