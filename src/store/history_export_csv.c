/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "history_export_internal.h"

static void put_text(struct buffer *b, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		buffer_text(b, text);
		return;
	}
	buffer_text(b, "\"");
	for (const char *c = text; *c; c++) {
		buffer_text(b, *c == '"' ? "\"" : "");
		buffer_put(b, c, 1);
	}
	buffer_text(b, "\"");
}

static void put_value(struct buffer *b, const struct sheet *rows, size_t row, size_t column)
{
	struct value v;

	sheet_get(rows, row, column, &v);
	if (v.type == VALUE_INTEGER)
		buffer_integer(b, v.integer);
	else if (v.type == VALUE_REAL)
		buffer_real(b, v.real);
	else if (v.type == VALUE_TEXT)
		put_text(b, v.text);
}

static int put_rows(struct export *e, const struct page *p, const char *key, const struct sheet *rows)
{
	int r = 0;

	for (size_t row = 0; r == 0 && row < rows->n_rows; row++) {
		if (!export_has(e, rows, row))
			continue;
		put_text(&e->text, key);
		for (size_t i = SHEET_INSTANCE; i < rows->layout->n_columns; i++) {
			if (!export_column(p, rows->layout, i))
				continue;
			buffer_text(&e->text, ",");
			put_value(&e->text, rows, row, i);
		}
		buffer_text(&e->text, "\r\n");
		r = export_write(e, false);
	}
	return r;
}

int export_csv(struct export *e)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	int r = layout_of_page(e->what->page, &l);

	if (r < 0)
		return r;
	for (size_t i = 0; i < l->n_columns; i++) {
		const char *name = export_column(e->what->page, l, i);
		if (name)
			buffer_printf(&e->text, "%s%s", i ? "," : "", name);
	}
	buffer_text(&e->text, "\r\n");
	return export_scan(e, e->what->page, put_rows);
}
