/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How the keeping of history goes, as the collector published it. */

#include "own_internal.h"

static const struct now_store *store_of(const struct exposition *e)
{
	const struct now_snapshot *s = e->view->snapshot;

	return s && s->has_store ? &s->store : NULL;
}

static void put_count(struct exposition *e, uint64_t n)
{
	if (n <= INT64_MAX)
		text_bare(&e->text, (int64_t)n);
}

static void put_time(struct exposition *e, int64_t time_us)
{
	if (time_us > 0)
		text_bare(&e->text, time_us / 1000000);
}

void own_put_store_bytes(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	(void)d, (void)l;
	if (store_of(e) && store_of(e)->bytes)
		put_count(e, store_of(e)->bytes);
}

void own_put_store_oldest(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	(void)d, (void)l;
	if (store_of(e))
		put_time(e, store_of(e)->oldest);
}

void own_put_store_written(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	(void)d, (void)l;
	if (store_of(e))
		put_time(e, store_of(e)->last_write);
}

void own_put_store_spooled(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	(void)d, (void)l;
	if (store_of(e))
		put_count(e, store_of(e)->spooled);
}

void own_put_store_errors(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	(void)d, (void)l;
	if (store_of(e))
		put_count(e, store_of(e)->errors);
}

void own_put_store_dropped(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	(void)d, (void)l;
	if (store_of(e))
		put_count(e, store_of(e)->dropped);
}
