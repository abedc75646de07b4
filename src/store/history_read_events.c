/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is plain in history.db: drives and events. */

#include <errno.h>

#include "history_read_internal.h"

static void read_drive(sqlite3_stmt *q, struct history_known_drive *ret)
{
	*ret = (struct history_known_drive){
		.id = sqlite3_column_int64(q, 0),
		.first_seen = sqlite3_column_int64(q, 6),
		.last_seen = sqlite3_column_int64(q, 7),
	};
	sql_copy(q, 1, ret->key, sizeof(ret->key));
	sql_copy(q, 2, ret->serial, sizeof(ret->serial));
	sql_copy(q, 3, ret->model, sizeof(ret->model));
	sql_copy(q, 4, ret->firmware, sizeof(ret->firmware));
	sql_copy(q, 5, ret->address, sizeof(ret->address));
}

static int scan_drives(struct history_reader *reader, history_drive_row callback, void *userdata)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	struct history_known_drive d;
	int code = SQLITE_OK;
	int r = reader_prepare(&reader->history, "SELECT id, key, serial, model, firmware, address,"
			       " first_seen, last_seen FROM drives ORDER BY id", &q);

	if (r < 0)
		return r;
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		read_drive(q, &d);
		r = callback(userdata, &d);
	}
	return r ? r : sql_errno(code);
}

int history_scan_drives(struct history_reader *reader, history_drive_row callback, void *userdata)
{
	int r = reader_begin(reader);

	if (r < 0)
		return r;
	r = scan_drives(reader, callback, userdata);
	reader_end(reader);
	return reader_result(reader, r);
}

/* ---- Events ---- */

static const char *text(sqlite3_stmt *q, int column)
{
	return (const char *)sqlite3_column_text(q, column);
}

static int give_event(sqlite3_stmt *q, history_event_row callback, void *userdata)
{
	struct history_event e = {
		.id = sqlite3_column_int64(q, 0),
		.time = sqlite3_column_int64(q, 1),
		.mono = sqlite3_column_int64(q, 2),
		.key = text(q, 3),
		.type = text(q, 4),
		.detail = text(q, 5),
	};

	return e.type ? callback(userdata, &e) : 0;
}

static void bind_events(sqlite3_stmt *q, const struct history_events *what)
{
	sqlite3_bind_int64(q, 1, what->after);
	sqlite3_bind_int64(q, 2, what->start);
	sqlite3_bind_int64(q, 3, what->end);
	sql_text(q, 4, what->type);
	sqlite3_bind_int64(q, 5, what->limit && what->limit < INT64_MAX ? (int64_t)what->limit : -1);
	if (what->drive)
		sql_text(q, 6, what->drive);
}

static int scan_events(struct history_reader *reader, const struct history_events *what,
		       history_event_row callback, void *userdata)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code = SQLITE_OK;
	int r = reader_prepare(&reader->history, what->drive ?
			       "SELECT e.id, time, mono, ?6, type, detail FROM events AS e WHERE"
			       " drive = (SELECT id FROM drives WHERE key = ?6) AND +e.id > ?1"
			       " AND time BETWEEN ?2 AND ?3 AND ifnull(type = ?4, 1)"
			       " ORDER BY e.id LIMIT ?5" :
			       "SELECT e.id, time, mono, key, type, detail FROM events AS e"
			       " LEFT JOIN drives AS d ON d.id = drive WHERE e.id > ?1"
			       " AND time BETWEEN ?2 AND ?3 AND ifnull(type = ?4, 1)"
			       " ORDER BY e.id LIMIT ?5", &q);

	if (r < 0)
		return r;
	bind_events(q, what);
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW)
		r = give_event(q, callback, userdata);
	return r ? r : sql_errno(code);
}

int history_scan_events(struct history_reader *reader, const struct history_events *what,
			history_event_row callback, void *userdata)
{
	int r = reader_begin(reader);

	if (r < 0)
		return r;
	r = scan_events(reader, what, callback, userdata);
	reader_end(reader);
	return reader_result(reader, r);
}
