/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A damaged now.db never does more than fail; and what counts as fresh. */

#include <errno.h>

#include "now_support.h"

static unsigned char *whole;
static size_t length;

static void setup(void)
{
	_cleanup_(now_freep) struct now *n = NULL;
	_cleanup_(fclosep) FILE *f = NULL;

	folder_make();
	n = now_filled();
	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME, MONO), 0);
	f = fopen(in_folder("now.db"), "r");
	whole = malloc(1 << 20);
	length = fread(whole, 1, 1 << 20, f);
	ck_assert_uint_gt(length, 8192);
}

static void teardown(void)
{
	free(whole);
	folder_remove();
}

static bool is_clean(int code)
{
	return code == 0 || code == -EUCLEAN || code == -EIO || code == -EBADFD || code == -ENOENT;
}

/* Reads so many of the bytes as a file, to the last page. */
static void read_damaged(size_t size, const char *what, size_t where)
{
	_cleanup_(now_snapshot_freep) struct now_snapshot *s = NULL;
	unsigned sum = 0;

	write_bytes(in_folder("damaged.db"), whole, size);
	int r = now_read(in_folder("damaged.db"), &s);
	if (!is_clean(r))
		ck_abort_msg("%s at %zu: %d", what, where, r);
	for (size_t i = 0; s && i < s->n_drives; i++) {
		sum += now_page_is_live(&s->drives[i], &s->drives[i].pages[0], MONO);
		sum += (unsigned)strlen(s->drives[i].drive.model);
		for (unsigned p = 0; p < page_total(); p++)
			if (s->drives[i].pages[p].bytes)
				sum += s->drives[i].pages[p].bytes[pages[p]->size - 1];
	}
	if (s)
		sum += now_collector_is_up(s, "x", MONO);
	ck_assert_uint_lt(sum, UINT32_MAX);
}

START_TEST(test_a_truncated_file_fails_cleanly)
{
	for (size_t size = 0; size < length; size += size < 512 ? 7 : 509)
		read_damaged(size, "cut", size);
}
END_TEST

/* Every byte of the headers, and a sample of the rest. */
START_TEST(test_a_file_with_a_wrong_byte_fails_cleanly)
{
	uint64_t seed = 5;

	for (size_t at = 0; at < length; at += at % 4096 < 128 ? 1 : 13) {
		unsigned char kept = whole[at];

		whole[at] = (unsigned char)random_next(&seed);
		read_damaged(length, "byte", at);
		whole[at] = kept;
	}
}
END_TEST

START_TEST(test_a_file_of_noise_fails_cleanly)
{
	uint64_t seed = 6;

	for (int round = 0; round < 200; round++) {
		/* Behind the header it would not even be looked at. */
		for (size_t i = 100 + random_next(&seed) % 4000; i < length;
		     i += 1 + random_next(&seed) % 97)
			whole[i] = (unsigned char)random_next(&seed);
		read_damaged(length, "noise", (size_t)round);
	}
}
END_TEST

START_TEST(test_fresh_is_three_cadences)
{
	ck_assert(now_is_fresh(1000, 10, 1000));
	ck_assert(now_is_fresh(1000, 10, 1030));
	ck_assert(!now_is_fresh(1000, 10, 1031));
	ck_assert(!now_is_fresh(1000, 0, 1001));
	ck_assert(!now_is_fresh(0, 10, 5)); /* never read */
}
END_TEST

/* Of another boot, or garbage. */
START_TEST(test_the_future_is_not_fresh)
{
	ck_assert(!now_is_fresh(1001, 10, 1000));
	ck_assert(!now_is_fresh(INT64_MAX, 10, 1000));
	ck_assert(!now_is_fresh(-5, 10, 0));
	ck_assert(!now_is_fresh(INT64_MIN, 10, 1000));
	ck_assert(!now_is_fresh(INT64_MIN, UINT64_MAX, INT64_MAX));
}
END_TEST

START_TEST(test_a_page_is_live_while_it_is_fresh)
{
	struct now_drive d = { .drive = { .present = true, .responding = true } };
	struct now_page p = { .mono = 1000, .cadence_us = 10, .bytes = smart_bytes };

	ck_assert(now_page_is_live(&d, &p, 1030));
	ck_assert(!now_page_is_live(&d, &p, 1031));
	p.bytes = NULL;
	ck_assert(!now_page_is_live(&d, &p, 1000));
}
END_TEST

/* A page that is read once an hour would be shown for three more of a drive that hangs. */
START_TEST(test_of_a_silent_drive_nothing_outlives_its_smart_page)
{
	struct now_page all[64] = { 0 }, slow = { .mono = 1000, .cadence_us = 3600, .bytes = smart_bytes };
	struct now_drive d = { .drive = { .present = true, .responding = true }, .pages = all };

	ck_assert_uint_le(page_total(), ELEMENTS(all));
	all[page_index(&smart_page)] = (struct now_page){ .mono = 1000, .cadence_us = 15 };
	ck_assert(now_page_is_live(&d, &slow, 1046));
	d.drive.responding = false;
	ck_assert(now_page_is_live(&d, &slow, 1045));
	ck_assert(!now_page_is_live(&d, &slow, 1046));
	slow.host = true; /* the kernel is still there */
	ck_assert(now_page_is_live(&d, &slow, 1046));
}
END_TEST

/* Identify is read once: it holds as long as the drive is there and answers. */
START_TEST(test_a_page_without_cadence_lives_with_its_drive)
{
	struct now_drive d = { .drive = { .present = true, .responding = true } };
	struct now_page p = { .mono = 1, .bytes = identify_bytes };

	ck_assert(now_page_is_live(&d, &p, INT64_MAX));
	d.drive.responding = false;
	ck_assert(!now_page_is_live(&d, &p, 2));
	d.drive = (struct drive){ .responding = true };
	ck_assert(!now_page_is_live(&d, &p, 2));
}
END_TEST

START_TEST(test_the_collector_is_up_in_its_boot_and_in_time)
{
	struct now_snapshot s = { .mono = 1000, .cadence_us = 10, .boot_id = "this" };

	ck_assert(now_collector_is_up(&s, "this", 1030));
	ck_assert(!now_collector_is_up(&s, "this", 1031));
	ck_assert(!now_collector_is_up(&s, "that", 1000));
	ck_assert(!now_collector_is_up(&s, "", 1000));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_truncated_file_fails_cleanly,
		test_a_file_with_a_wrong_byte_fails_cleanly,
		test_a_file_of_noise_fails_cleanly,
		test_fresh_is_three_cadences,
		test_the_future_is_not_fresh,
		test_a_page_is_live_while_it_is_fresh,
		test_of_a_silent_drive_nothing_outlives_its_smart_page,
		test_a_page_without_cadence_lives_with_its_drive,
		test_the_collector_is_up_in_its_boot_and_in_time,
		NULL,
	};

	return check_main_with("now damage", tests, setup, teardown);
}
