/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Every row of every page in one array, for the tests of the field table. */

#include <regex.h>

#include "page_support.h"

static struct row {
	const struct page *page;
	const struct field *field;
} rows[1024];
static size_t n_rows;

/* Before the tests. */
static inline void rows_gather(void)
{
	for (const struct page *const *p = pages; *p; p++)
		for (size_t i = 0; i < (*p)->n_fields && n_rows < ELEMENTS(rows); i++)
			rows[n_rows++] = (struct row){ *p, &(*p)->fields[i] };
}

#define ck_row(row, what, condition)                                                     \
	ck_assert_msg(condition, "%s.%s: %s", (row)->page->name, (row)->field->name, what)

static inline bool matches(const char *text, const char *pattern)
{
	regex_t regex;

	ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	bool match = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	return match;
}

static inline bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length > end_length && !strcmp(text + length - end_length, end);
}
