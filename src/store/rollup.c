/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rollup.h"

#include <errno.h>
#include <string.h>

enum rolled_kind rolled_kind(const struct field *f)
{
	enum value_type type = f ? field_value_type(f) : VALUE_TEXT;

	if (type == VALUE_TEXT || f->kind == FIELD_INFO)
		return ROLLED_LAST;
	if (f->kind == FIELD_GAUGE)
		return ROLLED_GAUGE;
	return type == VALUE_INTEGER ? ROLLED_COUNTER : ROLLED_LAST;
}

void rollup_free(struct rollup *r)
{
	if (!r)
		return;
	free(r->columns);
	free(r);
}

int rollup_new(const struct layout *l, struct rollup **ret)
{
	_cleanup_(rollup_freep) struct rollup *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->columns = calloc(l->n_columns, sizeof(*r->columns));
	if (!r->columns)
		return -ENOMEM;
	*ret = TAKE(r);
	return 0;
}

void rollup_begin(struct rollup *r, const struct layout *l, int64_t start)
{
	r->start = start;
	r->count = r->resets = 0;
	for (size_t i = 0; i < l->n_columns; i++) {
		struct rolled *c = &r->columns[i];

		c->min.type = c->max.type = c->last.type = VALUE_ABSENT;
		c->n = 0;
		c->sum = 0;
		c->increase = 0;
	}
}

/* Without the room for a text where there is none: values are many. */
static void copy(struct value *to, const struct value *from)
{
	memcpy(to, from, from->type == VALUE_TEXT ? sizeof(*to) : offsetof(struct value, text));
}

static double real_of(const struct value *v)
{
	return v->type == VALUE_REAL ? v->real : (double)v->integer;
}

static bool is_less(const struct value *a, const struct value *b)
{
	return a->type == VALUE_REAL || b->type == VALUE_REAL ? real_of(a) < real_of(b) :
								  a->integer < b->integer;
}

static void add_gauge(struct rolled *c, const struct value *v)
{
	if (c->min.type == VALUE_ABSENT || is_less(v, &c->min))
		copy(&c->min, v);
	if (c->max.type == VALUE_ABSENT || is_less(&c->max, v))
		copy(&c->max, v);
	c->sum += real_of(v);
	c->n++;
}

/* A counter that is smaller than before begins anew from there: how much it grew in between nobody
 * knows. True: it was. */
static bool add_counter(struct rolled *c, int64_t n)
{
	bool known = c->has_before, reset = known && n < c->before;
	int64_t grown;

	if (known && !reset && !__builtin_sub_overflow(n, c->before, &grown) &&
	    !__builtin_add_overflow(c->increase, grown, &grown))
		c->increase = grown;
	c->before = n;
	c->has_before = true;
	return reset;
}

void rollup_add(struct rollup *r, const enum rolled_kind *kinds, const struct sheet *rows, size_t row)
{
	bool reset = false;
	struct value v;

	for (size_t i = SHEET_FIXED; i < rows->layout->n_columns; i++) {
		struct rolled *c = &r->columns[i];

		sheet_get(rows, row, i, &v);
		if (v.type == VALUE_ABSENT)
			continue;
		if (kinds[i] == ROLLED_GAUGE)
			add_gauge(c, &v);
		else if (kinds[i] == ROLLED_COUNTER)
			reset = add_counter(c, v.integer) || reset;
		copy(&c->last, &v);
	}
	r->resets += reset;
	r->count++;
	r->last_time = sheet_fixed(rows, row, SHEET_TIME);
	r->last_mono = sheet_fixed(rows, row, SHEET_MONO);
}
