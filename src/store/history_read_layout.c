/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Layouts by their ids: few, and the same for as long as the file is. */

#include "batch.h"
#include "history_read_internal.h"

void reader_forget_layouts(struct history_reader *r)
{
	for (size_t i = 0; i < r->n_layouts; i++)
		layout_free(r->layouts[i].layout);
	free(r->layouts);
	r->layouts = NULL;
	r->n_layouts = 0;
}

const struct layout *reader_layout(struct history_reader *r, int64_t id)
{
	struct layout *l = NULL;

	for (size_t i = 0; i < r->n_layouts; i++)
		if (r->layouts[i].id == id)
			return r->layouts[i].layout;
	struct read_layout *more = reallocarray(r->layouts, r->n_layouts + 1, sizeof(*more));
	if (!more)
		return NULL;
	r->layouts = more;
	if (batch_layout(r->history.db, id, &l) < 0)
		return NULL;
	more[r->n_layouts++] = (struct read_layout){ id, l };
	return l;
}
