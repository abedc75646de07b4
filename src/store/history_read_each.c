/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* History row by row. */

#include <errno.h>

#include "nvmewatch/history_read.h"
#include "sheet.h"

struct rows {
	const struct history_span *span;
	history_one_row callback;
	void *userdata;
	struct value *values; /* span->n_columns */
};

static int call(struct rows *k, const struct sheet *s, size_t row)
{
	const struct history_row found = {
		.time = sheet_fixed(s, row, SHEET_TIME), .mono = sheet_fixed(s, row, SHEET_MONO),
		.boot = sheet_fixed(s, row, SHEET_BOOT), .values = k->values,
	};

	for (size_t i = 0; i < k->span->n_columns; i++) {
		int column = layout_find(s->layout, k->span->columns[i]);

		k->values[i].type = VALUE_ABSENT;
		if (column >= 0)
			sheet_get(s, row, (size_t)column, &k->values[i]);
	}
	return k->callback(k->userdata, &found);
}

static int on_sheet(void *userdata, const struct sheet *s)
{
	struct rows *k = userdata;
	int r = 0;

	for (size_t row = 0; r == 0 && row < s->n_rows; row++) {
		int64_t time = sheet_fixed(s, row, SHEET_TIME);

		if (time >= k->span->start && time <= k->span->end)
			r = call(k, s, row);
	}
	return r;
}

int history_scan_rows(struct history_reader *r, const struct history_span *span,
		      history_one_row callback, void *userdata)
{
	_cleanup_(freep) struct value *values = calloc(span->n_columns + 1, sizeof(*values));
	struct rows k = { span, callback, userdata, values };

	return values ? history_scan(r, span, on_sheet, &k) : -ENOMEM;
}
