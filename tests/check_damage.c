/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A history.db that is damaged is set aside, a new one goes on at once, and what reads is recovered. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#include "archive_support.h"

#define PAGE_BYTES 4096
#define OLD 400  /* samples before the damage, numbered from 1 */
#define LIVE 1000 /* the numbers of those after it start there */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STRIDE 9
#else
#define STRIDE 1
#endif

static uint8_t *good;
static size_t good_size;

static void setup(void)
{
	archive_setup();
	archive_clock(archive, TIME, MONO);
}

static void teardown(void)
{
	archive_teardown();
	archive = NULL;
	free(good);
	good = NULL;
}

static void event(const char *key, const char *detail)
{
	const struct archive_entry e = { .what = ARCHIVE_EVENT, .key = key, .name = "reset",
					.time = TIME, .mono = MONO,
					 .boot_id = "boot", .bytes = detail, .size = strlen(detail) };

	ck_assert_int_eq(archive_put(archive, &e, 1), 0);
}

/* Four drives: packed days, batches, events; then closed, its log in the file. */
static void make_history(void)
{
	char key[16], detail[16];
	int n = 0;

	for (int day = 0; day < 5; day++) {
		for (int i = 0; i < OLD / 5; i++) {
			snprintf(key, sizeof(key), "S%d", i % 4 + 1);
			sample(key, TIME + day * DAY + i / 4 * 60 * SECOND, ++n);
			if (i % 4 == 0) {
				snprintf(detail, sizeof(detail), "%d", n);
				event(key, detail);
			}
		}
		ck_assert_int_eq(archive_flush(archive), 0);
		if (day < 4)
			pack();
	}
	archive_free(TAKE(archive));
	execute("PRAGMA wal_checkpoint(TRUNCATE)");
	unlink(in_folder("history.db-shm"));
	unlink(in_folder("history.db-wal"));
}

static void load_good(void)
{
	struct stat st;
	int fd = open(db_path(), O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(fstat(fd, &st), 0);
	good_size = (size_t)st.st_size;
	good = malloc(good_size);
	ck_assert_int_eq(read(fd, good, good_size), (ssize_t)good_size);
	close(fd);
}

static int n_aside(char *ret_name)
{
	DIR *d = opendir(folder);
	struct dirent *entry;
	int n = 0;

	while ((entry = readdir(d)))
		if (strstr(entry->d_name, "history.db.damaged-") && !strstr(entry->d_name, "-wal") &&
		    !strstr(entry->d_name, "-shm")) {
			n++;
			if (ret_name)
				strcpy(ret_name, entry->d_name);
		}
	closedir(d);
	return n;
}

/* Rows of smart that read, from which number on; none twice. */
static int count_rows(int from, int to)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	_cleanup_(sheet_freep) struct sheet *rows = rows_of(&smart_page, &l);
	int column = layout_find(l, "power_cycles"), n = 0;
	uint8_t seen[2 * LIVE] = { 0 };
	struct value v;

	for (size_t i = 0; i < rows->n_rows; i++) {
		sheet_get(rows, i, (size_t)column, &v);
		ck_assert(v.integer > 0 && v.integer < 2 * LIVE);
		ck_assert_msg(!seen[v.integer]++, "%d is there twice", (int)v.integer);
		n += v.integer >= from && v.integer < to;
	}
	return n;
}

/* History goes on: three more samples and an event are taken, and are there at the end. */
static void go_on(const char *when)
{
	archive_reopen();
	archive_clock(archive, TIME + 6 * DAY, MONO);
	for (int i = 0; i < 3; i++)
		sample("S1", TIME + 6 * DAY + i * SECOND, LIVE + i);
	event("S1", "live");
	ck_assert_msg(archive_flush(archive) == 0, "%s: cannot be written", when);
	for (int steps = 0, r = 1; r > 0; steps++) {
		r = archive_pack(archive);
		ck_assert_msg(r >= 0 && steps < 1000, "%s: step %d ends in %d", when, steps, r);
	}
	ck_assert_msg(count_rows(LIVE, 2 * LIVE) == 3, "%s: %d live rows of 3", when,
		      count_rows(LIVE, 2 * LIVE));
	ck_assert_str_eq(query("SELECT count(*) FROM events WHERE detail = 'live'"), "1");
}

static void damage(size_t offset, const uint8_t *bytes, size_t length)
{
	write_bytes(db_path(), good, good_size);
	int fd = open(db_path(), O_WRONLY | O_CLOEXEC);

	ck_assert_int_eq(pwrite(fd, bytes, length, (off_t)offset), (ssize_t)length);
	close(fd);
}

static void noise(uint8_t *bytes, size_t length, uint64_t seed)
{
	for (size_t i = 0; i < length; i++)
		bytes[i] = (uint8_t)random_next(&seed);
}

static void clean(void)
{
	archive_free(TAKE(archive));
	folder_remove();
	folder_make();
}

static void damage_each_page(bool random)
{
	uint8_t bytes[PAGE_BYTES] = { 0 };
	int tried = 0, replaced = 0, least = OLD;
	long all = 0;

	make_history();
	load_good();
	for (size_t page = 0; page < good_size / PAGE_BYTES; page += STRIDE, tried++) {
		char when[64];

		clean();
		if (random)
			noise(bytes, sizeof(bytes), page);
		snprintf(when, sizeof(when), "page %zu", page + 1);
		damage(page * PAGE_BYTES, bytes, sizeof(bytes));
		go_on(when);
		replaced += n_aside(NULL);
		/* What nobody has touched yet is found when somebody asks. */
		int rows = n_aside(NULL) || !strcmp(query("PRAGMA integrity_check(1)"), "ok") ?
			count_rows(1, LIVE) : OLD;
		all += rows;
		least = rows < least ? rows : least;
	}
	printf("%d pages overwritten with %s, one at a time: %d files set aside, %.1f of %d rows recovered, at least "
	       "%d; live rows lost: 0\n", tried, random ? "noise" : "zeros", replaced, (double)all / tried, OLD, least);
}

START_TEST(test_SQL_07_any_page_of_noise)
{
	damage_each_page(true);
}
END_TEST

START_TEST(test_SQL_07_any_page_of_zeros)
{
	damage_each_page(false);
}
END_TEST

START_TEST(test_SQL_07_half_a_file)
{
	make_history();
	load_good();
	ck_assert_int_eq(truncate(db_path(), (off_t)(good_size / 2)), 0);
	go_on("half");
	ck_assert_int_eq(n_aside(NULL), 1);
	ck_assert_str_eq(query("SELECT count(*), drive FROM events WHERE type = 'history_replaced'"),
			 "1|NULL");
}
END_TEST

START_TEST(test_what_is_no_database_is_set_aside)
{
	char name[300] = "";

	write_text(db_path(),
		   "This is no database, but a text of more than a hundred bytes, so that it is taken for "
			      "one: history goes on beside it.\n");
	go_on("text");
	ck_assert_int_eq(n_aside(name), 1);
	ck_assert_str_eq(name, "history.db.damaged-20261206T144640Z");
	ck_assert(archive_was_replaced(archive));
	ck_assert(!archive_was_replaced(archive));
}
END_TEST

START_TEST(test_what_a_newer_version_wrote_stays)
{
	make_history();
	execute("PRAGMA user_version = 99");
	archive_reopen();
	sample("S1", TIME + 6 * DAY, LIVE);
	ck_assert_int_eq(archive_flush(archive), -EPROTO);
	ck_assert_int_eq(archive_pack(archive), -EPROTO);
	ck_assert_int_eq(n_aside(NULL), 0);
	ck_assert_str_eq(query("PRAGMA user_version"), "99");
	ck_assert_str_eq(query("PRAGMA integrity_check"), "ok");
}
END_TEST

START_TEST(test_two_files_are_kept)
{
	for (int i = 0; i < 4; i++) {
		archive_free(TAKE(archive));
		unlink(in_folder("history.db-wal"));
		write_text(db_path(),
			   "no database at all, again and again and again and again and again and again and"
				      " again and again and again");
		archive_reopen();
		archive_clock(archive, TIME + i * DAY, MONO);
		ck_assert_int_eq(archive_flush(archive), 0);
		pack();
		ck_assert_int_eq(n_aside(NULL), i < 2 ? i + 1 : 2);
	}
	ck_assert_int_eq(access(in_folder("history.db.damaged-20261203T144640Z"), F_OK), 0);
	ck_assert_int_eq(access(in_folder("history.db.damaged-20261202T144640Z"), F_OK), 0);
}
END_TEST

START_TEST(test_a_batch_of_which_a_bit_is_wrong_costs_that_batch)
{
	make_history();
	/* Of those that are not packed; one byte of the page's last batch, and of none else. */
	archive_reopen();
	for (int i = 0; i < 4; i++)
		sample("S2", TIME + 5 * DAY + i * 60 * SECOND, OLD + 1 + i);
	ck_assert_int_eq(archive_flush(archive), 0);
	archive_free(TAKE(archive));
	execute("UPDATE batches SET data = CAST(substr(data, 1, 40) || x'00ff' || substr(data, 43) AS BLOB)"
		" WHERE id = (SELECT max(id) FROM batches)");
	go_on("batch");
	ck_assert_int_eq(n_aside(NULL), 1);
	ck_assert_int_eq(count_rows(1, OLD + 1), OLD);
	ck_assert_int_eq(count_rows(OLD + 1, LIVE), 0);
	ck_assert_str_eq(query("SELECT count(*) FROM events WHERE type = 'reset'"), "101");
	const char *detail = query("SELECT detail FROM events WHERE type = 'history_replaced'");
	ck_assert_msg(strstr(detail, "the rest does not read") != NULL, "%s", detail);
}
END_TEST

START_TEST(test_a_crash_between_the_renames_costs_no_log)
{
	make_history();
	archive_reopen();
	sample("S2", TIME + 5 * DAY, OLD + 1);
	ck_assert_int_eq(archive_flush(archive), 0);
	/* In the log only, and the file is moved, the log is not yet. */
	ck_assert_int_eq(rename(db_path(), in_folder("history.db.damaged-20261205T000000Z")), 0);
	archive_free(TAKE(archive));
	unlink(in_folder("history.db-shm"));
	go_on("renames");
	ck_assert_int_eq(count_rows(1, LIVE), OLD + 1);
	ck_assert_int_eq(access(in_folder("history.db.damaged-20261205T000000Z-wal"), F_OK), 0);
}
END_TEST

START_TEST(test_drives_that_do_not_read_keep_their_rows)
{
	make_history();
	load_good();
	size_t root = (size_t)strtoul(query("SELECT rootpage FROM sqlite_schema WHERE name = 'drives'"),
				      NULL, 10);
	size_t index = (size_t)strtoul(query("SELECT rootpage FROM sqlite_schema WHERE name ="
					     " 'sqlite_autoindex_drives_1'"), NULL, 10);
	uint8_t bytes[PAGE_BYTES] = { 0 };

	damage((root - 1) * PAGE_BYTES, bytes, sizeof(bytes));
	int fd = open(db_path(), O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(pwrite(fd, bytes, sizeof(bytes), (off_t)(index - 1) * PAGE_BYTES), PAGE_BYTES);
	close(fd);
	go_on("drives");
	ck_assert_int_eq(count_rows(1, LIVE), OLD);
	/* Nobody knows which of them was S1. */
	ck_assert_str_eq(query("SELECT count(*) FROM drives WHERE key IN ('unreadable-1', 'unreadable-2',"
			       " 'unreadable-3', 'unreadable-4')"), "4");
	ck_assert_str_eq(query("SELECT id > 4 FROM drives WHERE key = 'S1'"), "1");
	ck_assert_str_eq(query("SELECT count(*) FROM drives"), "5");
}
END_TEST

START_TEST(test_a_damaged_spool_is_made_anew)
{
	uint8_t bytes[2 * PAGE_BYTES];

	for (int i = 0; i < 200; i++)
		sample("S1", TIME + i * SECOND, i + 1);
	archive_free(TAKE(archive));
	noise(bytes, sizeof(bytes), 7);
	sqlite3 *db;
	ck_assert_int_eq(sqlite3_open_v2(in_folder("spool.db"), &db, SQLITE_OPEN_READWRITE, NULL),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	int fd = open(in_folder("spool.db"), O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(pwrite(fd, bytes, sizeof(bytes), 4 * PAGE_BYTES), (ssize_t)sizeof(bytes));
	close(fd);
	go_on("spool");
	ck_assert_int_eq(n_aside(NULL), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_SQL_07_any_page_of_noise,
		test_SQL_07_any_page_of_zeros,
		test_SQL_07_half_a_file,
		test_what_is_no_database_is_set_aside,
		test_what_a_newer_version_wrote_stays,
		test_two_files_are_kept,
		test_a_batch_of_which_a_bit_is_wrong_costs_that_batch,
		test_a_crash_between_the_renames_costs_no_log,
		test_drives_that_do_not_read_keep_their_rows,
		test_a_damaged_spool_is_made_anew,
		NULL,
	};

	return check_main_with("damage", tests, setup, teardown);
}
