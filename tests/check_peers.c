/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Drives of one model are compared with each other: who stands out does, who is alike does not, and what
 * too few have is not compared. */

#include <math.h>

#include "nvmewatch/peers.h"
#include "page_support.h"

#define DRIVES 8

static struct peer peers[DRIVES];
static struct peer_report reports[DRIVES];
static size_t n;

static void setup(void)
{
	n = 0;
}

static void add(const char *model, enum peer_metric metric, double value)
{
	peers[n].model = model;
	for (enum peer_metric i = 0; i < PEER_METRICS; i++)
		peers[n].values[i] = i == metric ? value : NAN;
	n++;
}

static void heat(const double *celsius, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add("M", PEER_TEMPERATURE, celsius[i]);
	ck_assert_int_eq(peers_compare(peers, n, reports), 0);
}

static double heat_of(size_t i)
{
	return reports[i].of[PEER_TEMPERATURE].deviation;
}

START_TEST(test_one_that_stands_out_is_told_by_how_much)
{
	heat((double[]){ 38, 40, 42, 44, 46, 70 }, 6);
	/* Median 43; deviations from it 5 3 1 1 3 27, their median 3. */
	ck_assert_double_eq_tol(heat_of(5), 27 / (3 * 1.4826), 1e-9);
	ck_assert_double_eq_tol(heat_of(0), -5 / (3 * 1.4826), 1e-9);
	ck_assert_uint_eq(reports[5].of[PEER_TEMPERATURE].drives, 6);
}
END_TEST

/* The one that stands out moves neither the middle nor the spread. */
START_TEST(test_an_outlier_does_not_hide_itself)
{
	heat((double[]){ 40, 43, 41, 60, 38 }, 5);
	double sixty = heat_of(3), other = heat_of(0);
	n = 0;
	heat((double[]){ 40, 43, 41, 120, 38 }, 5);
	ck_assert_double_eq(heat_of(0), other);
	ck_assert_double_gt(heat_of(3), 3 * sixty);
}
END_TEST

START_TEST(test_drives_that_are_alike_make_nothing_of_a_degree)
{
	heat((double[]){ 40, 40, 40, 41 }, 4);
	ck_assert_double_eq(heat_of(0), 0);
	ck_assert_double_eq(heat_of(3), 0.5);
}
END_TEST

START_TEST(test_latency_is_measured_by_its_own_size)
{
	add("M", PEER_READ_LATENCY, 1e-3);
	add("M", PEER_READ_LATENCY, 1e-3);
	add("M", PEER_READ_LATENCY, 1.5e-3);
	ck_assert_int_eq(peers_compare(peers, n, reports), 0);
	ck_assert_double_eq_tol(reports[2].of[PEER_READ_LATENCY].deviation, 5, 1e-9);
	n = 0;
	for (unsigned i = 0; i < 3; i++)
		add("M", PEER_WRITE_LATENCY, i == 2 ? 50e-6 : 10e-6); /* 20 us, not 1 */
	ck_assert_int_eq(peers_compare(peers, n, reports), 0);
	ck_assert_double_eq_tol(reports[2].of[PEER_WRITE_LATENCY].deviation, 2, 1e-9);
	n = 0;
	for (unsigned i = 0; i < 3; i++)
		add("M", PEER_WRITE_AMPLIFICATION, i == 2 ? 1.5 : 0.5); /* 0.1, not 0.05 */
	ck_assert_int_eq(peers_compare(peers, n, reports), 0);
	ck_assert_double_eq_tol(reports[2].of[PEER_WRITE_AMPLIFICATION].deviation, 10, 1e-9);
}
END_TEST

START_TEST(test_less_than_three_are_no_group)
{
	heat((double[]){ 40, 80 }, 2);
	ck_assert_uint_eq(reports[1].of[PEER_TEMPERATURE].drives, 0);
	add("M", PEER_TEMPERATURE, NAN);
	ck_assert_int_eq(peers_compare(peers, n, reports), 0);
	ck_assert_uint_eq(reports[1].of[PEER_TEMPERATURE].drives, 0);
	add("M", PEER_TEMPERATURE, 40);
	ck_assert_int_eq(peers_compare(peers, n, reports), 0);
	ck_assert_uint_eq(reports[1].of[PEER_TEMPERATURE].drives, 3);
	ck_assert_double_eq(heat_of(1), 20);
	ck_assert_uint_eq(reports[2].of[PEER_TEMPERATURE].drives, 0); /* it has none */
	ck_assert_uint_eq(reports[1].of[PEER_READ_LATENCY].drives, 0);
}
END_TEST

START_TEST(test_models_are_not_mixed)
{
	for (unsigned i = 0; i < DRIVES; i++)
		add(i % 2 ? "cool" : "hot", PEER_TEMPERATURE, i % 2 ? 40 : 70);
	ck_assert_int_eq(peers_compare(peers, n, reports), 0);
	for (unsigned i = 0; i < DRIVES; i++) {
		ck_assert_double_eq(heat_of(i), 0);
		ck_assert_uint_eq(reports[i].of[PEER_TEMPERATURE].drives, 4);
	}
	n = 0;
	for (unsigned i = 0; i < DRIVES; i++)
		add("", PEER_TEMPERATURE, 40 + i);
	ck_assert_int_eq(peers_compare(peers, n, reports), 0);
	ck_assert_uint_eq(reports[0].of[PEER_TEMPERATURE].drives, 0);
}
END_TEST

START_TEST(test_no_drives_are_no_trouble)
{
	ck_assert_int_eq(peers_compare(peers, 0, reports), 0);
}
END_TEST

START_TEST(test_the_page_shows_the_report)
{
	struct peer_report r = { .of = { [PEER_TEMPERATURE] = { 6.07, 6 },
					 [PEER_READ_LATENCY] = { -1000, 70000 },
					 [PEER_WRITE_LATENCY] = { 0, 3 },
					 [PEER_WRITE_AMPLIFICATION] = { 0, 0 } } };
	uint8_t bytes[32];

	peers_put(&r, bytes);
	check_value(&peers_page, bytes, "temperature_deviation", "6.07");
	check_value(&peers_page, bytes, "temperature_drives", "6");
	check_value(&peers_page, bytes, "read_latency_deviation", "-1000");
	check_value(&peers_page, bytes, "read_latency_drives", "65535");
	check_value(&peers_page, bytes, "write_latency_deviation", "0");
	check_value(&peers_page, bytes, "write_latency_drives", "3");
	check_value(&peers_page, bytes, "write_amplification_deviation", "absent");
	check_value(&peers_page, bytes, "write_amplification_drives", "absent");
	for (size_t i = 0; i < 3; i++)
		add("M", PEER_READ_LATENCY, i == 2 ? 3600 : 0);
	ck_assert_int_eq(peers_compare(peers, n, reports), 0);
	peers_put(&reports[2], bytes);
	check_value(&peers_page, bytes, "read_latency_deviation", "1000");
}
END_TEST

START_TEST(test_every_metric_has_its_columns)
{
	char column[FIELD_COLUMN_MAX];
	unsigned index;

	for (enum peer_metric i = 0; i < PEER_METRICS; i++) {
		snprintf(column, sizeof(column), "%s_deviation", peer_metric_name(i));
		const struct field *f = page_field(&peers_page, column, &index);
		ck_assert_ptr_nonnull(f);
		ck_assert_ptr_nonnull(strstr(f->labels, peer_metric_name(i)));
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_one_that_stands_out_is_told_by_how_much,
		test_an_outlier_does_not_hide_itself,
		test_drives_that_are_alike_make_nothing_of_a_degree,
		test_latency_is_measured_by_its_own_size,
		test_less_than_three_are_no_group,
		test_models_are_not_mixed,
		test_no_drives_are_no_trouble,
		test_the_page_shows_the_report,
		test_every_metric_has_its_columns,
		NULL,
	};

	return check_main_with("peers", tests, setup, NULL);
}
