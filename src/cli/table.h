/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Columns as wide as their widest cell, for people. Cells are put row by row. One thread. */

#include <stdbool.h>
#include <stddef.h>

#include "nvmewatch/buffer.h"

enum tone {
	TONE_PLAIN,
	TONE_BAD,     /* red */
	TONE_WARNING, /* yellow */
	TONE_FAINT,
};

struct column {
	const char *title; /* NULL for the first: there is no line of titles */
	bool right;        /* numbers stand at the right */
};

struct cell {
	char *text;
	size_t width;
	enum tone tone;
};

struct table {
	const struct column *columns;
	size_t n_columns;
	const char *indent; /* NULL: none */
	struct cell *cells;
	size_t n_cells, capacity;
	bool failed; /* out of memory */
};

void table_done(struct table *t);

/* The next cell. Empty or NULL is shown as "-". */
void table_put(struct table *t, const char *text, enum tone tone);

/* The same of a buffer's bytes, which are released. */
void table_take(struct table *t, struct buffer *text);

/* The next cell, shown empty. */
void table_skip(struct table *t);

/* Appends the table. 0 or -ENOMEM. */
int table_render(const struct table *t, bool colour, struct buffer *out);
