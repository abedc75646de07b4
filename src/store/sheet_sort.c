/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sheet.h"

struct sort_row {
	int64_t drive, instance;
	size_t row;
};

/* By drive, instance, then the place in which the row was: equal rows keep their order. */
static int compare(const void *left, const void *right)
{
	const struct sort_row *a = left, *b = right;

	if (a->drive != b->drive)
		return a->drive < b->drive ? -1 : 1;
	if (a->instance != b->instance)
		return a->instance < b->instance ? -1 : 1;
	return a->row < b->row ? -1 : 1;
}

static bool fill_rows(const struct sheet *s, struct sort_row *rows)
{
	bool sorted = true;

	for (size_t i = 0; i < s->n_rows; i++) {
		rows[i] = (struct sort_row){ sheet_fixed(s, i, SHEET_DRIVE),
					     sheet_fixed(s, i, SHEET_INSTANCE), i };
		sorted = sorted && (i == 0 || compare(&rows[i - 1], &rows[i]) < 0);
	}
	return sorted;
}

static void permute(struct sheet_column *c, const struct sort_row *rows, size_t n, int64_t *scratch)
{
	uint8_t *present = (uint8_t *)scratch;

	for (size_t i = 0; i < n; i++)
		scratch[i] = c->values[rows[i].row];
	memcpy(c->values, scratch, n * sizeof(*scratch));
	for (size_t i = 0; i < n; i++)
		present[i] = c->present[rows[i].row];
	memcpy(c->present, present, n);
}

int sheet_sort(struct sheet *s)
{
	if (s->n_rows < 2)
		return 0;
	_cleanup_(freep) struct sort_row *rows = reallocarray(NULL, s->n_rows, sizeof(*rows));
	_cleanup_(freep) int64_t *scratch = reallocarray(NULL, s->n_rows, sizeof(*scratch));
	if (!rows || !scratch)
		return -ENOMEM;
	if (fill_rows(s, rows))
		return 0;
	qsort(rows, s->n_rows, sizeof(*rows), compare);
	for (size_t i = 0; i < s->layout->n_columns; i++)
		if (s->columns[i].loaded)
			permute(&s->columns[i], rows, s->n_rows, scratch);
	return 0;
}
