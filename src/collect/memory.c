/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool refuses(const struct history_memory *m, const char *model, const char *firmware,
		    const char *page)
{
	for (size_t i = 0; m && i < m->n_refusals; i++)
		if (!strcmp(m->refusals[i].model, model) &&
		    !strcmp(m->refusals[i].firmware, firmware) && !strcmp(m->refusals[i].page, page))
			return true;
	return false;
}

bool memory_refuses(const struct history_memory *m, const struct drive *d, const char *page)
{
	return refuses(m, d->model, d->firmware, page);
}

uint64_t memory_error_count(const struct history_memory *m, const char *key)
{
	for (size_t i = 0; m && i < m->n_drives; i++)
		if (!strcmp(m->drives[i].drive.key, key))
			return m->drives[i].error_count;
	return 0;
}

static int add(struct history_memory *m, const struct history_refusal *refusal)
{
	struct history_refusal *r = reallocarray(m->refusals, m->n_refusals + 1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	m->refusals = r;
	r[m->n_refusals++] = *refusal;
	return 0;
}

int memory_add(struct history_memory **m, const struct drive *d, const char *page)
{
	struct history_refusal r;

	if (!*m && !(*m = calloc(1, sizeof(**m))))
		return -ENOMEM;
	snprintf(r.model, sizeof(r.model), "%s", d->model);
	snprintf(r.firmware, sizeof(r.firmware), "%s", d->firmware);
	snprintf(r.page, sizeof(r.page), "%s", page);
	return add(*m, &r);
}

void memory_merge(struct history_memory *m, const struct history_memory *learnt)
{
	if (!learnt || !learnt->n_refusals)
		return;
	/* What does not fit into memory is asked once more. */
	struct history_refusal *all = reallocarray(m->refusals, m->n_refusals + learnt->n_refusals,
						   sizeof(*all));
	if (!all)
		return;
	m->refusals = all;
	for (size_t i = 0; i < learnt->n_refusals; i++) {
		const struct history_refusal *r = &learnt->refusals[i];
		if (!refuses(m, r->model, r->firmware, r->page))
			all[m->n_refusals++] = *r;
	}
}
