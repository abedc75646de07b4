/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* history.db: what is written can be read with plain SQLite, exact to the last digit. */

#include "history_support.h"

START_TEST(test_integers_are_exact_up_to_63_bits)
{
	uint8_t bytes[512] = { 0 };

	bytes_put(bytes + 64, 8, INT64_MAX);
	bytes_put(bytes + 80, 8, INT64_MAX - 1);
	bytes_put(bytes + 32, 8, INT64_MAX / 512000);
	bytes_put(bytes + 48, 8, UINT64_C(32381395004)); /* case DEC-13: beyond a double */
	put_sample(&smart_page, TIME, bytes);
	ck_assert_str_eq(query("SELECT host_read_commands, host_write_commands, host_read_bytes,"
			       " host_written_bytes, typeof(host_written_bytes) FROM smart"),
			 "9223372036854775807|9223372036854775806|9223372036854272000|"
			 "16579274242048000|integer");
}
END_TEST

START_TEST(test_absent_values_are_null)
{
	uint8_t bytes[512] = { 0 };

	bytes[4] = 0xff;
	bytes_put(bytes + 64, 8, UINT64_C(1) << 63); /* does not fit */
	put_sample(&smart_page, TIME, bytes);
	ck_assert_str_eq(query("SELECT temperature_celsius, available_spare_threshold_ratio,"
			       " host_read_commands, host_read_bytes, power_watts,"
			       " sensor_temperature_celsius_8 FROM smart"),
			 "NULL|NULL|NULL|NULL|NULL|NULL");
	ck_assert_str_eq(query("SELECT available_spare_ratio, power_cycles FROM smart"), "0.0|0");
}
END_TEST

START_TEST(test_values_have_their_types)
{
	uint8_t bytes[512];

	page_blank(&ocp_smart_page, bytes);
	memcpy(bytes + 208, "FW'1\"", 5);
	bytes[120] = 7;
	put_sample(&ocp_smart_page, TIME, bytes);
	ck_assert_str_eq(query("SELECT lowest_permitted_firmware, free_blocks_ratio,"
			       " typeof(free_blocks_ratio), log_page_guid FROM ocp_smart"),
			 "FW'1\"|0.07|real|afd514c97c6f4f9ca4f2bfea2810afc5");
}
END_TEST

static void check_column(sqlite3_stmt *q, int column, const struct value *v)
{
	const char *name = sqlite3_column_name(q, column);
	int type = sqlite3_column_type(q, column);

	if (v->type == VALUE_ABSENT)
		ck_assert_msg(type == SQLITE_NULL, "%s", name);
	else if (v->type == VALUE_INTEGER)
		ck_assert_msg(type == SQLITE_INTEGER &&
			      sqlite3_column_int64(q, column) == v->integer, "%s", name);
	else if (v->type == VALUE_REAL)
		ck_assert_msg(type == SQLITE_FLOAT && sqlite3_column_double(q, column) == v->real,
			      "%s", name);
	else
		ck_assert_msg(type == SQLITE_TEXT &&
			      !strcmp((const char *)sqlite3_column_text(q, column), v->text),
			      "%s", name);
}

/* drive, which of several, time, mono, then the columns in the order of the rows. */
static void check_row(const struct page *p, const uint8_t *bytes, int64_t time)
{
	sqlite3 *db = db_open(SQLITE_OPEN_READONLY);
	char sql[128], name[FIELD_COLUMN_MAX];
	int column = p->selector == SELECT_NOTHING ? 3 : 4;
	sqlite3_stmt *q;

	snprintf(sql, sizeof(sql), "SELECT * FROM %s WHERE time = %" PRId64, p->name, time / 1000);
	ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(q), SQLITE_ROW);
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++, column++) {
			struct value v;

			field_column(&p->fields[i], n, name);
			ck_assert_str_eq(sqlite3_column_name(q, column), name);
			page_decode(p, &p->fields[i], n, bytes, &v);
			check_column(q, column, &v);
		}
	ck_assert_int_eq(sqlite3_column_count(q), column);
	sqlite3_finalize(q);
	sqlite3_close(db);
}

/* Whatever a drive may answer. */
START_TEST(test_every_value_of_every_page_comes_back)
{
	uint64_t seed = 7;
	uint8_t bytes[PAGE_SIZE_MAX];

	for (unsigned i = 0; pages[i]; i++)
		for (int round = 0; pages[i]->history && round < 20; round++) {
			for (unsigned k = 0; k < pages[i]->size; k++)
				bytes[k] = (uint8_t)(random_next(&seed) >> random_next(&seed) % 9);
			put_sample(pages[i], TIME + round * 1000, bytes);
			check_row(pages[i], bytes, TIME + round * 1000);
		}
}
END_TEST

START_TEST(test_times_are_milliseconds)
{
	uint8_t bytes[512] = { 1 };

	put_sample(&smart_page, TIME + 1999, bytes);
	ck_assert_str_eq(query("SELECT time, mono FROM smart"), "1796050000001|3600000");
}
END_TEST

START_TEST(test_a_drive_is_first_and_last_seen)
{
	struct drive d = { .key = "S1", .serial = "S1", .model = "M'1\"", .firmware = "FW1" };

	ck_assert_int_eq(history_drive(history, &d, 1000000), 0);
	strcpy(d.firmware, "FW2");
	ck_assert_int_eq(history_drive(history, &d, 2000000), 0);
	ck_assert_str_eq(query("SELECT key, serial, model, firmware, first_seen, last_seen,"
			       " (SELECT count(*) FROM drives) FROM drives"),
			 "S1|S1|M'1\"|FW2|1000|2000|1");
}
END_TEST

START_TEST(test_samples_belong_to_their_drive)
{
	uint8_t bytes[512] = { 1 };

	ck_assert_int_eq(put_drive("S2", TIME), 0);
	ck_assert_int_eq(put_drive("S1", TIME), 0);
	bytes[112] = 1;
	spool_sample("S1", &smart_page, TIME, bytes);
	bytes[112] = 2;
	spool_sample("S2", &smart_page, TIME, bytes);
	ck_assert_int_eq(take_samples(), 0);
	ck_assert_str_eq(query("SELECT power_cycles FROM smart JOIN drives ON drive = id"
			       " WHERE key = 'S2'"), "2");
	ck_assert_str_eq(query("SELECT count(*) FROM smart"), "2");
}
END_TEST

START_TEST(test_a_page_that_is_not_kept_is_left_out)
{
	uint8_t bytes[4096] = { 1 };

	spool_sample("S1", &identify_page, TIME, bytes);
	spool_sample("S1", &smart_page, TIME, bytes);
	ck_assert_int_eq(take_samples(), 0);
	ck_assert_str_eq(query("SELECT count(*), group_concat(name) FROM pages"), "1|smart");
}
END_TEST

/* Its identity may have been lost; what it reported is not. */
START_TEST(test_a_sample_of_an_unknown_drive_is_kept)
{
	uint8_t bytes[512] = { 1 };

	spool_sample("S1", &smart_page, TIME, bytes);
	ck_assert_int_eq(take_samples(), 0);
	ck_assert_str_eq(query("SELECT key, serial, first_seen FROM drives JOIN smart"
			       " ON drive = id"),
			 "S1|NULL|1796050000000");
	ck_assert_int_eq(put_drive("S1", TIME + 1000), 0);
	ck_assert_str_eq(query("SELECT key, serial, first_seen FROM drives JOIN smart"
			       " ON drive = id"),
			 "S1|S1|1796050000000");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_integers_are_exact_up_to_63_bits,
		test_absent_values_are_null,
		test_values_have_their_types,
		test_every_value_of_every_page_comes_back,
		test_times_are_milliseconds,
		test_a_drive_is_first_and_last_seen,
		test_samples_belong_to_their_drive,
		test_a_page_that_is_not_kept_is_left_out,
		test_a_sample_of_an_unknown_drive_is_kept,
		NULL,
	};

	return check_main_with("history", tests, history_setup, history_teardown);
}
