/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How counters grow: from one value that is there to the next, whatever lies between. */

#include "query_internal.h"

/* Milliseconds from one row to a later one: only within one boot is there a clock that cannot be set. */
static int64_t time_grown(const struct counter_point *from, const struct counter_point *to)
{
	return from->boot == to->boot ? time_between(from->mono, to->mono) :
					time_between(from->time, to->time);
}

static bool is_less(const struct run_column *column, int64_t a, int64_t b)
{
	return column->type == VALUE_REAL ? query_real(a) < query_real(b) : a < b;
}

static void add_growth(struct run_column *column, const struct counter_point *to, int64_t bucket)
{
	const struct counter_point *from = &column->before;
	int64_t ms = time_grown(from, to);

	/* Where the clock was set back over a reboot nobody knows how fast it grew. */
	if (column->agg == QUERY_RATE && ms <= 0)
		return;
	if (column->type == VALUE_REAL)
		column->reals[bucket] += query_real(to->value) - query_real(from->value);
	else
		column->sums[bucket] += (__int128)to->value - from->value;
	column->weights[bucket] += column->agg == QUERY_RATE ? (double)ms / 1000 : 1;
}

static void compare(struct query_run *run, struct run_column *column, const struct counter_point *to,
		    int64_t bucket)
{
	bool grows = column->agg == QUERY_INCREASE || column->agg == QUERY_RATE;

	if (!column->before.known || bucket < 0)
		return;
	if (is_less(column, to->value, column->before.value)) {
		run->marks[bucket] |= QUERY_RESET;
		/* That it was seen is known: an increase of nothing is one. */
		if (column->agg == QUERY_INCREASE)
			column->weights[bucket] += 1;
	} else if (grows)
		add_growth(column, to, bucket);
}

void run_watch_counter(struct query_run *run, struct run_column *column, const struct sheet *rows,
		       const struct sheet_column *c, const struct stretch *s)
{
	if (column->field->kind != FIELD_COUNTER || column->type == VALUE_TEXT)
		return;
	for (size_t i = s->first; i < s->first + s->n; i++) {
		if (!c->present[i])
			continue;
		struct counter_point to = {
			.value = c->values[i],
			.time = sheet_fixed(rows, i, SHEET_TIME),
			.mono = sheet_fixed(rows, i, SHEET_MONO),
			.boot = sheet_fixed(rows, i, SHEET_BOOT),
			.known = true,
		};
		compare(run, column, &to, s->bucket);
		column->before = to;
	}
}
