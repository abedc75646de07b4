/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history_rescue.h"

#include <errno.h>
#include <string.h>

#include "nvmewatch/buffer.h"

/* ---- Statements ---- */

static int put_row(sqlite3_stmt *put, sqlite3_stmt *row, int first, int n)
{
	for (int i = 0; i < n; i++)
		sqlite3_bind_value(put, i + 1, sqlite3_column_value(row, first + i));
	int r = sql_finish(put);
	sqlite3_clear_bindings(put);
	return r;
}

/* The columns of the new table that the damaged one has too. */
static int find_columns(struct rescue *r)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	_cleanup_(buffer_done) struct buffer names = { 0 }, put = { 0 };
	char name[FIELD_COLUMN_MAX + 16];
	int code, error = sql_prepare(r->to->db, "SELECT name FROM pragma_table_info(?)", &q);

	if (error < 0)
		return error;
	sql_text(q, 1, r->table->name);
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		sql_copy(q, 0, name, sizeof(name));
		if (sql_has_column(r->from, r->table->name, name) <= 0)
			continue;
		buffer_printf(&names, "%s%s", r->n_columns++ ? ", " : "", name);
	}
	if ((error = sql_errno(code)) < 0 || !r->n_columns)
		return error < 0 ? error : -ENOENT;
	buffer_printf(&put, "INSERT OR IGNORE INTO %s (%.*s) VALUES (?", r->table->name,
		      (int)names.length,
		      names.data);
	for (int i = 1; i < r->n_columns; i++)
		buffer_text(&put, ",?");
	buffer_put(&put, ")", 2);
	buffer_put(&names, "", 1);
	if (names.failed || put.failed)
		return -ENOMEM;
	r->columns = TAKE(names.data);
	return sql_prepare(r->to->db, put.data, &r->put);
}

void rescue_free(struct rescue *r)
{
	if (!r)
		return;
	sqlite3_finalize(r->put);
	free(r->columns);
	free(r);
}

int rescue_new(sqlite3 *from, struct history *to, const struct rescue_table *t, struct rescue **ret)
{
	_cleanup_(rescue_freep) struct rescue *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->table = t;
	r->from = from;
	r->to = to;
	while (r->n_keys < RESCUE_KEYS && t->keys[r->n_keys])
		r->n_keys++;
	int error = find_columns(r);
	if (error < 0)
		return error;
	*ret = TAKE(r);
	return 0;
}

static void put_keys(const struct rescue *r, struct buffer *b, const char *order)
{
	for (size_t i = 0; i < r->n_keys; i++)
		buffer_printf(b, "%s%s%s", i ? ", " : "", r->table->keys[i], order);
}

/* The keys, then what is checked, then all columns, of the rows for which `where` holds. */
static int select_rows(const struct rescue *r, const char *where, bool descending, sqlite3_stmt **ret)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };

	buffer_text(&b, "SELECT ");
	put_keys(r, &b, "");
	buffer_printf(&b, "%s%s, %s FROM %s WHERE %s ORDER BY ", r->table->checked ? ", " : "",
		      r->table->checked ? r->table->checked : "", r->columns, r->table->name, where);
	put_keys(r, &b, descending ? " DESC" : "");
	buffer_put(&b, "", 1);
	return b.failed ? -ENOMEM : sql_prepare(r->from, b.data, ret);
}

/* "(a, b) > (?1, ?2)", the parameters from `first` on. */
static void put_comparison(const struct rescue *r, struct buffer *b, const char *comparison,
			   unsigned first)
{
	buffer_text(b, "(");
	put_keys(r, b, "");
	buffer_printf(b, ") %s (", comparison);
	for (size_t i = 0; i < r->n_keys; i++)
		buffer_printf(b, "%s?%u", i ? ", " : "", first + (unsigned)i);
	buffer_text(b, ")");
}

static void bind_keys(const struct rescue *r, sqlite3_stmt *q, int first, const int64_t *keys)
{
	for (size_t i = 0; i < r->n_keys; i++)
		sqlite3_bind_int64(q, first + (int)i, keys[i]);
}

/* ---- Rows ---- */

static int compare(const struct rescue *r, const int64_t *a, const int64_t *b)
{
	for (size_t i = 0; i < r->n_keys; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static bool get_keys(const struct rescue *r, sqlite3_stmt *q, int64_t *ret)
{
	for (size_t i = 0; i < r->n_keys; i++) {
		if (sqlite3_column_type(q, (int)i) != SQLITE_INTEGER)
			return false;
		ret[i] = sqlite3_column_int64(q, (int)i);
	}
	return true;
}

static int take_row(struct rescue *r, sqlite3_stmt *q)
{
	int first = sqlite3_column_count(q) - r->n_columns;

	if (r->table->is_sound && !r->table->is_sound(r->to, q)) {
		r->unsound++;
		return 0;
	}
	int error = put_row(r->put, q, first, r->n_columns);
	if (error == 0)
		r->rows += (uint64_t)sqlite3_changes(r->to->db);
	return error;
}

enum outcome { OUTCOME_END, OUTCOME_MORE, OUTCOME_DAMAGE };

/* Upwards from the last row, `most` rows. The caller's error, or an outcome. */
static int ascend(struct rescue *r, int most)
{
	_cleanup_(buffer_done) struct buffer where = { 0 };
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code = SQLITE_ROW, error = 0;

	if (r->begun)
		put_comparison(r, &where, ">", 1);
	else
		buffer_text(&where, "1");
	buffer_put(&where, "", 1);
	if (where.failed)
		return -ENOMEM;
	if (select_rows(r, where.data, false, &q) < 0)
		return OUTCOME_DAMAGE;
	if (r->begun)
		bind_keys(r, q, 1, r->at);
	for (; error == 0 && most > 0 && (code = sqlite3_step(q)) == SQLITE_ROW; most--) {
		int64_t keys[RESCUE_KEYS];

		/* In no order: the tree is damaged. */
		if (!get_keys(r, q, keys) || (r->begun && compare(r, keys, r->at) <= 0))
			return OUTCOME_DAMAGE;
		error = take_row(r, q);
		memcpy(r->at, keys, sizeof(keys));
		r->begun = true;
	}
	if (error < 0)
		return error;
	return code == SQLITE_ROW ? OUTCOME_MORE : code == SQLITE_DONE ? OUTCOME_END : OUTCOME_DAMAGE;
}

/* The first row with keys[0..n-2] as those of the last, and keys[n-1] further than it by `distance`. */
static int look(struct rescue *r, size_t n, int64_t distance, int64_t *ret)
{
	_cleanup_(buffer_done) struct buffer where = { 0 };
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int64_t key = r->begun ? r->at[n - 1] : -1;

	if (__builtin_add_overflow(key, distance, &key))
		return OUTCOME_END;
	for (size_t i = 0; i < n; i++)
		buffer_printf(&where, "%s%s %s ?%zu", i ? " AND " : "", r->table->keys[i], i + 1 < n ?
			      "=" : ">=",
			      i + 1);
	buffer_put(&where, "", 1);
	if (where.failed)
		return -ENOMEM;
	if (select_rows(r, where.data, false, &q) < 0)
		return OUTCOME_DAMAGE;
	for (size_t i = 0; i + 1 < n; i++)
		sqlite3_bind_int64(q, (int)i + 1, r->at[i]);
	sqlite3_bind_int64(q, (int)n, key);
	int code = sqlite3_step(q);
	if (code != SQLITE_ROW)
		return code == SQLITE_DONE ? OUTCOME_END : OUTCOME_DAMAGE;
	/* A tree that is out of order may yield anything; only what is further on ends this. */
	if (!get_keys(r, q, ret) || (r->begun && compare(r, ret, r->at) <= 0))
		return OUTCOME_DAMAGE;
	return OUTCOME_MORE;
}

/* Looks further and further on for a row that reads. Returns true where there is one. */
static bool find_further(struct rescue *r, int64_t *ret)
{
	for (size_t n = r->begun && r->n_keys > 1 ? 2 : 1; n > 0; n--)
		for (int bit = 0; bit < 63; bit++) {
			int outcome = look(r, n, INT64_C(1) << bit, ret);

			if (outcome == OUTCOME_MORE)
				return true;
			if (outcome != OUTCOME_DAMAGE)
				break;
		}
	return false;
}

/* From there down to the last row that was read, or to one that does not read. */
static int descend(struct rescue *r, const int64_t *from)
{
	_cleanup_(buffer_done) struct buffer where = { 0 };
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int64_t before[RESCUE_KEYS], keys[RESCUE_KEYS];
	int error = 0;

	put_comparison(r, &where, ">=", 1);
	if (from) {
		buffer_text(&where, " AND ");
		put_comparison(r, &where, "<=", 1 + RESCUE_KEYS);
	}
	buffer_put(&where, "", 1);
	if (where.failed)
		return -ENOMEM;
	if (select_rows(r, where.data, true, &q) < 0)
		return 0;
	for (size_t i = 0; i < RESCUE_KEYS; i++)
		before[i] = INT64_MIN;
	bind_keys(r, q, 1, r->begun ? r->at : before);
	if (from)
		bind_keys(r, q, 1 + RESCUE_KEYS, from);
	for (size_t n = 0; error == 0 && sqlite3_step(q) == SQLITE_ROW; n++) {
		if (!get_keys(r, q, keys) || (n && compare(r, keys, before) >= 0) ||
		    (r->begun && compare(r, keys, r->at) <= 0))
			break;
		error = take_row(r, q);
		memcpy(before, keys, sizeof(before));
	}
	return error;
}

int rescue_step(struct rescue *r, int most)
{
	int64_t from[RESCUE_KEYS] = { 0 };
	int outcome = ascend(r, most);

	if (outcome != OUTCOME_DAMAGE)
		return outcome;
	r->gaps++;
	bool further = find_further(r, from);
	int error = descend(r, further ? from : NULL);
	if (error < 0 || !further)
		return error;
	memcpy(r->at, from, sizeof(from));
	r->begun = true;
	return 1;
}

int rescue_all(sqlite3 *from, struct history *to, const char *select, const char *put,
	       uint64_t *ret_rows,
	       bool *ret_whole)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL, *p = NULL;
	int code = SQLITE_CORRUPT, error = sql_prepare(to->db, put, &p);

	*ret_whole = false;
	if (error < 0 || sql_prepare(from, select, &q) < 0)
		return error;
	while (error == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		error = put_row(p, q, 0, sqlite3_column_count(q));
		*ret_rows += (uint64_t)sqlite3_changes(to->db);
	}
	*ret_whole = code == SQLITE_DONE;
	return error;
}
