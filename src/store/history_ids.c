/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The numbers by which tables of history.db name drives, boots, pages and layouts, and table state. */

#include <errno.h>

#include "history_internal.h"

/* Runs a query of one number, its parameters bound. -ENOENT: no row. */
static int one_number(sqlite3_stmt *q, int64_t *ret)
{
	int code = sqlite3_step(q);
	int64_t n = code == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;

	sqlite3_reset(q);
	if (code != SQLITE_ROW)
		return code == SQLITE_DONE ? -ENOENT : sql_errno(code);
	*ret = n;
	return 0;
}

int history_drive_id(struct history *h, const char *key, int64_t time_us, int64_t *ret)
{
	/* A sample is not lost because its drive is: to a database that was replaced. */
	sql_text(h->sample_drive, 1, key);
	sqlite3_bind_int64(h->sample_drive, 2, time_us / 1000);
	int r = sql_finish(h->sample_drive);

	if (r < 0)
		return r;
	sql_text(h->drive_id, 1, key);
	return one_number(h->drive_id, ret);
}

static int id_of_text(sqlite3_stmt *add, sqlite3_stmt *find, const char *text, int64_t *ret)
{
	sql_text(find, 1, text);
	int r = one_number(find, ret);
	if (r != -ENOENT)
		return r;
	sql_text(add, 1, text);
	if ((r = sql_finish(add)) < 0)
		return r;
	return one_number(find, ret);
}

int history_boot_id(struct history *h, const char *boot_id, int64_t *ret)
{
	return id_of_text(h->add_boot, h->boot_id, boot_id, ret);
}

int history_page_id(struct history *h, const char *name, int64_t *ret)
{
	return id_of_text(h->add_page, h->page_id, name, ret);
}

int history_layout_id(struct history *h, int64_t page, const struct layout *l, int64_t *ret)
{
	_cleanup_(freep) char *text = layout_text(l);

	if (!text)
		return -ENOMEM;
	sqlite3_bind_int64(h->add_layout, 2, page);
	sqlite3_bind_int64(h->layout_id, 2, page);
	return id_of_text(h->add_layout, h->layout_id, text, ret);
}

int history_get_state(struct history *h, const char *name, int64_t *ret)
{
	int64_t n = 0;

	sql_text(h->get_state, 1, name);
	int r = one_number(h->get_state, &n);
	if (r < 0 && r != -ENOENT)
		return r;
	*ret = n;
	return 0;
}

int history_put_state(struct history *h, const char *name, int64_t value)
{
	sql_text(h->put_state, 1, name);
	sqlite3_bind_int64(h->put_state, 2, value);
	return sql_finish(h->put_state);
}
