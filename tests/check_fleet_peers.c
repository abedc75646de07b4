/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Drives of one model in one host, compared as they are read. */

#include <stdio.h>

#include "check_main.h"
#include "fake_host.h"

#define MINUTE (60 * SECOND)

static struct fake_drive *drives[4];

static void start(void)
{
	host_start();
	host.settings.poll_ocp = MINUTE;
}

static void write_drive(char *file, size_t size, unsigned i, int celsius, unsigned reads, unsigned seconds)
{
	snprintf(file, size, "[identity]\nserial = %c\nmodel = M1\nfirmware = FW1\ncapacity = 1T\n"
		 "address = 0000:0%u:00.0\n[identify]\nwctemp_celsius = 77\n"
		 "[smart]\ntemperature_celsius = %d\n[block_1]\nread_completed = %u\n"
		 "read_latency_seconds = %u\n", 'A' + i, i + 1, celsius, reads, seconds);
}

static void plug(unsigned i, int celsius)
{
	char file[512], device[16];

	snprintf(device, sizeof(device), "nvme%u", i);
	write_drive(file, sizeof(file), i, celsius, 1000, 1);
	drives[i] = fake_plug(device, file);
}

static void become(unsigned i, int celsius, unsigned reads, unsigned seconds)
{
	char file[512];

	write_drive(file, sizeof(file), i, celsius, reads, seconds);
	fake_become(drives[i], file);
}

/* In hundredths; -1: nothing is shown. */
static long deviation(const char *key, const char *column)
{
	const struct now_drive *d = host_shown(key);
	const struct now_page *page = d ? &d->pages[page_index(&peers_page)] : NULL;
	unsigned index;
	const struct field *f = page_field(&peers_page, column, &index);
	struct value v;

	if (!page || !now_page_is_live(d, page, fake_now) ||
	    page_decode(&peers_page, f, index, page->bytes, &v) < 0)
		return -1;
	return (long)(v.real * 100 + (v.real < 0 ? -0.5 : 0.5));
}

static int64_t compared(const char *key)
{
	return host_value(key, &peers_page, "temperature_drives");
}

START_TEST(test_one_that_is_hotter_than_its_peers_stands_out)
{
	for (unsigned i = 0; i < 4; i++)
		plug(i, i == 3 ? 60 : 40);
	start();
	host_run(3 * MINUTE);
	ck_assert_int_eq(compared("A"), 4);
	ck_assert_int_eq(deviation("A", "temperature_deviation"), 0);
	ck_assert_int_eq(deviation("D", "temperature_deviation"), 1000);
	become(3, 42, 1000, 1);
	host_run(2 * MINUTE);
	ck_assert_int_eq(deviation("D", "temperature_deviation"), 100);
}
END_TEST

START_TEST(test_two_drives_are_not_compared)
{
	plug(0, 40);
	plug(1, 60);
	start();
	host_run(3 * MINUTE);
	ck_assert_int_eq(compared("A"), -1);
	plug(2, 40);
	host_event(NULL, false, 0);
	host_run(3 * MINUTE);
	ck_assert_int_eq(compared("A"), 3);
	host_remove(drives[2]);
	host_run(2 * MINUTE);
	ck_assert_int_eq(compared("A"), -1);
}
END_TEST

/* What it was says nothing of what its peers are now. */
START_TEST(test_one_that_does_not_answer_is_not_compared)
{
	for (unsigned i = 0; i < 4; i++)
		plug(i, 40);
	start();
	host_run(3 * MINUTE);
	ck_assert_int_eq(compared("A"), 4);
	drives[3]->hangs = true;
	host_run(3 * MINUTE);
	ck_assert_int_eq(compared("A"), 3);
	ck_assert_int_eq(compared("D"), -1);
	drives[3]->hangs = false;
	host_run(3 * MINUTE);
	ck_assert_int_eq(compared("D"), 4);
}
END_TEST

/* From what it counts between two comparisons, of enough requests. */
START_TEST(test_one_that_is_slower_than_its_peers_stands_out)
{
	for (unsigned i = 0; i < 4; i++)
		plug(i, 40);
	start();
	host_run(3 * MINUTE);
	ck_assert_int_eq(host_value("A", &peers_page, "read_latency_drives"), -1);
	for (unsigned i = 0; i < 4; i++)
		become(i, 40, 2000, i == 3 ? 4 : 2); /* 1 ms a read, and 3 */
	host_run(MINUTE);
	ck_assert_int_eq(host_value("A", &peers_page, "read_latency_drives"), 4);
	ck_assert_int_eq(deviation("A", "read_latency_deviation"), 0);
	ck_assert_int_eq(deviation("D", "read_latency_deviation"), 2000);
	ck_assert_int_eq(host_value("A", &peers_page, "write_latency_drives"), -1);
	for (unsigned i = 0; i < 4; i++)
		become(i, 40, 2099, i == 3 ? 4 : 2);
	host_run(MINUTE);
	ck_assert_int_eq(host_value("A", &peers_page, "read_latency_drives"), -1);
}
END_TEST

/* Counters that start anew, as after a reboot of what is behind them, are no latency. */
START_TEST(test_counters_that_start_anew_are_left_out)
{
	for (unsigned i = 0; i < 4; i++)
		plug(i, 40);
	start();
	host_run(3 * MINUTE);
	for (unsigned i = 0; i < 4; i++)
		become(i, 40, i == 3 ? 500 : 2000, i == 3 ? 0 : 2);
	host_run(MINUTE);
	ck_assert_int_eq(host_value("A", &peers_page, "read_latency_drives"), 3);
	ck_assert_int_eq(host_value("D", &peers_page, "read_latency_drives"), -1);
	ck_assert_int_eq(compared("D"), 4);
}
END_TEST

/* Its slow pages are read more often then; what is made of others is not. */
START_TEST(test_a_hot_drive_shows_how_it_compares_all_the_time)
{
	for (unsigned i = 0; i < 4; i++)
		plug(i, i == 3 ? 75 : 40);
	start();
	host_run(5 * MINUTE);
	for (unsigned i = 0; i < 60; i++) {
		host_run(5 * SECOND);
		ck_assert_int_eq(compared("D"), 4);
	}
}
END_TEST

START_TEST(test_comparing_wakes_nobody)
{
	plug(0, 40);
	start();
	host_run(10 * MINUTE);
	ck_assert_int_gt(host.compare, fake_now);
	ck_assert_int_le(host.compare, fake_now + (int64_t)host.settings.poll_ocp);
	/* A shorter cadence is taken up at once. */
	host.compare = INT64_MAX;
	host_run(MINUTE);
	ck_assert_int_le(host.compare, fake_now + (int64_t)host.settings.poll_ocp);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_one_that_is_hotter_than_its_peers_stands_out,
		test_two_drives_are_not_compared,
		test_one_that_does_not_answer_is_not_compared,
		test_one_that_is_slower_than_its_peers_stands_out,
		test_counters_that_start_anew_are_left_out,
		test_a_hot_drive_shows_how_it_compares_all_the_time,
		test_comparing_wakes_nobody,
		NULL,
	};

	return check_main_with("fleet_peers", tests, host_setup, host_teardown);
}
