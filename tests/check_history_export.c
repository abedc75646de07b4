/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is exported reads back the same, in a database that knows nothing of nvmewatch. */

#include <errno.h>

#include "nvmewatch/history_export.h"
#include "reader_support.h"

static struct buffer text;

static void export_teardown(void)
{
	buffer_done(&text);
	reader_teardown();
}

static int take(void *userdata, const char *piece, size_t length)
{
	(void)userdata;
	buffer_put(&text, piece, length);
	return 0;
}

static const char *export(enum history_format format, const char *drive, const struct page *p)
{
	struct history_export what = { .format = format, .drive = drive, .page = p, .start = T0,
				       .end = INT64_MAX };

	open_reader();
	ck_assert_int_eq(history_export(reader, &what, take, NULL), 0);
	buffer_put(&text, "", 1);
	return text.data;
}

static sqlite3 *read_back(const char *sql)
{
	char *message = NULL;
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK, "%s", message);
	return db;
}

START_TEST(test_sql_reads_back)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	spool_minutes(0, 3);
	spool_smart("S1", 180000, 41, INT64_MAX);
	flush();
	pack();
	page_blank(&ocp_smart_page, bytes);
	memcpy(bytes + 208, "FW'1\"", 5);
	bytes[120] = 7;
	spool_page("S1", &ocp_smart_page, 0, 0, BOOT_1, bytes);
	struct archive_entry e = { .what = ARCHIVE_EVENT, .key = "S1", .name = "attach",
				   .time = (T0 + 5) * 1000, .boot_id = BOOT_1, .bytes = "it's", .size = 4 };
	ck_assert_int_eq(archive_put(archive, &e, 1), 0);
	flush();
	spool_smart("NEW", 200000, 30, 1);

	sqlite3 *db = read_back(export(HISTORY_SQL, NULL, NULL));
	ck_assert_str_eq(query_on(db, "SELECT count(*), max(power_cycles), typeof(max(power_cycles)) FROM smart"
				      " JOIN drives ON id = drive"),
			 "11|9223372036854775807|integer");
	ck_assert_str_eq(query_on(db, "SELECT temperature_celsius, available_spare_ratio FROM smart"
				      " WHERE drive = 3"), "NULL|0.0");
	ck_assert_str_eq(query_on(db, "SELECT lowest_permitted_firmware, free_blocks_ratio FROM ocp_smart"),
			 "FW'1\"|0.07");
	ck_assert_str_eq(query_on(db, "SELECT key, type, detail, time FROM events JOIN drives ON"
				      " drives.id = drive"), "S1|attach|it's|1796083200005");
	ck_assert_str_eq(query_on(db, "SELECT boot_id FROM boots JOIN smart ON boot = id"), BOOT_1);
	ck_assert_str_eq(query_on(db, "SELECT count(*) FROM endurance_group"), "0");
	sqlite3_close(db);
}
END_TEST

START_TEST(test_sql_of_one_drive_and_page)
{
	spool_minutes(0, 3);
	flush();
	sqlite3 *db = read_back(export(HISTORY_SQL, "S2", &smart_page));
	ck_assert_str_eq(query_on(db, "SELECT count(*), min(drive), max(drive), (SELECT count(*) FROM drives),"
				      " (SELECT count(*) FROM sqlite_schema WHERE type = 'table') FROM smart"),
			 "3|2|2|1|4");
	sqlite3_close(db);
}
END_TEST

START_TEST(test_csv)
{
	static const char head[] = "drive,time,mono,boot,critical_warning_raw,";

	spool_minutes(0, 1);
	spool_smart("S,\"1", 60000, 41, 5);
	flush();
	const char *csv = export(HISTORY_CSV, NULL, &smart_page);
	ck_assert_msg(!strncmp(csv, head, sizeof(head) - 1), "%.80s", csv);
	ck_assert_ptr_nonnull(strstr(csv, "\r\nS1,1796083200000,3600000,1,0,"));
	ck_assert_ptr_nonnull(strstr(csv, "\r\n\"S,\"\"1\",1796083260000,3660000,1,0,"));
	ck_assert_str_eq(csv + text.length - 3, "\r\n");
}
END_TEST

START_TEST(test_csv_of_several)
{
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };

	page_blank(&endurance_group_page, bytes);
	spool_page("S1", &endurance_group_page, 2, 1000, BOOT_1, bytes);
	flush();
	const char *csv = export(HISTORY_CSV, "S1", &endurance_group_page);
	ck_assert_msg(!strncmp(csv, "drive,endurance_group,time,mono,boot,", 37), "%.80s", csv);
	ck_assert_ptr_nonnull(strstr(csv, "\r\nS1,2,1796083201000,"));
}
END_TEST

START_TEST(test_what_cannot_be_exported)
{
	struct history_export what = { .format = HISTORY_CSV, .end = INT64_MAX };
	_cleanup_(fclosep) FILE *full = fopen("/dev/full", "w");

	spool_minutes(0, 3);
	flush();
	open_reader();
	ck_assert_int_eq(history_export(reader, &what, take, NULL), -EINVAL);
	what.format = HISTORY_SQL;
	what.drive = "S9";
	ck_assert_int_eq(history_export(reader, &what, take, NULL), -ENOENT);
	what.drive = NULL;
	if (full)
		ck_assert_int_eq(history_export_file(reader, &what, full), -EIO);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_sql_reads_back,
		test_sql_of_one_drive_and_page,
		test_csv,
		test_csv_of_several,
		test_what_cannot_be_exported,
		NULL,
	};

	return check_main_with("history_export", tests, archive_setup, export_teardown);
}
