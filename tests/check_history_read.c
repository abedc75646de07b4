/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Opening what there is, what cannot be opened, damage, rollups, events, and queries over all of it. */

#include <errno.h>
#include <fcntl.h>

#include "nvmewatch/history_query.h"
#include "reader_support.h"

static int open_result(void)
{
	struct history_reader *r = NULL;
	int result = history_reader_open(folder, folder, &r);

	history_reader_free(r);
	return result;
}

START_TEST(test_no_history_yet)
{
	ck_assert_int_eq(open_result(), -ENOENT);
	write_text(db_path(), "");
	ck_assert_int_eq(open_result(), -ENOENT);
}
END_TEST

START_TEST(test_what_is_no_history)
{
	char rubbish[8192];

	memset(rubbish, 'x', sizeof(rubbish));
	write_bytes(db_path(), rubbish, sizeof(rubbish));
	ck_assert_int_eq(open_result(), -EUCLEAN);
	unlink(db_path());
	sqlite3 *db = db_open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	sqlite3_exec(db, "CREATE TABLE t (x)", NULL, NULL, NULL);
	ck_assert_int_eq(open_result(), -EUCLEAN);
	sqlite3_exec(db, "PRAGMA user_version = 3", NULL, NULL, NULL);
	ck_assert_int_eq(open_result(), -EPROTO);
	sqlite3_exec(db, "PRAGMA user_version = 1", NULL, NULL, NULL);
	ck_assert_int_eq(open_result(), -EPROTO);
	sqlite3_close(db);
}
END_TEST

/* From here on somebody else, who may read; root may do anything. */
static void become_nobody(void)
{
	static const char *const files[] = { "history.db", "history.db-wal", "history.db-shm", "spool.db",
					     "spool.db-wal", "spool.db-shm" };

	chmod(folder, 0755);
	for (size_t i = 0; i < ELEMENTS(files); i++)
		chmod(in_folder(files[i]), 0644);
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
}

static void become_root(void)
{
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
}

START_TEST(test_who_may_only_read_follows_the_writer)
{
	spool_minutes(0, 1);
	flush();
	become_nobody();
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40");
	become_root();
	spool_minutes(1, 2);
	flush();
	spool_minutes(2, 3);
	become_nobody();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41 120=2=42");
	become_root();
	/* Also after the writer is gone. */
	archive_free(TAKE(archive));
	become_nobody();
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41 120=2=42");
	become_root();
}
END_TEST

START_TEST(test_who_may_not_read)
{
	spool_minutes(0, 1);
	flush();
	become_nobody();
	become_root();
	chmod(db_path(), 0600);
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	chmod(db_path(), 0);
	ck_assert_int_eq(open_result(), -EACCES);
	become_root();
}
END_TEST

/* Without a log beside it, in a folder that nobody may write to. */
START_TEST(test_a_copy_in_a_folder_that_is_read_only)
{
	spool_minutes(0, 2);
	flush();
	archive_free(TAKE(archive));
	execute("PRAGMA wal_checkpoint(TRUNCATE)");
	char path[600], copy[700];
	snprintf(path, sizeof(path), "%s/copy", folder);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	snprintf(copy, sizeof(copy), "%s/history.db", path);
	ck_assert_int_eq(link(db_path(), copy), 0);
	ck_assert_int_eq(chmod(path, 0555), 0);
	become_nobody();
	ck_assert_int_eq(history_reader_open(path, NULL, &reader), 0);
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41");
	become_root();
	chmod(path, 0755);
}
END_TEST

START_TEST(test_without_the_run_folder_there_is_no_spool)
{
	spool_minutes(0, 1);
	flush();
	spool_minutes(1, 2);
	ck_assert_int_eq(history_reader_open(folder, NULL, &reader), 0);
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40");
}
END_TEST

START_TEST(test_a_reader_follows_the_writer)
{
	spool_minutes(0, 1);
	flush();
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40");
	spool_minutes(1, 2);
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41");
	flush();
	pack();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41");
}
END_TEST

START_TEST(test_files_that_are_replaced_are_opened_anew)
{
	spool_minutes(0, 1);
	flush();
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40");
	archive_free(TAKE(archive));
	rename(db_path(), in_folder("history.db.old"));
	unlink(in_folder("history.db-wal"));
	unlink(in_folder("history.db-shm"));
	unlink(in_folder("spool.db"));
	unlink(in_folder("spool.db-wal"));
	unlink(in_folder("spool.db-shm"));
	struct history_span span = { .drive = "S1", .page = &smart_page, .end = INT64_MAX };
	ck_assert_int_eq(history_scan(reader, &span, note_rows, &span), -ENOENT);
	archive_reopen();
	spool_minutes(1, 2);
	flush();
	spool_minutes(2, 3);
	ck_assert_str_eq(scan("S1", 0, 86400), "60=1=41 120=2=42");
}
END_TEST

static int flush_meanwhile(void *userdata, const struct sheet *s)
{
	flush();
	pack();
	return note_rows(userdata, s);
}

/* What a scan began with is what it ends with. */
START_TEST(test_a_scan_is_of_one_moment)
{
	struct history_span span = { .drive = "S1", .page = &smart_page, .end = INT64_MAX,
				     .columns = wanted_columns, .n_columns = 2 };

	spool_minutes(0, 1);
	flush();
	pack();
	spool_minutes(1, 2);
	flush();
	spool_minutes(2, 3);
	open_reader();
	scanned[0] = 0;
	ck_assert_int_eq(history_scan(reader, &span, flush_meanwhile, &span), 0);
	ck_assert_str_eq(scanned, "0=0=40 60=1=41 120=2=42");
}
END_TEST

static int cancel(void *userdata, const struct sheet *s)
{
	(void)s;
	history_reader_cancel(userdata);
	return 0;
}

START_TEST(test_a_reader_that_is_cancelled)
{
	struct history_span span = { .drive = "S1", .page = &smart_page, .end = INT64_MAX };
	uint64_t n;

	spool_minutes(0, 1);
	flush();
	pack();
	spool_minutes(1, 2);
	flush();
	open_reader();
	ck_assert_int_eq(history_scan(reader, &span, cancel, reader), -ECANCELED);
	ck_assert_int_eq(history_count(reader, &span, &n), -ECANCELED);
}
END_TEST

static int stop(void *userdata, const struct sheet *s)
{
	(void)userdata;
	(void)s;
	return -EPIPE;
}

START_TEST(test_a_callback_ends_the_scan)
{
	struct history_span span = { .page = &smart_page, .end = INT64_MAX };

	spool_minutes(0, 1);
	flush();
	open_reader();
	ck_assert_int_eq(history_scan(reader, &span, stop, NULL), -EPIPE);
}
END_TEST

/* ---- Damage ---- */

START_TEST(test_damage_costs_what_is_damaged)
{
	spool_minutes(0, 1);
	flush();
	pack();
	spool_minutes(1, 2);
	flush();
	pack();
	spool_minutes(2, 4);
	flush();
	spool_minutes(4, 6);
	flush();
	execute("UPDATE chunks SET data = substr(data, 1, length(data) / 2) WHERE drive = 1 AND flush = 1;"
		"UPDATE batches SET data = x'00112233' WHERE id = (SELECT min(id) FROM batches)");
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "60=1=41 240=4=44 300=5=45");
	ck_assert_uint_eq(history_reader_damaged(reader), 2);
}
END_TEST

START_TEST(test_json_that_is_none)
{
	spool_smart("S1", 1000, 41, 1);
	flush();
	execute("UPDATE batches SET data = '[{\"drive\":1,'");
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "");
}
END_TEST

START_TEST(test_a_layout_that_is_none)
{
	spool_minutes(0, 2);
	flush();
	execute("UPDATE layouts SET columns = 'rubbish'");
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "");
	ck_assert_uint_eq(history_reader_damaged(reader), 1);
}
END_TEST

START_TEST(test_a_damaged_spool_does_not_hide_history)
{
	char rubbish[8192];

	spool_minutes(0, 2);
	flush();
	archive_free(TAKE(archive));
	memset(rubbish, 'x', sizeof(rubbish));
	write_bytes(in_folder("spool.db"), rubbish, sizeof(rubbish));
	open_reader();
	ck_assert_str_eq(scan("S1", 0, 86400), "0=0=40 60=1=41");
}
END_TEST

/* ---- Drives and events ---- */

static int note_event(void *userdata, const struct history_event *e)
{
	snprintf(userdata + strlen(userdata), 64, "%s/%s/%s ", e->key ? e->key : "-", e->type,
		 e->detail ? e->detail : "-");
	return 0;
}

static void put_event(const char *key, const char *type, const char *detail)
{
	struct archive_entry e = { .what = ARCHIVE_EVENT, .key = key, .name = type, .time = T0 * 1000,
				   .boot_id = BOOT_1, .bytes = detail, .size = strlen(detail) };

	ck_assert_int_eq(archive_put(archive, &e, 1), 0);
}

static const char *events(const struct history_events *what)
{
	static char text[1024];

	text[0] = 0;
	ck_assert_int_eq(history_scan_events(reader, what, note_event, text), 0);
	return text;
}

START_TEST(test_events)
{
	put_event("S1", "attach", "nvme0");
	put_event("S2", "attach", "nvme1");
	put_event("S1", "reset", "x");
	flush();
	open_reader();
	ck_assert_str_eq(events(&(struct history_events){ .end = INT64_MAX }),
			 "S1/attach/nvme0 S2/attach/nvme1 S1/reset/x ");
	ck_assert_str_eq(events(&(struct history_events){ .end = INT64_MAX, .drive = "S1" }),
			 "S1/attach/nvme0 S1/reset/x ");
	ck_assert_str_eq(events(&(struct history_events){ .end = INT64_MAX, .type = "attach", .after = 1 }),
			 "S2/attach/nvme1 ");
	ck_assert_str_eq(events(&(struct history_events){ .end = INT64_MAX, .limit = 1 }),
			 "S1/attach/nvme0 ");
	ck_assert_str_eq(events(&(struct history_events){ .end = T0 - 1 }), "");
	ck_assert_str_eq(events(&(struct history_events){ .end = INT64_MAX, .drive = "S9" }), "");
}
END_TEST

static int note_drive(void *userdata, const struct history_known_drive *d)
{
	snprintf(userdata + strlen(userdata), 160, "%lld=%s ", (long long)d->id, d->key);
	return 0;
}

START_TEST(test_drives)
{
	char text[1024] = "";

	spool_minutes(0, 1);
	flush();
	open_reader();
	ck_assert_int_eq(history_scan_drives(reader, note_drive, text), 0);
	ck_assert_str_eq(text, "1=S1 2=S2 3=S3 ");
}
END_TEST

/* ---- Rollups and queries ---- */

static int note_rollup(void *userdata, const struct history_rollup *row)
{
	snprintf(userdata + strlen(userdata), 128, "%lld:%lld:%lld:%lld:%.6g ",
		 (long long)(row->time - T0) / 3600000, (long long)row->count,
		 (long long)row->columns[0].increase.integer, (long long)row->columns[1].last.integer,
		 row->columns[1].mean.type == VALUE_REAL ? row->columns[1].mean.real : -1);
	return 0;
}

static const char *rollups(enum history_step step, int64_t from_hour, int64_t to_hour)
{
	static char text[1024];
	struct history_span span = { .drive = "S1", .page = &smart_page, .columns = wanted_columns,
				     .n_columns = 2, .start = T0 + from_hour * 3600000,
				     .end = T0 + to_hour * 3600000 };

	text[0] = 0;
	ck_assert_int_eq(history_scan_rollups(reader, &span, step, note_rollup, text), 0);
	return text;
}

START_TEST(test_rollups)
{
	struct history_span span = { .drive = "S1", .page = &smart_page };
	int64_t until = -1;

	spool_minutes(0, 150);
	flush();
	open_reader();
	ck_assert_int_eq(history_rolled_until(reader, &span, &until), 0);
	ck_assert_int_eq(until, 0);
	ck_assert_str_eq(rollups(HISTORY_HOUR, 0, 100), "");
	pack();
	ck_assert_int_eq(history_rolled_until(reader, &span, &until), 0);
	ck_assert_int_eq(until, T0 + 2 * 3600000);
	ck_assert_str_eq(rollups(HISTORY_HOUR, 0, 100), "0:60:59:49:44.5 1:60:60:49:44.5 2:30:30:49:44.5 ");
	ck_assert_str_eq(rollups(HISTORY_HOUR, 1, 1), "1:60:60:49:44.5 ");
	ck_assert_str_eq(rollups(HISTORY_DAY, 0, 100), "0:150:149:49:44.5 ");
	ck_assert_str_eq(rollups(HISTORY_DAY, 1, 100), "");
	/* A clock that was set back: what is not packed may be of any hour. */
	spool_minutes(30, 32);
	flush();
	ck_assert_int_eq(history_rolled_until(reader, &span, &until), 0);
	ck_assert_int_eq(until, T0);
}
END_TEST

START_TEST(test_a_file_of_an_older_version_lacks_columns)
{
	spool_minutes(0, 60);
	flush();
	pack();
	execute("DROP VIEW smart; ALTER TABLE smart_hourly DROP COLUMN power_cycles_last;"
		"ALTER TABLE smart_hourly DROP COLUMN power_cycles_increase");
	open_reader();
	ck_assert_str_eq(rollups(HISTORY_HOUR, 0, 100), "0:60:0:49:44.5 ");
}
END_TEST

static struct query_result *answer;

/* The first column's values of a query from T0 on. */
static const char *ask(const char *column, enum query_agg agg, int64_t minutes, int64_t step)
{
	static char text[65536];
	struct query q = { .page = &smart_page, .columns = &column, .n_columns = 1, .agg = agg,
			   .start = T0, .end = T0 + minutes * 60000, .step = step };

	query_result_free(answer);
	answer = NULL;
	ck_assert_int_eq(history_query(reader, "S1", &q, &answer), 0);
	text[0] = 0;
	for (size_t i = 0; i < answer->n_points; i++) {
		struct value v;
		query_result_get(answer, 0, i, &v);
		if (v.type == VALUE_INTEGER)
			snprintf(text + strlen(text), 32, "%lld ", (long long)v.integer);
		else
			snprintf(text + strlen(text), 32, v.type == VALUE_REAL ? "%.6g " : "- ", v.real);
	}
	return text;
}

START_TEST(test_the_same_from_rollups_rows_and_both)
{
	static const struct {
		const char *column;
		enum query_agg agg;
		const char *answer;
	} cases[] = {
		{ "power_cycles", QUERY_INCREASE, "59 60 60 10 " },
		{ "power_cycles", QUERY_LAST, "59 119 179 189 " },
		{ "power_cycles", QUERY_COUNT, "60 60 60 10 " },
		{ "temperature_celsius", QUERY_MEAN, "44.5 44.5 44.5 44.5 " },
		{ "temperature_celsius", QUERY_MAX, "49 49 49 49 " },
		{ "temperature_celsius", QUERY_MIN, "40 40 40 40 " },
	};

	spool_minutes(0, 130);
	flush();
	open_reader();
	for (int round = 0; round < 3; round++) {
		if (round == 1)
			pack();
		if (round == 2) {
			flush();
			pack();
		}
		if (round == 0)
			spool_minutes(130, 190);
		for (size_t i = 0; i < ELEMENTS(cases); i++) {
			const char *got = ask(cases[i].column, cases[i].agg, 190, 3600000);
			ck_assert_msg(!strcmp(got, cases[i].answer), "%d %zu: %s", round, i, got);
			ck_assert_int_eq(answer->plan.resolution, round ? QUERY_HOURLY : QUERY_RAW);
			ck_assert_int_eq(answer->plan.raw_from, T0 + (round ? round + 1 : 0) * 3600000);
		}
	}
	query_result_free(TAKE(answer));
}
END_TEST

START_TEST(test_rates_agree_too)
{
	spool_minutes(0, 190);
	flush();
	open_reader();
	ck_assert_str_eq(ask("power_cycles", QUERY_RATE, 120, 3600000), "0.0166667 0.0166667 ");
	pack();
	/* But for the first hour, of which rollups do not tell when it began. */
	ck_assert_str_eq(ask("power_cycles", QUERY_RATE, 120, 3600000), "- 0.0166667 ");
	query_result_free(TAKE(answer));
}
END_TEST

START_TEST(test_days_from_rollups)
{
	spool_minutes(0, 1500);
	flush();
	pack();
	spool_minutes(1500, 1510);
	open_reader();
	ck_assert_str_eq(ask("power_cycles", QUERY_INCREASE, 2880, 86400000), "1439 70 ");
	ck_assert_int_eq(answer->plan.resolution, QUERY_DAILY);
	query_result_free(TAKE(answer));
}
END_TEST

START_TEST(test_raw_rows_where_they_are_few)
{
	spool_minutes(0, 2);
	flush();
	pack();
	spool_minutes(2, 3);
	flush();
	spool_minutes(3, 4);
	open_reader();
	ck_assert_str_eq(ask("power_cycles", QUERY_DEFAULT, 600, 0), "0 1 2 3 ");
	ck_assert_int_eq(answer->plan.step, 0);
	query_result_free(TAKE(answer));
}
END_TEST

START_TEST(test_hours_where_rows_were_dropped)
{
	struct history_span span = { .drive = "S1", .page = &smart_page };
	int64_t since = 0;

	spool_minutes(0, 120);
	flush();
	pack();
	spool_minutes(1440, 1500);
	flush();
	pack();
	open_reader();
	ck_assert_int_eq(history_raw_since(reader, &span, &since), 0);
	ck_assert(since == INT64_MIN);
	ck_assert_str_eq(ask("power_cycles", QUERY_DEFAULT, 2, 0), "0 1 2 ");
	execute("DELETE FROM chunks WHERE flush = 1");
	ck_assert_int_eq(history_raw_since(reader, &span, &since), 0);
	ck_assert_int_eq(since, T0 + 86400000);
	ck_assert_str_eq(ask("power_cycles", QUERY_DEFAULT, 120, 0), "59 119 ");
	execute("DELETE FROM chunks");
	ck_assert_int_eq(history_raw_since(reader, &span, &since), 0);
	ck_assert(since == INT64_MAX);
	query_result_free(TAKE(answer));
}
END_TEST

START_TEST(test_a_query_that_cannot_be_answered)
{
	static const char *column = "temperature_celsius";
	struct query q = { .page = &smart_page, .columns = &column, .n_columns = 1, .agg = QUERY_RATE,
			   .start = T0, .end = T0 + 60000 };

	spool_minutes(0, 2);
	flush();
	open_reader();
	ck_assert_int_eq(history_query(reader, "S1", &q, &answer), -EDOM);
	q.agg = QUERY_MEAN;
	ck_assert_int_eq(history_query(reader, "S9", &q, &answer), -ENOENT);
	q.step = 1;
	ck_assert_int_eq(history_query(reader, "S1", &q, &answer), -E2BIG);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_no_history_yet,
		test_what_is_no_history,
		test_who_may_only_read_follows_the_writer,
		test_who_may_not_read,
		test_a_copy_in_a_folder_that_is_read_only,
		test_without_the_run_folder_there_is_no_spool,
		test_a_reader_follows_the_writer,
		test_files_that_are_replaced_are_opened_anew,
		test_a_scan_is_of_one_moment,
		test_a_reader_that_is_cancelled,
		test_a_callback_ends_the_scan,
		test_damage_costs_what_is_damaged,
		test_json_that_is_none,
		test_a_layout_that_is_none,
		test_a_damaged_spool_does_not_hide_history,
		test_events,
		test_drives,
		test_rollups,
		test_a_file_of_an_older_version_lacks_columns,
		test_the_same_from_rollups_rows_and_both,
		test_rates_agree_too,
		test_days_from_rollups,
		test_raw_rows_where_they_are_few,
		test_hours_where_rows_were_dropped,
		test_a_query_that_cannot_be_answered,
		NULL,
	};

	return check_main_with("history_read", tests, archive_setup, reader_teardown);
}
