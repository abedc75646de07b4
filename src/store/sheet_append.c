/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sheet_internal.h"

/* The rows' texts, each of the other column's looked up once. */
static int append_texts(struct sheet_column *c, const struct sheet_column *from, size_t at, size_t first,
			size_t n)
{
	_cleanup_(freep) int64_t *known = malloc((from->n_texts + 1) * sizeof(*known));
	int r = known ? 0 : -ENOMEM;

	for (size_t i = 0; known && i < from->n_texts; i++)
		known[i] = -1;
	for (size_t i = 0; r == 0 && i < n; i++) {
		int64_t text = from->values[first + i];
		if (from->present[first + i] && known[text] < 0)
			r = sheet_intern(c, from->texts[text], &known[text]);
		c->values[at + i] = from->present[first + i] && r == 0 ? known[text] : 0;
	}
	return r;
}

static const struct sheet_column *column_alike(const struct sheet *s, const struct layout_column *like,
					       size_t position)
{
	const struct layout *l = s->layout;
	/* Layouts are mostly the same. */
	bool here = position < l->n_columns && strcmp(l->columns[position].name, like->name) == 0;
	int found = here ? (int)position : layout_find(l, like->name);

	if (found < 0 || l->columns[found].type != like->type || !s->columns[found].loaded)
		return NULL;
	return &s->columns[found];
}

int sheet_append(struct sheet *s, const struct sheet *from, size_t first, size_t n)
{
	int r = n ? sheet_reserve(s, s->n_rows + n) : 0;

	for (size_t i = 0; n && r == 0 && i < s->layout->n_columns; i++) {
		struct sheet_column *c = &s->columns[i];
		const struct sheet_column *other = column_alike(from, &s->layout->columns[i], i);
		if (!c->loaded)
			continue;
		if (!other) {
			memset(c->values + s->n_rows, 0, n * sizeof(*c->values));
			memset(c->present + s->n_rows, i < SHEET_FIXED, n);
			continue;
		}
		memcpy(c->present + s->n_rows, other->present + first, n);
		if (s->layout->columns[i].type == VALUE_TEXT)
			r = append_texts(c, other, s->n_rows, first, n);
		else
			memcpy(c->values + s->n_rows, other->values + first, n * sizeof(*c->values));
	}
	if (r == 0)
		s->n_rows += n;
	return r;
}
