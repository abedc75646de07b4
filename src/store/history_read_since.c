/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Since when there are rows: retention drops them before their rollups. */

#include <errno.h>

#include "history_read_internal.h"
#include "history_schema.h"
#include "nvmewatch/buffer.h"
#include "period.h"

/* The first number of a query about a drive, by its key, and page; or -ENOENT. */
static int first_number(struct history_reader *reader, const struct history_span *span, const char *sql,
			int64_t *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = reader_prepare(&reader->history, sql, &q);

	if (r < 0)
		return r;
	sql_text(q, 1, span->drive);
	sql_text(q, 2, span->page->name);
	int code = sqlite3_step(q);
	if (code != SQLITE_ROW)
		return code == SQLITE_DONE ? -ENOENT : sql_errno(code);
	*ret = sqlite3_column_int64(q, 0);
	return 0;
}

static int first_row(struct history_reader *reader, const struct history_span *span, int64_t *ret)
{
	return first_number(reader, span, "SELECT c.start FROM packings AS p CROSS JOIN chunks AS c"
			    " WHERE c.drive = (SELECT id FROM drives WHERE key = ?1)"
			    " AND c.flush = p.flush AND c.layout IN (SELECT id FROM layouts WHERE page ="
			    " (SELECT id FROM pages WHERE name = ?2)) ORDER BY p.flush LIMIT 1", ret);
}

static int first_rollup(struct history_reader *reader, const struct history_span *span, bool hours,
			int64_t *ret)
{
	_cleanup_(freep) char *sql = format_text(
		"SELECT time FROM %s_%s WHERE drive = (SELECT id FROM drives WHERE key = ?1)"
		" ORDER BY time LIMIT 1", span->page->name, hours ? "hourly" : "daily");

	return sql ? first_number(reader, span, sql, ret) : -ENOMEM;
}

static int raw_since(struct history_reader *reader, const struct history_span *span, int64_t *ret)
{
	bool hours = history_has_hours(span->page);
	int64_t row = INT64_MAX, rollup = 0;
	int r = first_rollup(reader, span, hours, &rollup);

	if (r == 0)
		r = first_row(reader, span, &row);
	else if (r == -ENOENT) {
		*ret = INT64_MIN;
		return 0;
	}
	if (r < 0 && r != -ENOENT)
		return r;
	/* A rollup is of a whole hour or day. */
	*ret = row != INT64_MAX && row - (hours ? HOUR_MS : DAY_MS) < rollup ? INT64_MIN : row;
	return 0;
}

int history_raw_since(struct history_reader *reader, const struct history_span *span, int64_t *ret)
{
	int r = span->page->history ? reader_begin(reader) : -EINVAL;

	if (r < 0)
		return r;
	r = raw_since(reader, span, ret);
	reader_end(reader);
	return reader_result(reader, r);
}
