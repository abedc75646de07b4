/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is known of a drive, for the tests of what it may be asked: pages by their bytes. A page that
 * is not set is not read yet; one without bytes is settled, the drive lacks it. */

#include "page_support.h"

struct known {
	struct {
		const struct page *page;
		const uint8_t *bytes;
	} pages[8];
	unsigned n;
};

static inline void known_set(struct known *k, const struct page *p, const uint8_t *bytes)
{
	for (unsigned i = 0; i < k->n; i++)
		if (k->pages[i].page == p) {
			k->pages[i].bytes = bytes;
			return;
		}
	k->pages[k->n].page = p;
	k->pages[k->n++].bytes = bytes;
}

static inline const uint8_t *known_bytes(const void *userdata, const struct page *p, bool *ret_settled)
{
	const struct known *k = userdata;

	*ret_settled = false;
	for (unsigned i = 0; i < k->n; i++)
		if (k->pages[i].page == p) {
			*ret_settled = !k->pages[i].bytes;
			return k->pages[i].bytes;
		}
	return NULL;
}

static inline struct page_facts facts_of(const struct known *k)
{
	return (struct page_facts){ .model = "M1", .firmware = "FW1", .bytes = known_bytes, .userdata = k };
}

static inline enum page_presence presence_of(const struct page *p, const struct known *k)
{
	struct page_facts facts = facts_of(k);

	return page_presence(p, &facts);
}

/* The numbers of a page of which there are several, as "1 2"; "later" where they are not known yet. */
static inline const char *instances_of(const struct page *p, const struct known *k)
{
	static char shown[1024];
	struct page_facts facts = facts_of(k);
	uint32_t list[PAGE_INSTANCES_MAX];
	int n = p->instances(&facts, list, PAGE_INSTANCES_MAX), used = 0;

	if (n < 0)
		return "later";
	shown[0] = 0;
	for (int i = 0; i < n; i++)
		used += snprintf(shown + used, sizeof(shown) - (size_t)used, "%s%u", i ? " " : "", list[i]);
	return shown;
}
