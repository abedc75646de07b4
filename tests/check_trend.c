/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How a temperature goes on: a drive that heats up at a known rate shows it through whole degrees, and one
 * that wavers between two degrees does not. */

#include <math.h>

#include "nvmewatch/trend.h"
#include "page_support.h"

#define SECOND INT64_C(1000000)
#define START (1000 * SECOND)

static struct trend t;
static int64_t now;

static void setup(void)
{
	t = (struct trend){ 0 };
	now = START;
}

/* Reads for so long: `celsius` at first and `rise` more each second, in whole degrees. */
static void heat(double celsius, double rise, unsigned cadence, unsigned seconds)
{
	for (unsigned s = 0; s <= seconds; s += cadence) {
		now += s ? cadence * SECOND : 0;
		trend_add(&t, now, llround(celsius + rise * s));
	}
}

static double rise(void)
{
	double found = NAN;

	ck_assert(trend_rise(&t, now, &found));
	return found;
}

static int64_t until(int64_t limit)
{
	int64_t found;

	return trend_seconds_until(&t, now, limit, &found) ? found : -1;
}

/* At every cadence, and both ways. */
START_TEST(test_the_rise_is_found_through_whole_degrees)
{
	static const double rises[] = { 0.005, 0.01, 0.05, 0.5, -0.005, -0.01, -0.05 };
	static const unsigned cadences[] = { 1, 5, 10, 15, 60 };

	for (size_t i = 0; i < ELEMENTS(cadences); i++) {
		setup();
		heat(40.3, rises[_i], cadences[i], 600);
		ck_assert_double_eq_tol(rise(), rises[_i], 0.1 * fabs(rises[_i]));
	}
}
END_TEST

START_TEST(test_what_does_not_change_does_not_rise)
{
	heat(40, 0, 15, 900);
	ck_assert_double_eq(rise(), 0);
	ck_assert_int_eq(until(77), -1);
}
END_TEST

START_TEST(test_a_drive_between_two_degrees_does_not_rise)
{
	for (unsigned i = 0; i < 200; i++) {
		trend_add(&t, now, 40 + (i * 7 % 11 > 5));
		if (i > 10)
			ck_assert_double_eq(rise(), 0);
		now += 15 * SECOND;
	}
}
END_TEST

/* Wherever in the ten minutes that is. */
START_TEST(test_the_step_of_one_degree_is_no_rise)
{
	heat(40, 0, 15, 600);
	for (unsigned i = 0; i < 60; i++) {
		now += 15 * SECOND;
		trend_add(&t, now, 41);
		ck_assert_double_eq(rise(), 0);
	}
}
END_TEST

/* Two degrees are more than nothing, but not among reads that jump by ten. */
START_TEST(test_a_rise_within_the_noise_is_none)
{
	for (unsigned i = 0; i < 41; i++) {
		trend_add(&t, now, 40 + i / 13 + (i % 2 ? 20 : 0));
		now += 15 * SECOND;
	}
	ck_assert_double_eq(rise(), 0);
}
END_TEST

START_TEST(test_too_few_reads_or_too_short_a_time_tell_nothing)
{
	double found = 7;

	ck_assert(!trend_rise(&t, now, &found));
	heat(40, 1, 15, 105);
	ck_assert(!trend_rise(&t, now, &found)); /* eight, of less than two minutes */
	setup();
	heat(40, 0.1, 200, 400);
	ck_assert(!trend_rise(&t, now, &found)); /* three */
	ck_assert_double_eq(found, 7);
	heat(80, 0.1, 200, 0);
	ck_assert(!trend_rise(&t, now, &found)); /* of the same moment as the last */
	now += 100 * SECOND;
	trend_add(&t, now, 90);
	ck_assert_double_eq_tol(rise(), 0.1, 0.001);
}
END_TEST

START_TEST(test_the_past_is_forgotten)
{
	double found;

	heat(40, 0.05, 15, 600);
	heat(70, 0, 15, 630);
	ck_assert_double_eq(rise(), 0);
	now += 3600 * SECOND; /* a drive that was gone */
	ck_assert(!trend_rise(&t, now, &found));
	ck_assert_int_eq(until(77), -1);
}
END_TEST

START_TEST(test_the_time_is_that_to_the_limit)
{
	heat(40, 0.05, 15, 600); /* 70 degrees */
	ck_assert_int_le(llabs(until(77) - 140), 3);
	ck_assert_int_eq(until(70), 0);
	ck_assert_int_eq(until(60), 0);
	setup();
	heat(70, -0.05, 15, 600);
	ck_assert_int_eq(until(77), -1);
	ck_assert_int_eq(until(20), -1);
}
END_TEST

START_TEST(test_what_takes_more_than_a_day_is_not_told)
{
	heat(40, 0.004, 15, 600);
	ck_assert_int_gt(until(300), 0);
	ck_assert_int_eq(until(450), -1);
}
END_TEST

START_TEST(test_the_page_shows_it)
{
	static uint8_t identify[4096], bytes[44];

	trend_put(&t, NULL, now, bytes);
	check_value(&thermal_page, bytes, "temperature_rise_celsius_per_second", "absent");
	check_value(&thermal_page, bytes, "time_to_warning_seconds", "absent");
	heat(40, 0.1, 10, 300); /* 70 */
	trend_put(&t, identify, now, bytes);
	check_value(&thermal_page, bytes, "temperature_rise_celsius_per_second", "0.1");
	check_value(&thermal_page, bytes, "time_to_warning_seconds", "absent");
	put_number(identify, 266, 2, 273 + 77);
	trend_put(&t, identify, now, bytes);
	check_value(&thermal_page, bytes, "time_to_warning_seconds", "70");
	put_number(identify, 266, 2, 273 + 65);
	trend_put(&t, identify, now, bytes);
	check_value(&thermal_page, bytes, "time_to_warning_seconds", "0");
	setup();
	heat(70, -0.1, 10, 300);
	trend_put(&t, identify, now, bytes);
	check_value(&thermal_page, bytes, "temperature_rise_celsius_per_second", "-0.1");
	setup();
	heat(70, 0, 10, 300);
	trend_put(&t, identify, now, bytes);
	check_value(&thermal_page, bytes, "temperature_rise_celsius_per_second", "0");
	check_value(&thermal_page, bytes, "time_to_warning_seconds", "absent");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trend");
	TCase *tcase = tcase_create("trend");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_loop_test(tcase, test_the_rise_is_found_through_whole_degrees, 0, 7);
	tcase_add_test(tcase, test_what_does_not_change_does_not_rise);
	tcase_add_test(tcase, test_a_drive_between_two_degrees_does_not_rise);
	tcase_add_test(tcase, test_the_step_of_one_degree_is_no_rise);
	tcase_add_test(tcase, test_a_rise_within_the_noise_is_none);
	tcase_add_test(tcase, test_too_few_reads_or_too_short_a_time_tell_nothing);
	tcase_add_test(tcase, test_the_past_is_forgotten);
	tcase_add_test(tcase, test_the_time_is_that_to_the_limit);
	tcase_add_test(tcase, test_what_takes_more_than_a_day_is_not_told);
	tcase_add_test(tcase, test_the_page_shows_it);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
