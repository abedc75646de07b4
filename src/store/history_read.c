/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The files of a reader, and its transactions. */

#include <errno.h>
#include <string.h>

#include "history_read_internal.h"
#include "history_schema.h"
#include "nvmewatch/buffer.h"

#define BUSY_MS 1000
#define PROGRESS_STEPS 2000 /* of SQLite's machine, between looks at .cancelled: well below 1 ms */

static void close_file(struct read_file *f)
{
	sqlite3_close_v2(f->db);
	f->db = NULL;
}

void history_reader_free(struct history_reader *r)
{
	if (!r)
		return;
	close_file(&r->history);
	close_file(&r->spool);
	reader_forget_layouts(r);
	codec_done(&r->codec);
	free(r->history.path);
	free(r->spool.path);
	free(r);
}

void history_reader_cancel(struct history_reader *r)
{
	atomic_store(&r->cancelled, true);
}

uint64_t history_reader_damaged(const struct history_reader *r)
{
	return r->damaged;
}

int reader_result(const struct history_reader *r, int result)
{
	return result < 0 && atomic_load(&r->cancelled) ? -ECANCELED : result;
}

int reader_prepare(struct read_file *f, const char *sql, sqlite3_stmt **ret)
{
	return sql_errno(sqlite3_prepare_v2(f->db, sql, -1, ret, NULL));
}

int reader_number(struct read_file *f, const char *sql, const char *text, int64_t *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = reader_prepare(f, sql, &q);

	if (r < 0)
		return r;
	if (text)
		sql_text(q, 1, text);
	int code = sqlite3_step(q);
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		return sql_errno(code);
	*ret = code == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
	return 0;
}

/* ---- Opening ---- */

static int is_cancelled(void *userdata)
{
	return atomic_load(&((struct history_reader *)userdata)->cancelled);
}

static int connect_file(struct history_reader *r, struct read_file *f, const char *name, int flags)
{
	close_file(f);
	flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
	int code = sqlite3_open_v2(name, &f->db, flags, NULL);

	if (code != SQLITE_OK)
		return sql_errno(code);
	sqlite3_busy_timeout(f->db, BUSY_MS);
	sqlite3_progress_handler(f->db, PROGRESS_STEPS, is_cancelled, r);
	return 0;
}

/* Whether the log is missing, so that nobody writes, and nobody without the right to write can read as
 * usual: a copy, or a folder on a medium that is read-only. */
static bool has_no_log(const struct read_file *f)
{
	_cleanup_(freep) char *log = format_text("%s-wal", f->path);
	struct stat st;

	return log && (stat(log, &st) < 0 || st.st_size == 0);
}

static int connect_immutable(struct history_reader *r, struct read_file *f)
{
	_cleanup_(freep) char *uri = sql_immutable_uri(f->path);

	f->immutable = true;
	return uri ? connect_file(r, f, uri, SQLITE_OPEN_URI) : -ENOMEM;
}

/* Opens the file and reads what tells its kind, which is user_version. */
static int open_file(struct history_reader *r, struct read_file *f, int *ret_version)
{
	struct stat st;

	close_file(f);
	if (access(f->path, R_OK) < 0 || stat(f->path, &st) < 0)
		return -errno;
	f->device = st.st_dev;
	f->inode = st.st_ino;
	f->immutable = false;
	int e = connect_file(r, f, f->path, 0);
	if (e == 0)
		e = sql_version(f->db, ret_version);
	if ((e == -ENOENT || e == -EROFS) && has_no_log(f) && (e = connect_immutable(r, f)) == 0)
		e = sql_version(f->db, ret_version);
	if (e < 0)
		close_file(f);
	return e == -ENOENT ? -EACCES : e;
}

static int open_history(struct history_reader *r)
{
	int64_t tables = 0;
	int version = 0, e = open_file(r, &r->history, &version);

	reader_forget_layouts(r);
	if (e < 0)
		return e;
	if (version != HISTORY_VERSION) {
		/* A file whose tables are about to be made is no history yet. */
		e = version ? -EPROTO :
			      reader_number(&r->history, "SELECT count(*) FROM sqlite_schema", NULL,
					    &tables);
		close_file(&r->history);
		return e < 0 ? e : tables ? -EUCLEAN : -ENOENT;
	}
	return 0;
}

/* Without a spool, or with one that is damaged, which the collector makes anew, there is history.db. */
static int open_spool(struct history_reader *r)
{
	int version = 0, e;

	if (!r->spool.path)
		return 0;
	e = open_file(r, &r->spool, &version);
	if (e == -EUCLEAN)
		r->damaged++;
	return e == -ENOENT || e == -EUCLEAN ? 0 : e;
}

static bool is_stale(const struct read_file *f)
{
	struct stat st;

	if (!f->path)
		return false;
	return !f->db || stat(f->path, &st) < 0 || st.st_ino != f->inode || st.st_dev != f->device ||
	       (f->immutable && !has_no_log(f));
}

int history_reader_open_file(const char *history, const char *spool, struct history_reader **ret)
{
	_cleanup_(history_reader_freep) struct history_reader *r = calloc(1, sizeof(*r));

	if (!r || !(r->history.path = strdup(history)) || (spool && !(r->spool.path = strdup(spool))))
		return -ENOMEM;
	int e = open_history(r);
	if (e == 0)
		e = open_spool(r);
	if (e < 0)
		return e;
	*ret = TAKE(r);
	return 0;
}

int history_reader_open(const char *state_dir, const char *run_dir, struct history_reader **ret)
{
	_cleanup_(freep) char *history = format_text("%s/history.db", state_dir);
	_cleanup_(freep) char *spool = run_dir ? format_text("%s/spool.db", run_dir) : NULL;

	if (!history || (run_dir && !spool))
		return -ENOMEM;
	return history_reader_open_file(history, spool, ret);
}

/* ---- Transactions ---- */

static int begin_spool(struct history_reader *r, char **ret_id)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int e = sql_run(r->spool.db, "BEGIN");

	/* The first look at it is what takes the snapshot. */
	if (e < 0 || (e = reader_prepare(&r->spool, "SELECT id FROM identity", &q)) < 0)
		return e;
	int code = sqlite3_step(q);
	if (code != SQLITE_ROW)
		return code == SQLITE_DONE ? -EUCLEAN : sql_errno(code);
	const unsigned char *id = sqlite3_column_text(q, 0);
	*ret_id = strdup(id ? (const char *)id : "");
	return *ret_id ? 0 : -ENOMEM;
}

static int begin_history(struct history_reader *r, const char *spool_id)
{
	int e = sql_run(r->history.db, "BEGIN");

	if (e < 0)
		return e;
	return reader_number(&r->history, "SELECT value FROM state WHERE name = 'spooled' AND ?1 ="
			     " (SELECT value FROM state WHERE name = 'spool')", spool_id, &r->after);
}

static void roll_back(struct history_reader *r)
{
	if (r->spool.db && !sqlite3_get_autocommit(r->spool.db))
		sql_run(r->spool.db, "ROLLBACK");
	if (r->history.db && !sqlite3_get_autocommit(r->history.db))
		sql_run(r->history.db, "ROLLBACK");
	r->spooled = false;
}

static int begin_both(struct history_reader *r)
{
	_cleanup_(freep) char *id = NULL;
	int e = r->spool.db ? begin_spool(r, &id) : 0;

	r->spooled = r->spool.db && e == 0;
	/* A spool whose tables are not made yet, or that is damaged, has nothing to say. */
	if (e == -EIO || e == -EUCLEAN)
		e = 0;
	return e < 0 ? e : begin_history(r, r->spooled ? id : "");
}

int reader_begin(struct history_reader *r)
{
	int e = 0;

	if (atomic_load(&r->cancelled))
		return -ECANCELED;
	if (r->users) {
		r->users++;
		return 0;
	}
	if (is_stale(&r->spool))
		e = open_spool(r);
	if (e == 0 && is_stale(&r->history))
		e = open_history(r);
	if (e == 0)
		e = begin_both(r);
	if (e < 0) {
		roll_back(r);
		return reader_result(r, e);
	}
	r->users = 1;
	return 0;
}

void reader_end(struct history_reader *r)
{
	if (--r->users == 0)
		roll_back(r);
}
