/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/now.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "now_internal.h"
#include "now_schema.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "sql.h"

static const char *const statements[STATEMENTS] = {
	[PUT_DRIVE] = "INSERT OR REPLACE INTO drives VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	/* What is there is overwritten in place. */
	[PUT_PAGE] = "UPDATE pages SET supported = 1, time = ?3, mono = ?4, cadence = ?5,"
		     " length = ?6, bytes = ?7 WHERE drive = ?1 AND page = ?2 AND instance = ?8",
	[ADD_PAGE] = "INSERT INTO pages VALUES (?1, ?2, ?8, 1, ?3, ?4, ?5, ?6, ?7)",
	[REMOVE_PAGE] = "DELETE FROM pages WHERE drive = ? AND page = ? AND instance = ?",
	[PUT_SUPPORT] = "INSERT INTO pages (drive, page, instance, supported) VALUES (?,?,?,?)"
			" ON CONFLICT DO UPDATE SET supported = excluded.supported,"
			" bytes = iif(excluded.supported, bytes, NULL)",
	[ADD_ERROR] = "INSERT INTO errors VALUES (?, ?, ?, 1)"
		      " ON CONFLICT DO UPDATE SET count = count + 1",
	[ADD_EVENT] = "INSERT INTO events VALUES (?, ?, 1, ?)"
		      " ON CONFLICT DO UPDATE SET count = count + 1, time = excluded.time",
	[PUT_PUBLICATION] = "INSERT OR REPLACE INTO publication VALUES (1,?,?,?,?,?)",
	[PUT_PATH] = "INSERT OR REPLACE INTO paths VALUES (?,?,?,?,?)",
	[REMOVE_PATHS] = "DELETE FROM paths WHERE drive = ?",
	[REMOVE_DRIVE] = "DELETE FROM drives WHERE key = ?",
	[REMOVE_PAGES] = "DELETE FROM pages WHERE drive = ?",
	[REMOVE_ERRORS] = "DELETE FROM errors WHERE drive = ?",
	[REMOVE_EVENTS] = "DELETE FROM events WHERE drive = ?",
};

void now_free(struct now *n)
{
	if (!n)
		return;
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(n->statements[i]);
	sqlite3_finalize(n->put_store);
	sqlite3_finalize(n->put_duration);
	sqlite3_close_v2(n->db);
	free(n->durations);
	free(n);
}

static int now_prepare(struct now *n)
{
	char version[64];
	int r;

	snprintf(version, sizeof(version), "PRAGMA user_version = %d", NOW_VERSION);
	/* No journal: what fails half-way is not published. Hardly a cache: it is in memory already. */
	if ((r = sql_run(n->db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
				" PRAGMA cache_size = 16")) < 0 ||
	    (r = sql_run(n->db, version)) < 0 || (r = sql_run(n->db, NOW_SCHEMA)) < 0)
		return r;
	for (int i = 0; i < STATEMENTS; i++)
		if ((r = sql_prepare(n->db, statements[i], &n->statements[i])) < 0)
			return r;
	return now_self_prepare(n);
}

int now_new(uint64_t cadence_us, struct now **ret)
{
	_cleanup_(now_freep) struct now *n = calloc(1, sizeof(*n));
	int r;

	if (!n)
		return -ENOMEM;
	n->cadence_us = cadence_us;
	boot_id(n->boot_id);
	r = sql_errno(sqlite3_open_v2("file:now?vfs=memdb", &n->db,
				      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI |
					      SQLITE_OPEN_NOMUTEX,
				      NULL));
	if (r < 0)
		return r;
	r = now_prepare(n);
	if (r < 0)
		return r;
	*ret = TAKE(n);
	return 0;
}

static int put_paths(struct now *n, const struct drive *d)
{
	sqlite3_stmt *s = n->statements[PUT_PATH];

	sql_text(n->statements[REMOVE_PATHS], 1, d->key);
	int r = sql_finish(n->statements[REMOVE_PATHS]);
	for (unsigned i = 0; r == 0 && i < d->n_paths; i++) {
		sql_text(s, 1, d->key);
		sql_text(s, 2, d->paths[i].device);
		sql_text(s, 3, d->paths[i].transport);
		sql_text(s, 4, d->paths[i].address);
		sql_text(s, 5, d->paths[i].state);
		r = sql_finish(s);
	}
	return r;
}

int now_put_drive(struct now *n, const struct drive *d)
{
	sqlite3_stmt *s = n->statements[PUT_DRIVE];
	const char *const texts[] = { d->key, d->serial, d->model, d->firmware, d->device,
				      d->transport, d->address, d->slot, d->subsystem_nqn,
				      d->state, d->reason };
	const int64_t numbers[] = { d->numa_node, d->vendor, (int64_t)d->capacity_bytes,
				    d->present, d->lent, d->responding };
	int i = 0;

	for (size_t k = 0; k < ELEMENTS(texts); k++)
		sql_text(s, ++i, texts[k]);
	for (size_t k = 0; k < ELEMENTS(numbers); k++)
		sqlite3_bind_int64(s, ++i, numbers[k]);
	int r = sql_finish(s);
	return r < 0 ? r : put_paths(n, d);
}

int now_remove_drive(struct now *n, const char *key)
{
	for (int i = REMOVE_PATHS; i <= REMOVE_EVENTS; i++) {
		sql_text(n->statements[i], 1, key);
		int r = sql_finish(n->statements[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

static unsigned without_end(const uint8_t *bytes, unsigned length)
{
	while (length && !bytes[length - 1])
		length--;
	return length;
}

int now_put_page(struct now *n, const char *key, const struct page *p, uint32_t instance, int64_t time,
		 int64_t mono, uint64_t cadence_us, const uint8_t *bytes, unsigned length)
{
	for (int i = PUT_PAGE; i <= ADD_PAGE; i++) {
		sqlite3_stmt *s = n->statements[i];
		sql_text(s, 1, key);
		sql_text(s, 2, p->name);
		sqlite3_bind_int64(s, 3, time);
		sqlite3_bind_int64(s, 4, mono);
		sqlite3_bind_int64(s, 5, (int64_t)cadence_us);
		sqlite3_bind_int64(s, 6, length);
		sqlite3_bind_blob(s, 7, bytes, (int)without_end(bytes, length), SQLITE_STATIC);
		sqlite3_bind_int64(s, 8, instance);
		int r = sql_finish(s);
		if (r < 0 || sqlite3_changes(n->db))
			return r;
	}
	return -EIO;
}

int now_remove_page(struct now *n, const char *key, const struct page *p, uint32_t instance)
{
	sqlite3_stmt *s = n->statements[REMOVE_PAGE];

	sql_text(s, 1, key);
	sql_text(s, 2, p->name);
	sqlite3_bind_int64(s, 3, instance);
	return sql_finish(s);
}

int now_put_support(struct now *n, const char *key, const struct page *p, uint32_t instance,
		    bool supported)
{
	sqlite3_stmt *s = n->statements[PUT_SUPPORT];

	sql_text(s, 1, key);
	sql_text(s, 2, p->name);
	sqlite3_bind_int64(s, 3, instance);
	sqlite3_bind_int(s, 4, supported);
	return sql_finish(s);
}

int now_add_error(struct now *n, const char *key, const struct page *p, const char *reason)
{
	sqlite3_stmt *s = n->statements[ADD_ERROR];

	sql_text(s, 1, key);
	sql_text(s, 2, p->name);
	sql_text(s, 3, reason);
	return sql_finish(s);
}

int now_add_event(struct now *n, const char *key, const char *type, int64_t time)
{
	sqlite3_stmt *s = n->statements[ADD_EVENT];

	sql_text(s, 1, key);
	sql_text(s, 2, type);
	sqlite3_bind_int64(s, 3, time);
	return sql_finish(s);
}

static int write_all(int fd, const unsigned char *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(fd, bytes, length);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			bytes += n;
			length -= (size_t)n;
		}
	}
	return 0;
}

static int replace_file(const char *path, const unsigned char *bytes, size_t length)
{
	_cleanup_(freep) char *temporary = format_text("%s.new", path);
	_cleanup_(closep) int fd = -1;

	if (!temporary)
		return -ENOMEM;
	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	int r = write_all(fd, bytes, length);
	if (r == 0 && rename(temporary, path) < 0)
		r = -errno;
	if (r < 0)
		unlink(temporary);
	return r;
}

int now_publish(struct now *n, const char *path, int64_t time, int64_t mono)
{
	sqlite3_stmt *s = n->statements[PUT_PUBLICATION];
	sqlite3_int64 length;

	sql_text(s, 1, PACKAGE_VERSION);
	sql_text(s, 2, n->boot_id);
	sqlite3_bind_int64(s, 3, time);
	sqlite3_bind_int64(s, 4, mono);
	sqlite3_bind_int64(s, 5, (int64_t)n->cadence_us);
	int r = sql_finish(s);
	if (r == 0)
		r = now_self_put(n);
	if (r < 0)
		return r;
	const unsigned char *bytes = sqlite3_serialize(n->db, "main", &length,
						       SQLITE_SERIALIZE_NOCOPY);
	if (!bytes)
		return -ENOMEM;
	return replace_file(path, bytes, (size_t)length);
}
