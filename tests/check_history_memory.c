/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What history.db remembers for the collector: refusals, drives, events. */

#include <string.h>

#include "history_support.h"

static const struct drive drive = { .key = "S1", .serial = "S1", .model = "M1", .firmware = "FW1",
				    .address = "0000:3b:00.0" };
static struct history_memory *m;

static void setup(void)
{
	history_setup();
	m = NULL;
}

static void teardown(void)
{
	history_memory_free(m);
	history_teardown();
}

/* As the next start finds it. */
static void load(void)
{
	history_reopen();
	history_memory_free(m);
	m = NULL;
	ck_assert_int_eq(history_load(history, &m), 0);
}

static void put(const char *key, int64_t time)
{
	struct drive d = drive;

	strcpy(d.key, key);
	strcpy(d.serial, key);
	ck_assert_int_eq(history_drive(history, &d, time), 0);
}

START_TEST(test_a_new_database_remembers_nothing)
{
	load();
	ck_assert_uint_eq(m->n_refusals, 0);
	ck_assert_uint_eq(m->n_drives, 0);
}
END_TEST

START_TEST(test_refusals_come_back_once)
{
	ck_assert_int_eq(history_refuse(history, &drive, "ocp_smart", TIME), 0);
	ck_assert_int_eq(history_refuse(history, &drive, "ocp_smart", TIME + 5000000), 0);
	load();
	ck_assert_uint_eq(m->n_refusals, 1);
	ck_assert_str_eq(m->refusals[0].model, "M1");
	ck_assert_str_eq(m->refusals[0].firmware, "FW1");
	ck_assert_str_eq(m->refusals[0].page, "ocp_smart");
	ck_assert_str_eq(query("SELECT * FROM refusals"), "M1|FW1|ocp_smart|1796050005000");
}
END_TEST

START_TEST(test_refusals_go_by_model_and_firmware)
{
	struct drive other = drive;

	ck_assert_int_eq(history_refuse(history, &drive, "ocp_smart", TIME), 0);
	strcpy(other.firmware, "FW2");
	ck_assert_int_eq(history_refuse(history, &other, "ocp_smart", TIME), 0);
	strcpy(other.model, "it's \"M2\"");
	ck_assert_int_eq(history_refuse(history, &other, "ocp_smart", TIME), 0);
	load();
	ck_assert_uint_eq(m->n_refusals, 3);
}
END_TEST

START_TEST(test_drives_come_back_with_when_they_were_seen)
{
	put("S1", TIME);
	put("S2", TIME + 1000000);
	put("S1", TIME + 2000000);
	load();
	ck_assert_uint_eq(m->n_drives, 2);
	const struct history_drive *d = &m->drives[0];
	ck_assert_str_eq(d->drive.key, "S1");
	ck_assert_str_eq(d->drive.serial, "S1");
	ck_assert_str_eq(d->drive.model, "M1");
	ck_assert_str_eq(d->drive.firmware, "FW1");
	ck_assert_str_eq(d->drive.address, "0000:3b:00.0");
	ck_assert_int_eq(d->drive.numa_node, -1);
	ck_assert(!d->drive.present && !d->removed);
	ck_assert_int_eq(d->last_seen, TIME + 2000000);
	ck_assert_int_eq(m->drives[1].last_seen, TIME + 1000000);
}
END_TEST

/* Samples and events tell that the drive was there, also one that was never introduced. */
START_TEST(test_samples_and_events_move_the_time)
{
	static const uint8_t smart[512] = { 1 };

	put("S1", TIME);
	spool_sample("S1", &smart_page, TIME + 3000000, smart);
	ck_assert_int_eq(take_samples(), 0);
	ck_assert_int_eq(history_event(history, "S2", "attach", "nvme0", TIME + 4000000, MONO), 0);
	load();
	ck_assert_uint_eq(m->n_drives, 2);
	ck_assert_int_eq(m->drives[0].last_seen, TIME + 3000000);
	ck_assert_int_eq(m->drives[1].last_seen, TIME + 4000000);
	ck_assert_str_eq(m->drives[1].drive.model, "");
}
END_TEST

START_TEST(test_a_forgotten_drive_keeps_its_history)
{
	ck_assert_int_eq(history_event(history, "S1", "attach", "nvme0", TIME, MONO), 0);
	put("S1", TIME);
	put("S2", TIME);
	ck_assert_int_eq(history_forget(history, "S1"), 0);
	ck_assert_int_eq(history_forget(history, "never seen"), 0);
	load();
	ck_assert_uint_eq(m->n_drives, 1);
	ck_assert_str_eq(m->drives[0].drive.key, "S2");
	ck_assert_str_eq(query("SELECT count(*), type FROM events JOIN drives ON drives.id = drive"
			       " WHERE key = 'S1'"), "1|attach");
	/* It is known again when it is there again. */
	put("S1", TIME + 1000000);
	load();
	ck_assert_uint_eq(m->n_drives, 2);
}
END_TEST

START_TEST(test_events_are_kept_in_order)
{
	put("S1", TIME);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(history_event(history, "S1", i % 2 ? "remove" : "attach", "it's nvme0",
					       TIME, MONO + i * 1000), 0);
	ck_assert_int_eq(history_event(history, "S2", "reset", "", TIME, MONO), 0);
	ck_assert_str_eq(query("SELECT group_concat(type || ' ' || detail || ' ' || mono) FROM"
			       " (SELECT * FROM events JOIN drives ON drives.id = drive WHERE key ="
			       " 'S1' ORDER BY events.id)"),
			 "attach it's nvme0 3600000,remove it's nvme0 3600001,"
			 "attach it's nvme0 3600002,remove it's nvme0 3600003,"
			 "attach it's nvme0 3600004");
	ck_assert_str_eq(query("SELECT type, detail, key FROM events JOIN drives ON drives.id = drive"
			       " ORDER BY events.id DESC"), "reset||S2");
}
END_TEST

START_TEST(test_who_went_is_told_from_who_is_there)
{
	put("S1", TIME);
	put("S2", TIME);
	ck_assert_int_eq(history_event(history, "S1", "attach", "nvme0", TIME, MONO), 0);
	ck_assert_int_eq(history_event(history, "S1", "remove", "nvme0", TIME, MONO), 0);
	ck_assert_int_eq(history_event(history, "S1", "reset", "", TIME, MONO), 0);
	load();
	ck_assert(m->drives[0].removed && !m->drives[1].removed);
	ck_assert_int_eq(history_event(history, "S1", "attach", "nvme0", TIME, MONO), 0);
	load();
	ck_assert(!m->drives[0].removed);
}
END_TEST

static const char *attached(const char *key, int64_t since)
{
	ck_assert_int_eq(history_first_seen(history, key, "nvme0", since, TIME + 9000000, MONO), 0);
	return query("SELECT count(*) FROM events WHERE type = 'attach'");
}

/* An attach event: unknown, or seen to go, or not heard of since. */
START_TEST(test_a_known_drive_is_no_news)
{
	put("S1", TIME);
	ck_assert_str_eq(attached("S1", TIME - 1000), "0");
	ck_assert_str_eq(attached("S2", TIME), "1");
	ck_assert_str_eq(attached("S2", TIME), "1");
	/* It was heard of, all the same. */
	ck_assert_str_eq(query("SELECT count(*) FROM drives WHERE last_seen = 1796050009000"), "2");
	ck_assert_int_eq(history_event(history, "S1", "remove", "nvme0", TIME, MONO), 0);
	ck_assert_str_eq(attached("S1", 0), "2");
	ck_assert_str_eq(attached("S1", 0), "2");
	ck_assert_str_eq(attached("S1", TIME + 9000000), "3");
	ck_assert_int_eq(history_forget(history, "S1"), 0);
	ck_assert_str_eq(attached("S1", 0), "4");
}
END_TEST

START_TEST(test_a_batch_that_is_rolled_back_leaves_nothing)
{
	ck_assert_int_eq(history_begin(history), 0);
	ck_assert_int_eq(history_event(history, "S1", "attach", "nvme0", TIME, MONO), 0);
	ck_assert_int_eq(history_refuse(history, &drive, "ocp_smart", TIME), 0);
	history_rollback(history);
	load();
	ck_assert_uint_eq(m->n_drives, 0);
	ck_assert_uint_eq(m->n_refusals, 0);
	ck_assert_str_eq(query("SELECT count(*) FROM events"), "0");
}
END_TEST

/* Rows that somebody else wrote are cut to fit, not trusted. */
START_TEST(test_texts_of_any_length_are_cut)
{
	history_close(history);
	history = NULL;
	execute("INSERT INTO drives (key, serial, model, firmware, last_seen) VALUES"
		" (printf('%.*c', 999, 'k'), printf('%.*c', 999, 's'), 5, x'00ff', 1);"
		"INSERT INTO refusals VALUES (printf('%.*c', 999, 'm'), '', printf('%.*c', 999, 'p'), 0)");
	load();
	ck_assert_uint_eq(strlen(m->drives[0].drive.key), sizeof(m->drives[0].drive.key) - 1);
	ck_assert_uint_eq(strlen(m->refusals[0].page), sizeof(m->refusals[0].page) - 1);
	ck_assert_str_eq(m->refusals[0].firmware, "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_new_database_remembers_nothing,
		test_refusals_come_back_once,
		test_refusals_go_by_model_and_firmware,
		test_drives_come_back_with_when_they_were_seen,
		test_samples_and_events_move_the_time,
		test_a_forgotten_drive_keeps_its_history,
		test_events_are_kept_in_order,
		test_who_went_is_told_from_who_is_there,
		test_a_known_drive_is_no_news,
		test_a_batch_that_is_rolled_back_leaves_nothing,
		test_texts_of_any_length_are_cut,
		NULL,
	};

	return check_main_with("history memory", tests, setup, teardown);
}
