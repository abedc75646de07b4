/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "spool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "nvmewatch/buffer.h"

/* On tmpfs nothing is ever synced; the log is for readers, and for a crash in the middle. */
#define SETTINGS                                                                                \
	"PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -256;"        \
	"PRAGMA wal_autocheckpoint = 128; PRAGMA journal_size_limit = 1048576;"                 \
	"PRAGMA temp_store = MEMORY"

#define TABLES                                                                                  \
	"CREATE TABLE IF NOT EXISTS spool (seq INTEGER PRIMARY KEY AUTOINCREMENT,"              \
	" what INTEGER NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, instance INTEGER,"      \
	" number INTEGER, time INTEGER, mono INTEGER, boot INTEGER, bytes BLOB);"               \
	"CREATE TABLE IF NOT EXISTS boots (id INTEGER PRIMARY KEY, boot_id TEXT UNIQUE);"       \
	"CREATE TABLE IF NOT EXISTS identity (id TEXT);"                                        \
	"INSERT INTO identity SELECT lower(hex(randomblob(16)))"                                \
	" WHERE NOT EXISTS (SELECT 1 FROM identity);"

#define COLUMNS "what, key, name, instance, number, time, mono, boot_id, bytes"

void spool_free(struct spool *s)
{
	if (!s)
		return;
	sqlite3_finalize(s->put);
	sqlite3_finalize(s->put_boot);
	sqlite3_finalize(s->notes);
	sqlite3_finalize(s->pages);
	sqlite3_finalize(s->of_page);
	sqlite3_finalize(s->drop);
	sqlite3_finalize(s->drop_notes);
	sqlite3_close_v2(s->db);
	free(s);
}

static int prepare(struct spool *s)
{
	const struct {
		sqlite3_stmt **statement;
		const char *sql;
	} all[] = {
		{ &s->put, "INSERT INTO spool (what, key, name, instance, number, time, mono, boot, bytes)"
			   " VALUES (?,?,?,?,?,?,?, (SELECT id FROM boots WHERE boot_id = ?), ?)" },
		{ &s->put_boot, "INSERT OR IGNORE INTO boots (boot_id) VALUES (?)" },
		{ &s->notes, "SELECT seq, " COLUMNS " FROM spool LEFT JOIN boots ON id = boot"
			     " WHERE what <> ?1 AND seq > ?2 ORDER BY seq" },
		{ &s->of_page, "SELECT seq, " COLUMNS " FROM spool LEFT JOIN boots ON id = boot"
			       " WHERE what = ?1 AND seq > ?2 AND name = ?3 ORDER BY seq" },
		{ &s->pages, "SELECT DISTINCT name FROM spool WHERE what = ?1 AND seq > ?2" },
		{ &s->drop, "DELETE FROM spool WHERE seq <= ?1" },
		{ &s->drop_notes, "DELETE FROM spool WHERE seq <= ?1 AND what <> ?2" },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < ELEMENTS(all); i++)
		r = sql_prepare(s->db, all[i].sql, all[i].statement);
	return r;
}

static int read_identity(struct spool *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(s->db, "SELECT id FROM identity", &q);

	if (r < 0)
		return r;
	int code = sqlite3_step(q);
	if (code != SQLITE_ROW)
		return code == SQLITE_DONE ? -EUCLEAN : sql_errno(code);
	sql_copy(q, 0, s->id, sizeof(s->id));
	return 0;
}

static int open_file(const char *path, struct spool **ret)
{
	_cleanup_(spool_freep) struct spool *s = calloc(1, sizeof(*s));
	int keep = 1, r;

	if (!s)
		return -ENOMEM;
	r = sql_errno(sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				      SQLITE_OPEN_NOMUTEX, NULL));
	if (r < 0)
		return r;
	sqlite3_busy_timeout(s->db, 1000);
	sqlite3_file_control(s->db, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
	if ((r = sql_run(s->db, SETTINGS)) < 0 || (r = sql_run(s->db, TABLES)) < 0 ||
	    (r = prepare(s)) < 0 || (r = read_identity(s)) < 0)
		return r;
	*ret = TAKE(s);
	return 0;
}

static void remove_files(const char *path)
{
	static const char *const suffixes[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < ELEMENTS(suffixes); i++) {
		_cleanup_(freep) char *name = format_text("%s%s", path, suffixes[i]);
		if (name)
			unlink(name);
	}
}

int spool_replace(const char *path, struct spool **ret)
{
	remove_files(path);
	return open_file(path, ret);
}

int spool_open(const char *path, struct spool **ret)
{
	int r = open_file(path, ret);

	return r == -EUCLEAN ? spool_replace(path, ret) : r;
}

/* ---- Writing ---- */

static int put(struct spool *s, const struct archive_entry *e)
{
	const uint8_t *bytes = e->bytes;
	size_t size = e->size;

	/* Most of a page is reserved. */
	while (e->what == ARCHIVE_PAGE && size && !bytes[size - 1])
		size--;
	sqlite3_bind_int(s->put, 1, e->what);
	sql_text(s->put, 2, e->key);
	sql_text(s->put, 3, e->name);
	sqlite3_bind_int64(s->put, 4, e->instance);
	sqlite3_bind_int64(s->put, 5, e->number);
	sqlite3_bind_int64(s->put, 6, e->time);
	sqlite3_bind_int64(s->put, 7, e->mono);
	sql_text(s->put, 8, e->boot_id);
	sqlite3_bind_blob64(s->put, 9, size ? bytes : (const uint8_t *)"", size, SQLITE_STATIC);
	return sql_finish(s->put);
}

static int put_boot(struct spool *s, const char *boot_id)
{
	sql_text(s->put_boot, 1, boot_id);
	return sql_finish(s->put_boot);
}

int spool_put(struct spool *s, const struct archive_entry *entries, size_t n)
{
	int r = sql_run(s->db, "BEGIN");

	for (size_t i = 0; r == 0 && i < n; i++) {
		if (i == 0 || strcmp(entries[i].boot_id, entries[i - 1].boot_id))
			r = put_boot(s, entries[i].boot_id);
		if (r == 0)
			r = put(s, &entries[i]);
	}
	if (r == 0)
		r = sql_run(s->db, "COMMIT");
	if (r < 0)
		sql_run(s->db, "ROLLBACK");
	return spool_errno(r);
}

int spool_remove(struct spool *s, int64_t seq, bool samples)
{
	sqlite3_stmt *q = samples ? s->drop : s->drop_notes;

	sqlite3_bind_int64(q, 1, seq);
	if (!samples)
		sqlite3_bind_int(q, 2, ARCHIVE_PAGE);
	return spool_errno(sql_finish(q));
}

static int file_size(struct spool *s, uint64_t *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(s->db, "SELECT page_size * (page_count - freelist_count) FROM"
				   " pragma_page_size, pragma_page_count, pragma_freelist_count", &q);

	if (r < 0)
		return r;
	int code = sqlite3_step(q);
	if (code == SQLITE_ROW)
		*ret = (uint64_t)sqlite3_column_int64(q, 0);
	return sql_errno(code);
}

int spool_thin(struct spool *s, uint64_t most, uint64_t *ret)
{
	uint64_t size = 0;
	int r = file_size(s, &size);

	if (r < 0 || size <= most) {
		*ret = 0;
		return spool_errno(r);
	}
	/* Of what is known of drives the last word does. */
	r = sql_run(s->db, "DELETE FROM spool WHERE what IN (1, 4, 5) AND seq NOT IN"
			   " (SELECT max(seq) FROM spool WHERE what IN (1, 4, 5) GROUP BY what, key, name)");
	if (r < 0)
		return spool_errno(r);
	r = sql_run(s->db, "DELETE FROM spool WHERE seq IN (SELECT seq FROM (SELECT seq, row_number()"
			   " OVER (PARTITION BY key, name, instance ORDER BY seq) AS n FROM spool"
			   " WHERE what = 0 AND seq < (SELECT (min(seq) + max(seq)) / 2 FROM spool))"
			   " WHERE n % 2 = 0)");
	if (r == 0)
		*ret = (uint64_t)sqlite3_changes64(s->db);
	return spool_errno(r);
}
