/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Throttling and headroom, and counters that fall: what several reads say together. */

#include "nvmewatch/counters.h"
#include "nvmewatch/thermal.h"
#include "page_support.h"

#define SECOND INT64_C(1000000)

static uint8_t identify[4096], smart[512], before[512], ocp[512], derived[44];
static struct throttling t;
static struct thermal_sight sight;

static void setup(void)
{
	memset(identify, 0, sizeof(identify));
	memset(smart, 0, sizeof(smart));
	memset(before, 0, sizeof(before));
	memset(ocp, 0, sizeof(ocp));
	put_number(identify, 266, 2, 273 + 77); /* WCTEMP */
	put_number(smart, 1, 2, 273 + 70);
	put_number(before, 1, 2, 273 + 70);
	put_number(ocp, 494, 2, 3);
	t = (struct throttling){ 0 };
	sight = (struct thermal_sight){
		.identify = identify, .smart = smart, .smart_before = before, .statuses = { ocp },
	};
}

static void check_page_of(const char *column, const char *expected)
{
	thermal_put(&t, &sight, 1790000000123, derived);
	check_value(&thermal_page, derived, column, expected);
}

/* A vendor's page tells it as OCP's does. */
START_TEST(test_a_vendors_status_is_a_status)
{
	uint8_t page[512];

	for (unsigned i = 1; i < THERMAL_STATUSES; i++) {
		const struct page *p = thermal_statuses[i].page;
		unsigned index;
		const struct field *f = page_field(p, thermal_statuses[i].column, &index);
		struct value on = { .type = VALUE_INTEGER, .integer = 1 };

		ck_assert_msg(f, "%s", p->name);
		ck_assert_uint_le(p->size, sizeof(page));
		page_blank(p, page);
		t = (struct throttling){ 0 };
		memset(sight.statuses, 0, sizeof(sight.statuses));
		sight.statuses[i] = page;
		ck_assert_int_eq(throttling_update(&t, &sight, SECOND), THROTTLE_SAME);
		ck_assert_int_eq(field_encode(f, index, &on, page), 0);
		ck_assert_int_eq(throttling_update(&t, &sight, 2 * SECOND), THROTTLE_BEGUN);
		ck_assert_int_eq(t.reason, THROTTLE_STATUS);
	}
}
END_TEST

START_TEST(test_temperatures_are_those_of_page_02h)
{
	put_number(smart, 202, 2, 273 + 55);
	check_page_of("temperature_celsius", "70");
	check_page_of("sensor_temperature_celsius_1", "absent");
	check_page_of("sensor_temperature_celsius_2", "55");
	put_number(smart, 1, 2, 1);
	check_page_of("temperature_celsius", "absent");
	sight.smart = NULL;
	check_page_of("sensor_temperature_celsius_2", "absent");
}
END_TEST

START_TEST(test_the_headroom_is_to_the_warning_temperature)
{
	check_page_of("headroom_celsius", "7");
	put_number(smart, 1, 2, 273 + 80);
	check_page_of("headroom_celsius", "-3");
	check_page_of("throttled", "0");
	check_page_of("throttle_reason", "absent");
	check_page_of("throttled_since_timestamp_seconds", "absent");
}
END_TEST

/* TMP-10: no limit, no headroom. TMP-02: no temperature, none either. */
START_TEST(test_TMP_10_without_a_limit_there_is_no_headroom)
{
	put_number(identify, 266, 2, 0);
	check_page_of("headroom_celsius", "absent");
	put_number(identify, 266, 2, 350);
	put_number(smart, 1, 2, 0);
	check_page_of("headroom_celsius", "absent");
	sight.identify = NULL;
	check_page_of("headroom_celsius", "absent");
}
END_TEST

START_TEST(test_a_status_begins_and_ends_at_once)
{
	ck_assert_int_eq(throttling_update(&t, &sight, 10 * SECOND), THROTTLE_SAME);
	ocp[97] = 1;
	ck_assert_int_eq(throttling_update(&t, &sight, 20 * SECOND), THROTTLE_BEGUN);
	check_page_of("throttled", "1");
	check_page_of("throttle_reason", "\"thermal throttling status\"");
	check_page_of("throttled_since_timestamp_seconds", "1790000000.123");
	put_number(smart, 1, 2, 273 + 83);
	ck_assert_int_eq(throttling_update(&t, &sight, 30 * SECOND), THROTTLE_SAME);
	put_number(smart, 1, 2, 273 + 79);
	ck_assert_int_eq(throttling_update(&t, &sight, 40 * SECOND), THROTTLE_SAME);
	check_page_of("throttled_temperature_max_celsius", "83");
	ocp[97] = 0;
	ck_assert_int_eq(throttling_update(&t, &sight, 50 * SECOND), THROTTLE_ENDED);
	ck_assert_int_eq(t.since, 20 * SECOND);
	ck_assert_int_eq(t.temperature_max, 83);
	check_page_of("throttled", "0");
	check_page_of("throttled_temperature_max_celsius", "absent");
	ck_assert_int_eq(throttling_update(&t, &sight, 60 * SECOND), THROTTLE_SAME);
}
END_TEST

/* Each of the four counters tells, and the spell ends when all have stood still for a minute. */
START_TEST(test_counters_that_grow_begin_and_a_minute_of_standstill_ends)
{
	static const unsigned offsets[] = { 216, 220, 224, 228 };

	put_number(before, offsets[_i], 4, 5);
	put_number(smart, offsets[_i], 4, 6);
	ck_assert_int_eq(throttling_update(&t, &sight, 100 * SECOND), THROTTLE_BEGUN);
	ck_assert_int_eq(t.reason, _i % 2 ? THROTTLE_HEAVY : THROTTLE_LIGHT);
	put_number(before, offsets[_i], 4, 6);
	ck_assert_int_eq(throttling_update(&t, &sight, 115 * SECOND), THROTTLE_SAME);
	ck_assert_int_eq(t.reason, _i % 2 ? THROTTLE_HEAVY : THROTTLE_LIGHT);
	ck_assert_int_eq(throttling_update(&t, &sight, 159 * SECOND), THROTTLE_SAME);
	ck_assert_int_eq(throttling_update(&t, &sight, 160 * SECOND), THROTTLE_ENDED);
}
END_TEST

/* The first read of a drive says nothing of now, however long it has throttled in its life. */
START_TEST(test_a_first_read_is_no_throttling)
{
	put_number(smart, 216, 4, 57);
	put_number(smart, 224, 4, 9410);
	sight.smart_before = NULL;
	ck_assert_int_eq(throttling_update(&t, &sight, SECOND), THROTTLE_SAME);
	memcpy(before, smart, sizeof(before));
	sight.smart_before = before;
	ck_assert_int_eq(throttling_update(&t, &sight, 2 * SECOND), THROTTLE_SAME);
	put_number(smart, 216, 4, 3); /* reset: a fall is no growth */
	ck_assert_int_eq(throttling_update(&t, &sight, 3 * SECOND), THROTTLE_SAME);
}
END_TEST

/* A drive's very first transition, from the 0 that may mean "not reported". */
START_TEST(test_the_first_transition_of_a_life_is_seen)
{
	put_number(smart, 216, 4, 1);
	ck_assert_int_eq(throttling_update(&t, &sight, SECOND), THROTTLE_BEGUN);
	ck_assert_int_eq(t.reason, THROTTLE_LIGHT);
}
END_TEST

START_TEST(test_drives_without_these_pages_never_throttle)
{
	sight = (struct thermal_sight){ 0 };
	ck_assert_int_eq(throttling_update(&t, &sight, SECOND), THROTTLE_SAME);
	check_page_of("throttled", "0");
	check_page_of("headroom_celsius", "absent");
}
END_TEST

START_TEST(test_CNT_03_counters_that_fall_are_named)
{
	char text[256] = "untouched";

	put_number(before, 32, 8, 100);
	put_number(smart, 32, 8, 101);
	ck_assert_uint_eq(counters_fell(&smart_page, before, smart, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "untouched");
	put_number(before, 112, 8, 12);
	ck_assert_uint_eq(counters_fell(&smart_page, before, smart, text, sizeof(text)), 1);
	ck_assert_str_eq(text, "power_cycles from 12 to 0");
	put_number(smart, 1, 2, 273 + 20); /* a temperature may fall */
	put_number(before, 64, 8, UINT64_C(1) << 62);
	ck_assert_uint_eq(counters_fell(&smart_page, before, smart, text, sizeof(text)), 2);
	ck_assert_str_eq(text, "host_read_commands from 4611686018427387904 to 0, "
			       "power_cycles from 12 to 0");
	memset(before + 32, 1, 6);
	put_number(before, 160, 8, 3);
	put_number(before, 176, 8, 3);
	counters_fell(&smart_page, before, smart, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, ", and 2 more"));
	counters_fell(&smart_page, before, smart, text, 20); /* cut off, not overrun */
	ck_assert_uint_lt(strlen(text), 20);
}
END_TEST

/* What is absent now has not fallen: it is not reported. */
START_TEST(test_a_counter_that_is_no_longer_reported_has_not_fallen)
{
	char text[256];

	put_number(before, 48, 8, 100); /* 0 data units written are "not reported" */
	ck_assert_uint_eq(counters_fell(&smart_page, before, smart, text, sizeof(text)), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("thermal");
	TCase *tcase = tcase_create("thermal");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, test_a_vendors_status_is_a_status);
	tcase_add_test(tcase, test_temperatures_are_those_of_page_02h);
	tcase_add_test(tcase, test_the_headroom_is_to_the_warning_temperature);
	tcase_add_test(tcase, test_TMP_10_without_a_limit_there_is_no_headroom);
	tcase_add_test(tcase, test_a_status_begins_and_ends_at_once);
	tcase_add_loop_test(tcase, test_counters_that_grow_begin_and_a_minute_of_standstill_ends, 0, 4);
	tcase_add_test(tcase, test_a_first_read_is_no_throttling);
	tcase_add_test(tcase, test_the_first_transition_of_a_life_is_seen);
	tcase_add_test(tcase, test_drives_without_these_pages_never_throttle);
	tcase_add_test(tcase, test_CNT_03_counters_that_fall_are_named);
	tcase_add_test(tcase, test_a_counter_that_is_no_longer_reported_has_not_fallen);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
