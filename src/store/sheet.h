/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Rows of one page, held by columns: what is flushed, packed, read back and asked. A batch of every
 * drive, a packed day of one drive and the rows of the spool are all sheets, so there is one codec
 * (sheet_codec.h) and one way to look at history. In memory only; one thread at a time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define LAYOUT_COLUMNS_MAX 2048

/* What the columns are called and hold: the fixed ones, then the page's, in the order of its rows. Kept
 * in history.db (table layouts), for fields come and go with versions. */
struct layout {
	size_t n_columns;
	struct layout_column {
		char name[FIELD_COLUMN_MAX];
		enum value_type type; /* VALUE_INTEGER, VALUE_REAL or VALUE_TEXT */
	} *columns;
};

/* The columns that every sheet begins with; all INTEGER, never absent (0 until they are set). */
enum {
	SHEET_DRIVE,    /* drives.id */
	SHEET_INSTANCE, /* of a page of which there are several; else 0 */
	SHEET_TIME,     /* CLOCK_REALTIME, milliseconds */
	SHEET_MONO,     /* CLOCK_BOOTTIME, milliseconds */
	SHEET_BOOT,     /* boots.id: within one of them SHEET_MONO grows */
	SHEET_FIXED,
};

/* Layout of a page as this version has it. 0 or -ENOMEM. */
int layout_of_page(const struct page *p, struct layout **ret);

/* As text, "drive:i instance:i time:i mono:i boot:i name:r name:t ...", and back. layout_text() returns
 * a string to free, or NULL: out of memory. layout_parse() returns 0, -ENOMEM, or -EUCLEAN: no such
 * text, a name twice, or more than LAYOUT_COLUMNS_MAX of them. */
char *layout_text(const struct layout *l);
int layout_parse(const char *text, struct layout **ret);
void layout_free(struct layout *l);
DEFINE_CLEANUP(struct layout *, layout_free)

/* The column's position, or -1. */
int layout_find(const struct layout *l, const char *name);

struct sheet_column {
	/* One for each row: an integer, a double's bits, or an index into .texts; 0 where absent. */
	int64_t *values;
	uint8_t *present; /* one for each row, 0 or 1 */
	char **texts;     /* the different texts */
	size_t n_texts;
	bool loaded; /* false: it was not asked for when the sheet was decoded, and has no rows */
};

struct sheet {
	const struct layout *layout; /* the caller's; must outlive the sheet */
	size_t n_rows, room;
	struct sheet_column *columns; /* layout->n_columns */
};

/* An empty sheet. 0 or -ENOMEM. */
int sheet_new(const struct layout *l, struct sheet **ret);
void sheet_free(struct sheet *s);
DEFINE_CLEANUP(struct sheet *, sheet_free)
void sheet_clear(struct sheet *s);

/* Adds a row with every column of the page absent, to be filled by sheet_set(). 0 or -ENOMEM. */
int sheet_add_row(struct sheet *s);

/* The value of a row and column; VALUE_ABSENT is one, but not of the fixed. 0, -EINVAL (not of the
 * column's type, or it is not loaded) or -ENOMEM. sheet_get() finds what is not loaded absent. */
int sheet_set(struct sheet *s, size_t row, size_t column, const struct value *v);
void sheet_get(const struct sheet *s, size_t row, size_t column, struct value *ret);

/* Shorthand for the fixed columns, of a row that exists. */
static inline int64_t sheet_fixed(const struct sheet *s, size_t row, unsigned column)
{
	return s->columns[column].values[row];
}

/* Adds a page as it was read: fixed[SHEET_FIXED], then every field decoded. The layout is
 * layout_of_page()'s. 0 or -ENOMEM. */
int sheet_add_page(struct sheet *s, const struct page *p, const int64_t fixed[static SHEET_FIXED],
		   const uint8_t *bytes);

/* Appends rows [first, first + n) of another sheet; its columns are found by their names, those that
 * it lacks or holds with another type are absent. 0 or -ENOMEM. */
int sheet_append(struct sheet *s, const struct sheet *from, size_t first, size_t n);

/* Orders the rows by drive, then instance; those of one of them stay in the order in which they came.
 * 0 or -ENOMEM. */
int sheet_sort(struct sheet *s);
