/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Taking rows out of history.db, and saying so. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "history_bound.h"
#include "history_schema.h"
#include "nvmewatch/buffer.h"

/* ---- What was dropped ---- */

/* Adds a name to a list of them, once, or "..." where there is no room. */
static void add_name(char *list, size_t size, const char *name)
{
	size_t length = strlen(name), used = strlen(list);

	for (const char *at = list; (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ','))
			return;
	if (used + length + sizeof(", , ...") <= size)
		snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
	else if (!strstr(list, "..."))
		snprintf(list + used, size - used, ", ...");
}

static void note_rows(struct bounding *b, const char *page, int64_t rows, int64_t end)
{
	b->rows += (uint64_t)rows;
	b->until = b->until && b->until > end ? b->until : end;
	add_name(b->pages, sizeof(b->pages), page);
	add_name(b->reasons, sizeof(b->reasons), b->why);
}

static char *describe(const struct bounding *b)
{
	time_t seconds = b->until / 1000;
	struct tm tm;
	char until[32] = "?";

	if (gmtime_r(&seconds, &tm))
		strftime(until, sizeof(until), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return format_text("%llu rows of %s until %s: %s", (unsigned long long)b->rows, b->pages, until,
			   b->reasons);
}

static int add_event(struct history *h, struct bounding *b, const char *detail, int64_t time_us,
		     int64_t mono_us)
{
	int r = history_event(h, "", "history_dropped", detail, time_us, mono_us);

	if (r == 0)
		b->event = sqlite3_last_insert_rowid(h->db);
	return r;
}

static int change_event(struct history *h, const struct bounding *b, const char *detail)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(h->db, "UPDATE events SET detail = ? WHERE id = ?", &q);

	if (r < 0)
		return r;
	sql_text(q, 1, detail);
	sqlite3_bind_int64(q, 2, b->event);
	return sql_finish(q);
}

int history_note_dropped(struct history *h, struct bounding *b, int64_t time_us, int64_t mono_us)
{
	_cleanup_(freep) char *detail = b->rows ? describe(b) : NULL;

	if (!b->rows)
		return 0;
	if (!detail)
		return -ENOMEM;
	return b->event ? change_event(h, b, detail) : add_event(h, b, detail, time_us, mono_us);
}

/* ---- Chunks ---- */

static int drop_chunk(sqlite3_stmt *drop, sqlite3_stmt *chunk, int64_t drive, int64_t flush)
{
	sqlite3_bind_int64(drop, 1, drive);
	sqlite3_bind_int64(drop, 2, flush);
	sqlite3_bind_int64(drop, 3, sqlite3_column_int64(chunk, 0));
	sqlite3_bind_int64(drop, 4, sqlite3_column_int64(chunk, 1));
	return sql_finish(drop);
}

#define CHUNKS                                                                                       \
	"SELECT c.layout, c.instance, c.n_rows, c.end, ifnull(p.name, '') FROM chunks c"             \
	" LEFT JOIN layouts l ON l.id = c.layout LEFT JOIN pages p ON p.id = l.page"                 \
	" WHERE c.drive = ? AND c.flush = ? AND c.end <= ?"

int history_drop_chunks(struct history *h, struct bounding *b, int64_t drive, int64_t flush,
			unsigned pace,
			int64_t end)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL, *drop = NULL;
	int code = SQLITE_OK, n = 0, r;

	if ((r = sql_prepare(h->db, CHUNKS, &q)) < 0 ||
	    (r = sql_prepare(h->db, "DELETE FROM chunks WHERE drive = ? AND flush = ? AND layout = ?"
				    " AND instance = ?", &drop)) < 0)
		return r;
	sqlite3_bind_int64(q, 1, drive);
	sqlite3_bind_int64(q, 2, flush);
	sqlite3_bind_int64(q, 3, end);
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		char name[PAGE_NAME_MAX];

		sql_copy(q, 4, name, sizeof(name));
		if (retention_pace(page_find(name)) > pace)
			continue;
		note_rows(b, name, sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3));
		r = drop_chunk(drop, q, drive, flush);
		n++;
	}
	if (r == 0)
		r = sql_errno(code);
	return r < 0 ? r : n;
}

/* ---- Rollups ---- */

static int drop_before(struct history *h, struct bounding *b, const char *page, const char *suffix,
		       int64_t before)
{
	_cleanup_(freep) char *sql = format_text("DELETE FROM %s_%s WHERE time < ?", page, suffix);
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql ? sql_prepare(h->db, sql, &q) : -ENOMEM;

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, before);
	r = sql_finish(q);
	int64_t n = sqlite3_changes64(h->db);
	if (r == 0 && n) {
		_cleanup_(freep) char *name = format_text("%s_%s", page, suffix);
		if (name)
			note_rows(b, name, n, before);
	}
	return r;
}

int history_drop_rollups(struct history *h, struct bounding *b, int64_t before)
{
	int r = 0;

	for (const struct page *const *p = pages; r == 0 && *p; p++) {
		if (!(*p)->history)
			continue;
		r = drop_before(h, b, (*p)->name, "daily", before);
		if (r == 0 && history_has_hours(*p))
			r = drop_before(h, b, (*p)->name, "hourly", before);
	}
	return r;
}
