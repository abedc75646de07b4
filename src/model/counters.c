/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/counters.h"

#include <inttypes.h>
#include <stdio.h>

#define NAMED_MOST 3

static bool fell(const struct page *p, const struct field *f, unsigned index, const uint8_t *before,
		 const uint8_t *now, struct value *ret_before, struct value *ret_now)
{
	return page_decode(p, f, index, before, ret_before) == 0 &&
	       page_decode(p, f, index, now, ret_now) == 0 && ret_before->type == VALUE_INTEGER &&
	       ret_now->type == VALUE_INTEGER && ret_now->integer < ret_before->integer;
}

unsigned counters_fell(const struct page *p, const uint8_t *before, const uint8_t *now, char *ret,
		       size_t size)
{
	char column[FIELD_COLUMN_MAX];
	struct value a, b;
	unsigned n = 0;
	size_t used = 0;

	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned k = 0; p->fields[i].kind == FIELD_COUNTER && k < field_count(&p->fields[i]); k++) {
			if (!fell(p, &p->fields[i], k, before, now, &a, &b))
				continue;
			field_column(&p->fields[i], k, column);
			if (n++ < NAMED_MOST && used < size)
				used += (size_t)snprintf(ret + used, size - used,
							 "%s%s from %" PRId64 " to %" PRId64,
							 n > 1 ? ", " : "", column, a.integer, b.integer);
		}
	if (n > NAMED_MOST && used < size)
		snprintf(ret + used, size - used, ", and %u more", n - NAMED_MOST);
	return n;
}
