/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Crashes and power cuts at every point of what history does seldom: migrations, retention, recoveries. */

#include "durable_support.h"
#include "nvmewatch/buffer.h"
#include "store/history_recover.h"

static char *read_text(const char *path)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "r");
	_cleanup_(buffer_done) struct buffer b = { 0 };
	char part[4096];
	size_t n;

	ck_assert_msg(f != NULL, "%s", path);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buffer_put(&b, part, n);
	buffer_put(&b, "", 1);
	return TAKE(b.data);
}

/* What tests/data/history/v1.sql holds: 48 samples of two drives, an event of each. */
static void version_1(void)
{
	_cleanup_(freep) char *sql = read_text(source_path("tests/data/history/v1.sql"));
	sqlite3 *db = db_open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	char *message = NULL;

	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK, "%s", message);
	sqlite3_close(db);
	n_put = 48;
	n_events = 2;
}

static void go_on(void)
{
	note_numbered();
	put_minutes(2, TIME + 30 * DAY, 3);
	flush_numbered();
	pack();
}

START_TEST(test_while_version_1_is_migrated)
{
	crash_everywhere("migration from version 1", version_1, go_on);
}
END_TEST

START_TEST(test_version_1_is_taken_over_whole)
{
	fault_vfs_register();
	archive_setup();
	version_1();
	ck_assert_int_eq(archive_flush(archive), 0);
	ck_assert_str_eq(query("SELECT count(*), sum(n_rows) FROM chunks JOIN layouts l ON l.id = layout JOIN pages p"
			       " ON p.id = page WHERE name = 'smart'"), "6|48");
	ck_assert_str_eq(query("SELECT count(*), sum(n_rows) FROM chunks JOIN layouts l ON l.id = layout JOIN pages p"
			       " ON p.id = page WHERE name = 'endurance_group' AND instance = 1"), "4|4");
	ck_assert_str_eq(query("SELECT count(*), sum(count), min(temperature_celsius_min),"
			       " max(temperature_celsius_max) FROM smart_hourly"), "48|48|37|41");
	ck_assert_str_eq(query("SELECT sum(power_cycles_increase), max(power_cycles_last) FROM smart_daily"), "92|48");
	ck_assert_str_eq(query("SELECT count(*), min(error_count), max(error_count), min(firmware), max(address)"
			       " FROM drives"), "2|41|42|FW1|0000:02:00.0");
	ck_assert_str_eq(query("SELECT * FROM refusals"), "M1|FW1|ocp_smart|1796050000000");
	ck_assert_str_eq(query("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'v1_%'"), "0");
	ck_assert_str_eq(query("SELECT user_version, auto_vacuum FROM pragma_user_version, pragma_auto_vacuum"), "2|2");
	archive_teardown();
	archive = NULL;
}
END_TEST

static void twelve_days(void)
{
	for (int day = 0; day < 12; day++) {
		put_minutes(2, TIME + day * DAY, 2);
		flush_numbered();
		pack();
	}
}

static void keep_eight(void)
{
	const struct archive_bounds b = { 8 * DAY, UINT64_MAX, UINT64_MAX, 0 };

	archive_bound(archive, &b);
	n_dropped = 3 * 4;
	pack();
	ck_assert_str_eq(query("SELECT count(*), detail FROM events WHERE type = 'history_dropped' AND drive IS NULL"),
			 "1|12 rows of smart until 2026-12-02T14:47:40Z: store.keep_raw");
	ck_assert_str_eq(query("SELECT sum(n_rows) FROM chunks"), "36");
}

START_TEST(test_while_old_rows_are_dropped)
{
	crash_everywhere("retention", twelve_days, keep_eight);
}
END_TEST

/* A file that is set aside, with packed days, batches and events; nothing of it is damaged. */
static void set_aside(void)
{
	for (int day = 0; day < 3; day++) {
		put_minutes(3, TIME + day * DAY, 4);
		put_event();
		flush_numbered();
		pack();
	}
	put_minutes(3, TIME + 3 * DAY, 2);
	put_event();
	flush_numbered();
	archive_free(TAKE(archive));
	ck_assert_int_eq(history_set_aside(db_path(), TIME), 0);
	archive_reopen();
	is_late = true;
}

static void recover(void)
{
	put_event();
	note_numbered();
	put_minutes(3, TIME + 3 * DAY + 600 * SECOND, 2);
	flush_numbered();
	pack();
	ck_assert_str_eq(query("SELECT count(*), detail FROM events WHERE type = 'history_replaced'"),
			 "1|damaged, set aside as history.db.damaged-20261130T144640Z: 4 events, 18 hours and days,"
			 " 9 packed and 1 other batches of rows recovered; nothing was lost");
}

START_TEST(test_while_it_is_recovered)
{
	crash_everywhere("recovery", set_aside, recover);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_version_1_is_taken_over_whole,
		test_while_version_1_is_migrated,
		test_while_old_rows_are_dropped,
		test_while_it_is_recovered,
		NULL,
	};

	return check_main("durable change", tests);
}
