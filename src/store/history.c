/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

#include "history_internal.h"
#include "history_schema.h"

#define BUSY_MS 5000

/* Every commit is on disk when it returns: there are few. Rows are added behind one another: a small cache
 * does, and stays small over the years. */
#define SETTINGS                                                                               \
	"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -1024;"     \
	"PRAGMA secure_delete = OFF;"                                                           \
	"PRAGMA journal_size_limit = 4194304; PRAGMA temp_store = MEMORY"

/* Every statement that is kept. */
static sqlite3_stmt **statement(struct history *h, size_t n, const char **ret_sql)
{
	const struct {
		sqlite3_stmt **statement;
		const char *sql;
	} all[] = {
		{ &h->put_drive,
		  "INSERT INTO drives (key, serial, model, firmware, address, first_seen, last_seen)"
		  " VALUES (?1,?2,?3,?4,?5,?6,?6) ON CONFLICT (key) DO UPDATE SET"
		  " serial = ?2, model = ?3, firmware = ?4, address = ?5, last_seen = ?6" },
		{ &h->add_drive,
		  "INSERT INTO drives (key, first_seen, last_seen) VALUES (?1,?2,?2)"
		  " ON CONFLICT (key) DO UPDATE SET last_seen = ?2" },
		/* What was sampled before a drive was forgotten does not bring it back. */
		{ &h->sample_drive,
		  "INSERT INTO drives (key, first_seen, last_seen) VALUES (?1,?2,?2)"
		  " ON CONFLICT (key) DO UPDATE SET last_seen = ?2 WHERE last_seen > 0" },
		{ &h->forget_drive, "UPDATE drives SET last_seen = 0 WHERE key = ?" },
		{ &h->find_drive,
		  "SELECT 1 FROM drives WHERE key = ?1 AND last_seen > ?2 AND NOT " HISTORY_REMOVED },
		{ &h->put_event,
		  "INSERT INTO events (time, mono, drive, type, detail) VALUES"
		  " (?2, ?3, (SELECT id FROM drives WHERE key = ?1), ?4, ?5)" },
		{ &h->put_errors, "UPDATE drives SET error_count = ?2 WHERE key = ?1" },
		{ &h->put_refusal, "INSERT OR REPLACE INTO refusals VALUES (?,?,?,?)" },
		{ &h->drive_id, "SELECT id FROM drives WHERE key = ?" },
		{ &h->add_boot, "INSERT INTO boots (boot_id) VALUES (?)" },
		{ &h->boot_id, "SELECT id FROM boots WHERE boot_id = ?" },
		{ &h->add_page, "INSERT INTO pages (name) VALUES (?)" },
		{ &h->page_id, "SELECT id FROM pages WHERE name = ?" },
		{ &h->add_layout, "INSERT INTO layouts (columns, page) VALUES (?,?)" },
		{ &h->layout_id, "SELECT id FROM layouts WHERE columns = ? AND page = ?" },
		{ &h->put_batch, "INSERT INTO batches (page, layout, flush, start, end, n_rows, data)"
				 " VALUES (?,?,?,?,?,?,?)" },
		{ &h->put_chunk, "INSERT OR REPLACE INTO chunks (drive, flush, layout, instance, start,"
				 " end, n_rows, data) VALUES (?,?,?,?,?,?,?,?)" },
		{ &h->put_packing, "INSERT INTO packings VALUES (?1,?2,?3) ON CONFLICT (flush) DO UPDATE"
				   " SET start = min(start, ?2), end = max(end, ?3)" },
		{ &h->get_state, "SELECT value FROM state WHERE name = ?" },
		{ &h->put_state, "INSERT OR REPLACE INTO state VALUES (?,?)" },
	};

	if (n >= ELEMENTS(all))
		return NULL;
	*ret_sql = all[n].sql;
	return all[n].statement;
}

void history_close(struct history *h)
{
	sqlite3_stmt **s;
	const char *sql;

	if (!h)
		return;
	for (size_t i = 0; (s = statement(h, i, &sql)); i++)
		sqlite3_finalize(*s);
	sqlite3_close_v2(h->db);
	free(h);
}

static int prepare(struct history *h)
{
	sqlite3_stmt **s;
	const char *sql;
	int r = 0;

	for (size_t i = 0; r == 0 && (s = statement(h, i, &sql)); i++)
		r = sql_prepare(h->db, sql, s);
	return r;
}

/* Tables and statements, and what is in the tables of a former version, in one transaction. */
static int set_up(struct history *h, int version)
{
	int r = 0;

	if (version == 1)
		r = history_migrate_begin(h->db);
	if (r < 0 || (r = history_schema_create(h->db)) < 0 || (r = prepare(h)) < 0)
		return r;
	return version == 1 ? history_migrate(h) : 0;
}

static int set_up_or_roll_back(struct history *h)
{
	int version, r = sql_version(h->db, &version);

	if (r < 0)
		return r;
	/* What a newer nvmewatch has written is not to be changed. */
	if (version > HISTORY_VERSION)
		return -EPROTO;
	/* Before the first table, else it takes a VACUUM. */
	if (!version && (r = sql_run(h->db, "PRAGMA auto_vacuum = INCREMENTAL")) < 0)
		return r;
	if ((r = history_begin(h)) < 0)
		return r;
	if ((r = set_up(h, version)) == 0)
		r = history_commit(h);
	if (r < 0) {
		history_rollback(h);
		return r;
	}
	return 0;
}

/* A file of version 1 cannot shrink until it is written anew; nor one whose migration ended in between. Without
 * the room for it, it goes on as it is. */
static int make_shrinkable(struct history *h)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(h->db, "PRAGMA auto_vacuum", &q);

	if (r < 0)
		return r;
	int code = sqlite3_step(q);
	bool can = code == SQLITE_ROW && sqlite3_column_int(q, 0);
	sqlite3_reset(q);
	if (can || (r = sql_errno(code)) < 0)
		return r;
	r = sql_run(h->db, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
	return r == -EUCLEAN ? r : 0;
}

int history_open(const char *path, struct history **ret)
{
	_cleanup_(history_closep) struct history *h = calloc(1, sizeof(*h));
	int keep = 1, r;

	if (!h)
		return -ENOMEM;
	r = sql_errno(sqlite3_open_v2(path, &h->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				      SQLITE_OPEN_NOMUTEX, NULL));
	if (r < 0)
		return r;
	/* First of all, so that no statement is refused at once by another's lock. */
	sqlite3_busy_timeout(h->db, BUSY_MS);
	/* Readers without write access need the -wal and -shm files after the last writer is gone. */
	sqlite3_file_control(h->db, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
	if ((r = set_up_or_roll_back(h)) < 0 || (r = sql_run(h->db, SETTINGS)) < 0 ||
	    (r = make_shrinkable(h)) < 0)
		return r;
	*ret = TAKE(h);
	return 0;
}

int history_begin(struct history *h)
{
	return sql_run(h->db, "BEGIN IMMEDIATE");
}

int history_commit(struct history *h)
{
	return sql_run(h->db, "COMMIT");
}

void history_rollback(struct history *h)
{
	sql_run(h->db, "ROLLBACK");
}

int history_drive(struct history *h, const struct drive *d, int64_t time_us)
{
	sql_text(h->put_drive, 1, d->key);
	sql_text(h->put_drive, 2, d->serial);
	sql_text(h->put_drive, 3, d->model);
	sql_text(h->put_drive, 4, d->firmware);
	sql_text(h->put_drive, 5, d->address);
	sqlite3_bind_int64(h->put_drive, 6, time_us / 1000);
	return sql_finish(h->put_drive);
}

/* A sample is not lost because its drive is: to a database that was replaced, or a queue cut short. */
static int add_drive(struct history *h, const char *key, int64_t time_us)
{
	sql_text(h->add_drive, 1, key);
	sqlite3_bind_int64(h->add_drive, 2, time_us / 1000);
	return sql_finish(h->add_drive);
}

int history_event(struct history *h, const char *key, const char *type, const char *detail,
		  int64_t time_us, int64_t mono_us)
{
	int r = *key ? add_drive(h, key, time_us) : 0;

	if (r < 0)
		return r;
	sql_text(h->put_event, 1, key);
	sqlite3_bind_int64(h->put_event, 2, time_us / 1000);
	sqlite3_bind_int64(h->put_event, 3, mono_us / 1000);
	sql_text(h->put_event, 4, type);
	sql_text(h->put_event, 5, detail);
	return sql_finish(h->put_event);
}

int history_first_seen(struct history *h, const char *key, const char *detail, int64_t since_us,
		       int64_t time_us, int64_t mono_us)
{
	sql_text(h->find_drive, 1, key);
	sqlite3_bind_int64(h->find_drive, 2, since_us / 1000);
	bool known = sqlite3_step(h->find_drive) == SQLITE_ROW;
	int r = sql_finish(h->find_drive);

	if (r < 0)
		return r;
	return known ? add_drive(h, key, time_us) :
		       history_event(h, key, "attach", detail, time_us, mono_us);
}

int history_refuse(struct history *h, const struct drive *d, const char *page, int64_t time_us)
{
	sql_text(h->put_refusal, 1, d->model);
	sql_text(h->put_refusal, 2, d->firmware);
	sql_text(h->put_refusal, 3, page);
	sqlite3_bind_int64(h->put_refusal, 4, time_us / 1000);
	return sql_finish(h->put_refusal);
}

int history_errors(struct history *h, const char *key, uint64_t error_count, int64_t time_us)
{
	int r = add_drive(h, key, time_us);

	if (r < 0)
		return r;
	sql_text(h->put_errors, 1, key);
	sqlite3_bind_int64(h->put_errors, 2, (int64_t)error_count);
	return sql_finish(h->put_errors);
}

int history_forget(struct history *h, const char *key)
{
	sql_text(h->forget_drive, 1, key);
	return sql_finish(h->forget_drive);
}
