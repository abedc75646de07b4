/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history_recover.h"

#include <errno.h>
#include <string.h>

#include "batch.h"
#include "history_rescue.h"
#include "history_schema.h"
#include "nvmewatch/buffer.h"
#include "sheet_codec.h"

#define ROWS 1024 /* of a step; of chunks, fewer */
#define CHUNKS 64

struct recovery {
	sqlite3 *from;
	char *name;
	size_t table;             /* number of the one at hand */
	char table_name[PAGE_NAME_MAX + 16];
	struct rescue_table plan; /* of it */
	struct rescue *rescue;    /* NULL: it is not begun */
	uint64_t events, rollups, chunks, batches, unsound;
	bool whole;
};

void recovery_free(struct recovery *r)
{
	if (!r)
		return;
	rescue_free(r->rescue);
	sqlite3_close_v2(r->from);
	free(r->name);
	free(r);
}

/* ---- The damaged file ---- */

/* It stays as it is, its log too. */
static int open_damaged(const char *path, sqlite3 **ret)
{
	_cleanup_(sqlite3_closep) sqlite3 *db = NULL;
	int keep = 1, r = sql_errno(sqlite3_open_v2(path, &db,
						    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));

	if (r < 0)
		return r;
	sqlite3_busy_timeout(db, 5000);
	sqlite3_file_control(db, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	/* A schema of which a part does not read is no reason to read none. */
	sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sql_run(db, "PRAGMA query_only = 1; PRAGMA cell_size_check = 1; PRAGMA cache_size = -1024");
	*ret = TAKE(db);
	return 0;
}

/* A disk that cannot be read is reported as if the file were wrong: "returns error code 266". */
static bool is_of_disk(const char *answer)
{
	const char *code = strstr(answer, "error code");

	return code && (strtol(code + strcspn(code, "0123456789"), NULL, 10) & 0xff) != SQLITE_CORRUPT;
}

bool history_is_damaged(const char *path)
{
	_cleanup_(sqlite3_closep) sqlite3 *db = NULL;
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r;

	if (open_damaged(path, &db) < 0)
		return false;
	if ((r = sql_prepare(db, "PRAGMA integrity_check(1)", &q)) < 0)
		return r == -EUCLEAN;
	int code = sqlite3_step(q);
	if (code != SQLITE_ROW)
		return sql_errno(code) == -EUCLEAN;
	const char *answer = (const char *)sqlite3_column_text(q, 0);
	return answer && strcmp(answer, "ok") && !is_of_disk(answer);
}

/* ---- The tables ---- */

static bool drive_is_known(struct history *h, sqlite3_stmt *row, int column)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;

	if (sqlite3_column_type(row, column) == SQLITE_NULL)
		return true;
	if (sql_prepare(h->db, "SELECT 1 FROM drives WHERE id = ?", &q) < 0)
		return false;
	sqlite3_bind_int64(q, 1, sqlite3_column_int64(row, column));
	return sqlite3_step(q) == SQLITE_ROW;
}

static bool event_is_sound(struct history *h, sqlite3_stmt *row)
{
	return sqlite3_column_type(row, 2) == SQLITE_TEXT && drive_is_known(h, row, 1);
}

/* Behind the keys, which are three where the page has instances. */
static bool rollup_is_sound(struct history *h, sqlite3_stmt *row)
{
	return drive_is_known(h, row, 0);
}

static bool day_is_sound(struct history *h, sqlite3_stmt *row)
{
	return drive_is_known(h, row, 1);
}

/* All rows are of one drive and instance: those of the key. */
static bool rows_are_of(const struct sheet *rows, int64_t drive, int64_t instance)
{
	for (size_t i = 0; i < rows->n_rows; i++)
		if (sheet_fixed(rows, i, SHEET_DRIVE) != drive ||
		    sheet_fixed(rows, i, SHEET_INSTANCE) != instance)
			return false;
	return rows->n_rows;
}

static bool chunk_is_sound(struct history *h, sqlite3_stmt *row)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = NULL;
	int64_t drive = sqlite3_column_int64(row, 0);

	return batch_layout(h->db, sqlite3_column_int64(row, 2), &l) == 0 &&
	       sheet_decode(sqlite3_column_blob(row, 4), (size_t)sqlite3_column_bytes(row, 4), l, NULL,
			    &rows) == 0 &&
	       (int64_t)rows->n_rows == sqlite3_column_int64(row, 5) &&
	       rows_are_of(rows, drive, sqlite3_column_int64(row, 3)) &&
		       history_name_drive(h, drive) == 0;
}

static const struct rescue_table events = {
	.name = "events", .keys = { "id" }, .checked = "drive, type", .is_sound = event_is_sound,
}, chunks = {
	.name = "chunks", .keys = { "drive", "flush", "layout", "instance" }, .checked = "data, n_rows",
	.is_sound = chunk_is_sound,
};

static struct rescue_table plan_rollup(struct recovery *r, const struct page *p, bool days)
{
	bool several = p->selector != SELECT_NOTHING;
	struct rescue_table t = { .name = r->table_name, .is_sound = days ? day_is_sound :
				 rollup_is_sound };
	size_t n = 0;

	snprintf(r->table_name, sizeof(r->table_name), "%s_%s", p->name, days ? "daily" : "hourly");
	if (days)
		t.keys[n++] = "time";
	t.keys[n++] = "drive";
	if (several)
		t.keys[n++] = p->instance;
	if (!days)
		t.keys[n++] = "time";
	return t;
}

/* Of each page its days, then its hours, are numbers 1 + 2 n and 2 + 2 n. False: there is no such table. */
static bool plan(struct recovery *r)
{
	size_t n = 0;

	if (r->table == 0) {
		r->plan = events;
		return true;
	}
	for (const struct page *const *p = pages; *p; p++, n += 2) {
		bool days = r->table == n + 1;

		if (!days && r->table != n + 2)
			continue;
		if (!(*p)->history || (!days && !history_has_hours(*p))) {
			r->table++;
			return plan(r);
		}
		r->plan = plan_rollup(r, *p, days);
		return true;
	}
	r->plan = chunks;
	return r->table == n + 1;
}

static void count(struct recovery *r)
{
	uint64_t *rows = r->table == 0 ? &r->events : r->plan.is_sound == chunk_is_sound ? &r->chunks :
		&r->rollups;

	*rows += r->rescue->rows;
	r->unsound += r->rescue->unsound;
	r->whole = r->whole && !r->rescue->gaps && !r->rescue->unsound;
}

/* Some rows of the table at hand. Returns 0: there are no tables left. */
static int rescue_some(struct recovery *r, struct history *h)
{
	int error = 0;

	if (!plan(r))
		return 0;
	if (!r->rescue)
		error = rescue_new(r->from, h, &r->plan, &r->rescue);
	if (error == 0) {
		error = rescue_step(r->rescue, r->plan.is_sound == chunk_is_sound ? CHUNKS : ROWS);
		if (error != 0)
			return error;
		count(r);
	} else if (error != -ENOENT) {
		return error;
	} else {
		r->whole = false;
	}
	rescue_free(TAKE(r->rescue));
	r->table++;
	return 1;
}

/* ---- State and event ---- */

static int put_text(struct history *h, const char *name, const char *text)
{
	sql_text(h->put_state, 1, name);
	sql_text(h->put_state, 2, text);
	return sql_finish(h->put_state);
}

static int get_text(struct history *h, const char *name, char *ret, size_t size)
{
	ret[0] = 0;
	sql_text(h->get_state, 1, name);
	int code = sqlite3_step(h->get_state);
	if (code == SQLITE_ROW)
		sql_copy(h->get_state, 0, ret, size);
	sqlite3_reset(h->get_state);
	return sql_errno(code);
}

static int change_event(struct history *h, const char *detail)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(h->db, "UPDATE events SET detail = ? WHERE id ="
				   " (SELECT value FROM state WHERE name = 'replaced')", &q);

	if (r < 0)
		return r;
	sql_text(q, 1, detail);
	return sql_finish(q);
}

static char *describe(const struct recovery *r, const char *how)
{
	return format_text("damaged, set aside as %s: %llu events, %llu hours and days, %llu packed and %llu other "
			   "batches of rows recovered; %s", r->name, (unsigned long long)r->events,
			   (unsigned long long)r->rollups, (unsigned long long)r->chunks,
			   (unsigned long long)r->batches, how);
}

static int end(struct recovery *r, struct history *h, const char *how)
{
	_cleanup_(freep) char *detail = describe(r, how);
	int error = detail ? change_event(h, detail) : -ENOMEM;

	/* Up to where a drive is packed is not always known. */
	if (error == 0)
		error = sql_run(h->db,
				"UPDATE drives SET packed = max(packed, ifnull((SELECT max(flush) FROM chunks"
				       " WHERE drive = drives.id), 0)); DELETE FROM drives WHERE key = 'unreadable';"
				" DELETE FROM state WHERE name = 'recovering'");
	return error < 0 ? error : put_text(h, "recovered", r->name);
}

static int step(struct recovery *r, struct history *h, bool full)
{
	int more;

	if (full)
		return end(r, h, "the rest has no room on the disk");
	if ((more = rescue_some(r, h)) != 0)
		return more;
	return end(r, h, r->whole ? "nothing was lost" : "the rest does not read");
}

int history_recover_step(struct recovery *r, struct history *h, bool full)
{
	int more, error = history_begin(h);

	if (error < 0)
		return error;
	more = step(r, h, full);
	if (more < 0 || (error = history_commit(h)) < 0) {
		history_rollback(h);
		return more < 0 ? more : error;
	}
	return more;
}

/* ---- The beginning ---- */

/* New events come behind those that are recovered. */
static int add_event(struct recovery *r, struct history *h, int64_t time_us, int64_t mono_us)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL, *put = NULL;
	int64_t last = INT64_C(1) << 32;
	int error;

	if (r->from && sql_prepare(r->from, "SELECT ifnull(max(id), 0) FROM events", &q) == 0 &&
	    sqlite3_step(q) == SQLITE_ROW && sqlite3_column_int64(q, 0) < INT64_C(1) << 40)
		last = sqlite3_column_int64(q, 0);
	if ((error = sql_prepare(h->db,
				 "INSERT INTO events (id, time, mono, type) VALUES (?,?,?,'history_replaced')",
				 &put)) < 0)
		return error;
	sqlite3_bind_int64(put, 1, last + 1);
	sqlite3_bind_int64(put, 2, time_us / 1000);
	sqlite3_bind_int64(put, 3, mono_us / 1000);
	if ((error = sql_finish(put)) < 0)
		return error;
	return history_put_state(h, "replaced", last + 1);
}

static int begin(struct recovery *r, struct history *h, int64_t time_us, int64_t mono_us)
{
	_cleanup_(freep) char *detail = NULL;
	int error;

	r->whole = true;
	if ((error = add_event(r, h, time_us, mono_us)) < 0 ||
	    (error = history_salvage(r->from, h, &r->batches, &r->whole)) < 0)
		return error;
	detail = describe(r, "more is being read");
	if (!detail)
		return -ENOMEM;
	if ((error = change_event(h, detail)) < 0)
		return error;
	return put_text(h, "recovering", r->name);
}

static int begin_in_transaction(struct recovery *r, struct history *h, int64_t time_us, int64_t mono_us)
{
	int error = history_begin(h);

	if (error < 0)
		return error;
	if ((error = begin(r, h, time_us, mono_us)) == 0)
		error = history_commit(h);
	if (error < 0)
		history_rollback(h);
	return error;
}

/* Whether nothing was ever written to it. */
static int is_new(struct history *h, bool *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(h->db,
			    "SELECT 1 FROM drives UNION ALL SELECT 1 FROM events UNION ALL SELECT 1 FROM state"
				   " LIMIT 1", &q);

	if (r < 0)
		return r;
	int code = sqlite3_step(q);
	*ret = code == SQLITE_DONE;
	return sql_errno(code);
}

static char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return slash ? format_text("%.*s%s", (int)(slash - path) + 1, path, name) : strdup(name);
}

int history_recover(struct history *h, const char *path, int64_t time_us, int64_t mono_us,
		    struct recovery **ret)
{
	_cleanup_(recovery_freep) struct recovery *r = calloc(1, sizeof(*r));
	_cleanup_(freep) char *file = NULL;
	char recovering[256];
	bool anew;
	int error;

	if (!r)
		return -ENOMEM;
	if ((error = is_new(h, &anew)) < 0 || (error = get_text(h, "recovering", recovering,
								sizeof(recovering))) < 0)
		return error;
	*ret = NULL;
	r->name = anew ? history_aside(path) : *recovering ? strdup(recovering) : NULL;
	if (!r->name)
		return 0;
	file = beside(path, r->name);
	if (!file)
		return -ENOMEM;
	open_damaged(file, &r->from);
	/* What an interrupted recovery had copied is not copied twice: it has the same keys. */
	if (anew && (error = begin_in_transaction(r, h, time_us, mono_us)) < 0)
		return error;
	*ret = TAKE(r);
	return 0;
}
