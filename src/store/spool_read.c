/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What waits in the spool, in its order. */

#include "spool.h"

int spool_last(struct spool *s, int64_t *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(s->db, "SELECT ifnull(max(seq), 0) FROM spool", &q);

	if (r < 0)
		return spool_errno(r);
	int code = sqlite3_step(q);
	if (code == SQLITE_ROW)
		*ret = sqlite3_column_int64(q, 0);
	return spool_errno(sql_errno(code));
}

int spool_span(struct spool *s, int64_t after, int64_t *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(s->db, "SELECT ifnull(max(time) - min(time), 0) FROM spool"
				   " WHERE what = ?1 AND seq > ?2", &q);

	if (r < 0)
		return spool_errno(r);
	sqlite3_bind_int(q, 1, ARCHIVE_PAGE);
	sqlite3_bind_int64(q, 2, after);
	int code = sqlite3_step(q);
	if (code == SQLITE_ROW)
		*ret = sqlite3_column_int64(q, 0);
	return spool_errno(sql_errno(code));
}

/* Never NULL, however damaged the file is. */
static const char *text(sqlite3_stmt *q, int column)
{
	const unsigned char *t = sqlite3_column_text(q, column);

	return t ? (const char *)t : "";
}

static int call(sqlite3_stmt *q, spool_callback callback, void *userdata)
{
	struct archive_entry e = {
		.what = (enum archive_what)sqlite3_column_int(q, 1),
		.key = text(q, 2),
		.name = text(q, 3),
		.instance = (uint32_t)sqlite3_column_int64(q, 4),
		.number = sqlite3_column_int64(q, 5),
		.time = sqlite3_column_int64(q, 6),
		.mono = sqlite3_column_int64(q, 7),
		.boot_id = text(q, 8),
		.bytes = sqlite3_column_blob(q, 9),
		.size = (size_t)sqlite3_column_bytes(q, 9),
	};

	return callback(userdata, sqlite3_column_int64(q, 0), &e);
}

int spool_read(struct spool *s, const char *page, int64_t after, spool_callback callback,
	       void *userdata)
{
	sqlite3_stmt *q = page ? s->of_page : s->notes;
	int code, r = 0;

	sqlite3_bind_int(q, 1, ARCHIVE_PAGE);
	sqlite3_bind_int64(q, 2, after);
	if (page)
		sql_text(q, 3, page);
	while ((code = sqlite3_step(q)) == SQLITE_ROW && r >= 0)
		r = call(q, callback, userdata);
	sqlite3_reset(q);
	return r < 0 ? r : spool_errno(sql_errno(code));
}

int spool_read_pages(struct spool *s, int64_t after, int (*callback)(void *userdata, const char *page),
		     void *userdata)
{
	int code, r = 0;

	sqlite3_bind_int(s->pages, 1, ARCHIVE_PAGE);
	sqlite3_bind_int64(s->pages, 2, after);
	while ((code = sqlite3_step(s->pages)) == SQLITE_ROW && r >= 0)
		r = callback(userdata, text(s->pages, 0));
	sqlite3_reset(s->pages);
	return r < 0 ? r : spool_errno(sql_errno(code));
}
