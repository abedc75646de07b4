/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sheet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sheet_internal.h"

static void clear_texts(struct sheet_column *c)
{
	for (size_t i = 0; i < c->n_texts; i++)
		free(c->texts[i]);
	free(c->texts);
	c->texts = NULL;
	c->n_texts = 0;
}

void sheet_forget(struct sheet *s)
{
	for (size_t i = 0; i < s->layout->n_columns; i++) {
		struct sheet_column *c = &s->columns[i];
		clear_texts(c);
		free(c->values);
		free(c->present);
		*c = (struct sheet_column){ .loaded = true };
	}
	s->n_rows = s->room = 0;
}

void sheet_free(struct sheet *s)
{
	if (!s)
		return;
	sheet_forget(s);
	free(s->columns);
	free(s);
}

int sheet_new(const struct layout *l, struct sheet **ret)
{
	struct sheet *s = calloc(1, sizeof(*s));
	struct sheet_column *columns = calloc(l->n_columns, sizeof(*columns));

	if (!s || !columns) {
		free(columns);
		free(s);
		return -ENOMEM;
	}
	for (size_t i = 0; i < l->n_columns; i++)
		columns[i].loaded = true;
	s->layout = l;
	s->columns = columns;
	*ret = s;
	return 0;
}

void sheet_clear(struct sheet *s)
{
	for (size_t i = 0; i < s->layout->n_columns; i++)
		clear_texts(&s->columns[i]);
	s->n_rows = 0;
}

static int column_grow(struct sheet_column *c, size_t room)
{
	int64_t *values = reallocarray(c->values, room, sizeof(*values));

	if (!values)
		return -ENOMEM;
	c->values = values;
	uint8_t *present = realloc(c->present, room);
	if (!present)
		return -ENOMEM;
	c->present = present;
	return 0;
}

int sheet_reserve(struct sheet *s, size_t rows)
{
	size_t room = s->room ? s->room : 16;

	if (rows <= s->room)
		return 0;
	while (room < rows)
		room *= 2;
	for (size_t i = 0; i < s->layout->n_columns; i++)
		if (s->columns[i].loaded && column_grow(&s->columns[i], room) < 0)
			return -ENOMEM;
	s->room = room;
	return 0;
}

int sheet_add_row(struct sheet *s)
{
	int r = s->n_rows == s->room ? sheet_reserve(s, s->n_rows + 1) : 0;

	if (r < 0)
		return r;
	for (size_t i = 0; i < s->layout->n_columns; i++) {
		struct sheet_column *c = &s->columns[i];
		if (!c->loaded)
			continue;
		c->values[s->n_rows] = 0;
		c->present[s->n_rows] = i < SHEET_FIXED;
	}
	s->n_rows++;
	return 0;
}

int sheet_intern(struct sheet_column *c, const char *text, int64_t *ret)
{
	for (size_t i = c->n_texts; i-- > 0;)
		if (strcmp(c->texts[i], text) == 0) {
			*ret = (int64_t)i;
			return 0;
		}
	/* Room for 1, 2, 4, ...: full whenever the number is a power of two. */
	if ((c->n_texts & (c->n_texts - 1)) == 0) {
		char **texts = reallocarray(c->texts, c->n_texts ? 2 * c->n_texts : 1, sizeof(*texts));
		if (!texts)
			return -ENOMEM;
		c->texts = texts;
	}
	if (!(c->texts[c->n_texts] = strdup(text)))
		return -ENOMEM;
	*ret = (int64_t)c->n_texts++;
	return 0;
}

int sheet_set(struct sheet *s, size_t row, size_t column, const struct value *v)
{
	struct sheet_column *c = &s->columns[column];
	int64_t n = 0;
	int r = 0;

	if (!c->loaded || (v->type == VALUE_ABSENT ? column < SHEET_FIXED
						   : v->type != s->layout->columns[column].type))
		return -EINVAL;
	switch (v->type) {
	case VALUE_INTEGER: n = v->integer; break;
	case VALUE_REAL: memcpy(&n, &v->real, sizeof(n)); break;
	case VALUE_TEXT: r = sheet_intern(c, v->text, &n); break;
	case VALUE_ABSENT: break;
	}
	if (r < 0)
		return r;
	c->values[row] = n;
	c->present[row] = v->type != VALUE_ABSENT;
	return 0;
}

void sheet_get(const struct sheet *s, size_t row, size_t column, struct value *ret)
{
	const struct sheet_column *c = &s->columns[column];

	ret->type = VALUE_ABSENT;
	if (!c->loaded || !c->present[row])
		return;
	ret->type = s->layout->columns[column].type;
	if (ret->type == VALUE_TEXT)
		strcpy(ret->text, c->texts[c->values[row]]);
	else
		memcpy(&ret->integer, &c->values[row], sizeof(ret->integer));
}

int sheet_add_page(struct sheet *s, const struct page *p, const int64_t fixed[static SHEET_FIXED],
		   const uint8_t *bytes)
{
	size_t column = SHEET_FIXED;
	struct value v;
	int r = sheet_add_row(s);

	if (r < 0)
		return r;
	for (unsigned i = 0; i < SHEET_FIXED; i++)
		s->columns[i].values[s->n_rows - 1] = fixed[i];
	for (size_t i = 0; r == 0 && i < p->n_fields; i++)
		for (unsigned n = 0; r == 0 && n < field_count(&p->fields[i]); n++, column++)
			if (page_decode(p, &p->fields[i], n, bytes, &v) == 0)
				r = sheet_set(s, s->n_rows - 1, column, &v);
	if (r < 0)
		s->n_rows--;
	return r;
}
