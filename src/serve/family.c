/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "family.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "own.h"

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* A vendor's layouts of one id: a drive has one of them. */
static bool exclude_each_other(const struct page *p, const struct page *q)
{
	return p != q && p->command == q->command && p->id == q->id;
}

/* Whether two rows of one family would give a series with the same labels. */
static bool rows_collide(const struct field *a, const struct field *b)
{
	if (!same_text(a->labels, b->labels) || !same_text(a->label, b->label))
		return false;
	return !a->label || (a->first < b->first + field_count(b) &&
			     b->first < a->first + field_count(a));
}

static bool row_fits(const struct family *family, const struct page *p, const struct field *f)
{
	if (family->type != metric_type_of(f))
		return false;
	for (const struct family_row *row = family->rows; row; row = row->next)
		if (!exclude_each_other(row->page, p) && rows_collide(row->field, f))
			return false;
	return true;
}

static struct family *families_find(const struct families *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (!strcmp(all->items[i].name, name))
			return &all->items[i];
	return NULL;
}

static void families_add(struct families *all, const struct page *p, unsigned index,
			 const struct field *f)
{
	char name[METRIC_NAME_MAX];
	struct family *family;

	metric_family(p, f, name);
	family = families_find(all, name);
	if (own_find(name) || (family && !row_fits(family, p, f)))
		return;
	if (!family) {
		family = &all->items[all->n++];
		*family = (struct family){ .type = metric_type_of(f), .help = f->help };
		strcpy(family->name, name);
	}
	struct family_row **end = &family->rows;
	while (*end)
		end = &(*end)->next;
	*end = &all->rows[all->n_rows++];
	**end = (struct family_row){ .page = p, .index = index, .field = f };
}

int families_new(const struct page *const *list, struct families **ret)
{
	_cleanup_(families_freep) struct families *all = calloc(1, sizeof(*all));
	size_t most = 1;

	if (!all)
		return -ENOMEM;
	for (const struct page *const *p = list; *p; p++)
		most += (*p)->n_fields;
	all->items = calloc(most, sizeof(*all->items));
	all->rows = calloc(most, sizeof(*all->rows));
	if (!all->items || !all->rows)
		return -ENOMEM;
	for (const struct page *const *p = list; *p; p++)
		for (size_t i = 0; i < (*p)->n_fields; i++)
			if (metric_exists(&(*p)->fields[i]))
				families_add(all, *p, (unsigned)(p - list), &(*p)->fields[i]);
	*ret = TAKE(all);
	return 0;
}

void families_free(struct families *f)
{
	if (!f)
		return;
	free(f->items);
	free(f->rows);
	free(f);
}
