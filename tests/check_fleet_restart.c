/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the collector remembers of drives from one start to the next. */

#include <string.h>

#include "check_main.h"
#include "collect/control.h"
#include "fake_host.h"
#include "nvmewatch/control.h"

#define DAY (86400 * SECOND)
#define DRIVE(serial, address)                                                                  \
	"[identity]\nserial = " serial "\nmodel = M1\nfirmware = FW1\ncapacity = 1T\naddress = " \
	address "\n"
#define A DRIVE("A", "0000:01:00.0")
#define B DRIVE("B", "0000:02:00.0")

static void restart(void)
{
	host_stop();
	host_start();
	host_run(2 * SECOND);
}

static bool is_gone(const char *key)
{
	const struct now_drive *d = host_shown(key);

	ck_assert_msg(d != NULL, "%s", key);
	return !d->drive.present;
}

START_TEST(test_a_drive_that_was_missed_still_is)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	restart();
	ck_assert(is_gone("A"));
	ck_assert_str_eq(host_shown("A")->drive.model, "M1");
	ck_assert_str_eq(host_shown("A")->drive.firmware, "FW1");
}
END_TEST

/* Pulled while no collector ran. */
START_TEST(test_a_drive_that_is_not_there_any_more_is_missed)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_stop();
	a->there = false;
	host_start();
	ck_assert(is_gone("A"));
}
END_TEST

/* It went once, however often the collector starts. */
START_TEST(test_a_restart_is_no_event_of_a_missing_drive)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	for (int i = 0; i < 5; i++)
		restart();
	ck_assert(is_gone("A"));
	ck_assert_str_eq(host_events("A"), "attach nvme0, remove nvme0");
}
END_TEST

/* forget_after counts from when it was last seen, not from the last start. */
START_TEST(test_restarts_do_not_keep_a_drive_for_ever)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	for (int day = 0; day < 29; day++) {
		host_stop();
		fake_now += DAY;
		host_start();
		ck_assert(is_gone("A"));
	}
	host_run(DAY + 120 * SECOND);
	ck_assert_uint_eq(host_drives(), 0);
	restart();
	ck_assert_uint_eq(host_drives(), 0);
}
END_TEST

/* The host was rebooted meanwhile: its clock since boot says nothing. */
START_TEST(test_a_reboot_does_not_keep_a_drive_for_ever)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	host_stop();
	fake_now += 29 * DAY;
	host_start();
	ck_assert(is_gone("A"));
	host_run(2 * DAY);
	ck_assert_uint_eq(host_drives(), 0);
}
END_TEST

/* A clock without battery: the drive was seen in the future. */
START_TEST(test_CLK_02_a_clock_that_was_set_back_forgets_nothing)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	host_stop();
	fake_now -= 900 * SECOND;
	host_start();
	ck_assert(is_gone("A"));
}
END_TEST

START_TEST(test_a_missing_drive_comes_back_after_a_restart)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	restart();
	host_add(a);
	host_run(2 * SECOND);
	ck_assert(!is_gone("A"));
	ck_assert_int_ge(host_value("A", &smart_page, "power_cycles"), 0);
	ck_assert_str_eq(host_events("A"), "attach nvme0, remove nvme0, attach nvme0");
}
END_TEST

static int forget(const char *key)
{
	struct control_request r = { .version = CONTROL_VERSION, .verb = CONTROL_FORGET };

	snprintf(r.drive, sizeof(r.drive), "%s", key);
	return control_execute(&host, &r, 0);
}

START_TEST(test_what_was_forgotten_stays_so)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	fake_plug("nvme1", B);
	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	ck_assert_int_eq(forget("A"), 0);
	ck_assert_uint_eq(host_drives(), 1);
	restart();
	ck_assert_uint_eq(host_drives(), 1);
	/* Until it is there again. */
	host_add(a);
	host_run(2 * SECOND);
	host_remove(a);
	restart();
	ck_assert(is_gone("A"));
}
END_TEST

/* Case PRM-04: names are swapped at a reboot; history goes by serial. */
START_TEST(test_PRM_04_names_swap_between_two_starts)
{
	struct fake_drive *a = fake_plug("nvme0", A "[smart]\npower_cycles = 1\n");
	struct fake_drive *b = fake_plug("nvme1", B "[smart]\npower_cycles = 2\n");

	host_start();
	host_run(2 * SECOND);
	host_stop();
	strcpy(a->found.drive.device, "nvme1");
	strcpy(a->found.target, "nvme1");
	strcpy(b->found.drive.device, "nvme0");
	strcpy(b->found.target, "nvme0");
	host_start();
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 2);
	ck_assert_int_eq(host_value("A", &smart_page, "power_cycles"), 1);
	ck_assert_int_eq(host_value("B", &smart_page, "power_cycles"), 2);
}
END_TEST

/* Case IDN-11: a serial was unique, is not, and is again: nobody is missed who is there. */
START_TEST(test_IDN_11_keys_that_were_given_up_are_not_missed)
{
	struct fake_drive *b;

	fake_plug("nvme0", A);
	host_start();
	host_run(2 * SECOND);
	b = fake_plug("nvme1", DRIVE("A", "0000:02:00.0"));
	host_event(b, false, 0);
	host_run(2 * SECOND);
	restart();
	ck_assert_uint_eq(host_drives(), 2);
	host_remove(b);
	restart();
	ck_assert_uint_eq(host_drives(), 2);
	ck_assert(!is_gone("A") && is_gone("A@0000:02:00.0"));
}
END_TEST

/* ---- A drive that another driver has, say vfio-pci for a virtual machine. ---- */

static void lend(struct fake_drive *d)
{
	char address[64];

	strcpy(address, d->found.drive.address);
	d->found.drive = (struct drive){ .numa_node = -1, .present = true };
	strcpy(d->found.drive.address, address);
	strcpy(d->found.drive.transport, "pcie");
	strcpy(d->found.drive.state, "vfio-pci");
	d->found.target[0] = 0;
}

static void check_lent(const char *key)
{
	ck_assert_uint_eq(host_drives(), 1);
	const struct now_drive *d = host_shown(key);
	ck_assert_msg(d != NULL, "%s", key);
	ck_assert(d->drive.present && d->drive.lent && !d->drive.responding);
	ck_assert_str_eq(d->drive.state, "vfio-pci");
}

START_TEST(test_a_lent_drive_stays_lent)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	lend(a);
	host_event(NULL, false, 0);
	check_lent("A");
	restart();
	check_lent("A");
	ck_assert_str_eq(host_shown("A")->drive.model, "M1");
	ck_assert_str_eq(host_shown("A")->drive.address, "0000:01:00.0");
	restart();
	check_lent("A");
	strcpy(a->found.drive.device, "nvme0");
	strcpy(a->found.target, "nvme0");
	fake_become(a, A);
	host_event(a, true, 0);
	host_run(2 * SECOND);
	ck_assert(!host_shown("A")->drive.lent && host_shown("A")->drive.responding);
	ck_assert_int_ge(host_value("A", &smart_page, "power_cycles"), 0);
	ck_assert_str_eq(host_events("A"), "attach nvme0, attach nvme0");
	/* It never had another name. */
	ck_assert_str_eq(host_query("SELECT group_concat(key) FROM drives"), "A");
}
END_TEST

START_TEST(test_a_drive_is_lent_while_no_collector_runs)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_stop();
	lend(a);
	fake_now += DAY;
	host_start();
	host_run(2 * SECOND);
	check_lent("A");
	host_remove(a);
	ck_assert(is_gone("A"));
	ck_assert(!host_shown("A")->drive.lent);
	ck_assert_str_eq(host_events("A"), "attach nvme0, remove 0000:01:00.0");
}
END_TEST

/* Nothing is read of it for longer than forget_after. */
START_TEST(test_a_lent_drive_is_not_forgotten)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	lend(a);
	host_event(NULL, false, 0);
	host_run(40 * DAY);
	restart();
	check_lent("A");
}
END_TEST

/* It was seen to go: what is lent from its place is another. */
START_TEST(test_a_lent_drive_in_the_place_of_one_that_went)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	host_run(60 * SECOND);
	lend(a);
	host_add(a);
	for (int i = 0; i < 3; i++) {
		ck_assert_uint_eq(host_drives(), 2);
		ck_assert(is_gone("A") && !is_gone("@0000:01:00.0"));
		ck_assert(host_shown("@0000:01:00.0")->drive.lent);
		restart();
	}
	ck_assert_str_eq(host_events("@0000:01:00.0"), "attach 0000:01:00.0");
}
END_TEST

/* Without it, it is shown by its place; with it, by its name. */
START_TEST(test_history_comes_late)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_stop();
	lend(a);
	host_start_without_history();
	host_run(SECOND);
	ck_assert_uint_eq(host_drives(), 0);
	host_run(2 * SECOND);
	check_lent("@0000:01:00.0");
	host_history_comes();
	host_run(SECOND);
	check_lent("A");
}
END_TEST

/* ---- An attach event: newly seen, or back. ---- */

START_TEST(test_a_restart_attaches_nothing)
{
	fake_plug("nvme0", A);
	host_start();
	host_run(2 * SECOND);
	for (int i = 0; i < 3; i++)
		restart();
	host_stop();
	fake_plug("nvme1", B);
	host_start();
	host_run(2 * SECOND);
	restart();
	ck_assert_str_eq(host_events("B"), "attach nvme1");
	ck_assert_str_eq(host_events("A"), "attach nvme0");
}
END_TEST

START_TEST(test_who_went_and_is_back_at_the_start_is_attached)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	host_stop();
	a->there = true;
	host_start();
	host_run(2 * SECOND);
	restart();
	ck_assert_str_eq(host_events("A"), "attach nvme0, remove nvme0, attach nvme0");
}
END_TEST

START_TEST(test_who_was_not_heard_of_for_long_is_attached)
{
	fake_plug("nvme0", A);
	host_start();
	host_run(2 * SECOND);
	host_stop();
	fake_now += 31 * DAY;
	host_start();
	host_run(2 * SECOND);
	ck_assert_str_eq(host_events("A"), "attach nvme0, attach nvme0");
}
END_TEST

/* Known only when history is: what was there is no news then either. */
START_TEST(test_a_restart_attaches_nothing_though_history_comes_late)
{
	fake_plug("nvme0", A);
	host_start();
	host_run(2 * SECOND);
	host_stop();
	host_start_without_history();
	host_run(10 * SECOND);
	host_history_comes();
	ck_assert_str_eq(host_events("A"), "attach nvme0");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_drive_that_was_missed_still_is,
		test_a_drive_that_is_not_there_any_more_is_missed,
		test_a_restart_is_no_event_of_a_missing_drive,
		test_restarts_do_not_keep_a_drive_for_ever,
		test_a_reboot_does_not_keep_a_drive_for_ever,
		test_CLK_02_a_clock_that_was_set_back_forgets_nothing,
		test_a_missing_drive_comes_back_after_a_restart,
		test_what_was_forgotten_stays_so,
		test_PRM_04_names_swap_between_two_starts,
		test_IDN_11_keys_that_were_given_up_are_not_missed,
		test_a_lent_drive_stays_lent,
		test_a_drive_is_lent_while_no_collector_runs,
		test_a_lent_drive_is_not_forgotten,
		test_a_lent_drive_in_the_place_of_one_that_went,
		test_history_comes_late,
		test_a_restart_attaches_nothing,
		test_who_went_and_is_back_at_the_start_is_attached,
		test_who_was_not_heard_of_for_long_is_attached,
		test_a_restart_attaches_nothing_though_history_comes_late,
		NULL,
	};

	return check_main_with("fleet restart", tests, host_setup, host_teardown);
}
