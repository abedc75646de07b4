/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Sheets of made-up rows, and whether two are the same. */

#include <string.h>

#include "check_main.h"
#include "store/sheet.h"

#define FIXED_TEXT "drive:i instance:i time:i mono:i boot:i"

static inline struct layout *test_layout(const char *text)
{
	struct layout *l;

	ck_assert_int_eq(layout_parse(text, &l), 0);
	return l;
}

static inline struct sheet *test_sheet(const struct layout *l)
{
	struct sheet *s;

	ck_assert_int_eq(sheet_new(l, &s), 0);
	return s;
}

static inline void set_integer(struct sheet *s, size_t row, size_t column, int64_t n)
{
	struct value v = { .type = VALUE_INTEGER, .integer = n };

	ck_assert_int_eq(sheet_set(s, row, column, &v), 0);
}

static inline void set_text(struct sheet *s, size_t row, size_t column, const char *text)
{
	struct value v = { .type = VALUE_TEXT };

	snprintf(v.text, sizeof(v.text), "%s", text);
	ck_assert_int_eq(sheet_set(s, row, column, &v), 0);
}

/* A row of a drive at a time; everything else of it is absent or 0. */
static inline size_t add_row(struct sheet *s, int64_t drive, int64_t time)
{
	ck_assert_int_eq(sheet_add_row(s), 0);
	set_integer(s, s->n_rows - 1, SHEET_DRIVE, drive);
	set_integer(s, s->n_rows - 1, SHEET_TIME, time);
	set_integer(s, s->n_rows - 1, SHEET_MONO, time - 1000000);
	return s->n_rows - 1;
}

static inline bool same_value(const struct value *a, const struct value *b)
{
	if (a->type != b->type)
		return false;
	if (a->type == VALUE_TEXT)
		return strcmp(a->text, b->text) == 0;
	/* Bit by bit: NaN is a value, and 0 is not -0. */
	return a->type == VALUE_ABSENT || a->integer == b->integer;
}

static inline bool same_column(const struct sheet *a, const struct sheet *b, size_t column)
{
	struct value x, y;

	for (size_t row = 0; row < a->n_rows; row++) {
		sheet_get(a, row, column, &x);
		sheet_get(b, row, column, &y);
		if (!same_value(&x, &y))
			return false;
	}
	return true;
}

static inline bool same_sheet(const struct sheet *a, const struct sheet *b)
{
	if (a->n_rows != b->n_rows)
		return false;
	for (size_t i = 0; i < a->layout->n_columns; i++)
		if (!same_column(a, b, i))
			return false;
	return true;
}
