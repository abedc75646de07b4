/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the tests of pages share: bytes put down by hand, and values as text. Nothing here looks at
 * a field row but to find it by its column. */

#include <inttypes.h>
#include <string.h>

#include "check_main.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/page.h"

#define VALUE_SHOWN_MAX (FIELD_TEXT_MAX + 3)

/* Bytes at an offset, as a hex dump has them. */
static inline void put_hex(uint8_t *bytes, unsigned offset, const char *hex)
{
	unsigned byte;
	int used;

	for (; sscanf(hex, "%2x%n", &byte, &used) == 1; hex += used)
		bytes[offset++] = (uint8_t)byte;
}

/* A little-endian number. */
static inline void put_number(uint8_t *bytes, unsigned offset, unsigned size, uint64_t n)
{
	for (unsigned i = 0; i < size; i++, n = i < 8 ? n >> 8 : 0)
		bytes[offset + i] = (uint8_t)n;
}

/* "absent", a number, or a text in quotes. */
static inline void value_show(const struct value *v, char ret[static VALUE_SHOWN_MAX])
{
	if (v->type == VALUE_ABSENT)
		strcpy(ret, "absent");
	else if (v->type == VALUE_INTEGER)
		snprintf(ret, VALUE_SHOWN_MAX, "%" PRId64, v->integer);
	else if (v->type == VALUE_REAL)
		format_real(v->real, ret);
	else
		snprintf(ret, VALUE_SHOWN_MAX, "\"%s\"", v->text);
}

static inline struct value value_at(const struct page *p, const uint8_t *bytes, const char *column)
{
	struct value v;
	unsigned index;
	const struct field *f = page_field(p, column, &index);

	ck_assert_msg(f != NULL, "%s has no column %s", p->name, column);
	page_decode(p, f, index, bytes, &v);
	return v;
}

/* The value of a column is shown as `expected`. */
static inline void check_value(const struct page *p, const uint8_t *bytes, const char *column,
			       const char *expected)
{
	char shown[VALUE_SHOWN_MAX];
	struct value v = value_at(p, bytes, column);

	value_show(&v, shown);
	ck_assert_msg(!strcmp(shown, expected), "%s.%s is %s, not %s", p->name, column, shown,
		      expected);
}

static inline unsigned page_columns(const struct page *p)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->n_fields; i++)
		n += field_count(&p->fields[i]);
	return n;
}
