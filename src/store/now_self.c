/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the collector tells of itself: how history is kept, and how long commands took. */

#include <errno.h>

#include "now_internal.h"

int now_self_prepare(struct now *n)
{
	int r;

	n->durations = calloc(page_total(), sizeof(*n->durations));
	if (!n->durations)
		return -ENOMEM;
	if ((r = sql_prepare(n->db, "INSERT OR REPLACE INTO store VALUES (1,?,?,?,?,?,?)",
			     &n->put_store)) < 0)
		return r;
	return sql_prepare(n->db, "INSERT OR REPLACE INTO durations VALUES (?,?,?,?,?,?,?,?)",
			   &n->put_duration);
}

int now_put_store(struct now *n, const struct now_store *store)
{
	sqlite3_bind_int64(n->put_store, 1, store->last_write);
	sqlite3_bind_int64(n->put_store, 2, store->oldest);
	sqlite3_bind_int64(n->put_store, 3, (int64_t)store->bytes);
	sqlite3_bind_int64(n->put_store, 4, (int64_t)store->spooled);
	sqlite3_bind_int64(n->put_store, 5, (int64_t)store->errors);
	sqlite3_bind_int64(n->put_store, 6, (int64_t)store->dropped);
	return sql_finish(n->put_store);
}

void now_add_duration(struct now *n, const struct page *p, uint64_t us)
{
	struct now_duration *d = &n->durations[page_index(p)];
	uint64_t bound = 1000;
	unsigned i = 0;

	for (; i < NOW_DURATION_BOUNDS && us > bound; i++)
		bound *= 10;
	d->counts[i]++;
	d->sum_us += us;
	d->page = p;
}

static int put_duration(struct now *n, const struct now_duration *d)
{
	sqlite3_stmt *q = n->put_duration;
	int parameter = 0;

	sql_text(q, ++parameter, d->page->name);
	for (unsigned i = 0; i <= NOW_DURATION_BOUNDS; i++)
		sqlite3_bind_int64(q, ++parameter, (int64_t)d->counts[i]);
	sqlite3_bind_int64(q, ++parameter, (int64_t)d->sum_us);
	return sql_finish(q);
}

int now_self_put(struct now *n)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < page_total(); i++) {
		struct now_duration *d = &n->durations[i];

		if (d->page && (r = put_duration(n, d)) == 0)
			d->page = NULL;
	}
	return r;
}

static int read_store(sqlite3 *db, struct now_snapshot *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(db, "SELECT last_write, oldest, bytes, spooled, errors, dropped FROM store", &q);

	if (r < 0)
		return r;
	int code = sqlite3_step(q);
	if (code != SQLITE_ROW)
		return sql_errno(code);
	s->has_store = true;
	s->store = (struct now_store){
		.last_write = sqlite3_column_int64(q, 0),
		.oldest = sqlite3_column_int64(q, 1),
		.bytes = (uint64_t)sqlite3_column_int64(q, 2),
		.spooled = (uint64_t)sqlite3_column_int64(q, 3),
		.errors = (uint64_t)sqlite3_column_int64(q, 4),
		.dropped = (uint64_t)sqlite3_column_int64(q, 5),
	};
	return 0;
}

static int read_durations(sqlite3 *db, struct now_snapshot *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = sql_prepare(db, "SELECT * FROM durations ORDER BY page", &q);

	if (r < 0)
		return r;
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		char name[PAGE_NAME_MAX];
		sql_copy(q, 0, name, sizeof(name));
		struct now_duration d = { .page = page_find(name) }, *all;

		if (!d.page)
			continue;
		for (int i = 0; i <= NOW_DURATION_BOUNDS; i++)
			d.counts[i] = (uint64_t)sqlite3_column_int64(q, 1 + i);
		d.sum_us = (uint64_t)sqlite3_column_int64(q, 2 + NOW_DURATION_BOUNDS);
		all = reallocarray(s->durations, s->n_durations + 1, sizeof(*all));
		if (!all)
			return -ENOMEM;
		s->durations = all;
		all[s->n_durations++] = d;
	}
	return sql_errno(code);
}

int now_self_read(sqlite3 *db, struct now_snapshot *s)
{
	int r = read_store(db, s);

	return r < 0 ? r : read_durations(db, s);
}
