/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sql.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/drive.h"

int sql_errno(int code)
{
	switch (code & 0xff) {
	case SQLITE_OK:
	case SQLITE_ROW:
	case SQLITE_DONE:
		return 0;
	case SQLITE_FULL:
		return -ENOSPC;
	case SQLITE_READONLY:
		return -EROFS;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return -EUCLEAN;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return -EBUSY;
	case SQLITE_CANTOPEN:
		return -ENOENT;
	case SQLITE_NOMEM:
		return -ENOMEM;
	/* No statement of ours ends so on what we wrote; the file may hold something else. */
	case SQLITE_ERROR:
	case SQLITE_CONSTRAINT:
	case SQLITE_MISMATCH:
	case SQLITE_SCHEMA:
	case SQLITE_INTERNAL:
		return -EBADFD;
	default:
		return -EIO;
	}
}

int sql_run(sqlite3 *db, const char *sql)
{
	return sql_errno(sqlite3_exec(db, sql, NULL, NULL, NULL));
}

int sql_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret)
{
	return sql_errno(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL));
}

int sql_finish(sqlite3_stmt *s)
{
	int code;

	do
		code = sqlite3_step(s);
	while (code == SQLITE_ROW);
	sqlite3_reset(s);
	return sql_errno(code);
}

void sql_text(sqlite3_stmt *s, int index, const char *text)
{
	sqlite3_bind_text(s, index, text, -1, SQLITE_STATIC);
}

int sql_version(sqlite3 *db, int *ret)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *s = NULL;
	int r = sql_prepare(db, "PRAGMA user_version", &s);

	if (r < 0)
		return r;
	int code = sqlite3_step(s);
	if (code != SQLITE_ROW)
		return code == SQLITE_DONE ? -EIO : sql_errno(code);
	*ret = sqlite3_column_int(s, 0);
	return 0;
}

void sql_copy(sqlite3_stmt *s, int column, char *ret, size_t size)
{
	const unsigned char *text = sqlite3_column_text(s, column);

	/* A damaged file may hold anything; what goes on is valid UTF-8. */
	drive_text(text ? (const char *)text : "", text ? strlen((const char *)text) : 0, ret, size);
}

char *sql_immutable_uri(const char *path)
{
	char *uri = malloc(3 * strlen(path) + sizeof("file://?immutable=1")), *p = uri;

	if (!uri)
		return NULL;
	/* An empty host, so that a path that begins with two slashes does not name one. */
	p = stpcpy(p, *path == '/' ? "file://" : "file:");
	for (; *path; path++)
		if (strchr("%?#", *path))
			p += sprintf(p, "%%%02x", (unsigned char)*path);
		else
			*p++ = *path;
	strcpy(p, "?immutable=1");
	return uri;
}

void sql_value(sqlite3_stmt *q, int column, struct value *ret)
{
	ret->type = VALUE_ABSENT;
	switch (sqlite3_column_type(q, column)) {
	case SQLITE_INTEGER:
		ret->type = VALUE_INTEGER;
		ret->integer = sqlite3_column_int64(q, column);
		break;
	case SQLITE_FLOAT:
		ret->type = VALUE_REAL;
		ret->real = sqlite3_column_double(q, column);
		break;
	case SQLITE_TEXT:
		ret->type = VALUE_TEXT;
		sql_copy(q, column, ret->text, sizeof(ret->text));
		break;
	default:
		break;
	}
}

int sql_has_column(sqlite3 *db, const char *table, const char *column)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(db, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", &q);

	if (r < 0)
		return r;
	sql_text(q, 1, table);
	sql_text(q, 2, column);
	int code = sqlite3_step(q);
	return code == SQLITE_ROW ? 1 : sql_errno(code);
}
