/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows come back whatever their age: from chunks, batches, JSON and the spool; each once. */

#include <errno.h>

#include "reader_support.h"
#include "sheet_support.h"

START_TEST(test_what_waits_in_the_spool_is_history)
{
	ck_assert_int_eq(archive_note(archive), 0); /* makes history.db */
	spool_minutes(0, 3);
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41 120=2=42");
	ck_assert_str_eq(scan("S3", 60, 60), "60=7=-");
}
END_TEST

START_TEST(test_so_is_what_was_flushed)
{
	spool_minutes(0, 3);
	flush();
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41 120=2=42");
	ck_assert_str_eq(query("SELECT typeof(data), count(*) FROM batches"), "blob|1");
}
END_TEST

START_TEST(test_so_is_what_was_flushed_as_json)
{
	spool_smart("S1", 1000, 41, INT64_MAX);
	spool_smart("S2", 1000, 41, 3);
	flush();
	open_reader();
	ck_assert_str_eq(query("SELECT typeof(data) FROM batches"), "text");
	ck_assert_str_eq(scan("S1", 0, 86400), "1=9223372036854775807=41");
}
END_TEST

START_TEST(test_so_is_what_was_packed)
{
	spool_minutes(0, 3);
	flush();
	pack();
	open_reader();
	ck_assert_str_eq(query("SELECT count(*) FROM batches"), "0");
	ck_assert_str_eq(scan("S2", 60, 60), "60=1001=50");
}
END_TEST

START_TEST(test_all_of_them_in_line)
{
	spool_minutes(0, 3);
	flush();
	pack();
	spool_minutes(3, 6);
	flush();
	spool_smart("S1", 360000, 46, 6);
	flush();
	spool_minutes(7, 9);
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41 120=2=42 180=3=43 240=4=44 300=5=45"
					       " 360=6=46 420=7=47 480=8=48");
	ck_assert_str_eq(scan("S1", 120, 420), "120=2=42 180=3=43 240=4=44 300=5=45 360=6=46 420=7=47");
}
END_TEST

START_TEST(test_every_drive_one_after_another)
{
	spool_minutes(0, 1);
	flush();
	pack();
	spool_minutes(1, 2);
	flush();
	spool_minutes(2, 3);
	spool_smart("NEW", 180000, 30, 1); /* which history.db does not know */
	open_reader();
	ck_assert_str_eq(scan(NULL, 0, 86400), "0=0=40 60=1=41 120=2=42 0=1000=50 60=1001=50 120=1002=50"
					       " 0=7=- 60=7=- 120=7=- 180=1=30");
	ck_assert_str_eq(scan("NEW", 0, 86400), "180=1=30");
}
END_TEST

START_TEST(test_an_unknown_drive)
{
	struct history_span span = { .drive = "S9", .page = &smart_page, .end = INT64_MAX };

	spool_minutes(0, 1);
	flush();
	open_reader();
	ck_assert_int_eq(history_scan(reader, &span, note_rows, &span), -ENOENT);
}
END_TEST

START_TEST(test_a_page_without_rows)
{
	struct history_span span = { .drive = "S1", .page = &ocp_smart_page, .end = INT64_MAX };

	spool_minutes(0, 1);
	flush();
	open_reader();
	scanned[0] = 0;
	ck_assert_int_eq(history_scan(reader, &span, note_rows, &span), 0);
	ck_assert_str_eq(scanned, "");
}
END_TEST

/* ---- Crashes between the steps of the writer ---- */

/* The flush is committed, the spool not emptied. */
START_TEST(test_rows_that_the_spool_still_has_count_once)
{
	spool_minutes(0, 3);
	archive_free(TAKE(archive));
	ck_assert_int_eq(archive_new(folder, folder, &archive), 0);
	flush();
	/* The rows come back into the spool with their numbers, as if they had never been removed. */
	sqlite3 *db;
	ck_assert_int_eq(sqlite3_open(in_folder("spool.db"), &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "INSERT INTO spool SELECT 3, 0, 'S1', 'smart', 0, 0,"
					  " 1796083200000000 + 120000000, 0, 1, x'00'", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41 120=2=42");
}
END_TEST

/* What a spool.db of another boot holds is new, whatever its numbers. */
START_TEST(test_another_spool_counts_from_the_start)
{
	spool_minutes(0, 3);
	flush();
	archive_free(TAKE(archive));
	unlink(in_folder("spool.db"));
	unlink(in_folder("spool.db-wal"));
	unlink(in_folder("spool.db-shm"));
	ck_assert_int_eq(archive_new(folder, folder, &archive), 0);
	spool_smart("S1", 240000, 44, 4);
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41 120=2=42 240=4=44");
}
END_TEST

/* Some drives are packed, the batches still there. */
START_TEST(test_a_packing_that_stopped_half_way)
{
	spool_minutes(0, 3);
	flush();
	execute("CREATE TABLE saved AS SELECT * FROM batches");
	pack();
	execute("INSERT INTO batches SELECT * FROM saved; DELETE FROM chunks WHERE drive = 2;"
		"UPDATE drives SET packed = 0 WHERE id = 2");
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41 120=2=42");
	ck_assert_str_eq(scan("S2", 0, 86400), "0=1000=50 60=1001=50 120=1002=50");
}
END_TEST

/* ---- Layouts, boots, instances ---- */

/* Another version had other columns: what it has of today's comes back, the rest is absent. */
START_TEST(test_chunks_of_another_layout)
{
	spool_minutes(0, 2);
	flush();
	pack();
	execute("UPDATE layouts SET columns = replace(columns, 'power_cycles:i', 'power_circles:i')");
	spool_minutes(2, 3);
	flush();
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=-=40 60=-=41 120=2=42");
}
END_TEST

/* A batch as another version may have written it. */
static void put_batch(const char *columns, const struct sheet *s)
{
	_cleanup_(buffer_done) struct buffer data = { 0 };
	sqlite3 *db = db_open(SQLITE_OPEN_READWRITE);
	sqlite3_stmt *q;

	ck_assert_int_eq(sheet_encode(s, 3, &data), 0);
	ck_assert_int_eq(sqlite3_exec(db, "DELETE FROM batches", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_prepare_v2(db, "INSERT INTO layouts VALUES (99, 1, ?)", -1, &q, NULL),
			 SQLITE_OK);
	sqlite3_bind_text(q, 1, columns, -1, SQLITE_STATIC);
	ck_assert_int_eq(sqlite3_step(q), SQLITE_DONE);
	sqlite3_finalize(q);
	ck_assert_int_eq(sqlite3_prepare_v2(db, "INSERT INTO batches VALUES (1, 1, 99, 5, ?, ?, 1, ?)", -1,
					    &q, NULL), SQLITE_OK);
	sqlite3_bind_int64(q, 1, T0);
	sqlite3_bind_int64(q, 2, T0);
	sqlite3_bind_blob(q, 3, data.data, (int)data.length, SQLITE_STATIC);
	ck_assert_int_eq(sqlite3_step(q), SQLITE_DONE);
	sqlite3_finalize(q);
	sqlite3_close(db);
}

START_TEST(test_a_column_that_had_another_type_is_absent)
{
	static const char columns[] = FIXED_TEXT " temperature_celsius:i power_cycles:r gone:t";
	_cleanup_(layout_freep) struct layout *l = test_layout(columns);
	_cleanup_(sheet_freep) struct sheet *s = test_sheet(l);
	struct value v = { .type = VALUE_REAL, .real = 1.5 };

	spool_minutes(0, 1);
	flush();
	size_t row = add_row(s, 1, T0);
	set_integer(s, row, SHEET_FIXED, 44);
	ck_assert_int_eq(sheet_set(s, row, SHEET_FIXED + 1, &v), 0);
	set_text(s, row, SHEET_FIXED + 2, "x");
	put_batch(columns, s);
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=-=44");
}
END_TEST

static int note_boots(void *userdata, const struct sheet *s)
{
	for (size_t i = 0; i < s->n_rows; i++)
		snprintf(userdata + strlen(userdata), 16, "%lld ",
			 (long long)sheet_fixed(s, i, SHEET_BOOT));
	return 0;
}

START_TEST(test_boots_have_numbers_also_in_the_spool)
{
	struct history_span span = { .drive = "S1", .page = &smart_page, .end = INT64_MAX };
	uint8_t bytes[512] = { 1 };
	char boots[64] = "";

	spool_page("S1", &smart_page, 0, 0, BOOT_1, bytes);
	flush();
	spool_page("S1", &smart_page, 0, 1, BOOT_1, bytes);
	spool_page("S1", &smart_page, 0, 2, BOOT_2, bytes);
	open_reader();
	ck_assert_int_eq(history_scan(reader, &span, note_boots, boots), 0);
	ck_assert_msg(!strncmp(boots, "1 1 -", 5), "%s", boots);
}
END_TEST

static int note_instances(void *userdata, const struct sheet *s)
{
	for (size_t i = 0; i < s->n_rows; i++)
		snprintf(userdata + strlen(userdata), 16, "%lld ",
			 (long long)sheet_fixed(s, i, SHEET_INSTANCE));
	return 0;
}

static void spool_group(uint32_t instance, int64_t after)
{
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };

	page_blank(&endurance_group_page, bytes);
	spool_page("S1", &endurance_group_page, instance, after, BOOT_1, bytes);
}

START_TEST(test_pages_of_which_there_are_several)
{
	struct history_span span = { .drive = "S1", .page = &endurance_group_page, .end = INT64_MAX,
				     .instance = 2 };
	char found[256] = "";

	for (int i = 0; i < 3; i++) {
		spool_group(1, i * 100000);
		spool_group(2, i * 100000);
		if (i < 2)
			flush();
		if (i == 0)
			pack();
	}
	open_reader();
	ck_assert_int_eq(history_scan(reader, &span, note_instances, found), 0);
	ck_assert_str_eq(found, "2 2 2 ");
	span.every_instance = true;
	found[0] = 0;
	ck_assert_int_eq(history_scan(reader, &span, note_instances, found), 0);
	ck_assert_str_eq(found, "1 2 1 2 1 2 ");
}
END_TEST

/* ---- Counting ---- */

static uint64_t count(const char *key, int64_t from, int64_t to)
{
	struct history_span span = { .drive = key, .page = &smart_page, .start = T0 + from * 1000,
				     .end = T0 + to * 1000 };
	uint64_t n = 99999;

	ck_assert_int_eq(history_count(reader, &span, &n), 0);
	return n;
}

START_TEST(test_a_count_is_that_of_the_scan_or_more)
{
	spool_minutes(0, 60);
	flush();
	pack();
	spool_minutes(60, 90);
	flush();
	spool_minutes(90, 100);
	open_reader();
	ck_assert_uint_eq(count("S1", 0, 86400), 100);
	ck_assert_uint_eq(count(NULL, 0, 86400), 300);
	ck_assert_uint_eq(count("S1", 3600, 86400), 40);
	ck_assert_uint_eq(count("S1", 3660, 4200), 10);
	ck_assert_uint_eq(count("S1", 3000, 86400), 100);
	ck_assert_uint_eq(count("S1", 90000, 90001), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_what_waits_in_the_spool_is_history,
		test_so_is_what_was_flushed,
		test_so_is_what_was_flushed_as_json,
		test_so_is_what_was_packed,
		test_all_of_them_in_line,
		test_every_drive_one_after_another,
		test_an_unknown_drive,
		test_a_page_without_rows,
		test_rows_that_the_spool_still_has_count_once,
		test_another_spool_counts_from_the_start,
		test_a_packing_that_stopped_half_way,
		test_chunks_of_another_layout,
		test_a_column_that_had_another_type_is_absent,
		test_boots_have_numbers_also_in_the_spool,
		test_pages_of_which_there_are_several,
		test_a_count_is_that_of_the_scan_or_more,
		NULL,
	};

	return check_main_with("history_scan", tests, archive_setup, reader_teardown);
}
