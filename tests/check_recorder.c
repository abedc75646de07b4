/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The recorder: samples reach history.db in batches from its own thread, and wait for a disk that
 * fails. */

#include <signal.h>
#include <sys/wait.h>

#include "collect/recorder.h"
#include "history_support.h"
#include "nvmewatch/boot.h"

#define SECOND INT64_C(1000000)
#define WAIT 10000000 /* microseconds, more than any test needs */

static struct recorder *r;
static uint8_t smart[512];
static int64_t base; /* time of the first sample */

static void setup(void)
{
	folder_make();
	/* Of today: what is of another day is packed at once. */
	base = clock_real() / SECOND * SECOND;
}

static void start(void)
{
	ck_assert_int_eq(recorder_new(folder, folder, &r), 0);
}

static void stop(void)
{
	recorder_stop(r, WAIT);
}

static void put_samples(int from, int n)
{
	for (int i = from; i < from + n; i++) {
		bytes_put(smart + 112, 8, (uint64_t)i);
		ck_assert_int_eq(recorder_sample(r, "S1", &smart_page, 0, base + i * INT64_C(1000),
						 MONO, smart), 0);
	}
}

static void put_one_drive(void)
{
	struct drive d = { .key = "S1", .serial = "S1", .firmware = "FW1" };

	ck_assert_int_eq(recorder_drive(r, &d), 0);
	strcpy(d.firmware, "changed since");
}

START_TEST(test_what_was_recorded_is_there_after_the_end)
{
	start();
	put_one_drive();
	put_samples(0, 100);
	stop();
	ck_assert_str_eq(query("SELECT count(*), min(power_cycles), max(power_cycles), firmware"
			       " FROM smart, drives"), "100|0|99|FW1");
}
END_TEST

START_TEST(test_nothing_recorded_is_no_error)
{
	start();
	recorder_flush(r);
	stop();
	recorder_stop(NULL, WAIT);
	ck_assert_str_eq(query("SELECT count(*) FROM smart"), "0");
}
END_TEST

START_TEST(test_many_flushes_keep_the_order)
{
	char sql[128];

	start();
	put_one_drive();
	for (int i = 0; i < 50; i++) {
		put_samples(i * 10, 10);
		recorder_flush(r);
	}
	stop();
	snprintf(sql, sizeof(sql), "SELECT count(*), sum(power_cycles * 1000 + %" PRId64
				   " <> time * 1000) FROM smart", base);
	ck_assert_str_eq(query(sql), "500|0");
}
END_TEST

/* The bytes are the recorder's own from then on. */
START_TEST(test_the_next_read_does_not_change_the_last)
{
	start();
	put_one_drive();
	bytes_put(smart + 112, 8, 5);
	ck_assert_int_eq(recorder_sample(r, "S1", &smart_page, 0, base, MONO, smart), 0);
	memset(smart, 0xff, sizeof(smart));
	stop();
	ck_assert_str_eq(query("SELECT power_cycles FROM smart"), "5");
}
END_TEST

/* Events, refusals and what is forgotten do not wait for a flush. */
static const char *query_soon(const char *sql, const char *expected)
{
	const char *answer = "";

	for (int i = 0; i < 1000; i++) {
		usleep(10000);
		if (access(db_path(), F_OK) < 0)
			continue;
		answer = query(sql);
		if (!strcmp(answer, expected))
			break;
	}
	return answer;
}

static void wait_for_memory(struct history_memory **ret)
{
	*ret = NULL;
	for (int i = 0; i < 1000 && !*ret; i++) {
		usleep(10000);
		*ret = recorder_take_memory(r);
	}
	ck_assert_ptr_nonnull(*ret);
}

START_TEST(test_events_go_to_disk_at_once)
{
	struct history_memory *m;
	char detail[] = "nvme0";

	start();
	wait_for_memory(&m); /* the tables are there */
	history_memory_free(m);
	ck_assert_int_eq(recorder_event(r, "S1", "attach", detail), 0);
	recorder_push(r);
	strcpy(detail, "gone!");
	ck_assert_str_eq(query_soon("SELECT key, type, detail FROM events JOIN drives ON drives.id ="
				    " drive", "S1|attach|nvme0"), "S1|attach|nvme0");
	stop();
}
END_TEST

START_TEST(test_what_is_remembered_is_from_before)
{
	const struct drive d = { .key = "S1", .serial = "S1", .model = "M1", .firmware = "FW1" };
	struct history_memory *m;

	start();
	ck_assert_int_eq(recorder_drive(r, &d), 0);
	ck_assert_int_eq(recorder_refuse(r, &d, "ocp_smart"), 0);
	wait_for_memory(&m);
	ck_assert_uint_eq(m->n_drives, 0);
	history_memory_free(m);
	ck_assert_ptr_null(recorder_take_memory(r));
	stop();
	start();
	wait_for_memory(&m);
	ck_assert_uint_eq(m->n_drives, 1);
	ck_assert_str_eq(m->drives[0].drive.model, "M1");
	ck_assert_uint_eq(m->n_refusals, 1);
	ck_assert_str_eq(m->refusals[0].page, "ocp_smart");
	history_memory_free(m);
	ck_assert_int_eq(recorder_forget(r, "S1"), 0);
	stop();
	start();
	wait_for_memory(&m);
	ck_assert_uint_eq(m->n_drives, 0);
	ck_assert_uint_eq(m->n_refusals, 1);
	history_memory_free(m);
	stop();
}
END_TEST

/* Nobody took it: it goes with the recorder. */
START_TEST(test_memory_need_not_be_taken)
{
	start();
	usleep(100000);
	stop();
}
END_TEST

/* The folder is not there at first (a disk not yet mounted). */
static void start_without_folder(char *state, size_t size)
{
	snprintf(state, size, "%s/later", folder);
	ck_assert_int_eq(recorder_new(state, folder, &r), 0);
}

/* It is there now; what has waited is written. Returns the answer to a query. */
static const char *query_later(const char *state, const char *sql)
{
	ck_assert_int_eq(mkdir(state, 0755), 0);
	stop();
	ck_assert_int_eq(rename(in_folder("later/history.db"), db_path()), 0);
	ck_assert_int_eq(rename(in_folder("later/history.db-wal"), in_folder("history.db-wal")), 0);
	return query(sql);
}

START_TEST(test_samples_wait_for_a_failing_disk)
{
	char state[512];

	start_without_folder(state, sizeof(state));
	put_one_drive();
	put_samples(0, 10);
	recorder_flush(r);
	usleep(100000);
	put_samples(10, 10);
	ck_assert_str_eq(query_later(state, "SELECT count(*), firmware FROM smart, drives"),
			 "20|FW1");
}
END_TEST

/* There is room for hours of it. */
START_TEST(test_a_long_failure_costs_nothing)
{
	char state[512];

	start_without_folder(state, sizeof(state));
	put_one_drive();
	for (int i = 0; i < 20; i++) {
		put_samples(i * 1000, 1000);
		recorder_flush(r);
		usleep(20000);
	}
	ck_assert_str_eq(query_later(state, "SELECT count(*), max(power_cycles), key FROM smart"
					    " JOIN drives ON id = drive"), "20000|19999|S1");
}
END_TEST

/* Samples in the spool; 0 while there is none. */
static int spooled(void)
{
	sqlite3_stmt *q = NULL;
	sqlite3 *db;
	int n = 0;

	if (sqlite3_open_v2(in_folder("spool.db"), &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, "SELECT count(*) FROM spool WHERE what = 0", -1, &q, NULL) == SQLITE_OK &&
	    sqlite3_step(q) == SQLITE_ROW)
		n = sqlite3_column_int(q, 0);
	sqlite3_finalize(q);
	sqlite3_close(db);
	return n;
}

/* Nothing waits for the next flush but in the spool: a collector that is killed loses nothing. */
START_TEST(test_a_killed_recorder_loses_nothing)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		start();
		put_one_drive();
		put_samples(0, 100);
		recorder_push(r);
		while (spooled() < 100)
			usleep(1000);
		kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	start();
	stop();
	ck_assert_str_eq(query("SELECT count(*), max(power_cycles) FROM smart"), "100|99");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_what_was_recorded_is_there_after_the_end,
		test_nothing_recorded_is_no_error,
		test_many_flushes_keep_the_order,
		test_the_next_read_does_not_change_the_last,
		test_events_go_to_disk_at_once,
		test_what_is_remembered_is_from_before,
		test_memory_need_not_be_taken,
		test_samples_wait_for_a_failing_disk,
		test_a_long_failure_costs_nothing,
		test_a_killed_recorder_loses_nothing,
		NULL,
	};

	return check_main_with("recorder", tests, setup, folder_remove);
}
