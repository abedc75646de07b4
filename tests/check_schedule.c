/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* When pages are read: pure functions of "now". */

#include <inttypes.h>
#include <string.h>

#include "collect/schedule.h"
#include "check_main.h"
#include "nvmewatch/cleanup.h"

#define SECOND UINT64_C(1000000)
#define BOOT "0b7f6a0e-6b1c-4f0a-8f0e-3d9c1f6a2b10"

START_TEST(test_the_next_moment_is_on_the_grid)
{
	uint64_t seed = 4;

	for (int i = 0; i < 100000; i++) {
		uint64_t cadence = SECOND * (1 + random_next(&seed) % 86400);
		uint64_t phase = random_next(&seed);
		int64_t now = (int64_t)(random_next(&seed) >> 8 >> i % 40);
		int64_t next = schedule_next(now, cadence, phase);

		if (next <= now || (uint64_t)(next - now) > cadence ||
		    (uint64_t)next % cadence != phase % cadence)
			ck_abort_msg("now %" PRId64 " cadence %" PRIu64 " phase %" PRIu64
				     ": %" PRId64,
				     now, cadence, phase, next);
	}
}
END_TEST

START_TEST(test_moments_are_one_cadence_apart)
{
	int64_t first = schedule_next(0, 15 * SECOND, 7 * SECOND);

	ck_assert_int_eq(first, 7 * SECOND);
	ck_assert_int_eq(schedule_next(first, 15 * SECOND, 7 * SECOND), 22 * SECOND);
	/* A poll that comes late does not shift the grid, nor make up for what was left out. */
	ck_assert_int_eq(schedule_next(23 * SECOND, 15 * SECOND, 7 * SECOND), 37 * SECOND);
	ck_assert_int_eq(schedule_next(100 * SECOND, 15 * SECOND, 7 * SECOND), 112 * SECOND);
}
END_TEST

/* The drives of a host poll in step, its hosts do not. */
START_TEST(test_the_phase_is_that_of_the_boot)
{
	ck_assert_uint_eq(schedule_phase(BOOT), schedule_phase(BOOT));
	ck_assert_uint_ne(schedule_phase(BOOT), schedule_phase("another"));
	/* Without a boot id there is one as well. */
	ck_assert_uint_eq(schedule_phase(""), schedule_phase(""));
}
END_TEST

static void random_boot_id(uint64_t *seed, char ret[static 40])
{
	uint64_t a = random_next(seed), b = random_next(seed);

	snprintf(ret, 40, "%08x-%04x-%04x-%04x-%012" PRIx64, (unsigned)a,
		 (unsigned)(a >> 32 & 0xffff), (unsigned)(a >> 48), (unsigned)(b & 0xffff),
		 b >> 16);
}

/* 1000 hosts in 10 parts of a cadence: about 100 in each. */
START_TEST(test_hosts_are_spread_over_every_cadence)
{
	static const uint64_t cadences[] = { SECOND, 15 * SECOND, 300 * SECOND, 3600 * SECOND };
	uint64_t seed = 8;
	char id[40];

	for (size_t k = 0; k < ELEMENTS(cadences); k++) {
		unsigned parts[10] = { 0 };

		for (unsigned i = 0; i < 1000; i++) {
			random_boot_id(&seed, id);
			parts[schedule_phase(id) % cadences[k] / (cadences[k] / 10)]++;
		}
		for (size_t i = 0; i < ELEMENTS(parts); i++) {
			ck_assert_uint_gt(parts[i], 60);
			ck_assert_uint_lt(parts[i], 140);
		}
	}
}
END_TEST

START_TEST(test_cadences_are_those_of_the_settings)
{
	struct settings s = { .poll_smart = 15 * SECOND, .poll_ocp = 300 * SECOND };

	ck_assert_uint_eq(schedule_cadence(&smart_page, &s, false, false), 15 * SECOND);
	ck_assert_uint_eq(schedule_cadence(&smart_page, &s, true, false), 15 * SECOND);
	ck_assert_uint_eq(schedule_cadence(&ocp_smart_page, &s, false, false), 300 * SECOND);
	ck_assert_uint_eq(schedule_cadence(&ocp_smart_page, &s, true, false), 15 * SECOND);
	ck_assert_uint_eq(schedule_cadence(&identify_page, &s, false, false), UINT64_MAX);
	ck_assert_uint_eq(schedule_cadence(&identify_page, &s, true, false), UINT64_MAX);
	ck_assert_uint_eq(schedule_cadence(&persistent_events_page, &s, true, false), UINT64_MAX);
}
END_TEST

/* Heat makes a page be read more often, never less. */
START_TEST(test_heat_does_not_slow_down)
{
	struct settings s = { .poll_smart = 300 * SECOND, .poll_ocp = 60 * SECOND };

	ck_assert_uint_eq(schedule_cadence(&ocp_smart_page, &s, true, false), 60 * SECOND);
}
END_TEST

/* Case PWR-06: each command wakes it, so heat does not make it be read more often either. */
START_TEST(test_PWR_06_a_sleepy_drive_is_read_once_a_minute)
{
	struct settings s = { .poll_smart = 1 * SECOND, .poll_ocp = 300 * SECOND };

	for (int hot = 0; hot < 2; hot++) {
		ck_assert_uint_eq(schedule_cadence(&smart_page, &s, hot, true), 60 * SECOND);
		ck_assert_uint_eq(schedule_cadence(&ocp_smart_page, &s, hot, true),
				  hot ? 60 * SECOND : 300 * SECOND);
		ck_assert_uint_eq(schedule_cadence(&identify_page, &s, hot, true), UINT64_MAX);
	}
	/* Who reads it less often anyway goes on so. */
	s.poll_smart = 600 * SECOND;
	ck_assert_uint_eq(schedule_cadence(&smart_page, &s, false, true), 600 * SECOND);
}
END_TEST

static uint8_t identify[4096], smart[512];

static void cold(void)
{
	memset(identify, 0, sizeof(identify));
	memset(smart, 0, sizeof(smart));
	bytes_put(identify + 266, 2, 350); /* WCTEMP, 77 degrees */
	bytes_put(smart + 1, 2, 303);
}

START_TEST(test_a_drive_is_hot_within_10_degrees_of_its_limit)
{
	cold();
	ck_assert(!schedule_is_hot(identify, smart));
	bytes_put(smart + 1, 2, 339);
	ck_assert(!schedule_is_hot(identify, smart));
	bytes_put(smart + 1, 2, 340);
	ck_assert(schedule_is_hot(identify, smart));
	bytes_put(smart + 1, 2, 370);
	ck_assert(schedule_is_hot(identify, smart));
}
END_TEST

/* Case TMP-10: no limit, no logic over it. */
START_TEST(test_TMP_10_what_is_not_known_is_not_hot)
{
	cold();
	bytes_put(smart + 1, 2, 380);
	ck_assert(!schedule_is_hot(NULL, smart));
	ck_assert(!schedule_is_hot(identify, NULL));
	ck_assert(!schedule_is_hot(NULL, NULL));
	bytes_put(identify + 266, 2, 0);
	ck_assert(!schedule_is_hot(identify, smart));
	cold();
	bytes_put(smart + 1, 2, 0);
	ck_assert(!schedule_is_hot(identify, smart));
}
END_TEST

START_TEST(test_a_dying_reader_is_started_ever_later)
{
	ck_assert_uint_eq(schedule_restart_delay(0), SECOND);
	for (unsigned deaths = 1; deaths < 100; deaths++) {
		ck_assert_uint_ge(schedule_restart_delay(deaths),
				  schedule_restart_delay(deaths - 1));
		ck_assert_uint_le(schedule_restart_delay(deaths), 120 * SECOND);
	}
	ck_assert_uint_gt(schedule_restart_delay(3), SECOND);
	ck_assert_uint_eq(schedule_restart_delay(UINT32_MAX), schedule_restart_delay(99));
}
END_TEST

START_TEST(test_a_page_that_costs_resets_rests_ever_longer)
{
	ck_assert_uint_ge(schedule_rest(0), 60 * SECOND);
	for (unsigned hangs = 1; hangs < 100; hangs++) {
		ck_assert_uint_ge(schedule_rest(hangs), schedule_rest(hangs - 1));
		ck_assert_uint_le(schedule_rest(hangs), 2 * 3600 * SECOND);
	}
	ck_assert_uint_gt(schedule_rest(1), schedule_rest(0));
	ck_assert_uint_eq(schedule_rest(UINT32_MAX), schedule_rest(99));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_the_next_moment_is_on_the_grid,
		test_moments_are_one_cadence_apart,
		test_the_phase_is_that_of_the_boot,
		test_hosts_are_spread_over_every_cadence,
		test_cadences_are_those_of_the_settings,
		test_heat_does_not_slow_down,
		test_PWR_06_a_sleepy_drive_is_read_once_a_minute,
		test_a_drive_is_hot_within_10_degrees_of_its_limit,
		test_TMP_10_what_is_not_known_is_not_hot,
		test_a_dying_reader_is_started_ever_later,
		test_a_page_that_costs_resets_rests_ever_longer,
		NULL,
	};

	return check_main("schedule", tests);
}
