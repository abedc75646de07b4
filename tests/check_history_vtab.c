/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every row as SQL sees it: through the modules, and through the extension as sqlite3 loads it. */

#include "reader_support.h"
#include "store/history_vtab.h"

static sqlite3 *db;

static void vtab_teardown(void)
{
	sqlite3_close(db);
	db = NULL;
	reader_teardown();
}

/* Rows of every kind: packed, in batches, in the spool. */
static void fill(void)
{
	spool_minutes(0, 60);
	flush();
	pack();
	spool_minutes(60, 90);
	flush();
	spool_minutes(90, 100);
}

static void open_db(void)
{
	db = db_open(SQLITE_OPEN_READONLY);
	ck_assert_int_eq(history_vtab_register(db, db_path()), 0);
	ck_assert_int_eq(history_vtab_shadow(db), 0);
}

static const char *ask(const char *sql)
{
	return query_on(db, sql);
}

static void set_spool(void)
{
	char sql[600];

	snprintf(sql, sizeof(sql), "SELECT nvmewatch_spool('%s')", folder);
	ask(sql);
}

START_TEST(test_rows_of_every_age)
{
	fill();
	open_db();
	ck_assert_str_eq(ask("SELECT count(*), count(DISTINCT drive), min(power_cycles), max(power_cycles)"
			     " FROM smart"), "270|3|0|1089");
	set_spool();
	ck_assert_str_eq(ask("SELECT count(*), max(power_cycles) FROM smart"), "300|1099");
	ck_assert_str_eq(ask("SELECT count(*), typeof(sum(temperature_celsius)) FROM smart"
			     " WHERE temperature_celsius IS NOT NULL"), "200|integer");
}
END_TEST

START_TEST(test_terms_find_what_they_say)
{
	static const char *const same[][2] = {
		{ "drive = 1", "100" },
		{ "drive = 1.0", "100" },
		{ "drive = '1'", "100" },
		{ "drive = 1.5", "0" },
		{ "drive = 9", "0" },
		{ "drive = NULL", "0" },
		{ "drive = 0", "0" },
		{ "drive = 1 OR drive = 2", "200" },
		{ "drive IN (1, 3)", "200" },
		{ "drive > 1", "200" },
		{ "key = 'S2'", "100" },
		{ "key = 'S9'", "0" },
		{ "key = 'S2' AND drive = 1", "0" },
		{ "key = 'S2' AND drive = 2", "100" },
		{ "key LIKE 'S%'", "300" },
		{ "drive = 1 AND time >= 1796083260000", "99" },
		{ "drive = 1 AND time > 1796083260000", "98" },
		{ "drive = 1 AND time > 1796083259999.5", "99" },
		{ "drive = 1 AND time < 1796083260000", "1" },
		{ "drive = 1 AND time <= 1796083260000", "2" },
		{ "drive = 1 AND time <= 1796083260000.5", "2" },
		{ "drive = 1 AND time = 1796083260000", "1" },
		{ "drive = 1 AND time = 1796083260001", "0" },
		{ "drive = 1 AND time BETWEEN 1796083260000 AND 1796083380000", "3" },
		{ "drive = 1 AND time > 1e300", "0" },
		{ "drive = 1 AND time < 1e300", "100" },
		{ "drive = 1 AND time > 'x'", "0" },
		{ "drive = 1 AND time > NULL", "0" },
		{ "time IN (1796083260000, 1796083320000)", "2" },
		{ "drive = 1 AND temperature_celsius = 41", "10" },
	};
	char sql[300];

	fill();
	open_db();
	set_spool();
	for (size_t i = 0; i < ELEMENTS(same); i++) {
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM smart WHERE %s", same[i][0]);
		ck_assert_msg(!strcmp(ask(sql), same[i][1]), "%s: %s", same[i][0], ask(sql));
	}
}
END_TEST

START_TEST(test_a_row)
{
	fill();
	open_db();
	ck_assert_str_eq(ask("SELECT drive, time, boot, power_cycles, temperature_celsius, key,"
			     " available_spare_ratio, typeof(available_spare_ratio) FROM smart"
			     " WHERE drive = 1 AND time > 1796083200000 LIMIT 1"),
			 "1|1796083260000|1|1|41|S1|0.0|real");
	ck_assert_str_eq(ask("SELECT power_cycles, temperature_celsius FROM smart WHERE key = 'S3'"),
			 "7|NULL");
}
END_TEST

/* SELECT * has what the view has, and boot. */
START_TEST(test_columns_are_those_of_the_view)
{
	fill();
	open_db();
	ck_assert_str_eq(ask("SELECT group_concat(name) FROM (SELECT name FROM"
			     " pragma_table_info('smart', 'temp') EXCEPT"
			     " SELECT name FROM pragma_table_info('smart', 'main'))"), "boot");
	ck_assert_str_eq(ask("SELECT group_concat(name) FROM (SELECT name FROM"
			     " pragma_table_info('endurance_group', 'main') EXCEPT"
			     " SELECT name FROM pragma_table_info('endurance_group', 'temp'))"), "NULL");
}
END_TEST

START_TEST(test_joins_and_tables_of_the_file)
{
	fill();
	open_db();
	ck_assert_str_eq(ask("SELECT count(*) FROM smart AS a JOIN smart AS b ON a.drive = b.drive"
			     " AND a.time = b.time AND b.drive = 1"), "90");
	ck_assert_str_eq(ask("SELECT d.key, max(s.power_cycles) FROM drives AS d JOIN smart AS s"
			     " ON s.drive = d.id GROUP BY d.id ORDER BY 2 DESC"), "S2|1089");
	/* The view is still there. */
	ck_assert_str_eq(ask("SELECT count(*) FROM main.smart WHERE drive = 1"), "1");
}
END_TEST

START_TEST(test_pages_of_which_there_are_several)
{
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };

	page_blank(&endurance_group_page, bytes);
	for (uint32_t i = 1; i < 4; i++)
		spool_page("S1", &endurance_group_page, i, 1000 * i, BOOT_1, bytes);
	flush();
	pack();
	open_db();
	ck_assert_str_eq(ask("SELECT count(*), sum(endurance_group), max(time) FROM endurance_group"),
			 "3|6|1796083203000");
	ck_assert_str_eq(ask("SELECT count(*), max(time) FROM endurance_group WHERE endurance_group = 2"),
			 "1|1796083202000");
	ck_assert_str_eq(ask("SELECT count(*) FROM endurance_group WHERE endurance_group = 2.5"), "0");
	ck_assert_str_eq(ask("SELECT count(*) FROM endurance_group WHERE endurance_group = -1"), "0");
}
END_TEST

/* By themselves, where no view is in the way. */
START_TEST(test_modules_are_tables)
{
	fill();
	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(history_vtab_register(db, db_path()), 0);
	ck_assert_str_eq(ask("SELECT count(*) FROM smart WHERE drive = 2"), "90");
}
END_TEST

START_TEST(test_a_history_that_is_not_there)
{
	sqlite3_stmt *q;

	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(history_vtab_register(db, db_path()), 0);
	ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT * FROM smart", -1, &q, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(q), SQLITE_ERROR);
	ck_assert_ptr_nonnull(strstr(sqlite3_errmsg(db), "No such file"));
	sqlite3_finalize(q);
}
END_TEST

START_TEST(test_the_extension)
{
	char *message = NULL;

	fill();
	db = db_open(SQLITE_OPEN_READONLY);
	ck_assert_int_eq(sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL), SQLITE_OK);
	int code = sqlite3_load_extension(db, "./nvmewatch_history.so", NULL, &message);
	ck_assert_msg(code == SQLITE_OK, "%s", message);
	ck_assert_str_eq(ask("SELECT count(*), max(power_cycles) FROM smart WHERE drive = 1"), "90|89");
	set_spool();
	ck_assert_str_eq(ask("SELECT count(*) FROM smart WHERE drive = 1"), "100");
	ck_assert_str_eq(ask("SELECT count(*) FROM ocp_smart"), "0");
}
END_TEST

START_TEST(test_the_extension_wants_a_file)
{
	char *message = NULL;

	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_load_extension(db, "./nvmewatch_history.so", NULL, &message),
			 SQLITE_ERROR);
	ck_assert_ptr_nonnull(strstr(message, "open history.db first"));
	sqlite3_free(message);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_rows_of_every_age,
		test_terms_find_what_they_say,
		test_a_row,
		test_columns_are_those_of_the_view,
		test_joins_and_tables_of_the_file,
		test_pages_of_which_there_are_several,
		test_modules_are_tables,
		test_a_history_that_is_not_there,
		test_the_extension,
		test_the_extension_wants_a_file,
		NULL,
	};

	return check_main_with("history_vtab", tests, archive_setup, vtab_teardown);
}
