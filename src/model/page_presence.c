/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What may be asked of a drive, from what it has told already. A drive that keeps a list of its log
 * pages (00h) is asked for those only; else its capabilities decide, and each page's own rule. */

#include "nvmewatch/page.h"

const uint8_t *facts_bytes(const struct page_facts *facts, const struct page *p)
{
	bool settled;

	/* cppcheck-suppress returnDanglingLifetime ; the bytes are the callback's */
	return facts->bytes(facts->userdata, p, &settled);
}

bool facts_integer(const struct page_facts *facts, const struct page *p, const char *column,
		   int64_t *ret)
{
	return page_integer(p, facts_bytes(facts, p), column, ret);
}

enum page_presence facts_capability(const struct page_facts *facts, const char *column, unsigned bit)
{
	int64_t bits;

	if (!facts_bytes(facts, &identify_page))
		return PAGE_LATER;
	return facts_integer(facts, &identify_page, column, &bits) && bits >> bit & 1 ? PAGE_POSSIBLE
										      : PAGE_LACKED;
}

/* Bit 0 of a log page's entry in the list says that the drive has it. */
static enum page_presence listed(const struct page *p, const struct page_facts *facts)
{
	bool settled;
	const uint8_t *list;

	if (p->command != PAGE_LOG || p == &supported_logs_page)
		return PAGE_POSSIBLE;
	list = facts->bytes(facts->userdata, &supported_logs_page, &settled);
	if (list)
		return list[4 * p->id] & 1 ? PAGE_POSSIBLE : PAGE_LACKED;
	return settled ? PAGE_POSSIBLE : PAGE_LATER;
}

/* Some drives refuse a page that is asked for without its UUID's index. */
static enum page_presence indexed(const struct page *p, const struct page_facts *facts)
{
	bool settled;

	if (!p->uuid || facts->bytes(facts->userdata, &uuid_list_page, &settled) || settled)
		return PAGE_POSSIBLE;
	return PAGE_LATER;
}

enum page_presence page_presence(const struct page *p, const struct page_facts *facts)
{
	if (!p->presence) /* every drive has it */
		return PAGE_POSSIBLE;
	enum page_presence list = listed(p, facts);
	if (list == PAGE_POSSIBLE)
		list = indexed(p, facts);
	return list == PAGE_POSSIBLE ? p->presence(facts) : list;
}

unsigned page_length(const struct page *p, const struct page_facts *facts)
{
	unsigned length = p->length ? p->length(facts) : p->size;

	return length < p->size ? length : p->size;
}
