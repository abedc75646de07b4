/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "vendor.h"

static const uint32_t vendors[] = { VENDOR_MEMBLAZE, 0 };

/* Models before the P5920 have another layout under the same id. */
static bool is_old(const char *model)
{
	return model[0] == 'P' && strcmp(model, "P5920") < 0;
}

static enum page_presence presence(const struct page_facts *facts, bool old)
{
	enum page_presence maker = vendor_is(facts, vendors);

	if (maker != PAGE_POSSIBLE)
		return maker;
	return is_old(facts->model) == old ? PAGE_POSSIBLE : PAGE_LACKED;
}

enum page_presence vendor_memblaze_presence(const struct page_facts *facts)
{
	return presence(facts, false);
}

enum page_presence vendor_memblaze_old_presence(const struct page_facts *facts)
{
	return presence(facts, true);
}
