/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From what is stored to sheets of the page as this version has it. */

#include <errno.h>
#include <string.h>

#include "batch.h"
#include "history_read_internal.h"
#include "sheet_codec.h"

int scan_sheet(const struct scan *s, struct sheet **ret)
{
	int r = sheet_new(s->layout, ret);

	for (size_t i = 0; r == 0 && i < s->layout->n_columns; i++)
		(*ret)->columns[i].loaded = s->wanted[i];
	return r;
}

static bool is_same(const struct layout *a, const struct layout *b)
{
	if (a->n_columns != b->n_columns)
		return false;
	for (size_t i = 0; i < a->n_columns; i++)
		if (a->columns[i].type != b->columns[i].type ||
		    strcmp(a->columns[i].name, b->columns[i].name) != 0)
			return false;
	return true;
}

/* Finds out which columns of that layout are to be decoded: mostly the same as last time. */
static int choose_decoded(struct scan *s, int64_t id, const struct layout *l)
{
	if (s->decoded && s->decoded_id == id)
		return 0;
	bool *decoded = calloc(l->n_columns, sizeof(*decoded));
	if (!decoded)
		return -ENOMEM;
	free(s->decoded);
	s->decoded = decoded;
	s->decoded_id = id;
	s->as_now = is_same(l, s->layout);
	for (size_t i = 0; i < l->n_columns; i++) {
		int column = s->as_now ? (int)i : layout_find(s->layout, l->columns[i].name);
		decoded[i] = column >= 0 && s->wanted[column];
	}
	return 0;
}

/* What one row cannot tell, for it is damaged or newer, the others may: it is counted, and no error. */
static int skip_damage(struct scan *s, int r)
{
	if (r != -EUCLEAN && r != -EPROTO)
		return r;
	s->reader->damaged++;
	return 0;
}

static int decode(struct scan *s, int64_t layout_id, sqlite3_stmt *q, int column, struct sheet **ret)
{
	const struct layout *l = reader_layout(s->reader, layout_id);
	int r = l ? choose_decoded(s, layout_id, l) : -EUCLEAN;

	if (r < 0)
		return r;
	/* The column's bytes first: they may have to be fetched. */
	const void *data = sqlite3_column_blob(q, column);
	return sheet_decode_with(&s->reader->codec, data, (size_t)sqlite3_column_bytes(q, column), l, s->decoded,
				 ret);
}

int scan_decode(struct scan *s, int64_t layout_id, sqlite3_stmt *q, int column, struct sheet **ret)
{
	_cleanup_(sheet_freep) struct sheet *rows = NULL, *converted = NULL;
	int r = decode(s, layout_id, q, column, &rows);

	if (r < 0)
		return skip_damage(s, r);
	if (s->as_now) {
		*ret = TAKE(rows);
		return 0;
	}
	if ((r = scan_sheet(s, &converted)) < 0 ||
	    (r = sheet_append(converted, rows, 0, rows->n_rows)) < 0)
		return r;
	*ret = TAKE(converted);
	return 0;
}

int scan_decode_batch(struct scan *s, sqlite3_stmt *q, struct sheet **ret)
{
	int64_t layout_id = sqlite3_column_int64(q, 1);

	if (sqlite3_column_type(q, 2) != SQLITE_TEXT)
		return skip_damage(s, decode(s, layout_id, q, 2, ret));
	/* Names are all that JSON needs. */
	return skip_damage(s, batch_parse_json(s->reader->history.db, sqlite3_column_int64(q, 0),
					       s->layout, ret));
}

int scan_take(const struct scan *s, struct sheet *to, const struct sheet *from)
{
	int64_t drive = s->drives[s->drive].id;
	size_t first = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i <= from->n_rows; i++) {
		if (i < from->n_rows && sheet_fixed(from, i, SHEET_DRIVE) == drive &&
		    (s->every_instance || sheet_fixed(from, i, SHEET_INSTANCE) == s->instance))
			continue;
		r = sheet_append(to, from, first, i - first);
		first = i + 1;
	}
	return r;
}
