/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "table.h"

#include <errno.h>
#include <string.h>

#include "human.h"

#define GAP 2 /* blanks between columns */

void table_done(struct table *t)
{
	for (size_t i = 0; i < t->n_cells; i++)
		free(t->cells[i].text);
	free(t->cells);
	*t = (struct table){ 0 };
}

/* Characters, of which UTF-8 has some in several bytes. */
static size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static bool table_grow(struct table *t)
{
	size_t capacity = t->capacity ? 2 * t->capacity : 64;
	struct cell *cells = reallocarray(t->cells, capacity, sizeof(*cells));

	if (!cells)
		return false;
	t->cells = cells;
	t->capacity = capacity;
	return true;
}

static void table_add(struct table *t, const char *text, enum tone tone)
{
	_cleanup_(buffer_done) struct buffer clean = { 0 };

	human_text(text, &clean);
	buffer_put(&clean, "", 1);
	if (clean.failed || (t->n_cells == t->capacity && !table_grow(t))) {
		t->failed = true;
		return;
	}
	struct cell *cell = &t->cells[t->n_cells++];
	*cell = (struct cell){ .width = text_width(clean.data), .tone = tone };
	cell->text = TAKE(clean.data);
}

void table_put(struct table *t, const char *text, enum tone tone)
{
	table_add(t, text && text[0] ? text : "-", tone);
}

void table_take(struct table *t, struct buffer *text)
{
	buffer_put(text, "", 1);
	if (text->failed)
		t->failed = true;
	else
		table_put(t, text->data, TONE_PLAIN);
	buffer_done(text);
}

void table_skip(struct table *t)
{
	table_add(t, "", TONE_PLAIN);
}

static size_t column_width(const struct table *t, size_t column)
{
	const char *title = t->columns[column].title;
	size_t width = title ? text_width(title) : 0;

	for (size_t i = column; i < t->n_cells; i += t->n_columns)
		if (t->cells[i].width > width)
			width = t->cells[i].width;
	return width;
}

static void put_blanks(struct buffer *out, size_t n)
{
	while (n--)
		buffer_put(out, " ", 1);
}

static void put_toned(struct buffer *out, const char *text, enum tone tone, bool colour)
{
	static const char *const codes[] = {
		[TONE_BAD] = "\033[31m", [TONE_WARNING] = "\033[33m", [TONE_FAINT] = "\033[2m",
	};

	if (!colour || tone == TONE_PLAIN) {
		buffer_text(out, text);
		return;
	}
	buffer_text(out, codes[tone]);
	buffer_text(out, text);
	buffer_text(out, "\033[0m");
}

/* One line. Blanks are put before what follows them, so that no line ends in some. */
static void put_row(const struct table *t, const struct cell *cells, const size_t *widths,
		    bool colour, struct buffer *out)
{
	size_t owed = t->indent ? strlen(t->indent) : 0;

	for (size_t i = 0; i < t->n_columns; i++) {
		size_t fill = widths[i] - cells[i].width;

		owed += t->columns[i].right ? fill : 0;
		if (cells[i].width) {
			put_blanks(out, owed);
			put_toned(out, cells[i].text, cells[i].tone, colour);
			owed = 0;
		}
		owed += GAP + (t->columns[i].right ? 0 : fill);
	}
	buffer_put(out, "\n", 1);
}

static void put_titles(const struct table *t, const size_t *widths, struct cell *cells,
		       struct buffer *out)
{
	for (size_t i = 0; i < t->n_columns; i++)
		cells[i] = (struct cell){ .text = (char *)t->columns[i].title,
					  .width = text_width(t->columns[i].title) };
	put_row(t, cells, widths, false, out);
}

int table_render(const struct table *t, bool colour, struct buffer *out)
{
	_cleanup_(freep) size_t *widths = calloc(t->n_columns, sizeof(*widths));
	_cleanup_(freep) struct cell *titles = calloc(t->n_columns, sizeof(*titles));

	if (t->failed || !widths || !titles)
		return -ENOMEM;
	for (size_t i = 0; i < t->n_columns; i++)
		widths[i] = column_width(t, i);
	if (t->columns[0].title)
		put_titles(t, widths, titles, out);
	for (size_t i = 0; i + t->n_columns <= t->n_cells; i += t->n_columns)
		put_row(t, &t->cells[i], widths, colour, out);
	return out->failed ? -ENOMEM : 0;
}
