/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a recovery takes over first, in one transaction: everything by which other rows are understood, with the
 * numbers that it had. Small tables, each held twice: what the table does not yield its index may. */

#include <errno.h>

#include "batch.h"
#include "history_recover.h"
#include "history_rescue.h"
#include "sheet_codec.h"

/* Beyond what is known to have been there: so far apart are numbers of which some may be lost. */
#define MARGIN "1000"
#define ID "BETWEEN 1 AND 1099511627776"

/* +id: so that it is the index which is read. */
struct source {
	const char *select, *put;
};

static const struct source sources[] = {
	{ "SELECT id, key, serial, model, firmware, first_seen, last_seen, address, error_count, packed FROM drives"
	  " NOT INDEXED WHERE id " ID,
	  "INSERT OR IGNORE INTO drives (id, key, serial, model, firmware, first_seen, last_seen, address,"
	  " error_count, packed) VALUES (?,?,?,?,?,?,?,?,?,?)" },
	/* Of version 1. */
	{ "SELECT id, key, serial, model, firmware, first_seen, last_seen, address, error_count, 0 FROM drives"
	  " NOT INDEXED WHERE id " ID,
	  "INSERT OR IGNORE INTO drives (id, key, serial, model, firmware, first_seen, last_seen, address,"
	  " error_count, packed) VALUES (?,?,?,?,?,?,?,?,?,?)" },
	{ "SELECT id, key FROM drives WHERE +id " ID " ORDER BY key",
	  "INSERT OR IGNORE INTO drives (id, key, first_seen, last_seen) VALUES (?,?,0,0)" },
	{ "SELECT id, boot_id FROM boots NOT INDEXED WHERE id " ID,
	  "INSERT OR IGNORE INTO boots (id, boot_id) VALUES (?,?)" },
	{ "SELECT id, boot_id FROM boots WHERE +id " ID " ORDER BY boot_id",
	  "INSERT OR IGNORE INTO boots (id, boot_id) VALUES (?,?)" },
	{ "SELECT id, name FROM pages NOT INDEXED WHERE id " ID,
	  "INSERT OR IGNORE INTO pages (id, name) VALUES (?,?)" },
	{ "SELECT id, name FROM pages WHERE +id " ID " ORDER BY name",
	  "INSERT OR IGNORE INTO pages (id, name) VALUES (?,?)" },
	{ "SELECT id, page, columns FROM layouts NOT INDEXED WHERE id " ID,
	  "INSERT OR IGNORE INTO layouts (id, page, columns) VALUES (?,?,?)" },
	{ "SELECT id, page, columns FROM layouts WHERE +id " ID " ORDER BY page, columns",
	  "INSERT OR IGNORE INTO layouts (id, page, columns) VALUES (?,?,?)" },
	{ "SELECT model, firmware, page, time FROM refusals",
	  "INSERT OR IGNORE INTO refusals VALUES (?,?,?,?)" },
	{ "SELECT flush, start, end FROM packings WHERE flush " ID " ORDER BY flush",
	  "INSERT OR IGNORE INTO packings VALUES (?,?,?)" },
	{ "SELECT flush, start, end FROM packings WHERE flush " ID " ORDER BY flush DESC",
	  "INSERT OR IGNORE INTO packings VALUES (?,?,?)" },
	{ "SELECT name, value FROM state WHERE name IN ('flush','spool','noted','spooled')"
	  " AND typeof(value) = CASE name WHEN 'spool' THEN 'text' ELSE 'integer' END",
	  "INSERT OR IGNORE INTO state VALUES (?,?)" },
};

/* ---- Batches ---- */

static bool batch_is_sound(struct history *h, sqlite3_stmt *row)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = NULL;

	/* The key, then .checked. */
	if (sqlite3_column_type(row, 2) == SQLITE_TEXT)
		return true; /* its JSON is looked at where it is */
	return batch_layout(h->db, sqlite3_column_int64(row, 1), &l) == 0 &&
	       sheet_decode(sqlite3_column_blob(row, 2), (size_t)sqlite3_column_bytes(row, 2), l, NULL,
			    &rows) == 0 &&
	       (int64_t)rows->n_rows == sqlite3_column_int64(row, 3);
}

static const struct rescue_table batches = {
	.name = "batches", .keys = { "id" }, .checked = "layout, data, n_rows",
		.is_sound = batch_is_sound,
};

static int salvage_batches(sqlite3 *from, struct history *h, uint64_t *ret_rows, bool *ret_whole)
{
	_cleanup_(rescue_freep) struct rescue *r = NULL;
	int error = rescue_new(from, h, &batches, &r);

	if (error < 0) {
		*ret_whole = false;
		return error == -ENOENT ? 0 : error;
	}
	while ((error = rescue_step(r, 1024)) > 0)
		;
	*ret_rows = r->rows;
	*ret_whole = *ret_whole && !r->gaps && !r->unsound;
	return error;
}

static int drop_batch(struct history *h, int64_t id)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(h->db, "DELETE FROM batches WHERE id = ?", &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, id);
	return sql_finish(q);
}

/* Drives that rows are of, and that are known by their number alone: their rows stay theirs. */
int history_name_drive(struct history *h, int64_t id)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(h->db, "INSERT OR IGNORE INTO drives (id, key, first_seen, last_seen)"
				   " VALUES (?1, 'unreadable-' || ?1, 0, 0)", &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, id);
	return sql_finish(q);
}

static int name_drives_of(struct history *h, const struct sheet *rows)
{
	int64_t last = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < rows->n_rows; i++)
		if (sheet_fixed(rows, i, SHEET_DRIVE) != last)
			r = history_name_drive(h, last = sheet_fixed(rows, i, SHEET_DRIVE));
	return r;
}

/* A batch as it is now: whose rows it has, or away with it. */
static int look_at_batch(struct history *h, sqlite3_stmt *q, bool *ret_whole)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = NULL;
	int64_t id = sqlite3_column_int64(q, 0);
	int r = batch_layout(h->db, sqlite3_column_int64(q, 1), &l);

	if (r == 0 && sqlite3_column_type(q, 2) == SQLITE_TEXT)
		r = batch_parse_json(h->db, id, l, &rows);
	else if (r == 0)
		r = sheet_decode(sqlite3_column_blob(q, 2), (size_t)sqlite3_column_bytes(q, 2), l, NULL,
				 &rows);
	if (r == 0)
		return name_drives_of(h, rows);
	if (r == -ENOMEM)
		return r;
	*ret_whole = false;
	return drop_batch(h, id);
}

static int look_at_batches(struct history *h, bool *ret_whole)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int64_t last = 0;
	int code = SQLITE_ROW, r = sql_prepare(h->db, "SELECT id, layout, data FROM batches WHERE id > ?"
						      " ORDER BY id LIMIT 1", &q);

	while (r == 0) {
		sqlite3_bind_int64(q, 1, last);
		code = sqlite3_step(q);
		if (code != SQLITE_ROW)
			break;
		last = sqlite3_column_int64(q, 0);
		r = look_at_batch(h, q, ret_whole);
		sqlite3_reset(q);
	}
	return r < 0 ? r : sql_errno(code);
}

/* ---- Numbers ---- */

/* The drives of chunks, by seeks. */
static int name_drives(sqlite3 *from, struct history *h, bool *ret_whole)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int64_t last = 0;
	int r = 0;

	if (sql_prepare(from, "SELECT min(drive) FROM chunks WHERE drive > ? AND drive " ID, &q) < 0)
		return 0;
	while (r == 0) {
		sqlite3_bind_int64(q, 1, last);
		int code = sqlite3_step(q);
		*ret_whole = *ret_whole && code == SQLITE_ROW;
		if (code != SQLITE_ROW || sqlite3_column_int64(q, 0) <= last)
			break;
		last = sqlite3_column_int64(q, 0);
		r = history_name_drive(h, last);
		sqlite3_reset(q);
	}
	return r;
}

/* Numbers that are lost are not given again; of drives, until all rows are known (history_recover.c). */
static int leave_room(struct history *h)
{
	return sql_run(h->db,
		       "INSERT INTO drives (id, key, first_seen, last_seen) SELECT ifnull(max(id), 0) + " MARGIN ","
		       " 'unreadable', 0, 0 FROM drives;"
		       "INSERT INTO boots (id, boot_id) SELECT ifnull(max(id), 0) + " MARGIN ","
		       " 'unreadable-' || (ifnull(max(id), 0) + " MARGIN ") FROM boots;"
		       "INSERT INTO pages (id, name) SELECT ifnull(max(id), 0) + " MARGIN ", 'unreadable' FROM pages;"
		       "INSERT INTO layouts (id, page, columns) SELECT ifnull(max(id), 0) + " MARGIN ","
		       " (SELECT max(id) FROM pages), 'drive:i instance:i time:i mono:i boot:i' FROM layouts;");
}

/* Above every flush of which there is something. */
static int set_flush(sqlite3 *from, struct history *h)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL, *old = NULL;
	int64_t flush = 0, seen;
	int r = history_get_state(h, "flush", &flush);

	if (r < 0 || (r = sql_prepare(h->db, "SELECT max(ifnull((SELECT max(flush) FROM packings), 0),"
					     " ifnull((SELECT max(flush) FROM batches), 0))", &q)) < 0)
		return r;
	bool known = flush > 0;
	seen = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
	flush = seen > flush ? seen : flush;
	if (!known && sql_prepare(from, "SELECT max(flush) FROM packings WHERE flush " ID, &old) == 0 &&
	    sqlite3_step(old) == SQLITE_ROW && sqlite3_column_int64(old, 0) > flush)
		flush = sqlite3_column_int64(old, 0);
	return history_put_state(h, "flush", known ? flush : flush + 1000000);
}

int history_salvage(sqlite3 *from, struct history *h, uint64_t *ret_rows, bool *ret_whole)
{
	uint64_t rows = 0;
	bool whole = true;
	int r = 0;

	for (size_t i = 0; r == 0 && i < ELEMENTS(sources); i++) {
		bool all;
		r = rescue_all(from, h, sources[i].select, sources[i].put, &rows, &all);
		whole = whole && all;
	}
	if (r < 0 || (r = salvage_batches(from, h, ret_rows, &whole)) < 0 ||
	    (r = look_at_batches(h, &whole)) < 0 || (r = name_drives(from, h, &whole)) < 0 ||
		    (r = set_flush(from, h)) < 0)
		return r;
	*ret_whole = whole;
	return whole ? 0 : leave_room(h);
}
