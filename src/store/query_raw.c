/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows as they are. */

#include <errno.h>

#include "query_internal.h"

static int column_grow(struct run_column *c, size_t room)
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

static int grow(struct query_run *run)
{
	size_t room = run->room ? 2 * run->room : 256;
	int64_t *times = reallocarray(run->times, room, sizeof(*times));
	int r = 0;

	if (!times)
		return -ENOMEM;
	run->times = times;
	uint8_t *marks = realloc(run->marks, room);
	if (!marks)
		return -ENOMEM;
	run->marks = marks;
	for (size_t i = 0; r == 0 && i < run->n_columns; i++)
		r = column_grow(&run->columns[i], room);
	if (r == 0)
		run->room = room;
	return r;
}

static int take_value(struct run_column *column, const struct sheet_column *c, size_t row, size_t point)
{
	column->present[point] = c && c->present[row];
	column->values[point] = 0;
	if (!column->present[point])
		return 0;
	if (column->type == VALUE_TEXT)
		return run_text(column, c->texts[c->values[row]], &column->values[point]);
	column->values[point] = c->values[row];
	return 0;
}

static int take_row(struct query_run *run, const struct sheet *rows,
		    const struct sheet_column *const *from, size_t row)
{
	int64_t time = sheet_fixed(rows, row, SHEET_TIME);
	bool within = time >= run->plan.start && time <= run->plan.end;
	struct stretch s = { row, 1, within ? (int64_t)run->n_points : -1 };
	int r = 0;

	if (within && (run->n_points == QUERY_POINTS_MAX ||
		       (run->n_points + 1) * run->n_columns > QUERY_CELLS_MAX))
		return -E2BIG;
	if (within && run->n_points == run->room && (r = grow(run)) < 0)
		return r;
	if (within) {
		run->times[run->n_points] = time;
		run->marks[run->n_points] = 0;
	} else if (time < run->plan.start && time > run->before)
		run->before = time;
	for (size_t i = 0; r == 0 && i < run->n_columns; i++) {
		if (from[i])
			run_watch_counter(run, &run->columns[i], rows, from[i], &s);
		if (within)
			r = take_value(&run->columns[i], from[i], row, run->n_points);
	}
	run->n_points += within;
	return r;
}

int run_add_raw(struct query_run *run, const struct sheet *rows)
{
	_cleanup_(freep) const struct sheet_column **from = calloc(run->n_columns + 1, sizeof(*from));
	int r = from ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < run->n_columns; i++) {
		int column = layout_find(rows->layout, run->query->columns[i]);
		if (column >= 0 && rows->columns[column].loaded &&
		    rows->layout->columns[column].type == run->columns[i].type)
			from[i] = &rows->columns[column];
	}
	for (size_t i = 0; r == 0 && i < rows->n_rows; i++)
		r = take_row(run, rows, from, i);
	return r;
}
