/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* An archive in a folder of its own, samples of drives that count, and every row that history.db has. */

#include "history_support.h"
#include "nvmewatch/archive.h"
#include "store/batch.h"
#include "store/sheet_codec.h"

#define SECOND INT64_C(1000000)
#define DAY (86400 * SECOND)

static struct archive *archive;

static inline void archive_reopen(void)
{
	archive_free(archive);
	archive = NULL;
	ck_assert_int_eq(archive_new(folder, folder, &archive), 0);
}

static inline void archive_setup(void)
{
	folder_make();
	archive_reopen();
}

static inline void archive_teardown(void)
{
	archive_free(archive);
	folder_remove();
}

static inline int archive_sample(const char *key, const struct page *p, uint32_t instance, int64_t time,
				 const uint8_t *bytes)
{
	const struct archive_entry e = {
		.what = ARCHIVE_PAGE, .key = key, .name = p->name, .instance = instance,
		.time = time, .mono = MONO + time - TIME, .boot_id = "boot", .bytes = bytes, .size = p->size,
	};

	return archive_put(archive, &e, 1);
}

/* A sample of page smart with power_cycles = n. */
static inline void sample(const char *key, int64_t time, int64_t n)
{
	uint8_t bytes[512] = { 0 };

	bytes_put(bytes + 112, 8, (uint64_t)n);
	ck_assert_int_eq(archive_sample(key, &smart_page, 0, time, bytes), 0);
}

static inline void pack(void)
{
	int r, steps = 0;

	while ((r = archive_pack(archive)) > 0)
		ck_assert_int_lt(++steps, 1000);
	ck_assert_int_eq(r, 0);
}

static inline void append_rows(sqlite3 *db, const char *sql, const struct page *p, struct sheet *into)
{
	sqlite3_stmt *q;

	ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
	sqlite3_bind_text(q, 1, p->name, -1, SQLITE_STATIC);
	while (sqlite3_step(q) == SQLITE_ROW) {
		_cleanup_(layout_freep) struct layout *l = NULL;
		_cleanup_(sheet_freep) struct sheet *s = NULL;
		int64_t packed = sqlite3_column_int64(q, 3), drive = sqlite3_column_int64(q, 4);

		ck_assert_int_eq(batch_layout(db, sqlite3_column_int64(q, 1), &l), 0);
		if (sqlite3_column_type(q, 2) == SQLITE_TEXT)
			ck_assert_int_eq(batch_parse_json(db, sqlite3_column_int64(q, 0), l, &s), 0);
		else
			ck_assert_int_eq(sheet_decode(sqlite3_column_blob(q, 2),
						      (size_t)sqlite3_column_bytes(q, 2), l, NULL, &s), 0);
		for (size_t i = 0; i < s->n_rows; i++)
			if (!drive || (sheet_fixed(s, i, SHEET_DRIVE) == drive &&
				       sqlite3_column_int64(q, 5) > packed))
				ck_assert_int_eq(sheet_append(into, s, i, 1), 0);
	}
	sqlite3_finalize(q);
}

/* Every row of a page: those in chunks, then those in batches which are not in chunks yet; of drives one
 * after another. The layout is the caller's to free. */
static inline struct sheet *rows_of(const struct page *p, struct layout **ret_layout)
{
	sqlite3 *db = db_open(SQLITE_OPEN_READONLY);
	struct sheet *rows;

	ck_assert_int_eq(layout_of_page(p, ret_layout), 0);
	ck_assert_int_eq(sheet_new(*ret_layout, &rows), 0);
	append_rows(db, "SELECT 0, c.layout, c.data, 0, 0, 0 FROM chunks c JOIN layouts l ON l.id = c.layout"
			" JOIN pages p ON p.id = l.page WHERE p.name = ? ORDER BY c.drive, c.flush", p, rows);
	append_rows(db, "SELECT b.id, b.layout, b.data, d.packed, d.id, b.flush FROM drives d, batches b"
			" JOIN pages p ON p.id = b.page WHERE p.name = ? ORDER BY d.id, b.id", p, rows);
	sqlite3_close(db);
	return rows;
}
