/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* history.db as a file: other versions, other readers, crashes and bad disks. */

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "history_support.h"

static uint8_t smart[512] = { 0 };

START_TEST(test_a_new_database_has_a_view_per_page)
{
	ck_assert_str_eq(query("PRAGMA user_version"), "2");
	ck_assert_str_eq(query("PRAGMA auto_vacuum"), "2");
	ck_assert_str_eq(query("PRAGMA journal_mode"), "wal");
	for (unsigned i = 0; pages[i]; i++) {
		char sql[128];

		snprintf(sql, sizeof(sql), "SELECT count(*) FROM sqlite_schema WHERE name = '%s'",
			 pages[i]->name);
		ck_assert_str_eq(query(sql), pages[i]->history ? "1" : "0");
	}
}
END_TEST

START_TEST(test_opening_again_changes_nothing)
{
	char before[4096];

	put_sample(&smart_page, TIME, smart);
	strcpy(before, query("SELECT group_concat(sql) FROM sqlite_schema"));
	history_reopen();
	ck_assert_str_eq(query("SELECT group_concat(sql) FROM sqlite_schema"), before);
	ck_assert_str_eq(query("SELECT count(*) FROM smart"), "1");
}
END_TEST

/* As a version left it that knew fewer fields. */
START_TEST(test_new_columns_are_added)
{
	history_close(history);
	history = NULL;
	execute("DROP VIEW smart; DROP VIEW ocp_smart; DROP TABLE ocp_smart_daily;"
		"ALTER TABLE smart_hourly DROP COLUMN power_watts_last;"
		"ALTER TABLE smart_daily DROP COLUMN sensor_temperature_celsius_3_mean");
	history_reopen();
	bytes_put(smart + 240, 4, 0x205dd);
	put_sample(&smart_page, TIME + 1000, smart);
	ck_assert_str_eq(query("SELECT power_watts, sensor_temperature_celsius_3 FROM smart"),
			 "15.01|NULL");
	ck_assert_str_eq(query("SELECT type FROM pragma_table_info('smart_hourly')"
			       " WHERE name = 'power_watts_last'"), "REAL");
	ck_assert_str_eq(query("SELECT type FROM pragma_table_info('smart_daily')"
			       " WHERE name = 'sensor_temperature_celsius_3_mean'"), "REAL");
	ck_assert_str_eq(query("SELECT count(*) FROM ocp_smart"), "0");
}
END_TEST

/* A column that only a newer version knows stays. */
START_TEST(test_unknown_columns_stay)
{
	history_close(history);
	history = NULL;
	execute("ALTER TABLE smart_hourly ADD COLUMN not_yet_known INTEGER DEFAULT 5");
	history_reopen();
	ck_assert_str_eq(query("SELECT count(*) FROM pragma_table_info('smart_hourly')"
			       " WHERE name = 'not_yet_known'"), "1");
}
END_TEST

START_TEST(test_a_newer_version_is_refused_and_left_alone)
{
	struct history *other = NULL;

	put_sample(&smart_page, TIME, smart);
	history_close(history);
	history = NULL;
	execute("PRAGMA user_version = 99; ALTER TABLE refusals DROP COLUMN time");
	ck_assert_int_eq(history_open(db_path(), &other), -EPROTO);
	ck_assert_ptr_null(other);
	ck_assert_str_eq(query("PRAGMA user_version"), "99");
	ck_assert_str_eq(query("SELECT count(*) FROM pragma_table_info('refusals')"
			       " WHERE name = 'time'"), "0");
	ck_assert_str_eq(query("SELECT count(*) FROM smart"), "1");
}
END_TEST

START_TEST(test_what_is_no_database_is_unclean_and_left_alone)
{
	static const char text[] = "This is not a database, however long it is: it is a text of "
				   "more than a hundred bytes, which is what a header takes.\n";
	struct history *other = NULL;
	char back[sizeof(text)] = "";

	write_text(in_folder("text.db"), text);
	ck_assert_int_eq(history_open(in_folder("text.db"), &other), -EUCLEAN);
	ck_assert_ptr_null(other);
	_cleanup_(fclosep) FILE *f = fopen(in_folder("text.db"), "r");
	ck_assert_uint_eq(fread(back, 1, sizeof(back), f), sizeof(text) - 1);
	ck_assert_str_eq(back, text);
	ck_assert_int_eq(history_open(in_folder("none/history.db"), &other), -ENOENT);
	ck_assert_int_lt(history_open(folder, &other), 0);
}
END_TEST

START_TEST(test_two_may_be_open)
{
	struct history *first = history, *second = NULL;

	ck_assert_int_eq(history_open(db_path(), &second), 0);
	put_sample(&smart_page, TIME, smart);
	history = second;
	put_sample(&smart_page, TIME + 1000, smart);
	history = first;
	put_sample(&smart_page, TIME + 2000, smart);
	history_close(second);
	ck_assert_str_eq(query("SELECT count(*) FROM smart"), "3");
}
END_TEST

START_TEST(test_a_reader_follows_a_writer)
{
	sqlite3 *reader;

	put_sample(&smart_page, TIME, smart);
	reader = db_open(SQLITE_OPEN_READONLY);
	ck_assert_str_eq(query_on(reader, "SELECT count(*) FROM smart"), "1");
	ck_assert_int_eq(history_begin(history), 0);
	ck_assert_int_eq(put_drive("S2", TIME), 0);
	ck_assert_str_eq(query_on(reader, "SELECT count(*) FROM drives"), "1");
	ck_assert_int_eq(history_commit(history), 0);
	ck_assert_str_eq(query_on(reader, "SELECT count(*) FROM drives"), "2");
	put_sample(&smart_page, TIME + 1000, smart);
	ck_assert_str_eq(query_on(reader, "SELECT count(*) FROM smart"), "2");
	ck_assert_int_ne(sqlite3_exec(reader, "DELETE FROM batches", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(reader);
}
END_TEST

/* A reader in the middle of a query does not hold up the writer. */
START_TEST(test_a_slow_reader_blocks_nobody)
{
	sqlite3 *reader = db_open(SQLITE_OPEN_READONLY);

	put_sample(&smart_page, TIME, smart);
	ck_assert_int_eq(sqlite3_exec(reader, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_str_eq(query_on(reader, "SELECT count(*) FROM smart"), "1");
	put_sample(&smart_page, TIME + 1000, smart);
	ck_assert_str_eq(query_on(reader, "SELECT count(*) FROM smart"), "1");
	sqlite3_close(reader);
}
END_TEST

/* Readers without write access need them. */
START_TEST(test_wal_files_outlive_the_writer)
{
	put_sample(&smart_page, TIME, smart);
	history_close(history);
	history = NULL;
	ck_assert_int_eq(access(in_folder("history.db-wal"), F_OK), 0);
	ck_assert_int_eq(access(in_folder("history.db-shm"), F_OK), 0);
	ck_assert_str_eq(query("SELECT count(*) FROM smart"), "1");
}
END_TEST

/* Case SQL-11: what was committed survives, what was not does not. */
START_TEST(test_SQL_11_a_killed_writer_loses_its_open_batch_only)
{
	int status;

	history_close(history);
	history = NULL;
	pid_t pid = fork();
	if (pid == 0) {
		history_reopen();
		put_sample(&smart_page, TIME, smart);
		history_begin(history);
		history_event(history, "S1", "reset", "", TIME, MONO);
		kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	history_reopen();
	ck_assert_str_eq(query("SELECT (SELECT count(*) FROM smart), (SELECT count(*) FROM events)"),
			 "1|0");
	put_sample(&smart_page, TIME + 2000, smart);
	ck_assert_str_eq(query("SELECT count(*) FROM smart"), "2");
}
END_TEST

static int put_many(int64_t from, int n)
{
	for (int i = 0; i < n; i++)
		spool_sample("S1", &smart_page, TIME + (from + i) * 1000, smart);
	return take_samples();
}

/* Case SQL-06: what cannot be written waits; when the disk takes bytes again, it is written, beside all that
 * was there before. */
START_TEST(test_SQL_06_a_failing_disk_costs_nothing)
{
	struct rlimit limit, small;
	struct stat st;

	put_sample(&smart_page, TIME, smart);
	for (int i = 1; i <= 500; i++)
		spool_sample("S1", &smart_page, TIME + i * 1000, smart);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(stat(in_folder("history.db-wal"), &st), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = (struct rlimit){ (rlim_t)st.st_size, limit.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	ck_assert_int_lt(take_samples(), 0);
	ck_assert_int_lt(take_samples(), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_str_eq(query("SELECT count(*) FROM smart"), "1");
	ck_assert_int_eq(put_many(501, 500), 0);
	ck_assert_str_eq(query("SELECT count(*) FROM smart"), "1001");
	ck_assert_str_eq(query("PRAGMA integrity_check"), "ok");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_new_database_has_a_view_per_page,
		test_opening_again_changes_nothing,
		test_new_columns_are_added,
		test_unknown_columns_stay,
		test_a_newer_version_is_refused_and_left_alone,
		test_what_is_no_database_is_unclean_and_left_alone,
		test_two_may_be_open,
		test_a_reader_follows_a_writer,
		test_a_slow_reader_blocks_nobody,
		test_wal_files_outlive_the_writer,
		test_SQL_11_a_killed_writer_loses_its_open_batch_only,
		test_SQL_06_a_failing_disk_costs_nothing,
		NULL,
	};

	return check_main_with("history file", tests, history_setup, history_teardown);
}
