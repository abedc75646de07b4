/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Crashes and power cuts at every point of what history does day by day: nothing that was promised is lost. */

#include "durable_support.h"

static void nothing(void)
{
}

static void one_flush(void)
{
	put_minutes(3, TIME, 5);
	flush_numbered();
}

static void create_and_flush(void)
{
	put_event();
	note_numbered();
	put_minutes(2, TIME, 3);
	flush_numbered();
}

START_TEST(test_SQL_11_while_it_is_made)
{
	crash_everywhere("creation", nothing, create_and_flush);
}
END_TEST

static void some_flushes(void)
{
	for (int i = 0; i < 4; i++) {
		put_minutes(3, TIME + i * 300 * SECOND, 5);
		put_event();
		note_numbered();
		flush_numbered();
	}
}

START_TEST(test_while_it_is_flushed)
{
	crash_everywhere("flush", one_flush, some_flushes);
}
END_TEST

/* Enough for the log to be brought into the file several times. */
static void many_flushes(void)
{
	for (int i = 0; i < 150; i++) {
		put_minutes(1, TIME + i * 300 * SECOND, 2);
		put_event();
		flush_numbered();
	}
}

START_TEST(test_during_checkpoints)
{
	crash_everywhere("checkpoint", one_flush, many_flushes);
}
END_TEST

/* Three groups of drives. */
static void a_day(void)
{
	for (int i = 0; i < 3; i++) {
		put_minutes(20, TIME + i * 1200 * SECOND, 4);
		flush_numbered();
	}
}

static void pack_all(void)
{
	pack();
}

START_TEST(test_while_it_is_packed)
{
	crash_everywhere("packing", a_day, pack_all);
}
END_TEST

static void pack_some(void)
{
	a_day();
	ck_assert_int_eq(archive_pack(archive), 1);
}

/* Stopped, more is flushed, and it goes on. */
static void flush_and_pack(void)
{
	put_minutes(20, TIME + 3600 * SECOND, 2);
	flush_numbered();
	pack();
	put_minutes(20, TIME + DAY, 2);
	flush_numbered();
	pack();
}

START_TEST(test_while_a_packing_goes_on)
{
	crash_everywhere("packing that goes on", pack_some, flush_and_pack);
}
END_TEST

/* The second of several days in which hours are added to. */
static void pack_one_hour(void)
{
	one_flush();
	pack();
	put_minutes(3, TIME + 600 * SECOND, 5);
	flush_numbered();
}

START_TEST(test_while_an_hour_is_added_to)
{
	crash_everywhere("rollup", pack_one_hour, pack_all);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_SQL_11_while_it_is_made,
		test_while_it_is_flushed,
		test_during_checkpoints,
		test_while_it_is_packed,
		test_while_a_packing_goes_on,
		test_while_an_hour_is_added_to,
		NULL,
	};

	return check_main("durable", tests);
}
