/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

#include "history_internal.h"
#include "history_schema.h"

#define BUSY_MS 5000

void history_close(struct history *h)
{
	if (!h)
		return;
	for (unsigned i = 0; h->put_sample && i < page_total(); i++)
		sqlite3_finalize(h->put_sample[i]);
	free(h->put_sample);
	sqlite3_finalize(h->put_drive);
	sqlite3_finalize(h->put_errors);
	sqlite3_finalize(h->add_drive);
	sqlite3_finalize(h->forget_drive);
	sqlite3_finalize(h->find_drive);
	sqlite3_finalize(h->put_event);
	sqlite3_finalize(h->put_refusal);
	sqlite3_close_v2(h->db);
	free(h);
}

static int prepare_samples(struct history *h)
{
	int r = 0;

	h->put_sample = calloc(page_total(), sizeof(sqlite3_stmt *));
	if (!h->put_sample)
		return -ENOMEM;
	for (unsigned i = 0; r == 0 && i < page_total(); i++) {
		if (!pages[i]->history)
			continue;
		_cleanup_(freep) char *sql = history_insert_sql(pages[i]);
		r = sql ? sql_prepare(h->db, sql, &h->put_sample[i]) : -ENOMEM;
	}
	return r;
}

static int prepare(struct history *h)
{
	const struct {
		sqlite3_stmt **statement;
		const char *sql;
	} fixed[] = {
		{ &h->put_drive,
		  "INSERT INTO drives (key, serial, model, firmware, address, first_seen, last_seen)"
		  " VALUES (?1,?2,?3,?4,?5,?6,?6) ON CONFLICT (key) DO UPDATE SET"
		  " serial = ?2, model = ?3, firmware = ?4, address = ?5, last_seen = ?6" },
		{ &h->add_drive,
		  "INSERT INTO drives (key, first_seen, last_seen) VALUES (?1,?2,?2)"
		  " ON CONFLICT (key) DO UPDATE SET last_seen = ?2" },
		{ &h->forget_drive, "UPDATE drives SET last_seen = 0 WHERE key = ?" },
		{ &h->find_drive,
		  "SELECT 1 FROM drives WHERE key = ?1 AND last_seen > ?2 AND NOT " HISTORY_REMOVED },
		{ &h->put_event,
		  "INSERT INTO events (time, mono, drive, type, detail) VALUES"
		  " (?2, ?3, (SELECT id FROM drives WHERE key = ?1), ?4, ?5)" },
		{ &h->put_errors, "UPDATE drives SET error_count = ?2 WHERE key = ?1" },
		{ &h->put_refusal, "INSERT OR REPLACE INTO refusals VALUES (?,?,?,?)" },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < ELEMENTS(fixed); i++)
		r = sql_prepare(h->db, fixed[i].sql, fixed[i].statement);
	return r < 0 ? r : prepare_samples(h);
}

int history_open(const char *path, struct history **ret)
{
	_cleanup_(history_closep) struct history *h = calloc(1, sizeof(*h));
	int keep = 1, r;

	if (!h)
		return -ENOMEM;
	r = sql_errno(sqlite3_open_v2(path, &h->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				      SQLITE_OPEN_NOMUTEX, NULL));
	if (r < 0)
		return r;
	/* First of all, so that no statement is refused at once by another's lock. */
	sqlite3_busy_timeout(h->db, BUSY_MS);
	/* Readers without write access need the -wal and -shm files after the last writer is gone. */
	sqlite3_file_control(h->db, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
	/* The schema first: what a newer nvmewatch has written is not to be changed. */
	if ((r = history_schema(h->db)) < 0 ||
	    /* Samples are added behind one another: a small cache does, and stays small over the years. */
	    (r = sql_run(h->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
				" PRAGMA cache_size = -512")) < 0 ||
	    (r = prepare(h)) < 0)
		return r;
	*ret = TAKE(h);
	return 0;
}

int history_begin(struct history *h)
{
	return sql_run(h->db, "BEGIN IMMEDIATE");
}

int history_commit(struct history *h)
{
	return sql_run(h->db, "COMMIT");
}

void history_rollback(struct history *h)
{
	sql_run(h->db, "ROLLBACK");
}

int history_drive(struct history *h, const struct drive *d, int64_t time_us)
{
	sql_text(h->put_drive, 1, d->key);
	sql_text(h->put_drive, 2, d->serial);
	sql_text(h->put_drive, 3, d->model);
	sql_text(h->put_drive, 4, d->firmware);
	sql_text(h->put_drive, 5, d->address);
	sqlite3_bind_int64(h->put_drive, 6, time_us / 1000);
	return sql_finish(h->put_drive);
}

/* A sample is not lost because its drive is: to a database that was replaced, or a queue cut short. */
static int add_drive(struct history *h, const char *key, int64_t time_us)
{
	sql_text(h->add_drive, 1, key);
	sqlite3_bind_int64(h->add_drive, 2, time_us / 1000);
	return sql_finish(h->add_drive);
}

static void bind_value(sqlite3_stmt *s, int parameter, const struct value *v)
{
	switch (v->type) {
	case VALUE_INTEGER:
		sqlite3_bind_int64(s, parameter, v->integer);
		break;
	case VALUE_REAL:
		sqlite3_bind_double(s, parameter, v->real);
		break;
	case VALUE_TEXT:
		sqlite3_bind_text(s, parameter, v->text, -1, SQLITE_TRANSIENT);
		break;
	case VALUE_ABSENT:
		sqlite3_bind_null(s, parameter);
		break;
	}
}

int history_sample(struct history *h, const char *key, const struct page *p, uint32_t instance,
		   int64_t time_us, int64_t mono_us, const uint8_t *bytes)
{
	sqlite3_stmt *s = h->put_sample[page_index(p)];
	int parameter = 0;
	struct value v;

	if (!s)
		return -EINVAL;
	int r = add_drive(h, key, time_us);
	if (r < 0)
		return r;
	sql_text(s, ++parameter, key);
	if (p->selector != SELECT_NOTHING)
		sqlite3_bind_int64(s, ++parameter, instance);
	sqlite3_bind_int64(s, ++parameter, time_us / 1000);
	sqlite3_bind_int64(s, ++parameter, mono_us / 1000);
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++) {
			page_decode(p, &p->fields[i], n, bytes, &v);
			bind_value(s, ++parameter, &v);
		}
	return sql_finish(s);
}

int history_event(struct history *h, const char *key, const char *type, const char *detail,
		  int64_t time_us, int64_t mono_us)
{
	int r = add_drive(h, key, time_us);

	if (r < 0)
		return r;
	sql_text(h->put_event, 1, key);
	sqlite3_bind_int64(h->put_event, 2, time_us / 1000);
	sqlite3_bind_int64(h->put_event, 3, mono_us / 1000);
	sql_text(h->put_event, 4, type);
	sql_text(h->put_event, 5, detail);
	return sql_finish(h->put_event);
}

int history_first_seen(struct history *h, const char *key, const char *detail, int64_t since_us,
		       int64_t time_us, int64_t mono_us)
{
	sql_text(h->find_drive, 1, key);
	sqlite3_bind_int64(h->find_drive, 2, since_us / 1000);
	bool known = sqlite3_step(h->find_drive) == SQLITE_ROW;
	int r = sql_finish(h->find_drive);

	if (r < 0)
		return r;
	return known ? add_drive(h, key, time_us) :
		       history_event(h, key, "attach", detail, time_us, mono_us);
}

int history_refuse(struct history *h, const struct drive *d, const char *page, int64_t time_us)
{
	sql_text(h->put_refusal, 1, d->model);
	sql_text(h->put_refusal, 2, d->firmware);
	sql_text(h->put_refusal, 3, page);
	sqlite3_bind_int64(h->put_refusal, 4, time_us / 1000);
	return sql_finish(h->put_refusal);
}

int history_errors(struct history *h, const char *key, uint64_t error_count, int64_t time_us)
{
	int r = add_drive(h, key, time_us);

	if (r < 0)
		return r;
	sql_text(h->put_errors, 1, key);
	sqlite3_bind_int64(h->put_errors, 2, (int64_t)error_count);
	return sql_finish(h->put_errors);
}

int history_forget(struct history *h, const char *key)
{
	sql_text(h->forget_drive, 1, key);
	return sql_finish(h->forget_drive);
}
