/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Pages of which a drive has several, as its namespaces and endurance groups: which there are follows
 * from other pages, and may change. They hang behind the page's place in .pages, in the order of their
 * coming: who comes takes the place of one that went. */

#include "watch_internal.h"

static void occupy(struct watch_page *wp, uint32_t instance)
{
	wp->instance = instance;
	wp->vacant = false;
	wp->due = 0;
}

/* It goes, with what was read of it; the place stays. */
static void vacate(struct watch *w, struct watch_page *wp)
{
	struct watch_page *more = wp->more;

	now_remove_page(w->collector->now, w->drive.key, wp->page, wp->instance);
	w->collector->dirty = true;
	free(wp->bytes);
	*wp = (struct watch_page){ .page = wp->page, .index = wp->index, .more = more, .vacant = true,
				   .due = INT64_MAX };
}

void watch_free_pages(struct watch_page *first)
{
	struct watch_page *wp = first->more;

	free(first->bytes);
	while (wp) {
		struct watch_page *more = wp->more;
		free(wp->bytes);
		free(wp);
		wp = more;
	}
}

static bool listed(const uint32_t *list, int n, uint32_t instance)
{
	for (int i = 0; i < n; i++)
		if (list[i] == instance)
			return true;
	return false;
}

/* The place of an instance, a vacant one, or a new one at the end. NULL: no memory. */
static struct watch_page *place_for(struct watch_page *first, uint32_t instance)
{
	struct watch_page *vacant = NULL, *wp = first, *last;

	do {
		if (!wp->vacant && wp->instance == instance)
			return wp;
		if (wp->vacant && !vacant)
			vacant = wp;
		last = wp;
	} while ((wp = wp->more));
	if (vacant)
		return vacant;
	last->more = calloc(1, sizeof(*last));
	if (!last->more)
		return NULL;
	*last->more = (struct watch_page){ .page = first->page, .index = first->index, .vacant = true };
	return last->more;
}

static void take_list(struct watch *w, struct watch_page *first, const uint32_t *list, int n)
{
	struct watch_page *wp = first;

	do {
		if (!wp->vacant && !listed(list, n, wp->instance))
			vacate(w, wp);
	} while ((wp = wp->more));
	for (int i = 0; i < n; i++) {
		wp = place_for(first, list[i]);
		if (wp && wp->vacant)
			occupy(wp, list[i]);
	}
}

void watch_take_instances(struct watch *w)
{
	struct page_facts facts = watch_facts(w);
	uint32_t list[PAGE_INSTANCES_MAX];

	for (unsigned i = 0; i < page_total(); i++) {
		if (!pages[i]->instances)
			continue;
		int n = pages[i]->instances(&facts, list, PAGE_INSTANCES_MAX);
		if (n >= 0)
			take_list(w, &w->pages[i], list, n);
	}
}
