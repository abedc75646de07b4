/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Hours and days of one drive, page and instance. */

#include <errno.h>
#include <string.h>

#include "history_read_internal.h"
#include "history_schema.h"
#include "nvmewatch/buffer.h"
#include "period.h"
#include "rollup.h"

struct rollup_scan {
	struct history_reader *reader;
	const struct history_span *span;
	const char *suffix;
	struct layout *layout; /* of the page */
	bool *known;           /* by its columns: the table has them */
	bool exists;
	int64_t drive, packed;
	struct history_rollup row;
	history_rollups callback;
	void *userdata;
};

static void rollup_scan_done(struct rollup_scan *k)
{
	layout_free(k->layout);
	free(k->known);
	free(k->row.columns);
}

static int find_drive(struct rollup_scan *k)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = reader_prepare(&k->reader->history, "SELECT id, packed FROM drives WHERE key = ?", &q);

	if (r < 0)
		return r;
	sql_text(q, 1, k->span->drive);
	int code = sqlite3_step(q);
	if (code == SQLITE_ROW) {
		k->drive = sqlite3_column_int64(q, 0);
		k->packed = sqlite3_column_int64(q, 1);
	}
	return sql_errno(code);
}

/* A file of an older nvmewatch lacks the fields that are new since; it is not for a reader to add
 * them. */
static int find_columns(struct rollup_scan *k)
{
	_cleanup_(freep) char *table = format_text("%s_%s", k->span->page->name, k->suffix);
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	char name[FIELD_COLUMN_MAX + 8];
	int code, r = table ? layout_of_page(k->span->page, &k->layout) : -ENOMEM;

	if (r < 0)
		return r;
	k->known = calloc(k->layout->n_columns, sizeof(*k->known));
	if (!k->known)
		return -ENOMEM;
	r = reader_prepare(&k->reader->history, "SELECT name FROM pragma_table_info(?)", &q);
	if (r < 0)
		return r;
	sql_text(q, 1, table);
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		sql_copy(q, 0, name, sizeof(name));
		char *end = strrchr(name, '_');
		if (end && strcmp(end, "_last") == 0)
			*end = 0;
		int column = layout_find(k->layout, name);
		if (column >= 0)
			k->known[column] = true;
		k->exists = true;
	}
	return sql_errno(code);
}

static enum rolled_kind kind_of(const struct page *p, const char *column)
{
	unsigned index;

	return rolled_kind(page_field(p, column, &index));
}

static void put_column(const struct rollup_scan *k, struct buffer *b, const char *column)
{
	int found = layout_find(k->layout, column);

	if (found < SHEET_FIXED || !k->known[found]) {
		buffer_text(b, ", NULL, NULL, NULL, NULL, NULL");
		return;
	}
	buffer_printf(b, ", %s_last", column);
	switch (kind_of(k->span->page, column)) {
	case ROLLED_GAUGE:
		buffer_printf(b, ", %s_min, %s_max, %s_mean, NULL", column, column, column);
		break;
	case ROLLED_COUNTER:
		buffer_printf(b, ", NULL, NULL, NULL, %s_increase", column);
		break;
	case ROLLED_LAST:
		buffer_text(b, ", NULL, NULL, NULL, NULL");
		break;
	}
}

/* One row by its time, or those between two of them. */
static int prepare_rows(const struct rollup_scan *k, bool one, sqlite3_stmt **ret)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };
	const struct page *p = k->span->page;

	buffer_text(&b, "SELECT time, last_time, count, resets");
	for (size_t i = 0; i < k->span->n_columns; i++)
		put_column(k, &b, k->span->columns[i]);
	buffer_printf(&b, " FROM %s_%s WHERE drive = ?1 AND time %s", p->name, k->suffix,
		      one ? "= ?2" : "BETWEEN ?2 AND ?3");
	if (p->selector != SELECT_NOTHING)
		buffer_printf(&b, " AND %s = ?4", p->instance);
	buffer_text(&b, one ? "" : " ORDER BY time");
	buffer_put(&b, "", 1);
	if (b.failed)
		return -ENOMEM;
	int r = reader_prepare(&k->reader->history, b.data, ret);
	if (r == 0) {
		sqlite3_bind_int64(*ret, 1, k->drive);
		sqlite3_bind_int64(*ret, 4, k->span->instance);
	}
	return r;
}

static int give_row(struct rollup_scan *k, sqlite3_stmt *q)
{
	int column = 0;

	k->row.time = sqlite3_column_int64(q, column++);
	k->row.last_time = sqlite3_column_int64(q, column++);
	k->row.count = (uint64_t)sqlite3_column_int64(q, column++);
	k->row.resets = (uint64_t)sqlite3_column_int64(q, column++);
	for (size_t i = 0; i < k->span->n_columns; i++) {
		struct history_rolled *c = &k->row.columns[i];

		sql_value(q, column++, &c->last);
		sql_value(q, column++, &c->min);
		sql_value(q, column++, &c->max);
		sql_value(q, column++, &c->mean);
		sql_value(q, column++, &c->increase);
	}
	return k->callback(k->userdata, &k->row);
}

static int scan_hours(struct rollup_scan *k)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code = SQLITE_OK, r = prepare_rows(k, false, &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 2, k->span->start);
	sqlite3_bind_int64(q, 3, k->span->end);
	while (r == 0 && (code = sqlite3_step(q)) == SQLITE_ROW)
		r = give_row(k, q);
	return r ? r : sql_errno(code);
}

/* Which days of the span there may be. */
static int clip_days(const struct rollup_scan *k, int64_t *ret_first, int64_t *ret_last)
{
	_cleanup_(freep) char *first = format_text("SELECT min(time) FROM %s_%s",
						   k->span->page->name, k->suffix);
	_cleanup_(freep) char *last = format_text("SELECT max(time) FROM %s_%s",
						  k->span->page->name, k->suffix);
	int r = first && last ? reader_number(&k->reader->history, first, NULL, ret_first) : -ENOMEM;

	if (r == 0)
		r = reader_number(&k->reader->history, last, NULL, ret_last);
	if (*ret_first < k->span->start)
		*ret_first = k->span->start;
	if (*ret_last > k->span->end)
		*ret_last = k->span->end;
	return r;
}

/* Days of all drives lie side by side: each is sought by itself. */
static int scan_days(struct rollup_scan *k)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int64_t first = 0, last = 0;
	int r = clip_days(k, &first, &last);

	if (r < 0 || (r = prepare_rows(k, true, &q)) < 0)
		return r;
	int64_t day = floor_to(first, DAY_MS);
	for (day += day < first ? DAY_MS : 0; r == 0 && day <= last; day += DAY_MS) {
		sqlite3_reset(q);
		sqlite3_bind_int64(q, 2, day);
		int code = sqlite3_step(q);
		r = code == SQLITE_ROW ? give_row(k, q) : sql_errno(code);
	}
	return r;
}

static int scan_rollups(struct rollup_scan *k, enum history_step step)
{
	int r;

	k->row.columns = calloc(k->span->n_columns + 1, sizeof(*k->row.columns));
	if (!k->row.columns)
		return -ENOMEM;
	if ((r = find_drive(k)) < 0 || (r = find_columns(k)) < 0)
		return r;
	if (!k->drive || !k->exists)
		return 0;
	return step == HISTORY_DAY ? scan_days(k) : scan_hours(k);
}

int history_scan_rollups(struct history_reader *reader, const struct history_span *span,
			 enum history_step step, history_rollups callback, void *userdata)
{
	struct rollup_scan k = { .reader = reader, .span = span, .callback = callback,
				 .userdata = userdata,
				 .suffix = step == HISTORY_DAY ? "daily" : "hourly" };
	int r = reader_begin(reader);

	if (r < 0)
		return r;
	r = scan_rollups(&k, step);
	rollup_scan_done(&k);
	reader_end(reader);
	return reader_result(reader, r);
}

/* ---- Until when ---- */

/* The end of the drive's last packing, or, after a clock was set back, the first row that is packed
 * nowhere. */
static int rolled_until(struct rollup_scan *k, int64_t *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int64_t until = 0;
	int r = find_drive(k);

	if (r < 0 || (r = reader_prepare(&k->reader->history,
		"SELECT min(end + 1, ifnull((SELECT min(start) FROM batches WHERE flush > ?1 AND page ="
		" (SELECT id FROM pages WHERE name = ?2)), end + 1)) FROM packings WHERE flush <= ?1"
		" ORDER BY flush DESC LIMIT 1", &q)) < 0)
		return r;
	sqlite3_bind_int64(q, 1, k->packed);
	sql_text(q, 2, k->span->page->name);
	int code = sqlite3_step(q);
	if (code == SQLITE_ROW)
		until = sqlite3_column_int64(q, 0);
	r = sql_errno(code);
	if (r == 0)
		*ret = until > 0 ? floor_to(until, HOUR_MS) : 0;
	return r;
}

int history_rolled_until(struct history_reader *reader, const struct history_span *span, int64_t *ret)
{
	struct rollup_scan k = { .reader = reader, .span = span };
	int r = reader_begin(reader);

	if (r < 0)
		return r;
	r = rolled_until(&k, ret);
	reader_end(reader);
	return reader_result(reader, r);
}
