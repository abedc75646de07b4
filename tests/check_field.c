/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The field table is sound: what every row must keep, whichever page it is added to. */

#include <ctype.h>

#include "field_rows.h"

START_TEST(test_names_are_plain_and_unique)
{
	for (struct row *a = rows; a < rows + n_rows; a++) {
		ck_row(a, "name", matches(a->field->name, "^[a-z][a-z0-9_]*$"));
		for (struct row *b = rows; b < a; b++)
			ck_row(a, "name used twice", a->page != b->page ||
			       strcmp(a->field->name, b->field->name));
	}
}
END_TEST

/* Columns stand beside drive, time and mono in history.db. */
START_TEST(test_columns_are_unique_and_short)
{
	static char columns[4096][FIELD_COLUMN_MAX + 1];

	for (const struct page *const *p = pages; *p; p++) {
		unsigned n = 0;

		strcpy(columns[n++], "drive");
		strcpy(columns[n++], "time");
		strcpy(columns[n++], "mono");
		for (struct row *r = rows; r < rows + n_rows; r++)
			for (unsigned i = 0; r->page == *p && i < field_count(r->field); i++) {
				ck_row(r, "column too long",
				       strlen(r->field->name) + sizeof("_255") <= FIELD_COLUMN_MAX);
				field_column(r->field, i, columns[n]);
				for (unsigned k = 0; k < n; k++)
					ck_row(r, columns[k], strcmp(columns[k], columns[n]));
				ck_assert_uint_lt(++n, ELEMENTS(columns));
			}
	}
}
END_TEST

START_TEST(test_columns_lead_back_to_their_rows)
{
	char column[FIELD_COLUMN_MAX];
	unsigned index;

	for (struct row *r = rows; r < rows + n_rows; r++)
		for (unsigned i = 0; i < field_count(r->field); i++) {
			field_column(r->field, i, column);
			ck_row(r, column, page_field(r->page, column, &index) == r->field);
			ck_assert_uint_eq(index, i);
		}
}
END_TEST

/* It is printed as HELP, in JSON and by mandoc. */
START_TEST(test_help_is_one_sentence)
{
	for (struct row *r = rows; r < rows + n_rows; r++) {
		const char *help = r->field->help;

		ck_row(r, "no help", help && strlen(help) > 3);
		ck_row(r, "help begins small", isupper((unsigned char)help[0]) ||
		       isdigit((unsigned char)help[0]));
		ck_row(r, "help has no full stop", help[strlen(help) - 1] == '.');
		ck_row(r, "help is two sentences", !strstr(help, ". "));
		ck_row(r, "help needs escapes", matches(help, "^[ !#-[^-~]*]?[ !#-[^-~]*$"));
	}
}
END_TEST

START_TEST(test_values_lie_within_their_page)
{
	for (struct row *r = rows; r < rows + n_rows; r++) {
		const struct field *f = r->field;

		ck_row(r, "no size", f->size > 0);
		ck_row(r, "end", f->offset + (field_count(f) - 1u) * f->stride + f->size <=
		       r->page->size);
		ck_row(r, "a number of more than 16 bytes",
		       f->type != FIELD_NUMBER || f->size <= 16);
		ck_row(r, "text too long", f->size <= FIELD_TEXT_MAX || f->conversion);
		ck_row(r, "hex too long", (f->type != FIELD_HEX && f->type != FIELD_HEX_LE) ||
		       2 * f->size <= FIELD_TEXT_MAX);
		ck_row(r, "bits", f->shift + f->bits <= 8 * f->size && f->bits < 64);
		ck_row(r, "shift without bits", f->bits || !f->shift);
	}
}
END_TEST

START_TEST(test_arrays_have_a_stride_and_a_label)
{
	for (struct row *r = rows; r < rows + n_rows; r++) {
		const struct field *f = r->field;

		ck_row(r, "stride", f->count ? f->stride >= f->size : !f->stride);
		ck_row(r, "array of one", f->count != 1);
		ck_row(r, "first without count", f->count || !f->first);
		ck_row(r, "label", f->count ? f->label && matches(f->label, "^[a-z][a-z_]*$")
					    : !f->label);
	}
}
END_TEST

struct bits {
	unsigned from, to;
};

/* Items lie anywhere, but each holds its own bytes. */
static bool same_item(const struct field *a, const struct field *b)
{
	return a->item == b->item;
}

static struct bits bits_of(const struct field *f, unsigned index)
{
	unsigned from = 8u * (f->offset + index * f->stride) + f->shift;

	return (struct bits){ from, from + (f->bits ? f->bits : 8u * f->size) };
}

/* A byte is read twice only as a whole, by a row named *_raw, beside the rows of its bits or of what
 * becomes of it, or where an item means one thing or another. */
static bool may_overlap(const struct field *a, const struct field *b)
{
	return (ends_with(a->name, "_raw") && (b->bits || b->conversion)) ||
	       (ends_with(b->name, "_raw") && (a->bits || a->conversion)) ||
	       (a->item && a->conversion && b->conversion);
}

static void check_overlap(const struct row *a, unsigned i, const struct row *b)
{
	struct bits x = bits_of(a->field, i);

	for (unsigned k = 0; k < field_count(b->field); k++) {
		struct bits y = bits_of(b->field, k);

		if (a == b && k >= i)
			break;
		ck_row(a, b->field->name, x.to <= y.from || y.to <= x.from);
	}
}

START_TEST(test_values_do_not_overlap)
{
	for (struct row *a = rows; a < rows + n_rows; a++)
		for (struct row *b = rows; b <= a; b++)
			for (unsigned i = 0; i < field_count(a->field); i++)
				if (a->page == b->page && same_item(a->field, b->field) &&
				    !may_overlap(a->field, b->field))
					check_overlap(a, i, b);
}
END_TEST

START_TEST(test_bounds_and_scales_make_sense)
{
	for (struct row *r = rows; r < rows + n_rows; r++) {
		const struct field *f = r->field;
		unsigned bits = f->bits ? f->bits : f->size * 8u;

		ck_row(r, "min above max", !f->max || f->min <= f->max);
		ck_row(r, "max above what fits", bits >= 64 || f->max >> bits == 0);
		ck_row(r, "scale", f->mul >= 0 && f->div >= 0);
		ck_row(r, "a scaled text", f->type == FIELD_NUMBER ||
		       (!f->bits && !f->bias && !f->mul && !f->div && !f->max));
		ck_row(r, "conversion", !f->conversion ||
		       (f->conversion->decode && f->conversion->encode && !f->mul && !f->div));
		ck_row(r, "since without a version", !f->since || r->page->version_size);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_names_are_plain_and_unique,
		test_columns_are_unique_and_short,
		test_columns_lead_back_to_their_rows,
		test_help_is_one_sentence,
		test_values_lie_within_their_page,
		test_arrays_have_a_stride_and_a_label,
		test_values_do_not_overlap,
		test_bounds_and_scales_make_sense,
		NULL,
	};

	rows_gather();
	return check_main("field", tests);
}
