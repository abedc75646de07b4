/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history_bound.h"
#include "period.h"

#include <errno.h>
#include <stdio.h>

#define STEP 256                            /* chunks of a transaction, or so */
#define SPARED UINT64_C(604800000000)       /* microseconds: the last week goes after all before it */
#define SLICE_MS (30 * INT64_C(86400000))   /* of rollups at a time */
#define LOOKS 4096                          /* for some, of a transaction */
#define VACUUM_PAGES 1024                   /* given back at a time */
/* Free pages that are kept: what a day's batches of 64 drives take. To give these back would have the day that was
 * just packed moved to where they were, hence written once more, and the next day's would be added anew. */
#define FREE_PAGES 1280

/* In this order. */
enum {
	STAGE_OLD, STAGE_OLD_ROLLUPS,
	STAGE_PACES,                                 /* the slowest pages first, */
	STAGE_WEEK = STAGE_PACES + RETENTION_PACES,  /* then the last week too, */
	STAGE_ROLLUPS,                               /* then hours and days */
	STAGE_VACUUM, STAGE_END,
};

struct history_size {
	uint64_t page, pages, free;
};

struct packings {
	struct retention_packing *list; /* the newest first */
	size_t n;
};

static void packings_done(struct packings *p)
{
	free(p->list);
}

/* ---- How large it is ---- */

static int pragma(sqlite3 *db, const char *sql, uint64_t *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(db, sql, &q);

	if (r < 0)
		return r;
	int code = sqlite3_step(q);
	if (code == SQLITE_ROW)
		*ret = (uint64_t)sqlite3_column_int64(q, 0);
	return sql_errno(code);
}

static int get_size(struct history *h, struct history_size *ret)
{
	int r;

	if ((r = pragma(h->db, "PRAGMA page_size", &ret->page)) < 0 ||
	    (r = pragma(h->db, "PRAGMA page_count", &ret->pages)) < 0)
		return r;
	return pragma(h->db, "PRAGMA freelist_count", &ret->free);
}

/* The limit that is exceeded, NULL: none. What is free within the file will be the disk's. */
static int get_excess(struct history *h, const struct bound_limits *l, bool going, const char **ret)
{
	struct history_size size = { 0 };
	struct retention_use use = { .max_size = l->bounds.max_size, .min_free = l->bounds.min_free };
	int r = get_size(h, &size);

	if (r < 0)
		return r;
	use.used = (size.pages - size.free) * size.page;
	if (__builtin_add_overflow(l->left, size.free * size.page, &use.left))
		use.left = UINT64_MAX;
	*ret = retention_excess(&use, going);
	return 0;
}

int history_is_over(struct history *h, const struct bound_limits *l, bool *ret)
{
	const char *why;
	int r = get_excess(h, l, false, &why);

	if (r == 0)
		*ret = why;
	return r;
}

/* ---- Packings ---- */

static int read_packings(struct history *h, struct packings *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = sql_prepare(h->db, "SELECT flush, start, end FROM packings ORDER BY flush DESC",
				  &q);
	size_t room = 0;

	if (r < 0)
		return r;
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		if (ret->n == room) {
			room = room * 2 + 64;
			struct retention_packing *more = reallocarray(ret->list, room, sizeof(*more));
			if (!more)
				return -ENOMEM;
			ret->list = more;
		}
		ret->list[ret->n++] = (struct retention_packing){
			.flush = sqlite3_column_int64(q, 0),
			.start = sqlite3_column_int64(q, 1),
			.end = sqlite3_column_int64(q, 2),
		};
	}
	return sql_errno(code);
}

/* The next drive, 0: there is none. */
static int next_drive(struct history *h, int64_t after, int64_t *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(h->db, "SELECT ifnull(min(id), 0) FROM drives WHERE id > ?", &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, after);
	int code = sqlite3_step(q);
	if (code == SQLITE_ROW)
		*ret = sqlite3_column_int64(q, 0);
	return sql_errno(code);
}

/* What a step may still do. */
struct budget {
	int chunks, looks;
};

/* One packing, drive by drive. Returns 1: the budget is used up, or enough is dropped; 0: all is seen. */
static int drop_packing(struct history *h, const struct bound_limits *l, struct bounding *b,
			struct budget *left,
			int64_t flush, int64_t end, unsigned pace)
{
	int64_t drive = 0;
	int r;

	while ((r = next_drive(h, b->drive, &drive)) == 0 && drive) {
		if (left->chunks <= 0 || left->looks-- <= 0)
			return 1;
		if (b->stage >= STAGE_PACES && (r = get_excess(h, l, b->rows, &b->why)) < 0)
			return r;
		if (!b->why)
			return 1;
		if ((r = history_drop_chunks(h, b, drive, flush, pace, end)) < 0)
			return r;
		left->chunks -= r;
		b->drive = drive;
	}
	return r;
}

/* Chunks of packings, the oldest first, up to the cut. Returns 1: there is more; 0: no more; or an error. */
static int drop_packings(struct history *h, const struct bound_limits *l, struct bounding *b,
			 const struct packings *p, struct retention_cut cut, unsigned pace)
{
	struct budget left = { STEP, LOOKS };
	int r = 0;

	for (size_t i = p->n; r == 0 && b->why && i-- > 0;) {
		int64_t flush = p->list[i].flush;

		if (flush <= b->flush || flush > cut.flush)
			continue;
		r = drop_packing(h, l, b, &left, flush, cut.end, pace);
		if (r == 0) {
			b->flush = flush;
			b->drive = 0;
		}
	}
	return r > 0 ? b->why != NULL : r;
}

/* ---- Stages ---- */

/* Up to which packing a pace's chunks are gone is kept, so as not to look there again. */
static int drop_pace(struct history *h, const struct bound_limits *l, struct bounding *b,
		     const struct packings *p)
{
	unsigned pace = b->stage - STAGE_PACES;
	char name[] = "dropped0";
	int r;

	name[sizeof(name) - 2] = (char)('0' + pace);
	if ((r = get_excess(h, l, b->rows, &b->why)) < 0 || !b->why)
		return r;
	if (!b->flush && (r = history_get_state(h, name, &b->flush)) < 0)
		return r;
	int more = drop_packings(h, l, b, p, retention_cut(p->list, p->n, SPARED, false), pace);
	if (more < 0 || (r = history_put_state(h, name, b->flush)) < 0)
		return more < 0 ? more : r;
	return more;
}

static int drop_week(struct history *h, const struct bound_limits *l, struct bounding *b,
		     const struct packings *p)
{
	const struct retention_cut all = { .flush = INT64_MAX, .end = INT64_MAX };
	int r = get_excess(h, l, b->rows, &b->why);

	return r < 0 || !b->why ? r : drop_packings(h, l, b, p, all, RETENTION_PACES);
}

static int drop_old_rollups(struct history *h, const struct bound_limits *l, struct bounding *b,
			    const struct packings *p)
{
	struct retention_cut cut = retention_cut(p->list, p->n, l->bounds.keep_rollup, true);
	int64_t before = cut.end < cut.kept ? cut.end : cut.kept;

	b->why = "store.keep_rollup";
	return cut.flush ? history_drop_rollups(h, b, before - before % DAY_MS) : 0;
}

/* A slice of the oldest days, but for the last week. */
static int drop_rollups(struct history *h, const struct bound_limits *l, struct bounding *b,
			const struct packings *p)
{
	struct retention_cut cut = retention_cut(p->list, p->n, SPARED, false);
	uint64_t rows = b->rows;
	int r = get_excess(h, l, b->rows, &b->why);

	if (r < 0 || !b->why || !cut.flush || !p->n)
		return r;
	for (int64_t to = p->list[p->n - 1].start, from = 0; r == 0 && b->rows == rows &&
	     from < cut.kept;) {
		from = to;
		to = to + SLICE_MS < cut.kept ? to + SLICE_MS : cut.kept;
		r = history_drop_rollups(h, b, to - to % DAY_MS);
	}
	return r < 0 ? r : b->rows > rows;
}

static int vacuum(struct history *h)
{
	struct history_size size = { 0 };
	char sql[64];
	int r = get_size(h, &size);

	if (r < 0 || size.free <= FREE_PAGES)
		return r;
	uint64_t n = size.free - FREE_PAGES;
	snprintf(sql, sizeof(sql), "PRAGMA incremental_vacuum(%u)", n < VACUUM_PAGES ? (unsigned)n :
		 VACUUM_PAGES);
	r = sql_run(h->db, sql);
	return r < 0 ? r : 1;
}

static int run_stage(struct history *h, const struct bound_limits *l, struct bounding *b,
		     const struct packings *p)
{
	/* A disk that others fill is no reason to drop what is young, or hours and days. */
	struct bound_limits own = *l;
	own.bounds.min_free = 0;

	switch (b->stage) {
	case STAGE_OLD:
		b->why = "store.keep_raw";
		return drop_packings(h, l, b, p, retention_cut(p->list, p->n, l->bounds.keep_raw, true),
				     RETENTION_PACES);
	case STAGE_OLD_ROLLUPS: return drop_old_rollups(h, l, b, p);
	case STAGE_WEEK: return drop_week(h, &own, b, p);
	case STAGE_ROLLUPS: return drop_rollups(h, &own, b, p);
	case STAGE_VACUUM: return vacuum(h);
	default: return drop_pace(h, l, b, p);
	}
}

/* Returns 1: the stage, or another, has more to do. */
static int run(struct history *h, const struct bound_limits *l, struct bounding *b)
{
	__attribute__((cleanup(packings_done))) struct packings p = { 0 };
	int r = read_packings(h, &p);

	if (r == 0)
		r = run_stage(h, l, b, &p);
	if (r < 0)
		return r;
	if (r == 0) {
		b->stage++;
		b->flush = b->drive = 0;
	}
	r = history_note_dropped(h, b, l->time, l->mono);
	return r < 0 ? r : b->stage < STAGE_END;
}

int history_bound(struct history *h, const struct bound_limits *l, struct bounding *b)
{
	struct bounding next = *b;
	int more, r = history_begin(h);

	if (r < 0)
		return r;
	more = run(h, l, &next);
	if (more < 0 || (r = history_commit(h)) < 0) {
		history_rollback(h);
		return more < 0 ? more : r;
	}
	*b = next;
	if (!more)
		/* The log begins anew; readers may hold it up. */
		sql_run(h->db, "PRAGMA wal_checkpoint(TRUNCATE)");
	return more;
}
