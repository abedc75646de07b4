/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the tests of the OCP pages share: a page between reserved bytes that must not matter, and a
 * drive of which no more is known than its C0h. */

#include "page_support.h"

struct golden {
	unsigned offset;
	const char *bytes;
};

struct expected {
	const char *column, *value;
};

/* Fills the page with what must not be read, then with its bytes. */
static inline void golden_fill(const struct page *p, uint8_t *bytes, const struct golden *g, size_t n)
{
	memset(bytes, 0xee, PAGE_SIZE_MAX);
	for (size_t i = 0; i < n; i++)
		put_hex(bytes, g[i].offset, g[i].bytes);
	ck_assert_int_eq(page_check(p, bytes, p->size), PAGE_SOUND);
}

static inline void golden_check(const struct page *p, const uint8_t *bytes, const struct expected *e,
				size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_value(p, bytes, e[i].column, e[i].value);
}

/* Every page but identify and C0h: is it so that the drive lacks them. */
struct known {
	bool settled, has;
	uint8_t smart[512];
};

static inline const uint8_t *known_bytes(const void *userdata, const struct page *p, bool *ret_settled)
{
	static const uint8_t identify[4096] = { 1 };
	const struct known *k = userdata;

	*ret_settled = p == &ocp_smart_page ? k->settled : true;
	if (p == &identify_page)
		return identify;
	return p == &ocp_smart_page && k->has ? k->smart : NULL;
}

/* What a drive with that version of C0h is asked. */
static inline enum page_presence presence_with(const struct page *p, unsigned version)
{
	struct known k = { .settled = true, .has = true };
	struct page_facts facts = { .bytes = known_bytes, .userdata = &k };

	put_number(k.smart, 494, 2, version);
	return page_presence(p, &facts);
}

static inline enum page_presence presence_without(const struct page *p, bool settled)
{
	struct known k = { .settled = settled };
	struct page_facts facts = { .bytes = known_bytes, .userdata = &k };

	return page_presence(p, &facts);
}
