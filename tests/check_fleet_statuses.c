/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Commands that end with a status that is no refusal: what the collector makes of it. */

#include "check_main.h"
#include "fake_host.h"
#include "nvmewatch/cleanup.h"

#include <string.h>

#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DRIVE "[identity]\nserial = S0\nmodel = M1\naddress = 0000:01:00.0\n"

static uint64_t errors(const char *page, const char *reason)
{
	const struct now_drive *d = host_shown("S0");

	for (size_t i = 0; i < d->n_errors; i++)
		if (!strcmp(d->errors[i].page->name, page) && !strcmp(d->errors[i].reason, reason))
			return d->errors[i].count;
	return 0;
}

static bool has(const struct page *p)
{
	return host_shown("S0")->pages[page_index(p)].bytes != NULL;
}

/* ZHITAI TiPro7000: 16 entries fail with PRP Offset Invalid, 64 are answered. */
START_TEST(test_LOG_04_another_length_is_tried_once)
{
	struct fake_drive *d = fake_plug("nvme0", DRIVE "[identify]\nelpe = 15\n"
					 "[fault]\npage = error_information\nlength = 1024\n"
					 "what = status 0x13\n");

	host_start();
	host_run(MINUTE);
	ck_assert_uint_eq(d->asked[1], 2);
	/* The simulated drive keeps to what it says of its entries, and refuses more. */
	ck_assert(!has(&error_information_page));
	ck_assert(has(&smart_page));
	host_run(24 * HOUR);
	ck_assert_uint_eq(d->asked[1], 2); /* then stop */
}
END_TEST

START_TEST(test_LOG_04_the_other_length_is_kept)
{
	struct fake_drive *d = fake_plug("nvme0", DRIVE "[identify]\nelpe = 63\n"
					 "[fault]\npage = error_information\nlength = 4096\n"
					 "what = status 0x13\n");

	host_start();
	host_run(MINUTE);
	ck_assert(has(&error_information_page));
	unsigned asked = d->asked[1];
	host_run(10 * HOUR);
	ck_assert_uint_le(d->asked[1], asked + 10); /* once an hour: not tried again each time */
	ck_assert(has(&smart_page));
}
END_TEST

START_TEST(test_LOG_04_no_length_will_do)
{
	struct fake_drive *d = fake_plug("nvme0", DRIVE "[fault]\npage = error_information\n"
					 "what = status 0x13\n");

	host_start();
	host_run(24 * HOUR);
	ck_assert_uint_eq(d->asked[1], 2);
	ck_assert(has(&smart_page));
}
END_TEST

/* All else is refused for a week; the state shows, and nothing is a failure. */
START_TEST(test_SAN_01_a_drive_that_is_sanitized_fails_at_nothing)
{
	struct fake_drive *d = fake_plug("nvme0", DRIVE "[identify]\nsanicap = 2\n[ocp_smart]\nplp_starts = 7\n"
					 "[sanitize]\nsanitize_status = 0\n");

	host_start();
	host_run(10 * MINUTE);
	fake_become(d, DRIVE "[identify]\nsanicap = 2\n[ocp_smart]\nplp_starts = 7\n"
		    "[sanitize]\nsanitize_status = 2\nsanitize_progress_ratio = 0.01\n"
		    "[fault a]\npage = ocp_smart\nwhat = status 0x401d\n"
		    "[fault b]\npage = power_management\nwhat = status 0x401d\n");
	host_run(10 * MINUTE);
	/* Seen by what was refused, long before the hour is over. */
	ck_assert_int_eq(host_value("S0", &sanitize_page, "sanitize_status"), 2);
	ck_assert_uint_eq(errors("ocp_smart", "status"), 0);
	ck_assert_uint_eq(errors("power_management", "status"), 0);
	ck_assert(host_shown("S0")->drive.responding);
	ck_assert_int_eq(host_value("S0", &smart_page, "temperature_celsius"), 30);
	fake_become(d, DRIVE "[identify]\nsanicap = 2\n[ocp_smart]\nplp_starts = 7\n"
		    "[sanitize]\nsanitize_status = 1\n");
	host_run(10 * MINUTE);
	ck_assert_int_eq(host_value("S0", &sanitize_page, "sanitize_status"), 1);
	ck_assert_int_eq(host_value("S0", &ocp_smart_page, "plp_starts"), 7);
}
END_TEST

/* Nor is it asked over and over, even where the collector comes upon the sanitize. */
START_TEST(test_SAN_01_a_sanitize_of_hours_adds_few_entries)
{
	fake_plug("nvme0", DRIVE "[identify]\nsanicap = 2\n[ocp_smart]\nplp_starts = 7\n"
		  "[sanitize]\nsanitize_status = 2\nsanitize_progress_ratio = 0.01\n"
		  "[fault a]\npage = ocp_smart\nwhat = status 0x401d\n"
		  "[fault b]\npage = namespaces\nwhat = status 0x401d\n"
		  "[fault c]\npage = power_management\nwhat = status 0x401d\n");
	host_start();
	host_run(10 * HOUR);
	ck_assert_int_le(host_value("S0", &smart_page, "error_log_entries"), 3 * 11);
	ck_assert(host_shown("S0")->drive.responding);
}
END_TEST

/* Each such answer may be an entry in the drive's error log. */
START_TEST(test_ERR_01_a_page_that_keeps_failing_rests)
{
	struct fake_drive *d = fake_plug("nvme0", DRIVE "[fault]\npage = smart\nwhat = status 0x4006\n");

	host_start();
	host_run(24 * HOUR);
	ck_assert_uint_le(d->asked[2], 24 * 15 + 10); /* and not 5760 */
	fake_become(d, DRIVE);
	host_run(70 * MINUTE);
	ck_assert_int_eq(host_value("S0", &smart_page, "temperature_celsius"), 30);
	unsigned asked = d->asked[2];
	host_run(10 * MINUTE);
	ck_assert_uint_ge(d->asked[2], asked + 39); /* at its cadence again */
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_LOG_04_another_length_is_tried_once,
		test_LOG_04_the_other_length_is_kept,
		test_LOG_04_no_length_will_do,
		test_SAN_01_a_drive_that_is_sanitized_fails_at_nothing,
		test_SAN_01_a_sanitize_of_hours_adds_few_entries,
		test_ERR_01_a_page_that_keeps_failing_rests,
		NULL,
	};

	return check_main_with("fleet statuses", tests, host_setup, host_teardown);
}
