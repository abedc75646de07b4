/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the collector reads back from history.db when it starts. */

#include <errno.h>

#include "history_internal.h"

void history_memory_free(struct history_memory *m)
{
	if (!m)
		return;
	free(m->refusals);
	free(m->drives);
	free(m);
}

static int read_refusals(sqlite3 *db, struct history_memory *m)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = sql_prepare(db, "SELECT model, firmware, page FROM refusals", &q);

	if (r < 0)
		return r;
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		struct history_refusal *more = reallocarray(m->refusals, m->n_refusals + 1,
							    sizeof(*more));
		if (!more)
			return -ENOMEM;
		m->refusals = more;
		more += m->n_refusals++;
		sql_copy(q, 0, more->model, sizeof(more->model));
		sql_copy(q, 1, more->firmware, sizeof(more->firmware));
		sql_copy(q, 2, more->page, sizeof(more->page));
	}
	return sql_errno(code);
}

static int read_drives(sqlite3 *db, struct history_memory *m)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = sql_prepare(db, "SELECT key, serial, model, firmware, last_seen, address, "
				      "error_count, "
				      HISTORY_REMOVED " FROM drives WHERE last_seen > 0", &q);

	if (r < 0)
		return r;
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		struct history_drive *more = reallocarray(m->drives, m->n_drives + 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		m->drives = more;
		more += m->n_drives++;
		*more = (struct history_drive){ .drive.numa_node = -1 };
		sql_copy(q, 0, more->drive.key, sizeof(more->drive.key));
		sql_copy(q, 1, more->drive.serial, sizeof(more->drive.serial));
		sql_copy(q, 2, more->drive.model, sizeof(more->drive.model));
		sql_copy(q, 3, more->drive.firmware, sizeof(more->drive.firmware));
		sql_copy(q, 5, more->drive.address, sizeof(more->drive.address));
		more->error_count = (uint64_t)sqlite3_column_int64(q, 6);
		more->removed = sqlite3_column_int(q, 7);
		/* Beyond what a clock can tell, the file is damaged. */
		int64_t ms = sqlite3_column_int64(q, 4);
		more->last_seen = ms < INT64_MAX / 1000 ? ms * 1000 : 0;
	}
	return sql_errno(code);
}

int history_load(struct history *h, struct history_memory **ret)
{
	_cleanup_(history_memory_freep) struct history_memory *m = calloc(1, sizeof(*m));
	int r = m ? read_refusals(h->db, m) : -ENOMEM;

	if (r == 0)
		r = read_drives(h->db, m);
	if (r < 0)
		return r;
	*ret = TAKE(m);
	return 0;
}
