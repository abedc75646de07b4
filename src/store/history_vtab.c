/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history_vtab.h"

#include <errno.h>
#include <string.h>

#include "history_vtab_internal.h"
#include "nvmewatch/buffer.h"

void vtab_source_unref(struct vtab_source *s)
{
	if (!s || --s->references)
		return;
	history_reader_free(s->reader);
	free(s->history);
	free(s->spool);
	free(s);
}

static void source_unref(void *s)
{
	vtab_source_unref(s);
}

static void page_free(void *p)
{
	struct vtab_page *page = p;

	vtab_source_unref(page->source);
	free(page);
}

/* ---- The table ---- */

static const char *type_name(enum value_type type)
{
	switch (type) {
	case VALUE_REAL: return "REAL";
	case VALUE_TEXT: return "TEXT";
	default: return "INTEGER";
	}
}

/* Without rowids, which rows do not have: what names a row is when it was taken. */
static int declare(sqlite3 *db, const struct vtab_table *t)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };
	const char *instance = t->several ? t->page->instance : "";
	int columns = vtab_columns(t) - 1;

	buffer_text(&b, "CREATE TABLE x (");
	for (int i = 0; i < columns; i++) {
		const struct layout_column *c = &t->layout->columns[vtab_column(t, i)];
		bool is_instance = vtab_column(t, i) == SHEET_INSTANCE;
		buffer_printf(&b, "%s %s%s, ", is_instance ? instance : c->name, type_name(c->type),
			      vtab_column(t, i) < SHEET_FIXED ? " NOT NULL" : "");
	}
	buffer_printf(&b, "key TEXT HIDDEN, PRIMARY KEY (drive%s%s, time, mono, boot)) WITHOUT ROWID",
		      t->several ? ", " : "", instance);
	buffer_put(&b, "", 1);
	return b.failed ? SQLITE_NOMEM : sqlite3_declare_vtab(db, b.data);
}

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **ret,
			 char **ret_message)
{
	const struct vtab_page *p = aux;
	struct vtab_table *t = calloc(1, sizeof(*t));

	(void)argc;
	(void)argv;
	(void)ret_message;
	if (!t)
		return SQLITE_NOMEM;
	t->page = p->page;
	t->several = p->page->selector != SELECT_NOTHING;
	int code = layout_of_page(p->page, &t->layout) < 0 ? SQLITE_NOMEM : declare(db, t);
	if (code != SQLITE_OK) {
		layout_free(t->layout);
		free(t);
		return code;
	}
	t->source = p->source;
	t->source->references++;
	*ret = &t->base;
	return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *vtab)
{
	struct vtab_table *t = (struct vtab_table *)vtab;

	vtab_source_unref(t->source);
	layout_free(t->layout);
	free(t);
	return SQLITE_OK;
}

/* ---- Which rows are needed ---- */

static int term_of_time(unsigned char op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return VTAB_AT;
	case SQLITE_INDEX_CONSTRAINT_GT:
	case SQLITE_INDEX_CONSTRAINT_GE:
		return VTAB_FROM;
	case SQLITE_INDEX_CONSTRAINT_LT:
	case SQLITE_INDEX_CONSTRAINT_LE:
		return VTAB_TO;
	default:
		return 0;
	}
}

static int term_of(const struct vtab_table *t, int column, unsigned char op)
{
	int of = column < 0 ? SHEET_FIXED : vtab_column(t, column);

	if (of == SHEET_TIME)
		return term_of_time(op);
	if (op != SQLITE_INDEX_CONSTRAINT_EQ)
		return 0;
	if (of == SHEET_DRIVE)
		return VTAB_DRIVE;
	if (of == SHEET_INSTANCE && t->several)
		return VTAB_INSTANCE;
	return of < 0 ? VTAB_KEY : 0;
}

/* The place of a term's value among those of xFilter. */
static int place_of(int terms, int term)
{
	return __builtin_popcount((unsigned)(terms & (term - 1))) + 1;
}

static int choose_terms(const struct vtab_table *t, sqlite3_index_info *info)
{
	int terms = 0, of[64] = { 0 };

	for (int i = 0; i < info->nConstraint && i < 64; i++) {
		const struct sqlite3_index_constraint *c = &info->aConstraint[i];
		int term = c->usable ? term_of(t, c->iColumn, c->op) : 0;
		/* One of each; SQLite looks at all of them again. */
		if (term && !(terms & term)) {
			of[i] = term;
			terms |= term;
		}
	}
	for (int i = 0; i < info->nConstraint && i < 64; i++)
		if (of[i])
			info->aConstraintUsage[i].argvIndex = place_of(terms, of[i]);
	return terms;
}

static double cost_of(int terms)
{
	double rows = 1e7;

	rows /= terms & (VTAB_DRIVE | VTAB_KEY) ? 50 : 1;
	rows /= terms & VTAB_INSTANCE ? 2 : 1;
	rows /= terms & VTAB_FROM ? 20 : 1;
	rows /= terms & VTAB_TO ? 2 : 1;
	rows /= terms & VTAB_AT ? 1000 : 1;
	return rows;
}

static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	int terms = choose_terms((struct vtab_table *)vtab, info);

	info->idxNum = terms;
	info->estimatedCost = cost_of(terms);
	info->estimatedRows = (sqlite3_int64)cost_of(terms);
	/* Which columns are looked at: bit 63 stands for all that are behind it. */
	info->idxStr = sqlite3_mprintf("%llu", (unsigned long long)info->colUsed);
	info->needToFreeIdxStr = 1;
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

static const sqlite3_module module = {
	.iVersion = 1,
	.xCreate = connect_table, /* the same, so that it is a table by itself */
	.xConnect = connect_table,
	.xBestIndex = best_index,
	.xDisconnect = disconnect_table,
	.xDestroy = disconnect_table,
	.xOpen = vtab_open,
	.xClose = vtab_close,
	.xFilter = vtab_filter,
	.xNext = vtab_next,
	.xEof = vtab_eof,
	.xColumn = vtab_value,
	.xRowid = vtab_rowid,
};

/* ---- Registration ---- */

static void set_spool(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct vtab_source *s = sqlite3_user_data(context);
	const unsigned char *run_dir = sqlite3_value_text(argv[0]);
	char *spool = run_dir ? format_text("%s/spool.db", (const char *)run_dir) : NULL;

	(void)argc;
	if (run_dir && !spool) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (s->reader && s->reader->users) {
		sqlite3_result_error(context, "history is being read", -1);
		free(spool);
		return;
	}
	history_reader_free(TAKE(s->reader));
	free(s->spool);
	s->spool = spool;
	sqlite3_result_text(context, spool ? spool : "", -1, SQLITE_TRANSIENT);
}

static int register_page(sqlite3 *db, struct vtab_source *s, const struct page *p)
{
	struct vtab_page *page = calloc(1, sizeof(*page));

	if (!page)
		return -ENOMEM;
	page->source = s;
	page->page = p;
	s->references++;
	/* Where it fails, it frees the page as well. */
	return sql_errno(sqlite3_create_module_v2(db, p->name, &module, page, page_free));
}

int history_vtab_register(sqlite3 *db, const char *history)
{
	struct vtab_source *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	s->references = 1;
	s->history = strdup(history);
	r = s->history ? 0 : -ENOMEM;
	for (const struct page *const *p = pages; r == 0 && *p; p++)
		if ((*p)->history)
			r = register_page(db, s, *p);
	if (r < 0) {
		vtab_source_unref(s);
		return r;
	}
	return sql_errno(sqlite3_create_function_v2(db, "nvmewatch_spool", 1,
						    SQLITE_UTF8 | SQLITE_DIRECTONLY, s, set_spool, NULL,
						    NULL, source_unref));
}

int history_vtab_shadow(sqlite3 *db)
{
	int r = 0;

	for (const struct page *const *p = pages; r == 0 && *p; p++) {
		const char *name = (*p)->name;
		_cleanup_(freep) char *sql = format_text("CREATE VIRTUAL TABLE IF NOT EXISTS"
							 " temp.%s USING %s", name, name);
		if ((*p)->history)
			r = sql ? sql_run(db, sql) : -ENOMEM;
	}
	return r;
}
