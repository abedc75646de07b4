/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a series' counters were before a packing: its last rows in the packings before. Not the newest by the
 * clock, which may have been set since. */

#include <errno.h>

#include "batch.h"
#include "history_internal.h"
#include "sheet_codec.h"

/* So many packings back; a page that was silent for longer is compared with its rollups. */
#define PACKINGS "4"

#define FIND                                                                                       \
	"SELECT c.layout, c.data FROM chunks c JOIN layouts l ON l.id = c.layout"                  \
	" JOIN pages p ON p.id = l.page WHERE c.drive = ?1 AND c.flush < ?2 AND c.flush >="        \
	" ifnull((SELECT min(flush) FROM (SELECT flush FROM packings WHERE flush < ?2"             \
	" ORDER BY flush DESC LIMIT " PACKINGS ")), ?2) AND c.instance = ?3 AND p.name = ?4"       \
	" ORDER BY c.flush DESC, c.layout DESC LIMIT 1"

static int decode(struct history *h, sqlite3_stmt *q, const struct layout *l, struct sheet **ret)
{
	_cleanup_(layout_freep) struct layout *then = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = NULL, *now = NULL;
	int r;

	if ((r = batch_layout(h->db, sqlite3_column_int64(q, 0), &then)) < 0 ||
	    (r = sheet_decode(sqlite3_column_blob(q, 1), (size_t)sqlite3_column_bytes(q, 1), then, NULL,
			      &rows)) < 0 ||
	    (r = sheet_new(l, &now)) < 0 || (r = sheet_append(now, rows, 0, rows->n_rows)) < 0)
		return r;
	*ret = TAKE(now);
	return 0;
}

int history_before(struct history *h, const struct page *p, int64_t flush, const struct sheet *rows,
		   struct sheet **ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(h->db, FIND, &q);

	if (r < 0)
		return r;
	sqlite3_bind_int64(q, 1, sheet_fixed(rows, 0, SHEET_DRIVE));
	sqlite3_bind_int64(q, 2, flush);
	sqlite3_bind_int64(q, 3, sheet_fixed(rows, 0, SHEET_INSTANCE));
	sql_text(q, 4, p->name);
	int code = sqlite3_step(q);
	if (code != SQLITE_ROW)
		return code == SQLITE_DONE ? -ENOENT : sql_errno(code);
	r = decode(h, q, rows->layout, ret);
	return r == -EPROTO ? -ENOENT : r; /* of a newer nvmewatch */
}
