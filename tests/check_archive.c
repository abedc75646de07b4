/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The way into history: spool, batches, packed days and rollups; each row once, exact, in its order. */

#include "archive_support.h"

/* power_cycles of every row, joined: those of drives one after another. */
static const char *cycles(void)
{
	static char text[1 << 16];
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = rows_of(&smart_page, &l);
	int column = layout_find(l, "power_cycles");
	size_t used = 0;

	text[0] = 0;
	for (size_t i = 0; i < rows->n_rows; i++) {
		struct value v;

		sheet_get(rows, i, (size_t)column, &v);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%" PRId64, i ? " " : "",
					 v.integer);
	}
	return text;
}

START_TEST(test_rows_are_once_wherever_they_are)
{
	for (int i = 0; i < 3; i++) {
		sample("S1", TIME + i * DAY / 2, i);
		sample("S2", TIME + i * DAY / 2, 10 + i);
		ck_assert_int_eq(archive_flush(archive), 0);
	}
	ck_assert_str_eq(cycles(), "0 1 2 10 11 12");
	pack();
	ck_assert_str_eq(query("SELECT (SELECT count(*) FROM batches), (SELECT count(*) FROM chunks)"),
			 "0|2");
	ck_assert_str_eq(cycles(), "0 1 2 10 11 12");
	sample("S1", TIME + 2 * DAY, 3);
	ck_assert_int_eq(archive_flush(archive), 0);
	ck_assert_str_eq(cycles(), "0 1 2 10 11 12 3");
	pack();
	ck_assert_str_eq(cycles(), "0 1 2 3 10 11 12");
}
END_TEST

/* A packing that ends after some of the drives. */
START_TEST(test_a_packing_goes_on_where_it_stopped)
{
	char key[16], all[512];

	for (int d = 0; d < 20; d++)
		for (int i = 0; i < 2; i++) {
			snprintf(key, sizeof(key), "S%02d", d);
			sample(key, TIME + i * DAY, d * 10 + i);
		}
	ck_assert_int_eq(archive_flush(archive), 0);
	snprintf(all, sizeof(all), "%s", cycles());
	ck_assert_int_eq(archive_pack(archive), 1);
	ck_assert_str_eq(query("SELECT count(*) FROM drives WHERE packed"), "8");
	ck_assert_str_ne(query("SELECT count(*) FROM batches"), "0");
	archive_reopen();
	sample("S00", TIME + DAY + SECOND, 2);
	sample("S19", TIME + DAY + SECOND, 192);
	ck_assert_int_eq(archive_flush(archive), 0);
	pack();
	ck_assert_str_eq(query("SELECT count(*) FROM batches"), "0");
	ck_assert_uint_eq(strlen(cycles()), strlen(all) + strlen(" 2 192"));
	ck_assert_int_eq(strncmp(cycles(), "0 1 2 10 11 ", 12), 0);
}
END_TEST

/* The drives that are packed have an hour, the others their rows. */
START_TEST(test_plain_sql_sees_no_row_twice_while_days_are_packed)
{
	char key[16];

	for (int d = 0; d < 20; d++)
		for (int i = 0; i < 2; i++) {
			snprintf(key, sizeof(key), "S%02d", d);
			sample(key, TIME + i * SECOND, d * 10 + i);
		}
	ck_assert_int_eq(archive_flush(archive), 0);
	ck_assert_str_eq(query("SELECT count(*), count(DISTINCT drive) FROM smart"), "40|20");
	ck_assert_int_eq(archive_pack(archive), 1);
	ck_assert_str_eq(query("SELECT count(*), count(DISTINCT drive) FROM smart"), "32|20");
	pack();
	ck_assert_str_eq(query("SELECT count(*), count(DISTINCT drive) FROM smart"), "20|20");
}
END_TEST

/* What history.db has and the spool still holds, for the collector died in between, is not taken twice. */
START_TEST(test_what_is_taken_over_is_not_taken_again)
{
	const struct archive_entry event = { .what = ARCHIVE_EVENT, .key = "S1", .name = "reset",
					     .time = TIME, .boot_id = "boot", .bytes = "x", .size = 1 };
	char sql[1024];

	sample("S1", TIME, 1);
	ck_assert_int_eq(archive_put(archive, &event, 1), 0);
	archive_free(TAKE(archive));
	snprintf(sql, sizeof(sql), "VACUUM INTO '%s'", in_folder("before.db"));
	sqlite3 *db;
	ck_assert_int_eq(sqlite3_open(in_folder("spool.db"), &db), SQLITE_OK);
	query_on(db, sql);
	sqlite3_close(db);
	archive_reopen();
	ck_assert_int_eq(archive_flush(archive), 0);
	archive_free(TAKE(archive));
	unlink(in_folder("spool.db-wal"));
	ck_assert_int_eq(rename(in_folder("before.db"), in_folder("spool.db")), 0);
	archive_reopen();
	sample("S1", TIME + SECOND, 2);
	ck_assert_int_eq(archive_flush(archive), 0);
	ck_assert_str_eq(cycles(), "1 2");
	ck_assert_str_eq(query("SELECT count(*) FROM events"), "1");
}
END_TEST

/* After a reboot there is a new one, whose numbers begin anew. */
START_TEST(test_another_spool_is_taken_from_its_start)
{
	for (int i = 0; i < 5; i++)
		sample("S1", TIME + i * SECOND, i);
	ck_assert_int_eq(archive_flush(archive), 0);
	archive_free(TAKE(archive));
	unlink(in_folder("spool.db"));
	unlink(in_folder("spool.db-wal"));
	archive_reopen();
	sample("S1", TIME + 5 * SECOND, 5);
	ck_assert_int_eq(archive_flush(archive), 0);
	ck_assert_str_eq(cycles(), "0 1 2 3 4 5");
}
END_TEST

START_TEST(test_a_damaged_spool_is_made_anew)
{
	write_text(in_folder("spool.db"), "This is not a database, however long it is: it is a text of "
					  "more than a hundred bytes, which is what a header takes.\n");
	sample("S1", TIME, 7);
	ck_assert_int_eq(archive_flush(archive), 0);
	ck_assert_str_eq(cycles(), "7");
}
END_TEST

/* Whatever a drive may answer, by every way. */
static void check_values(const struct page *p, const struct sheet *rows, uint64_t seed)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	for (size_t row = 0; row < rows->n_rows; row++) {
		size_t column = SHEET_FIXED;

		for (unsigned k = 0; k < p->size; k++)
			bytes[k] = (uint8_t)(random_next(&seed) >> random_next(&seed) % 9);
		for (size_t i = 0; i < p->n_fields; i++)
			for (unsigned n = 0; n < field_count(&p->fields[i]); n++, column++) {
				struct value expected, found;

				page_decode(p, &p->fields[i], n, bytes, &expected);
				sheet_get(rows, row, column, &found);
				ck_assert_int_eq(found.type, expected.type);
				if (expected.type == VALUE_INTEGER)
					ck_assert_int_eq(found.integer, expected.integer);
				else if (expected.type == VALUE_REAL)
					ck_assert_mem_eq(&found.real, &expected.real, sizeof(double));
				else if (expected.type == VALUE_TEXT)
					ck_assert_str_eq(found.text, expected.text);
			}
	}
}

#define ROWS 40

START_TEST(test_every_value_of_every_page_comes_back)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	for (const struct page *const *p = pages; *p; p++) {
		_cleanup_(layout_freep) struct layout *first = NULL, *second = NULL;
		_cleanup_(sheet_freep) struct sheet *batch = NULL, *chunk = NULL;
		uint64_t seed = 7;

		if (!(*p)->history)
			continue;
		for (int i = 0; i < ROWS; i++) {
			for (unsigned k = 0; k < (*p)->size; k++)
				bytes[k] = (uint8_t)(random_next(&seed) >> random_next(&seed) % 9);
			ck_assert_int_eq(archive_sample("S1", *p, 0, TIME + i * 15 * SECOND, bytes), 0);
		}
		ck_assert_int_eq(archive_flush(archive), 0);
		batch = rows_of(*p, &first);
		ck_assert_uint_eq(batch->n_rows, ROWS);
		check_values(*p, batch, 7);
		pack();
		chunk = rows_of(*p, &second);
		ck_assert_uint_eq(chunk->n_rows, ROWS);
		check_values(*p, chunk, 7);
	}
}
END_TEST

START_TEST(test_instances_are_kept_apart)
{
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };

	for (uint32_t i = 1; i <= 3; i++) {
		bytes[3] = (uint8_t)(90 + i);
		ck_assert_int_eq(archive_sample("S1", &endurance_group_page, i, TIME, bytes), 0);
		ck_assert_int_eq(archive_sample("S1", &endurance_group_page, i, TIME + DAY, bytes), 0);
	}
	ck_assert_int_eq(archive_flush(archive), 0);
	pack();
	ck_assert_str_eq(query("SELECT count(*), count(DISTINCT instance), sum(n_rows) FROM chunks"), "3|3|6");
	ck_assert_str_eq(query("SELECT group_concat(endurance_group || ' ' || available_spare_ratio)"
			       " FROM (SELECT * FROM endurance_group ORDER BY time, endurance_group"
			       " LIMIT 3)"), "1 0.91,2 0.92,3 0.93");
}
END_TEST

/* ---- Rollups ---- */

static void sample_heat(int64_t time, unsigned celsius, int64_t commands)
{
	uint8_t bytes[512] = { 0 };

	bytes_put(bytes + 1, 2, celsius + 273);
	bytes_put(bytes + 64, 8, (uint64_t)commands);
	ck_assert_int_eq(archive_sample("S1", &smart_page, 0, time, bytes), 0);
}

#define HOUR (3600 * SECOND)
#define FULL (TIME - TIME % HOUR) /* an hour's begin */

static const char *const hours =
	"SELECT group_concat(r, ' ') FROM (SELECT count || ',' || resets || ',' ||"
	" temperature_celsius_min || ',' || temperature_celsius_max || ',' || temperature_celsius_mean"
	" || ',' || temperature_celsius_last || ',' || host_read_commands_last || ',' ||"
	" host_read_commands_increase AS r FROM smart_hourly ORDER BY time)";

START_TEST(test_hours_hold_what_was_in_them)
{
	sample_heat(FULL, 40, 100);
	sample_heat(FULL + HOUR / 2, 50, 150);
	sample_heat(FULL + HOUR, 30, 250);
	sample_heat(FULL + HOUR + 1 * SECOND, 31, 251);
	ck_assert_int_eq(archive_flush(archive), 0);
	pack();
	ck_assert_str_eq(query(hours), "2,0,40,50,45.0,50,150,50 2,0,30,31,30.5,31,251,101");
	/* What the next packing brings of an hour is added to it. */
	sample_heat(FULL + HOUR + 2 * SECOND, 20, 261);
	sample_heat(FULL + 3 * HOUR, 25, 300);
	ck_assert_int_eq(archive_flush(archive), 0);
	pack();
	ck_assert_str_eq(query(hours), "2,0,40,50,45.0,50,150,50 3,0,20,31,27.0,20,261,111"
				       " 1,0,25,25,25.0,25,300,39");
	ck_assert_str_eq(query("SELECT count, host_read_commands_increase, temperature_celsius_max"
			       " FROM smart_daily"), "6|200|50");
}
END_TEST

START_TEST(test_a_counter_that_goes_back_counts_nothing)
{
	sample_heat(FULL, 40, INT64_MAX - 1);
	sample_heat(FULL + SECOND, 40, INT64_MAX);
	sample_heat(FULL + 2 * SECOND, 40, 5);
	sample_heat(FULL + 3 * SECOND, 40, 9);
	ck_assert_int_eq(archive_flush(archive), 0);
	pack();
	ck_assert_str_eq(query("SELECT resets, host_read_commands_increase, host_read_commands_last"
			       " FROM smart_hourly"), "1|5|9");
}
END_TEST

/* CLK: the rows of an hour that was there already are added to it. */
START_TEST(test_a_clock_set_back_adds_to_its_hours)
{
	sample_heat(FULL + HOUR, 40, 100);
	sample_heat(FULL + 5 * HOUR, 41, 110);
	sample_heat(FULL + HOUR, 42, 120);
	sample_heat(FULL + HOUR + SECOND, 43, 130);
	ck_assert_int_eq(archive_flush(archive), 0);
	pack();
	ck_assert_str_eq(query(hours), "3,0,40,43,41.6666666666667,43,130,20 1,0,41,41,41.0,41,110,10");
}
END_TEST

START_TEST(test_a_packing_is_due_on_another_day)
{
	sample("S1", TIME, 1);
	ck_assert(!archive_is_due(archive, TIME));
	ck_assert_int_eq(archive_flush(archive), 0);
	ck_assert(!archive_is_due(archive, TIME));
	ck_assert(archive_is_due(archive, TIME + DAY));
	ck_assert(archive_is_due(archive, TIME - DAY));
	pack();
	ck_assert(!archive_is_due(archive, TIME + DAY));
}
END_TEST

/* The wall clock is steered, the other one is not: they part by less than a step. */
START_TEST(test_mono_is_exact_to_ten_milliseconds)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = NULL;
	uint8_t bytes[512] = { 1 };

	for (int i = 0; i < 100; i++) {
		/* 3 ms of slew each time, and a step of an hour back in the middle. */
		int64_t mono = MONO + i * 60 * SECOND;
		const struct archive_entry e = {
			.what = ARCHIVE_PAGE, .key = "S1", .name = "smart", .boot_id = "boot",
			.time = TIME + i * 60 * SECOND + i * 3000 - (i > 50) * HOUR, .mono = mono,
			.bytes = bytes, .size = sizeof(bytes),
		};
		ck_assert_int_eq(archive_put(archive, &e, 1), 0);
	}
	ck_assert_int_eq(archive_flush(archive), 0);
	rows = rows_of(&smart_page, &l);
	ck_assert_uint_eq(rows->n_rows, 100);
	for (int i = 0; i < 100; i++) {
		int64_t off = sheet_fixed(rows, (size_t)i, SHEET_MONO) - (MONO / 1000 + i * 60000);
		ck_assert_int_le(off, 10);
		ck_assert_int_ge(off, -10);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_rows_are_once_wherever_they_are,
		test_a_packing_goes_on_where_it_stopped,
		test_plain_sql_sees_no_row_twice_while_days_are_packed,
		test_what_is_taken_over_is_not_taken_again,
		test_another_spool_is_taken_from_its_start,
		test_a_damaged_spool_is_made_anew,
		test_every_value_of_every_page_comes_back,
		test_instances_are_kept_apart,
		test_hours_hold_what_was_in_them,
		test_a_counter_that_goes_back_counts_nothing,
		test_a_clock_set_back_adds_to_its_hours,
		test_a_packing_is_due_on_another_day,
		test_mono_is_exact_to_ten_milliseconds,
		NULL,
	};

	return check_main_with("archive", tests, archive_setup, archive_teardown);
}
