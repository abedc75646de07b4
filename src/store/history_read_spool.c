/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What waits in the spool: bytes of pages, decoded as they would be when they are flushed. */

#include <errno.h>
#include <string.h>

#include "history_read_internal.h"
#include "spool.h"

/* What a damaged file says of time may be anything. */
static int64_t milliseconds(sqlite3_stmt *q, int column)
{
	return sqlite3_column_int64(q, column) / 1000;
}

/* The id of a boot in history.db, or a number below 0 that stands for it: few are unknown. */
static int find_boot(struct scan *s, const char *boot_id, int64_t local, int64_t *ret)
{
	int r = reader_number(&s->reader->history, "SELECT id FROM boots WHERE boot_id = ?", boot_id,
			      ret);

	if (r == 0 && !*ret)
		*ret = -local - 1;
	return r;
}

static int take_row(struct scan *s, sqlite3_stmt *q, struct sheet *rows, int64_t boot)
{
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };
	int64_t fixed[SHEET_FIXED] = {
		[SHEET_DRIVE] = s->drives[s->drive].id,
		[SHEET_INSTANCE] = sqlite3_column_int64(q, 0),
		[SHEET_TIME] = milliseconds(q, 1),
		[SHEET_MONO] = milliseconds(q, 2),
		[SHEET_BOOT] = boot,
	};
	const void *data = sqlite3_column_blob(q, 5);
	size_t size = (size_t)sqlite3_column_bytes(q, 5);

	if (data)
		memcpy(bytes, data, size < s->page->size ? size : s->page->size);
	return sheet_add_page(rows, s->page, fixed, bytes);
}

static int64_t microseconds(int64_t ms, int64_t more)
{
	int64_t us;

	if (__builtin_mul_overflow(ms, 1000, &us) || __builtin_add_overflow(us, more, &us))
		return ms < 0 ? INT64_MIN : INT64_MAX;
	return us;
}

static void bind_span(const struct scan *s, sqlite3_stmt *q)
{
	sqlite3_bind_int64(q, 1, ARCHIVE_PAGE);
	sqlite3_bind_int64(q, 2, s->reader->after);
	sql_text(q, 3, s->page->name);
	sql_text(q, 4, s->drives[s->drive].key);
	sqlite3_bind_int64(q, 5, microseconds(s->start, 0));
	sqlite3_bind_int64(q, 6, microseconds(s->end, 999)); /* the end of that millisecond */
	if (!s->every_instance)
		sqlite3_bind_int64(q, 7, s->instance);
}

static int take_rows(struct scan *s, struct sheet *rows)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int64_t local = INT64_MIN, boot = 0;
	int code = SQLITE_OK;
	int r = reader_prepare(&s->reader->spool,
			       "SELECT instance, time, mono, boot, boot_id, bytes"
			       " FROM spool LEFT JOIN boots ON id = boot WHERE what = ?1 AND seq > ?2"
			       " AND name = ?3 AND key = ?4 AND time BETWEEN ?5 AND ?6"
			       " AND ifnull(instance = ?7, 1) ORDER BY seq", &q);

	if (r < 0)
		return r;
	bind_span(s, q);
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		const unsigned char *id = sqlite3_column_text(q, 4);
		if (sqlite3_column_int64(q, 3) != local) {
			local = sqlite3_column_int64(q, 3);
			r = find_boot(s, id ? (const char *)id : "", local, &boot);
		}
		if (r == 0)
			r = take_row(s, q, rows, boot);
	}
	return r < 0 ? r : sql_errno(code);
}

int scan_take_spool(struct scan *s, struct sheet *to)
{
	_cleanup_(sheet_freep) struct sheet *rows = NULL;
	int r = sheet_new(s->layout, &rows);

	if (r < 0 || (r = take_rows(s, rows)) < 0)
		return r;
	return sheet_append(to, rows, 0, rows->n_rows);
}

static bool has_drive(const struct scan *s, const char *key)
{
	for (size_t i = 0; i < s->n_drives; i++)
		if (strcmp(s->drives[i].key, key) == 0)
			return true;
	return false;
}

int scan_add_spool_drives(struct scan *s, const char *key)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code = SQLITE_OK;
	int r = reader_prepare(&s->reader->spool, "SELECT key, min(seq) FROM spool WHERE what = ?1"
			       " AND seq > ?2 AND ifnull(key = ?3, 1) GROUP BY key ORDER BY min(seq)",
			       &q);

	if (r < 0)
		return r;
	sqlite3_bind_int(q, 1, ARCHIVE_PAGE);
	sqlite3_bind_int64(q, 2, s->reader->after);
	if (key)
		sql_text(q, 3, key);
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		const unsigned char *found = sqlite3_column_text(q, 0);
		/* By its first entry, so that the number stays while it waits. */
		if (found && !has_drive(s, (const char *)found))
			r = scan_add_drive(s, -sqlite3_column_int64(q, 1), INT64_MAX,
					   (const char *)found);
	}
	return r < 0 ? r : sql_errno(code);
}
