/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs something with an archive while the writes are recorded, then makes the files as a crash at every point
 * of it leaves them, opens them and looks whether all that was promised is there, once. Samples are numbered
 * from 1 in their power_cycles, so are events in their detail. */

#include "archive_support.h"
#include "fault_vfs.h"

/* Sanitizers are slow: fewer points. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define POINTS 6
#else
#define POINTS 30
#endif
#define NUMBERS 8192

enum { MARK_PUT, MARK_FLUSHED, MARK_EVENT, MARK_NOTED };

static int n_put, n_events; /* so far */
static int n_dropped;       /* samples up to that may be gone by design */
static bool is_late;        /* what is there is only when packing has come to an end */

static inline void put_numbered(const char *key, int64_t time)
{
	sample(key, time, ++n_put);
	fault_vfs_mark(MARK_PUT, n_put);
}

static inline void put_event(void)
{
	char detail[16];
	struct archive_entry e = { .what = ARCHIVE_EVENT, .key = "S1", .name = "reset", .time = TIME,
				  .mono = MONO,
				   .boot_id = "boot", .bytes = detail };

	e.size = (size_t)snprintf(detail, sizeof(detail), "%d", n_events + 1);
	ck_assert_int_eq(archive_put(archive, &e, 1), 0);
	fault_vfs_mark(MARK_EVENT, ++n_events);
}

static inline void note_numbered(void)
{
	ck_assert_int_eq(archive_note(archive), 0);
	fault_vfs_mark(MARK_NOTED, n_events);
}

static inline void flush_numbered(void)
{
	ck_assert_int_eq(archive_flush(archive), 0);
	fault_vfs_mark(MARK_FLUSHED, n_put);
	fault_vfs_mark(MARK_NOTED, n_events);
}

/* `drives` drives, each a sample a minute from then on. */
static inline void put_minutes(int drives, int64_t time, int minutes)
{
	char key[16];

	for (int i = 0; i < minutes; i++)
		for (int d = 0; d < drives; d++) {
			snprintf(key, sizeof(key), "S%d", d + 1);
			put_numbered(key, time + i * 60 * SECOND);
		}
}

/* ---- What is there ---- */

static sqlite3 *reader; /* of the image at hand: its schema takes a while to read */

static inline int64_t packed_of(int64_t drive)
{
	sqlite3_stmt *q;

	ck_assert_int_eq(sqlite3_prepare_v2(reader, "SELECT packed FROM drives WHERE id = ?", -1, &q,
					    NULL), SQLITE_OK);
	sqlite3_bind_int64(q, 1, drive);
	ck_assert_int_eq(sqlite3_step(q), SQLITE_ROW);
	int64_t packed = sqlite3_column_int64(q, 0);
	sqlite3_finalize(q);
	return packed;
}

/* The rows of batches that are in no chunk yet. */
static inline void append_unpacked(struct sheet *into)
{
	sqlite3_stmt *q;

	ck_assert_int_eq(sqlite3_prepare_v2(reader,
					    "SELECT b.id, layout, data, flush FROM batches b JOIN pages p"
						    " ON p.id = page WHERE name = 'smart'", -1, &q, NULL), SQLITE_OK);
	while (sqlite3_step(q) == SQLITE_ROW) {
		_cleanup_(layout_freep) struct layout *l = NULL;
		_cleanup_(sheet_freep) struct sheet *s = NULL;
		const void *data = sqlite3_column_blob(q, 2);

		ck_assert_int_eq(batch_layout(reader, sqlite3_column_int64(q, 1), &l), 0);
		if (sqlite3_column_type(q, 2) == SQLITE_TEXT)
			ck_assert_int_eq(batch_parse_json(reader, sqlite3_column_int64(q, 0), l, &s), 0);
		else
			ck_assert_int_eq(sheet_decode(data, (size_t)sqlite3_column_bytes(q, 2), l, NULL,
						      &s), 0);
		for (size_t i = 0; i < s->n_rows; i++)
			if (sqlite3_column_int64(q, 3) > packed_of(sheet_fixed(s, i, SHEET_DRIVE)))
				ck_assert_int_eq(sheet_append(into, s, i, 1), 0);
	}
	sqlite3_finalize(q);
}

static inline void count_samples(uint8_t *counts)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = NULL;
	struct value v;

	ck_assert_int_eq(layout_of_page(&smart_page, &l), 0);
	ck_assert_int_eq(sheet_new(l, &rows), 0);
	append_rows(reader,
		    "SELECT 0, c.layout, c.data, 0, 0, 0 FROM chunks c JOIN layouts l ON l.id = c.layout"
			    " JOIN pages p ON p.id = l.page WHERE p.name = ?", &smart_page, rows);
	append_unpacked(rows);
	int column = layout_find(l, "power_cycles");

	memset(counts, 0, NUMBERS);
	for (size_t i = 0; i < rows->n_rows; i++) {
		sheet_get(rows, i, (size_t)column, &v);
		ck_assert_int_eq(v.type, VALUE_INTEGER);
		ck_assert(v.integer > 0 && v.integer < NUMBERS);
		counts[v.integer]++;
	}
}

static inline void check_samples(const char *when, int promised, int most)
{
	static uint8_t counts[NUMBERS];

	count_samples(counts);
	for (int i = 1; i < NUMBERS; i++) {
		ck_assert_msg(counts[i] <= 1, "%s: sample %d is there %d times", when, i, counts[i]);
		ck_assert_msg(i > promised || i <= n_dropped || counts[i], "%s: sample %d of %d is lost",
			      when, i,
			      promised);
		ck_assert_msg(i <= most || !counts[i], "%s: sample %d of %d comes from nowhere", when, i,
			      most);
	}
}

static inline void check_events(const char *when, int promised, int most)
{
	int first, last, n;

	ck_assert_int_eq(sscanf(query_on(reader,
					 "SELECT count(DISTINCT detail), count(*), ifnull(max(CAST(detail AS INTEGER)), 0)"
				      " FROM events WHERE type = 'reset'"), "%d|%d|%d", &first, &n, &last), 3);
	ck_assert_msg(n == first && (n == last || is_late) && n >= promised && n <= most,
		      "%s: %d events, %d different, up to %d, promised %d of %d", when, n, first, last, promised, most);
}

/* Every row that is packed is in the hours and days of it, once. */
static inline void check_rollups(const char *when)
{
	if (n_dropped)
		return;
	const char *sums = query_on(reader,
				    "SELECT (SELECT ifnull(sum(n_rows), 0) FROM chunks JOIN layouts l ON l.id = layout"
				 " JOIN pages p ON p.id = page WHERE p.name = 'smart') - (SELECT ifnull(sum(count), 0)"
				 " FROM smart_hourly), (SELECT ifnull(sum(count), 0) FROM smart_hourly) -"
				 " (SELECT ifnull(sum(count), 0) FROM smart_daily)");
	ck_assert_msg(!strcmp(sums, "0|0"), "%s: rollups are %s rows off", when, sums);
}

/* ---- Crashes ---- */

static inline void check_image(const char *name, size_t point, enum fault_image how)
{
	static const char *const images[] = { "killed", "synced", "prefix", "scattered" };
	bool killed = how == IMAGE_KILLED;
	char when[128];

	snprintf(when, sizeof(when), "%s, point %zu, %s", name, point, images[how]);
	fault_vfs_image(point, how, folder);
	archive_reopen();
	ck_assert_msg(archive_note(archive) == 0, "%s: cannot be opened", when);
	ck_assert_msg(archive_flush(archive) == 0, "%s: cannot be written", when);
	ck_assert_msg(!archive_was_replaced(archive), "%s: is taken for damaged", when);
	reader = db_open(SQLITE_OPEN_READONLY);
	int samples = fault_vfs_marked(killed ? MARK_PUT : MARK_FLUSHED, point);
	int events = fault_vfs_marked(killed ? MARK_EVENT : MARK_NOTED, point);
	check_samples(when, is_late ? 0 : samples, n_put);
	check_events(when, is_late ? 0 : events, n_events);
	ck_assert_str_eq(query_on(reader, "PRAGMA auto_vacuum"), "2");
	pack();
	check_samples(when, samples, n_put);
	check_events(when, events, n_events);
	check_rollups(when);
	sqlite3_close(TAKE(reader));
	archive_free(TAKE(archive));
}

/* `prepare` is not recorded; both have an archive in `folder`. `promised`: what prepare() had flushed. */
static inline void crash_everywhere(const char *name, void (*prepare)(void), void (*run)(void))
{
	char recorded[sizeof(folder)];
	size_t tried = 0;

	n_put = n_events = n_dropped = 0;
	is_late = false;
	fault_vfs_register();
	archive_setup();
	prepare();
	archive_free(TAKE(archive));
	fault_vfs_record(folder);
	fault_vfs_mark(MARK_PUT, n_put);
	fault_vfs_mark(MARK_FLUSHED, n_put);
	fault_vfs_mark(MARK_EVENT, n_events);
	fault_vfs_mark(MARK_NOTED, n_events);
	archive_reopen();
	run();
	archive_free(TAKE(archive));
	fault_vfs_stop();
	strcpy(recorded, folder);
	size_t points = fault_vfs_points(), wanted = points < POINTS ? points : POINTS;
	for (size_t i = 0; i < wanted; i++)
		for (int how = 0; how < IMAGES; how++, tried++) {
			folder_make();
			/* The first and the last point always. */
			check_image(name, wanted < points ? i * (points - 1) / (wanted - 1) : i,
				    (enum fault_image)how);
			folder_remove();
		}
	printf("%s: %zu crash points (%zu of %zu writes and syncs, %d ways each), 0 rows lost\n", name,
	       tried,
	       wanted, points, IMAGES);
	fflush(stdout);
	strcpy(folder, recorded);
	folder_remove();
}
