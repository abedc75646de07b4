/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Disks that are full, read-only or failing, and others' locks: history waits, and nothing of it is lost. */

#include <errno.h>

#include "durable_support.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STRIDE 12
#else
#define STRIDE 2
#endif

static void setup(void)
{
	fault_vfs_register();
	archive_setup();
	n_put = n_events = n_dropped = 0;
}

static void teardown(void)
{
	fault_vfs_fail(0, 0, "");
	archive_teardown();
	archive = NULL;
}

static bool is_set_aside(void)
{
	char command[600];

	snprintf(command, sizeof(command), "ls %s | grep -q damaged", folder);
	return system(command) == 0;
}

/* Everything that was put is there, once. */
static void check_all(const char *when)
{
	ck_assert_msg(archive_flush(archive) == 0, "%s: cannot be written afterwards", when);
	pack();
	reader = db_open(SQLITE_OPEN_READONLY);
	check_samples(when, n_put, n_put);
	check_events(when, n_events, n_events);
	check_rollups(when);
	ck_assert_str_eq(query_on(reader, "PRAGMA integrity_check"), "ok");
	sqlite3_close(TAKE(reader));
	ck_assert_msg(!archive_was_replaced(archive) && !is_set_aside(), "%s: is taken for damaged",
		      when);
}

/* All that is done to history, with failures. Returns how many there were. */
static int struggle(void)
{
	int failed = 0, r;

	for (int i = 0; i < 3; i++) {
		put_minutes(10, TIME + i * DAY, 2);
		put_event();
		failed += archive_note(archive) < 0;
		failed += archive_flush(archive) < 0;
		for (int step = 0; step < 6; step++) {
			r = archive_pack(archive);
			ck_assert_int_ne(r, -EUCLEAN);
			failed += r < 0;
		}
	}
	return failed;
}

static void fail_everywhere(const char *name, int code)
{
	unsigned tried = 0, hit = 0;

	for (unsigned nth = 1; nth < 400; nth += nth < 8 ? 1 : STRIDE * (1 + nth / 20), tried++) {
		char when[64];

		if (tried)
			setup();
		put_minutes(10, TIME - DAY, 1);
		ck_assert_int_eq(archive_flush(archive), 0);
		fault_vfs_fail(nth, code, "history.db");
		hit += struggle() > 0;
		fault_vfs_fail(0, 0, "");
		snprintf(when, sizeof(when), "%s, every %u. call", name, nth);
		check_all(when);
		teardown();
	}
	setup();
	ck_assert_uint_gt(hit, tried / 4);
	printf("%s: every nth call for %u n, %u of them seen, 0 rows lost\n", name, tried, hit);
}

START_TEST(test_SQL_04_a_full_disk)
{
	fail_everywhere("disk full", SQLITE_FULL);
}
END_TEST

START_TEST(test_SQL_06_a_failing_disk)
{
	fail_everywhere("I/O errors", SQLITE_IOERR_WRITE);
}
END_TEST

START_TEST(test_a_disk_that_became_read_only)
{
	fail_everywhere("read-only", SQLITE_READONLY);
}
END_TEST

START_TEST(test_SQL_10_somebody_elses_lock)
{
	ck_assert_int_eq(archive_flush(archive), 0);
	sqlite3 *other = db_open(SQLITE_OPEN_READWRITE);
	ck_assert_int_eq(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	put_minutes(2, TIME, 3);
	ck_assert_int_eq(archive_flush(archive), -EBUSY);
	put_minutes(2, TIME + 300 * SECOND, 3);
	sqlite3_close(other);
	check_all("lock");
}
END_TEST

static long log_size(void)
{
	struct stat st;

	return stat(in_folder("history.db-wal"), &st) == 0 ? (long)st.st_size : 0;
}

START_TEST(test_SQL_01_a_long_reader_holds_the_log_up_no_longer_than_it_reads)
{
	put_minutes(4, TIME, 3);
	ck_assert_int_eq(archive_flush(archive), 0);
	sqlite3 *other = db_open(SQLITE_OPEN_READONLY);
	ck_assert_int_eq(sqlite3_exec(other, "BEGIN; SELECT count(*) FROM drives", NULL, NULL, NULL),
			 SQLITE_OK);
	for (int i = 1; i <= 300; i++) {
		put_minutes(1, TIME + i * 60 * SECOND, 1);
		ck_assert_int_eq(archive_flush(archive), 0);
	}
	ck_assert_int_gt(log_size(), 4 << 20);
	sqlite3_close(other);
	check_all("reader");
	ck_assert_int_eq(log_size(), 0);
}
END_TEST

static int64_t count_spooled(const char *what)
{
	sqlite3 *db;
	char sql[128];

	ck_assert_int_eq(sqlite3_open_v2(in_folder("spool.db"), &db, SQLITE_OPEN_READONLY, NULL),
			 SQLITE_OK);
	snprintf(sql, sizeof(sql), "SELECT %s FROM spool", what);
	int64_t n = strtoll(query_on(db, sql), NULL, 10);
	sqlite3_close(db);
	return n;
}

/* Some 80 MB of samples, each with its number. */
static void overfill(int from, int n)
{
	static uint8_t bytes[PAGE_SIZE_MAX];

	for (int i = from; i < from + n; i += 100) {
		struct archive_entry e[100];
		for (int k = 0; k < 100; k++)
			e[k] = (struct archive_entry){ .what = ARCHIVE_PAGE, .key = k % 2 ? "S1" : "S2",
						      .name = "identify",
						       .number = i + k, .time = TIME + i * SECOND,
							       .boot_id = "boot",
						       .bytes = bytes, .size = sizeof(bytes) };
		bytes[sizeof(bytes) - 1] = 1;
		ck_assert_int_eq(archive_put(archive, e, 100), 0);
	}
}

START_TEST(test_SQL_04_the_spool_is_bounded_and_spans_the_whole_time)
{
	uint64_t dropped = 0, all = 0;

	put_event();
	for (int round = 0; round < 4; round++) {
		overfill(round * 8000, 8000);
		ck_assert_int_eq(archive_thin(archive, &dropped), 0);
		all += dropped;
	}
	ck_assert_int_eq(count_spooled("count(*)"), 32001 - (int64_t)all);
	ck_assert_int_le(count_spooled("count(*)"), 18000);
	ck_assert_int_le(count_spooled("min(number) FILTER (WHERE what = 0)"), 10);
	ck_assert_int_eq(count_spooled("max(number)"), 31999);
	ck_assert_int_eq(count_spooled("count(*) FILTER (WHERE what = 3)"), 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_SQL_04_a_full_disk,
		test_SQL_06_a_failing_disk,
		test_a_disk_that_became_read_only,
		test_SQL_10_somebody_elses_lock,
		test_SQL_01_a_long_reader_holds_the_log_up_no_longer_than_it_reads,
		test_SQL_04_the_spool_is_bounded_and_spans_the_whole_time,
		NULL,
	};

	return check_main_with("durable faults", tests, setup, teardown);
}
