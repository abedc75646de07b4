/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* now.db as a file: replaced whole, under any name, and harmless when it is damaged. */

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>

#include "now_support.h"

static struct now *n;

static void setup(void)
{
	folder_make();
	n = now_filled();
}

static void teardown(void)
{
	now_free(n);
	folder_remove();
}

/* What reading the file says; a snapshot is looked through to its end. */
static int read_code(const char *path)
{
	_cleanup_(now_snapshot_freep) struct now_snapshot *s = NULL;
	int r = now_read(path, &s);
	unsigned sum = 0;

	ck_assert_int_eq(r == 0, s != NULL);
	for (size_t i = 0; s && i < s->n_drives; i++)
		for (unsigned p = 0; p < page_total(); p++)
			for (unsigned k = 0; s->drives[i].pages[p].bytes && k < pages[p]->size; k++)
				sum += s->drives[i].pages[p].bytes[k];
	ck_assert_uint_lt(sum, UINT32_MAX);
	return r;
}

START_TEST(test_no_publication_yet)
{
	ck_assert_int_eq(read_code(in_folder("now.db")), -ENOENT);
	ck_assert_int_eq(read_code(in_folder("none/now.db")), -ENOENT);
}
END_TEST

/* Who reads the old file goes on reading it; nothing stays beside the new one. */
START_TEST(test_the_file_is_replaced_whole)
{
	char before[100], after[100];
	struct stat old, new;

	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), 0);
	_cleanup_(closep) int fd = open(in_folder("now.db"), O_RDONLY);
	ck_assert_int_eq(fstat(fd, &old), 0);
	ck_assert_int_eq(pread(fd, before, sizeof(before), 0), sizeof(before));
	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME + 1, MONO + 1), 0);
	ck_assert_int_eq(stat(in_folder("now.db"), &new), 0);
	ck_assert_uint_ne(old.st_ino, new.st_ino);
	ck_assert_int_eq(pread(fd, after, sizeof(after), 0), sizeof(after));
	ck_assert_mem_eq(before, after, sizeof(before));
	ck_assert_int_eq(access(in_folder("now.db.new"), F_OK), -1);
	ck_assert_uint_eq(new.st_mode & 0777, 0644 & ~umask(022));
}
END_TEST

START_TEST(test_the_former_publication_stays_where_writing_fails)
{
	_cleanup_(now_snapshot_freep) struct now_snapshot *s = NULL;

	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), 0);
	ck_assert_int_eq(mkdir(in_folder("now.db.new"), 0755), 0); /* in the way of the new one */
	ck_assert_int_lt(now_publish(n, in_folder("now.db"), TIME + 1, MONO + 1), 0);
	ck_assert_int_eq(now_read(in_folder("now.db"), &s), 0);
	ck_assert_int_eq(s->time, TIME);
	ck_assert_int_eq(now_publish(n, in_folder("none/now.db"), TIME, MONO), -ENOENT);
	/* And it goes on when the obstacle is gone. */
	ck_assert_int_eq(rmdir(in_folder("now.db.new")), 0);
	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME + 2, MONO + 2), 0);
}
END_TEST

START_TEST(test_a_name_that_cannot_be_taken_leaves_no_litter)
{
	ck_assert_int_eq(mkdir(in_folder("now.db"), 0755), 0);
	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), -EISDIR);
	ck_assert_int_eq(access(in_folder("now.db.new"), F_OK), -1);
}
END_TEST

START_TEST(test_a_full_disk_is_an_error)
{
	ck_assert_int_eq(symlink("/dev/full", in_folder("now.db.new")), 0);
	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), -ENOSPC);
	ck_assert_int_eq(access(in_folder("now.db"), F_OK), -1);
}
END_TEST

START_TEST(test_any_name_will_do)
{
	static const char *const names[] = { "a?b", "a#b", "a%b", "a%41", "%3f", "a b", "a&b=c",
					     "a:b", "\xc3\xb6", "a'b\"", "a\\b", "?mode=rwc",
					     "x?vfs=none" };

	for (size_t i = 0; i < ELEMENTS(names); i++) {
		int r = now_publish(n, in_folder(names[i]), TIME, MONO);

		ck_assert_msg(r == 0, "%s: %d", names[i], r);
		r = read_code(in_folder(names[i]));
		ck_assert_msg(r == 0, "%s: %d", names[i], r);
	}
}
END_TEST

START_TEST(test_any_folder_will_do)
{
	char path[512];

	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), 0);
	snprintf(path, sizeof(path), "/%s/now.db", folder); /* two slashes are no host's name */
	ck_assert_int_eq(read_code(path), 0);
	snprintf(path, sizeof(path), "///%s//now.db", folder);
	ck_assert_int_eq(read_code(path), 0);
	ck_assert_int_eq(chdir(folder), 0);
	ck_assert_int_eq(read_code("now.db"), 0);
	ck_assert_int_eq(read_code("./now.db"), 0);
}
END_TEST

START_TEST(test_reading_leaves_nothing_behind)
{
	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), 0);
	ck_assert_int_eq(read_code(in_folder("now.db")), 0);
	ck_assert_int_eq(access(in_folder("now.db-wal"), F_OK), -1);
	ck_assert_int_eq(access(in_folder("now.db-shm"), F_OK), -1);
	ck_assert_int_eq(access(in_folder("now.db-journal"), F_OK), -1);
}
END_TEST

START_TEST(test_what_is_no_database_is_unclean)
{
	write_text(in_folder("empty"), "");
	ck_assert_int_eq(read_code(in_folder("empty")), -EUCLEAN);
	write_text(in_folder("text"), "This is not a database, however long it is: it is a text of "
				      "more than a hundred bytes, which is what a header takes.\n");
	ck_assert_int_eq(read_code(in_folder("text")), -EUCLEAN);
}
END_TEST

static void execute(const char *path, const char *sql)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

START_TEST(test_another_version_is_unclean)
{
	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), 0);
	execute(in_folder("now.db"), "PRAGMA user_version = 99");
	ck_assert_int_eq(read_code(in_folder("now.db")), -EUCLEAN);
}
END_TEST

START_TEST(test_no_publication_row_is_unclean)
{
	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), 0);
	execute(in_folder("now.db"), "DELETE FROM publication");
	ck_assert_int_eq(read_code(in_folder("now.db")), -EUCLEAN);
}
END_TEST

/* What cannot be right is left out; the rest stands. */
START_TEST(test_rows_that_make_no_sense_are_passed_over)
{
	_cleanup_(now_snapshot_freep) struct now_snapshot *s = NULL;
	const struct now_drive *d;

	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), 0);
	execute(in_folder("now.db"),
		"INSERT INTO drives (key) VALUES (NULL);"
		"INSERT INTO pages (drive, page, length, bytes) VALUES (NULL, 'smart', 512, x'00'),"
		" ('S2', NULL, 1, 1), ('S2', 'smart', 1, x'0102'), ('S2', 'identify', 4096, 'text'),"
		" ('S2', 'ocp_smart', 513, x'01'), ('S2', 'namespaces', 4096, NULL),"
		" ('S2', 'unheard of', 1, x'00');"
		"INSERT INTO errors VALUES ('S2', 'smart', NULL, 1), ('S2', NULL, 'io', 1),"
		" ('nobody', 'smart', 'io', 1);"
		"UPDATE drives SET model = NULL, state = 7, numa_node = 'x' WHERE key = 'S2';");
	ck_assert_int_eq(now_read(in_folder("now.db"), &s), 0);
	d = now_find(s, "S2");
	ck_assert_str_eq(d->drive.model, "");
	ck_assert_str_eq(d->drive.state, "7");
	ck_assert_ptr_null(d->pages[page_index(&smart_page)].bytes);
	ck_assert_ptr_null(d->pages[page_index(&identify_page)].bytes);
	ck_assert_ptr_null(d->pages[page_index(&ocp_smart_page)].bytes);
	ck_assert_ptr_null(d->pages[page_index(&namespaces_page)].bytes);
	ck_assert_ptr_nonnull(now_find(s, "S1")->pages[page_index(&smart_page)].bytes);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_no_publication_yet,
		test_the_file_is_replaced_whole,
		test_the_former_publication_stays_where_writing_fails,
		test_a_name_that_cannot_be_taken_leaves_no_litter,
		test_a_full_disk_is_an_error,
		test_any_name_will_do,
		test_any_folder_will_do,
		test_reading_leaves_nothing_behind,
		test_what_is_no_database_is_unclean,
		test_another_version_is_unclean,
		test_no_publication_row_is_unclean,
		test_rows_that_make_no_sense_are_passed_over,
		NULL,
	};

	return check_main_with("now file", tests, setup, teardown);
}
