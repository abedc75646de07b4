/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* history.db and a spool in a folder of their own, and a plain SQLite connection to look at it. What is
 * flushed here spans less than a minute, so that plain SQL sees it. */

#include <inttypes.h>
#include <sqlite3.h>

#include "file_support.h"
#include "store/history_internal.h"

#define TIME INT64_C(1796050000000000)
#define MONO INT64_C(3600000000)

static struct history *history;
static struct spool *spool;

static inline const char *db_path(void)
{
	return in_folder("history.db");
}

static inline void history_reopen(void)
{
	history_close(history);
	history = NULL;
	ck_assert_int_eq(history_open(db_path(), &history), 0);
}

static inline void history_setup(void)
{
	folder_make();
	history_reopen();
	ck_assert_int_eq(spool_open(in_folder("spool.db"), &spool), 0);
}

static inline void history_teardown(void)
{
	history_close(history);
	spool_free(spool);
	folder_remove();
}

static inline sqlite3 *db_open(int flags)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open_v2(db_path(), &db, flags, NULL), SQLITE_OK);
	return db;
}

/* The first row of a query, its columns joined by '|', NULL as "NULL"; "" where there is no row. */
static inline const char *query_on(sqlite3 *db, const char *sql)
{
	static char text[4096];
	sqlite3_stmt *q;
	size_t used = 0;

	text[0] = 0;
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK, "%s: %s", sql,
		      sqlite3_errmsg(db));
	int columns = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_count(q) : 0;
	for (int i = 0; i < columns; i++) {
		const char *value = (const char *)sqlite3_column_text(q, i);

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? "|" : "",
					 value ? value : "NULL");
	}
	sqlite3_finalize(q);
	return text;
}

/* So, on a read-only connection of its own, as `sqlite3 -readonly` has it. */
static inline const char *query(const char *sql)
{
	sqlite3 *db = db_open(SQLITE_OPEN_READONLY);
	const char *text = query_on(db, sql);

	sqlite3_close(db);
	return text;
}

static inline void execute(const char *sql)
{
	sqlite3 *db = db_open(SQLITE_OPEN_READWRITE);
	char *message = NULL;

	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK, "%s", message);
	sqlite3_close(db);
}

static inline int put_drive(const char *key, int64_t time)
{
	struct drive d = { .model = "Model", .firmware = "FW1" };

	snprintf(d.key, sizeof(d.key), "%s", key);
	snprintf(d.serial, sizeof(d.serial), "%s", key);
	return history_drive(history, &d, time);
}

/* A sample that waits in the spool. */
static inline void spool_sample(const char *key, const struct page *p, int64_t time, const uint8_t *bytes)
{
	const struct archive_entry e = {
		.what = ARCHIVE_PAGE, .key = key, .name = p->name, .time = time, .mono = MONO,
		.boot_id = "boot", .bytes = bytes, .size = p->size,
	};

	ck_assert_int_eq(spool_put(spool, &e, 1), 0);
}

/* What the spool holds goes to history.db. */
static inline int take_samples(void)
{
	int64_t seq = 0;
	int r = history_take_samples(history, spool, &seq);

	return r < 0 ? r : spool_remove(spool, seq, true);
}

/* One committed sample of drive "S1". */
static inline void put_sample(const struct page *p, int64_t time, const uint8_t *bytes)
{
	ck_assert_int_eq(put_drive("S1", time), 0);
	spool_sample("S1", p, time, bytes);
	ck_assert_int_eq(take_samples(), 0);
}
