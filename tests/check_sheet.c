/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* store/sheet.h: rows held by columns. */

#include <errno.h>

#include "nvmewatch/buffer.h"
#include "sheet_support.h"

static void expect_integer(const struct sheet *s, size_t row, size_t column, int64_t n)
{
	struct value v;

	sheet_get(s, row, column, &v);
	ck_assert_int_eq(v.type, VALUE_INTEGER);
	ck_assert_int_eq(v.integer, n);
}

static enum value_type type_of(const struct sheet *s, size_t row, size_t column)
{
	struct value v;

	sheet_get(s, row, column, &v);
	return v.type;
}

START_TEST(test_the_layout_of_every_page_reads_back_from_its_text)
{
	for (const struct page *const *p = pages; *p; p++) {
		_cleanup_(layout_freep) struct layout *l = NULL, *again = NULL;
		ck_assert_int_eq(layout_of_page(*p, &l), 0);
		_cleanup_(freep) char *text = layout_text(l);
		ck_assert_int_eq(layout_parse(text, &again), 0);
		ck_assert_uint_eq(again->n_columns, l->n_columns);
		for (size_t i = 0; i < l->n_columns; i++) {
			ck_assert_str_eq(again->columns[i].name, l->columns[i].name);
			ck_assert_int_eq(again->columns[i].type, l->columns[i].type);
			ck_assert_int_eq(layout_find(l, l->columns[i].name), (int)i);
		}
	}
}
END_TEST

START_TEST(test_a_text_that_is_no_layout_is_refused)
{
	static const char long_name[] = FIXED_TEXT " "
		"a234567890123456789012345678901234567890123456789012345678901234:i";
	static const char *const texts[] = {
		"", " ", "drive:i", "x:i", "drive:i instance:i time:i mono:i",
		"instance:i drive:i time:i mono:i boot:i", "drive:i instance:i time:r mono:i boot:i",
		FIXED_TEXT " ", " " FIXED_TEXT, FIXED_TEXT "  a:i", FIXED_TEXT " a", FIXED_TEXT " a:",
		FIXED_TEXT " a:x", FIXED_TEXT " a:-", FIXED_TEXT " a:ii", FIXED_TEXT " :i",
		FIXED_TEXT " A:i", FIXED_TEXT " a b:i", FIXED_TEXT " a:i a:t", FIXED_TEXT " drive:i",
		FIXED_TEXT " a';--:i", FIXED_TEXT " \xff:i", FIXED_TEXT "\na:i", long_name,
	};

	for (size_t i = 0; i < ELEMENTS(texts); i++) {
		struct layout *l = NULL;
		ck_assert_msg(layout_parse(texts[i], &l) == -EUCLEAN, "\"%s\" is taken", texts[i]);
		ck_assert_ptr_null(l);
	}
}
END_TEST

START_TEST(test_more_columns_than_any_page_has_are_refused)
{
	struct buffer b = { 0 };
	struct layout *l;

	buffer_text(&b, FIXED_TEXT);
	for (unsigned i = SHEET_FIXED; i < LAYOUT_COLUMNS_MAX; i++)
		buffer_printf(&b, " c%u:i", i);
	buffer_put(&b, "", 1);
	ck_assert_int_eq(layout_parse(b.data, &l), 0);
	ck_assert_uint_eq(l->n_columns, LAYOUT_COLUMNS_MAX);
	layout_free(l);
	b.length--;
	buffer_put(&b, " d:i", 5);
	ck_assert_int_eq(layout_parse(b.data, &l), -EUCLEAN);
	buffer_done(&b);
}
END_TEST

START_TEST(test_a_new_row_is_absent_but_for_the_fixed_columns)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(FIXED_TEXT " a:i b:r c:t");
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);

	ck_assert_int_eq(sheet_add_row(s), 0);
	for (unsigned i = 0; i < SHEET_FIXED; i++)
		expect_integer(s, 0, i, 0);
	for (unsigned i = SHEET_FIXED; i < l->n_columns; i++)
		ck_assert_int_eq(type_of(s, 0, i), VALUE_ABSENT);
}
END_TEST

START_TEST(test_a_value_of_another_type_is_refused)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(FIXED_TEXT " a:i b:r c:t");
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);
	struct value absent = { .type = VALUE_ABSENT }, real = { .type = VALUE_REAL, .real = 1.5 };

	add_row(s, 1, 1);
	ck_assert_int_eq(sheet_set(s, 0, 5, &real), -EINVAL);
	ck_assert_int_eq(sheet_set(s, 0, 6, &real), 0);
	ck_assert_int_eq(sheet_set(s, 0, 7, &real), -EINVAL);
	ck_assert_int_eq(sheet_set(s, 0, SHEET_TIME, &absent), -EINVAL);
	ck_assert_int_eq(sheet_set(s, 0, 6, &absent), 0);
	ck_assert_int_eq(type_of(s, 0, 6), VALUE_ABSENT);
}
END_TEST

START_TEST(test_equal_texts_of_a_column_are_kept_once)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(FIXED_TEXT " a:t");
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);
	struct value v;
	char text[16];

	for (unsigned i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "v%u", i % 7);
		set_text(s, add_row(s, 1, i), 5, text);
	}
	ck_assert_uint_eq(s->columns[5].n_texts, 7);
	sheet_get(s, 999, 5, &v);
	ck_assert_str_eq(v.text, "v5");
	sheet_clear(s);
	ck_assert_uint_eq(s->n_rows, 0);
	ck_assert_uint_eq(s->columns[5].n_texts, 0);
}
END_TEST

START_TEST(test_a_page_is_added_with_every_field_it_reports)
{
	static uint8_t bytes[PAGE_SIZE_MAX];
	_cleanup_(layout_freep) struct layout *l = NULL;
	int64_t fixed[SHEET_FIXED] = { 3, 0, 1700000000000, 5000, 2 };

	ck_assert_int_eq(layout_of_page(&smart_page, &l), 0);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);
	page_blank(&smart_page, bytes);
	bytes_put(bytes + 1, 2, 310);
	ck_assert_int_eq(sheet_add_page(s, &smart_page, fixed, bytes), 0);
	for (unsigned i = 0; i < SHEET_FIXED; i++)
		ck_assert_int_eq(sheet_fixed(s, 0, i), fixed[i]);
	for (size_t i = SHEET_FIXED; i < l->n_columns; i++) {
		unsigned index;
		struct value expected, v;
		const struct field *f = page_field(&smart_page, l->columns[i].name, &index);
		if (page_decode(&smart_page, f, index, bytes, &expected) < 0)
			expected.type = VALUE_ABSENT;
		sheet_get(s, 0, i, &v);
		ck_assert_msg(same_value(&v, &expected), "%s differs", l->columns[i].name);
	}
}
END_TEST

START_TEST(test_rows_are_appended_by_the_names_of_their_columns)
{
	_cleanup_(layout_freep) struct layout *old = test_layout(FIXED_TEXT " a:i gone:i t:t changed:i");
	_cleanup_(layout_freep) struct layout *new = test_layout(FIXED_TEXT " added:r t:t a:i changed:r");
	_cleanup_(sheet_freep) struct sheet *from = test_sheet(old), *s = test_sheet(new);
	struct value v;

	set_text(s, add_row(s, 1, 0), 6, "y");
	for (int i = 0; i < 10; i++) {
		size_t row = add_row(from, 1, i);
		set_integer(from, row, 5, 100 + i);
		set_integer(from, row, 6, 1);
		set_integer(from, row, 8, 1);
		if (i != 4)
			set_text(from, row, 7, i % 2 ? "x" : "y");
	}
	ck_assert_int_eq(sheet_append(s, from, 2, 5), 0);
	ck_assert_uint_eq(s->n_rows, 6);
	for (int i = 2; i < 7; i++) {
		size_t row = (size_t)i - 1;
		ck_assert_int_eq(sheet_fixed(s, row, SHEET_TIME), i);
		expect_integer(s, row, 7, 100 + i);
		ck_assert_int_eq(type_of(s, row, 5), VALUE_ABSENT);
		ck_assert_int_eq(type_of(s, row, 8), VALUE_ABSENT);
		sheet_get(s, row, 6, &v);
		ck_assert_int_eq(v.type, i == 4 ? VALUE_ABSENT : VALUE_TEXT);
		if (i != 4)
			ck_assert_str_eq(v.text, i % 2 ? "x" : "y");
	}
	ck_assert_uint_eq(s->columns[6].n_texts, 2);
}
END_TEST

START_TEST(test_rows_of_a_drive_keep_their_order_when_sorted)
{
	_cleanup_(layout_freep) struct layout *l = test_layout(FIXED_TEXT " a:i t:t");
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);
	uint64_t state = 1;
	char text[24];

	for (int i = 0; i < 3000; i++) {
		size_t row = add_row(s, (int64_t)(random_next(&state) % 5) - 2, 3000 - i);
		set_integer(s, row, SHEET_INSTANCE, (int64_t)(random_next(&state) % 3));
		if (i % 3)
			set_integer(s, row, 5, i);
		snprintf(text, sizeof(text), "%d", i);
		set_text(s, row, 6, text);
	}
	ck_assert_int_eq(sheet_sort(s), 0);
	ck_assert_uint_eq(s->n_rows, 3000);
	for (size_t row = 0; row < 3000; row++) {
		struct value v;
		int i = 3000 - (int)sheet_fixed(s, row, SHEET_TIME);
		ck_assert_int_eq(type_of(s, row, 5), i % 3 ? VALUE_INTEGER : VALUE_ABSENT);
		sheet_get(s, row, 6, &v);
		ck_assert_int_eq(atoi(v.text), i);
		if (row == 0)
			continue;
		int64_t drive = sheet_fixed(s, row, SHEET_DRIVE) - sheet_fixed(s, row - 1, SHEET_DRIVE),
			instance = sheet_fixed(s, row, SHEET_INSTANCE) -
				   sheet_fixed(s, row - 1, SHEET_INSTANCE),
			time = sheet_fixed(s, row, SHEET_TIME) - sheet_fixed(s, row - 1, SHEET_TIME);
		ck_assert(drive > 0 || (drive == 0 && (instance > 0 || (instance == 0 && time < 0))));
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_the_layout_of_every_page_reads_back_from_its_text,
		test_a_text_that_is_no_layout_is_refused,
		test_more_columns_than_any_page_has_are_refused,
		test_a_new_row_is_absent_but_for_the_fixed_columns,
		test_a_value_of_another_type_is_refused,
		test_equal_texts_of_a_column_are_kept_once,
		test_a_page_is_added_with_every_field_it_reports,
		test_rows_are_appended_by_the_names_of_their_columns,
		test_rows_of_a_drive_keep_their_order_when_sorted,
		NULL,
	};

	return check_main("sheet", tests);
}
