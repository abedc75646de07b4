/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How long and how large history may be: what goes, in which order, and that the file shrinks. */

#include "archive_support.h"
#include "store/retention.h"

#define DAY_MS INT64_C(86400000)
#define FREE_BYTES (1280 * 4096) /* are kept for the next day */

static void setup(void)
{
	archive_setup();
	archive_clock(archive, TIME + 100 * DAY, MONO);
}

static void teardown(void)
{
	archive_teardown();
	archive = NULL;
}

/* ---- Decisions ---- */

/* n packings, a day each, the newest first, the last of them at `days[0]` days. */
static struct retention_cut cut_of(const int *days, size_t n, uint64_t keep_days, bool by_clock)
{
	struct retention_packing p[32];

	for (size_t i = 0; i < n; i++)
		p[i] = (struct retention_packing){ .flush = (int64_t)(n - i) * 10,
						  .start = days[i] * DAY_MS,
						   .end = days[i] * DAY_MS + DAY_MS / 2 };
	return retention_cut(p, n, keep_days * (uint64_t)DAY, by_clock);
}

START_TEST(test_what_is_too_old)
{
	static const int every[] = { 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 };
	static const int twice[] = { 9, 9, 9, 8, 8, 8, 7, 7, 7, 6 };
	static const int off[] = { 1009, 1008, 5, 4, 3, 2, 1, 0 };
	static const int wrong[] = { 9, 5000, 8, 7, 6, 5, 4, 3, 2, 1 };
	static const int early[] = { 9, 8, -9000, 7, 6, 5, 4, 3, 2, 1 };

	ck_assert_int_eq(cut_of(every, 10, 3, false).flush, 70);
	ck_assert_int_eq(cut_of(every, 10, 3, true).flush, 60);
	ck_assert_int_eq(cut_of(every, 10, 10, false).flush, 0);
	ck_assert_int_eq(cut_of(every, 0, 1, true).flush, 0);
	ck_assert_int_eq(cut_of(twice, 10, 3, false).flush, 10);
	ck_assert_int_eq(cut_of(twice, 10, 4, false).flush, 0);
	/* Days without rows do not count. */
	ck_assert_int_eq(cut_of(off, 8, 3, true).flush, 50);
	/* A clock that was wrong for a day, ahead or behind. */
	ck_assert_int_eq(cut_of(wrong, 10, 8, true).flush, 10);
	ck_assert_int_eq(cut_of(wrong, 10, 8, true).end, DAY_MS + DAY_MS / 2);
	ck_assert_int_eq(cut_of(wrong, 10, 9, true).flush, 0);
	ck_assert_int_eq(cut_of(early, 10, 1, true).end, 7 * DAY_MS + DAY_MS / 2);
	struct retention_packing one = { 1, 0, 5 };
	ck_assert_int_eq(retention_cut(&one, 1, UINT64_MAX, true).flush, 0);
}
END_TEST

START_TEST(test_which_limit_is_exceeded)
{
	struct retention_use u = { .used = 6400, .left = 640, .max_size = 6400, .min_free = 640 };

	ck_assert_ptr_null(retention_excess(&u, false));
	ck_assert_str_eq(retention_excess(&u, true), "store.max_size");
	u.used = 6300;
	ck_assert_str_eq(retention_excess(&u, true), "store.min_free");
	u.left = 650;
	ck_assert_ptr_null(retention_excess(&u, true));
	u.used = 6401;
	ck_assert_str_eq(retention_excess(&u, false), "store.max_size");
	u.max_size = UINT64_MAX;
	u.left = 639;
	ck_assert_str_eq(retention_excess(&u, false), "store.min_free");
}
END_TEST

START_TEST(test_pages_that_move_least_go_first)
{
	ck_assert_uint_eq(retention_pace(NULL), 0);
	ck_assert_uint_eq(retention_pace(&identify_page), 0);
	ck_assert_uint_eq(retention_pace(&self_test_page), 0);
	ck_assert_uint_eq(retention_pace(&power_management_page), 1);
	ck_assert_uint_eq(retention_pace(&ocp_smart_page), 2);
	ck_assert_uint_eq(retention_pace(&smart_page), 3);
}
END_TEST

/* ---- What is done ---- */

static void noisy(const struct page *p, int drive, int64_t time)
{
	static uint64_t seed = 1;
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };
	char key[16];

	for (size_t i = 0; i < p->size; i++)
		bytes[i] = (uint8_t)random_next(&seed);
	snprintf(key, sizeof(key), "S%d", drive);
	ck_assert_int_eq(archive_sample(key, p, p->selector ? 1 : 0, time, bytes), 0);
}

/* Days of three drives, of pages that move fast and slowly. */
static void make_days(int days)
{
	for (int day = 0; day < days; day++) {
		for (int i = 0; i < 12; i++)
			for (int drive = 1; drive <= 3; drive++) {
				noisy(&smart_page, drive, TIME + day * DAY + i * 600 * SECOND);
				noisy(&ocp_smart_page, drive, TIME + day * DAY + i * 600 * SECOND);
				noisy(&micron_smart_page, drive, TIME + day * DAY + i * 600 * SECOND);
			}
		ck_assert_int_eq(archive_flush(archive), 0);
		pack();
	}
}

static uint64_t file_size(void)
{
	struct stat st;

	ck_assert_int_eq(stat(db_path(), &st), 0);
	return (uint64_t)st.st_size;
}

/* Of the file, without what is free in it. */
static uint64_t used(void)
{
	return strtoull(query("SELECT (page_count - freelist_count) * page_size FROM pragma_page_count,"
			      " pragma_freelist_count, pragma_page_size"), NULL, 10);
}

static void bound(uint64_t keep_raw, uint64_t keep_rollup, uint64_t max_size, uint64_t min_free)
{
	const struct archive_bounds b = { keep_raw, keep_rollup, max_size, min_free };

	archive_bound(archive, &b);
	pack();
}

/* Packed days of a page, how many rows, and when the first are of. */
static const char *days_of(const char *page)
{
	char sql[512];

	snprintf(sql, sizeof(sql), "SELECT count(DISTINCT flush), ifnull(sum(n_rows), 0),"
				   " (min(start) - 1796050000000) / 86400000 FROM chunks"
				   " JOIN layouts l ON l.id = layout JOIN pages p ON p.id = page WHERE name = '%s'", page);
	return query(sql);
}

START_TEST(test_without_bounds_everything_stays)
{
	make_days(10);
	bound(UINT64_MAX, UINT64_MAX, UINT64_MAX, 0);
	ck_assert_str_eq(days_of("smart"), "10|360|0");
	ck_assert_str_eq(days_of("micron_smart"), "10|360|0");
	ck_assert_str_eq(query("SELECT count(*) FROM events WHERE type = 'history_dropped'"), "0");
}
END_TEST

START_TEST(test_rows_that_are_too_old_go_their_hours_and_days_stay)
{
	make_days(12);
	bound(8 * DAY, UINT64_MAX, UINT64_MAX, 0);
	ck_assert_str_eq(days_of("smart"), "9|324|3");
	ck_assert_str_eq(query("SELECT count(DISTINCT time), sum(count) FROM smart_daily"), "12|432");
	ck_assert_str_eq(query("SELECT count(*), time, drive, detail FROM events WHERE type = 'history_dropped'"),
			 "1|1804690000000|NULL|324 rows of smart, ocp_smart, micron_smart until 2026-12-02T16:36:40Z:"
			 " store.keep_raw");
	/* Once is enough. */
	bound(8 * DAY, UINT64_MAX, UINT64_MAX, 0);
	ck_assert_str_eq(query("SELECT count(*) FROM events WHERE type = 'history_dropped'"), "1");
}
END_TEST

START_TEST(test_hours_and_days_go_when_it_is_said)
{
	make_days(12);
	bound(UINT64_MAX, 8 * DAY, UINT64_MAX, 0);
	ck_assert_str_eq(days_of("smart"), "12|432|0");
	ck_assert_str_eq(query("SELECT count(DISTINCT time) FROM smart_daily"), "10");
	ck_assert_str_eq(query("SELECT (min(time) - 1796050000000) / 86400000.0 > 1 FROM smart_hourly"),
			 "1");
}
END_TEST

START_TEST(test_a_file_too_large_loses_the_slowest_pages_first_and_shrinks)
{
	make_days(20);
	uint64_t before = used();

	bound(UINT64_MAX, UINT64_MAX, before - 4096, 0);
	ck_assert_uint_le(used(), before - 4096);
	ck_assert_uint_le(file_size(), used() + FREE_BYTES);
	ck_assert_str_eq(days_of("smart"), "20|720|0");
	int slow = atoi(days_of("micron_smart")), middle = atoi(days_of("ocp_smart"));
	ck_assert_msg(slow >= 7 && slow < middle && (slow == 7 || middle == 20), "%d, %d days", slow,
		      middle);
	const char *detail = query("SELECT detail FROM events WHERE type = 'history_dropped'");
	ck_assert_msg(strstr(detail, "rows of micron_smart") && strstr(detail, ": store.max_size"), "%s",
		      detail);
	/* Much too large: all but what stays in any case. */
	bound(UINT64_MAX, UINT64_MAX, 4096, 0);
	ck_assert_str_eq(days_of("smart"), "0|0|NULL");
	ck_assert_str_eq(query("SELECT count(*) > 0 FROM smart_daily"), "1");
	ck_assert_str_eq(query("SELECT count(*) FROM events WHERE type = 'history_dropped'"), "2");
	ck_assert_str_eq(query("SELECT count(*) FROM drives"), "3");
	ck_assert_uint_lt(used(), before / 10 * 6);
	/* What a day needs is left in it, no more. */
	ck_assert_uint_le(file_size(), used() + FREE_BYTES);
	ck_assert(!archive_is_due(archive, TIME + 19 * DAY + DAY / 4));
	ck_assert_str_eq(query("PRAGMA integrity_check"), "ok");
}
END_TEST

START_TEST(test_what_is_free_is_given_back)
{
	make_days(2);
	execute("CREATE TABLE ballast (data); WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n LIMIT 4000)"
		" INSERT INTO ballast SELECT randomblob(4000) FROM n; DROP TABLE ballast");
	pack();
	ck_assert_uint_le(file_size(), used() + FREE_BYTES);
	ck_assert_str_eq(days_of("smart"), "2|72|0");
	ck_assert_str_eq(query("PRAGMA integrity_check"), "ok");
}
END_TEST

START_TEST(test_days_are_spared_while_rows_are_left)
{
	make_days(20);
	uint64_t before = used();

	bound(UINT64_MAX, UINT64_MAX, before / 10 * 9, 0);
	ck_assert_str_ne(days_of("smart"), "0|0|NULL");
	ck_assert_str_eq(query("SELECT count(DISTINCT time) FROM smart_daily"), "20");
}
END_TEST

START_TEST(test_a_disk_that_others_fill_leaves_a_week_and_all_days)
{
	make_days(20);
	bound(UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_C(1) << 60);
	ck_assert_str_eq(days_of("smart"), "7|252|13");
	ck_assert_str_eq(days_of("micron_smart"), "7|252|13");
	ck_assert_str_eq(query("SELECT count(DISTINCT time) FROM smart_daily"), "20");
	ck_assert_str_eq(query("SELECT detail LIKE '%: store.min_free' FROM events WHERE type = 'history_dropped'"), "1");
	/* It stays beyond the bound, and nobody tries again and again. */
	ck_assert(!archive_is_due(archive, TIME + 19 * DAY + DAY / 4));
}
END_TEST

START_TEST(test_a_flush_beyond_the_bounds_makes_it_due)
{
	const struct archive_bounds b = { UINT64_MAX, UINT64_MAX, 4096, 0 };

	noisy(&smart_page, 1, TIME);
	ck_assert_int_eq(archive_flush(archive), 0);
	ck_assert(!archive_is_due(archive, TIME));
	archive_bound(archive, &b);
	ck_assert(archive_is_due(archive, TIME));
	pack();
	ck_assert(!archive_is_due(archive, TIME));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_what_is_too_old,
		test_which_limit_is_exceeded,
		test_pages_that_move_least_go_first,
		test_without_bounds_everything_stays,
		test_rows_that_are_too_old_go_their_hours_and_days_stay,
		test_hours_and_days_go_when_it_is_said,
		test_a_file_too_large_loses_the_slowest_pages_first_and_shrinks,
		test_what_is_free_is_given_back,
		test_days_are_spared_while_rows_are_left,
		test_a_disk_that_others_fill_leaves_a_week_and_all_days,
		test_a_flush_beyond_the_bounds_makes_it_due,
		NULL,
	};

	return check_main_with("retention", tests, setup, teardown);
}
