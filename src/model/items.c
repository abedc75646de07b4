/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "items.h"

#include <errno.h>
#include <string.h>

int items_find(const uint8_t *bytes, unsigned item_size, uint8_t id)
{
	for (unsigned at = 0; at + item_size <= ITEMS_END; at += item_size)
		if (bytes[at] == id)
			return (int)at;
	return -ENOENT;
}

/* The item as it is, or a new one. */
static int item_place(const struct field *f, const uint8_t *bytes)
{
	int at = items_find(bytes, f->item_size, f->item);

	return at < 0 ? items_find(bytes, f->item_size, 0) : at;
}

int items_encode(const struct field *f, unsigned index, const struct value *v, uint8_t *bytes)
{
	int at = item_place(f, bytes), r;
	uint8_t item[ITEM_SIZE_MAX];
	struct field plain = *f;

	if (v->type == VALUE_ABSENT && (at < 0 || !bytes[at]))
		return 0;
	if (at < 0)
		return -ERANGE;
	memcpy(item, bytes + at, f->item_size);
	item[0] = f->item;
	plain.item = 0;
	r = field_encode(&plain, index, v, item);
	if (r < 0 && v->type == VALUE_ABSENT)
		memset(item, 0, sizeof(item));
	else if (r < 0)
		return r;
	memcpy(bytes + at, item, f->item_size);
	return 0;
}

static bool is_known(const struct field *fields, size_t n, uint8_t id)
{
	for (size_t i = 0; i < n; i++)
		if (fields[i].item == id)
			return true;
	return false;
}

bool items_fit(const struct field *fields, size_t n, const uint8_t *bytes)
{
	unsigned size = 0, known = 0, unknown = 0;

	for (size_t i = 0; i < n && !size; i++)
		size = fields[i].item_size;
	for (unsigned at = 0; size && at + size <= ITEMS_END; at += size)
		if (bytes[at])
			*(is_known(fields, n, bytes[at]) ? &known : &unknown) += 1;
	return known > unknown;
}
