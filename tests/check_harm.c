/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* No error is provoked twice: what one drive of a model refuses, its siblings are not asked for. */

#include <sys/stat.h>

#include "collect/recorder.h"
#include "harm_support.h"

/* Siblings without the OCP page. */
static void plug_siblings(unsigned n, const char *more)
{
	char device[16], text[512];

	for (unsigned i = 0; i < n; i++) {
		snprintf(device, sizeof(device), "nvme%u", i);
		snprintf(text, sizeof(text), MODEL("S%u", "M1", "FW1") "%s", i, more);
		fake_plug(device, text);
	}
}

static unsigned asked(unsigned n, unsigned page)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += fake_drives[i].asked[page];
	return sum;
}

static unsigned errors(unsigned n)
{
	unsigned sum = 0;
	char key[16];

	for (unsigned i = 0; i < n; i++) {
		snprintf(key, sizeof(key), "S%u", i);
		sum += (unsigned)host_value(key, &smart_page, "error_log_entries");
	}
	return sum;
}

/* Case ERR-01: one entry per model and firmware, none in a thousand polls more, nor after restarts. */
START_TEST(test_ERR_01_a_refusal_is_provoked_once_per_model)
{
	plug_siblings(16, "");
	host_start();
	host_run(MINUTE);
	ck_assert_uint_eq(asked(16, C0), 1);
	ck_assert_uint_eq(errors(16), 1);
	host_run(1000 * 15 * SECOND);
	ck_assert_uint_ge(asked(16, 2), 16 * 1000);
	ck_assert_uint_eq(errors(16), 1);
	for (int i = 0; i < 5; i++) {
		host_stop();
		host_start();
		host_run(MINUTE);
	}
	ck_assert_uint_eq(asked(16, C0), 1);
	ck_assert_uint_eq(errors(16), 1);
}
END_TEST

/* A drive of a vendor that has two layouts more under the id of OCP's page, and two under FBh. */
START_TEST(test_ERR_01_what_was_refused_is_not_asked_for_as_another_page)
{
	fake_plug("nvme0", MODEL("S0", "WUS4BB076D7P3E3", "FW1") "vendor = 0x1b96\n");
	fake_plug("nvme1", MODEL("S1", "WUS4BB076D7P3E3", "FW1") "vendor = 0x1b96\n");
	for (int i = 0; i < 2; i++) {
		host_start();
		host_run(MINUTE);
		ck_assert_uint_eq(asked(2, C0), 1);
		ck_assert_uint_eq(asked(2, 0xca), 1);
		host_stop();
	}
}
END_TEST

/* A history that cannot be read, or late, does not make siblings be asked in vain. */
START_TEST(test_ERR_01_without_history)
{
	plug_siblings(16, "");
	host_start_without_history();
	host_run(MINUTE);
	ck_assert_uint_eq(asked(16, C0), 1);
	ck_assert_int_eq(mkdir(host.settings.state_dir, 0755), 0);
	recorder_flush(host.recorder);
	host_remembers();
	struct fake_drive *d = fake_plug("nvme99", MODEL("S99", "M1", "FW1"));
	host_event(d, true, 0);
	host_run(MINUTE);
	ck_assert_uint_eq(d->asked[C0], 0);
	ck_assert_int_ge(host_value("S99", &smart_page, "power_cycles"), 0);
}
END_TEST

START_TEST(test_another_firmware_is_asked_for_itself)
{
	fake_plug("nvme0", MODEL("S0", "M1", "FW1"));
	fake_plug("nvme1", MODEL("S1", "M1", "FW2"));
	fake_plug("nvme2", MODEL("S2", "M2", "FW1"));
	host_start();
	host_run(MINUTE);
	ck_assert_uint_eq(asked(3, C0), 3);
}
END_TEST

START_TEST(test_a_drive_that_comes_later_is_not_asked)
{
	fake_plug("nvme0", MODEL("S0", "M1", "FW1"));
	host_start();
	host_run(MINUTE);
	struct fake_drive *d = fake_plug("nvme1", MODEL("S1", "M1", "FW1"));
	host_event(d, true, 0);
	host_run(MINUTE);
	ck_assert_uint_eq(d->asked[C0], 0);
	ck_assert_int_ge(host_value("S1", &smart_page, "power_cycles"), 0);
}
END_TEST

START_TEST(test_after_a_firmware_change_it_is_asked_again)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	host_start();
	host_run(MINUTE);
	ck_assert_uint_eq(d->asked[C0], 1);
	fake_become(d, MODEL("S0", "M1", "FW2") OCP);
	host_event(d, true, 0);
	host_run(MINUTE);
	ck_assert_uint_ge(d->asked[C0], 2);
	ck_assert_int_eq(host_value("S0", &ocp_smart_page, "plp_starts"), 7);
}
END_TEST

/* Emulated drives of one model have what each was given. */
START_TEST(test_what_an_emulated_drive_lacks_others_may_have)
{
	fake_plug("nvme0", MODEL("S0", "QEMU NVMe Ctrl", "10.0.2"));
	fake_plug("nvme1", MODEL("S1", "QEMU NVMe Ctrl", "10.0.2") OCP);
	host_start();
	host_run(MINUTE);
	ck_assert_int_eq(host_value("S1", &ocp_smart_page, "plp_starts"), 7);
}
END_TEST

/* The first one is asked alone; where it has the page, its siblings follow within a moment. */
START_TEST(test_the_first_of_a_model_is_asked_first)
{
	plug_siblings(8, OCP);
	host_start();
	host_run(2 * SECOND);
	for (unsigned i = 1; i < 8; i++)
		ck_assert_int_gt(fake_drives[i].first_ask[C0], fake_drives[0].first_ask[C0]);
	ck_assert_uint_eq(asked(8, C0), 8);
	ck_assert_int_eq(host_value("S7", &ocp_smart_page, "plp_starts"), 7);
}
END_TEST

/* One that hangs, is in a reset, paused, or fails in another way holds nobody up for long. */
START_TEST(test_siblings_do_not_wait_for_one_that_hangs)
{
	plug_siblings(4, OCP);
	fake_drives[0].hangs = true;
	host_start();
	host_run(MINUTE);
	for (unsigned i = 1; i < 4; i++)
		ck_assert_uint_gt(fake_drives[i].asked[C0], 0);
}
END_TEST

START_TEST(test_siblings_do_not_wait_for_one_that_fails)
{
	plug_siblings(4, OCP);
	fake_become(&fake_drives[0], MODEL("S0", "M1", "FW1") OCP
		  "[fault]\npage = ocp_smart\nwhat = status 0x6\n");
	host_start();
	host_run(MINUTE);
	for (unsigned i = 1; i < 4; i++)
		ck_assert_uint_gt(fake_drives[i].asked[C0], 0);
}
END_TEST

START_TEST(test_siblings_do_not_wait_for_one_that_is_suspended)
{
	plug_siblings(4, OCP);
	fake_drives[0].found.may_sleep = fake_drives[0].suspended = true;
	host_start();
	host_run(MINUTE);
	ck_assert_uint_eq(fake_drives[0].commands, 0);
	for (unsigned i = 1; i < 4; i++)
		ck_assert_uint_gt(fake_drives[i].asked[C0], 0);
}
END_TEST

START_TEST(test_siblings_do_not_wait_for_one_that_is_paused)
{
	plug_siblings(1, OCP);
	/* It was not asked before it was paused. */
	fake_drives[0].found.may_sleep = fake_drives[0].suspended = true;
	host_start();
	pause_drive("S0", 3600);
	fake_drives[0].suspended = false;
	host_run(20 * SECOND);
	struct fake_drive *d = fake_plug("nvme1", MODEL("S1", "M1", "FW1") OCP);
	host_event(d, false, 0);
	host_run(MINUTE);
	ck_assert_uint_eq(fake_drives[0].asked[C0], 0);
	ck_assert_uint_gt(d->asked[C0], 0);
}
END_TEST

/* A refusal in a reset, or after the page was read once, says nothing of the model. */
START_TEST(test_a_refusal_after_a_good_read_is_not_remembered)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP);

	host_start();
	host_run(MINUTE);
	fake_become(d, MODEL("S0", "M1", "FW1"));
	host_run(20 * MINUTE);
	/* Given up for this drive, until something happens to it. */
	ck_assert(!host_shown("S0")->pages[page_index(&ocp_smart_page)].supported);
	struct fake_drive *other = fake_plug("nvme1", MODEL("S1", "M1", "FW1") OCP);
	host_event(other, true, 0);
	host_run(MINUTE);
	ck_assert_int_eq(host_value("S1", &ocp_smart_page, "plp_starts"), 7);
	host_stop();
	fake_become(d, MODEL("S0", "M1", "FW1") OCP);
	host_start();
	host_run(MINUTE);
	ck_assert_int_eq(host_value("S0", &ocp_smart_page, "plp_starts"), 7);
}
END_TEST

/* Known refusals are data: the drive is never asked at all. */
START_TEST(test_a_quirk_keeps_a_page_from_being_asked)
{
	struct fake_drive *d =
		fake_plug("nvme0", MODEL("S0", "Samsung SSD 960 EVO 1TB", "2B7QCXE7"));

	host_start();
	host_run(10 * MINUTE);
	ck_assert_uint_eq(d->asked[C0], 0);
	ck_assert_int_eq(host_value("S0", &smart_page, "error_log_entries"), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_ERR_01_a_refusal_is_provoked_once_per_model,
		test_ERR_01_what_was_refused_is_not_asked_for_as_another_page,
		test_ERR_01_without_history,
		test_another_firmware_is_asked_for_itself,
		test_a_drive_that_comes_later_is_not_asked,
		test_after_a_firmware_change_it_is_asked_again,
		test_what_an_emulated_drive_lacks_others_may_have,
		test_the_first_of_a_model_is_asked_first,
		test_siblings_do_not_wait_for_one_that_hangs,
		test_siblings_do_not_wait_for_one_that_fails,
		test_siblings_do_not_wait_for_one_that_is_suspended,
		test_siblings_do_not_wait_for_one_that_is_paused,
		test_a_refusal_after_a_good_read_is_not_remembered,
		test_a_quirk_keeps_a_page_from_being_asked,
		NULL,
	};

	return check_main_with("harm", tests, host_setup, host_teardown);
}
