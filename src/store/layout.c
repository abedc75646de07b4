/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/buffer.h"
#include "sheet.h"

static const char *const fixed_names[SHEET_FIXED] = {
	[SHEET_DRIVE] = "drive", [SHEET_INSTANCE] = "instance", [SHEET_TIME] = "time",
	[SHEET_MONO] = "mono",   [SHEET_BOOT] = "boot",
};

/* What enum value_type is called in a layout's text. */
static const char letters[] = { [VALUE_ABSENT] = '-', [VALUE_INTEGER] = 'i', [VALUE_REAL] = 'r',
				[VALUE_TEXT] = 't' };

void layout_free(struct layout *l)
{
	if (!l)
		return;
	free(l->columns);
	free(l);
}

static struct layout *layout_new(size_t room)
{
	_cleanup_(layout_freep) struct layout *l = calloc(1, sizeof(*l));

	if (!l || !(l->columns = calloc(room, sizeof(*l->columns))))
		return NULL;
	return TAKE(l);
}

int layout_of_page(const struct page *p, struct layout **ret)
{
	size_t n = SHEET_FIXED;

	for (size_t i = 0; i < p->n_fields; i++)
		n += field_count(&p->fields[i]);
	struct layout *l = layout_new(n);
	if (!l)
		return -ENOMEM;
	struct layout_column *c = l->columns;
	for (unsigned i = 0; i < SHEET_FIXED; i++, c++) {
		strcpy(c->name, fixed_names[i]);
		c->type = VALUE_INTEGER;
	}
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned k = 0; k < field_count(&p->fields[i]); k++, c++) {
			field_column(&p->fields[i], k, c->name);
			c->type = field_value_type(&p->fields[i]);
		}
	l->n_columns = n;
	*ret = l;
	return 0;
}

char *layout_text(const struct layout *l)
{
	struct buffer b = { 0 };

	for (size_t i = 0; i < l->n_columns; i++)
		buffer_printf(&b, "%s%s:%c", i ? " " : "", l->columns[i].name,
			      letters[l->columns[i].type]);
	buffer_put(&b, "", 1);
	if (b.failed)
		buffer_done(&b);
	return b.data;
}

static bool type_of_letter(char letter, enum value_type *ret)
{
	for (unsigned t = VALUE_INTEGER; t <= VALUE_TEXT; t++)
		if (letters[t] == letter) {
			*ret = t;
			return true;
		}
	return false;
}

/* "name:t" at *text, and the blank behind it. */
static bool parse_column(const char **text, struct layout_column *ret)
{
	size_t length = strspn(*text, "abcdefghijklmnopqrstuvwxyz0123456789_");
	const char *p = *text + length;

	if (length == 0 || length >= sizeof(ret->name) || p[0] != ':' ||
	    !type_of_letter(p[1], &ret->type))
		return false;
	memcpy(ret->name, *text, length);
	ret->name[length] = 0;
	p += 2;
	if (*p == ' ' && p[1])
		p++;
	else if (*p)
		return false;
	*text = p;
	return true;
}

static bool fixed_sound(const struct layout *l)
{
	if (l->n_columns < SHEET_FIXED)
		return false;
	for (unsigned i = 0; i < SHEET_FIXED; i++)
		if (strcmp(l->columns[i].name, fixed_names[i]) != 0 ||
		    l->columns[i].type != VALUE_INTEGER)
			return false;
	return true;
}

int layout_parse(const char *text, struct layout **ret)
{
	size_t n = 1;

	for (const char *p = text; *p; p++)
		n += *p == ' ';
	if (n > LAYOUT_COLUMNS_MAX)
		return -EUCLEAN;
	_cleanup_(layout_freep) struct layout *l = layout_new(n);
	if (!l)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++, l->n_columns++)
		if (!parse_column(&text, &l->columns[i]) || layout_find(l, l->columns[i].name) >= 0)
			return -EUCLEAN;
	if (!fixed_sound(l))
		return -EUCLEAN;
	*ret = TAKE(l);
	return 0;
}

int layout_find(const struct layout *l, const char *name)
{
	for (size_t i = 0; i < l->n_columns; i++)
		if (strcmp(l->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}
