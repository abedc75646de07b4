/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Drives with two controllers, and controllers that another driver has. */

#include <string.h>

#include "check_main.h"
#include "fake_host.h"

#define NQN "nqn = nqn.2019-08.org.example:subsystem\n"
#define PATH(serial, address) \
	"[identity]\nserial = " serial "\nmodel = M1\nfirmware = FW1\ncapacity = 1T\n" NQN \
	"address = " address "\n"

static struct fake_drive *one, *two;

/* Case MPA-01: one drive, seen through two controllers. */
static void start(void)
{
	one = fake_plug("nvme1", PATH("D", "0001:01:00.0"));
	two = fake_plug("nvme2", PATH("D", "0002:01:00.0"));
	one->found.cntlid = 66;
	two->found.cntlid = 65;
	host_start();
	host_run(2 * SECOND);
}

static const struct drive *shown(const char *key)
{
	const struct now_drive *d = host_shown(key);

	ck_assert_msg(d != NULL, "%s", key);
	return &d->drive;
}

static bool is_read(const char *key)
{
	return host_value(key, &smart_page, "power_cycles") >= 0;
}

START_TEST(test_MPA_01_one_drive_with_two_paths)
{
	start();
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert_uint_eq(shown("D")->n_paths, 2);
	ck_assert_str_eq(shown("D")->paths[0].device, "nvme1");
	ck_assert_str_eq(shown("D")->paths[1].address, "0002:01:00.0");
	ck_assert_uint_eq(shown("D")->capacity_bytes, 1000000000000);
	host_run(60 * SECOND);
	ck_assert(is_read("D"));
	/* Read once, not once per controller. */
	ck_assert_uint_gt(one->asked[2], 2);
	ck_assert_uint_eq(two->commands, 0);
	ck_assert_uint_eq(two->readers, 0);
}
END_TEST

START_TEST(test_MPA_01_the_other_path_takes_over)
{
	start();
	host_remove(one);
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert(shown("D")->present && is_read("D"));
	ck_assert_str_eq(shown("D")->device, "nvme2");
	ck_assert_uint_eq(shown("D")->n_paths, 0);
	ck_assert_uint_gt(two->commands, 0);
	ck_assert_uint_eq(one->readers, 0);
	/* What is back is a path again; the one that works stays in use. */
	host_add(one);
	host_run(20 * SECOND);
	ck_assert_uint_eq(shown("D")->n_paths, 2);
	ck_assert_str_eq(shown("D")->device, "nvme2");
	ck_assert_uint_eq(one->readers, 0);
	const char *events = host_events("D");
	ck_assert_ptr_null(strstr(events, "remove"));
	ck_assert_ptr_nonnull(strstr(events, "path_change"));
}
END_TEST

START_TEST(test_MPA_01_a_path_that_is_not_live_is_left)
{
	start();
	host_state(one, "connecting");
	host_run(2 * SECOND);
	ck_assert_str_eq(shown("D")->device, "nvme2");
	ck_assert_str_eq(shown("D")->state, "live");
	ck_assert_str_eq(shown("D")->paths[0].state, "connecting");
	ck_assert(is_read("D") && shown("D")->responding);
	host_state(one, "live");
	host_run(2 * SECOND);
	ck_assert_str_eq(shown("D")->device, "nvme2");
	ck_assert_str_eq(shown("D")->paths[0].state, "live");
}
END_TEST

START_TEST(test_no_path_is_live)
{
	start();
	strcpy(one->found.drive.state, "connecting");
	host_state(two, "connecting");
	host_run(8 * SECOND);
	ck_assert_str_eq(shown("D")->state, "connecting");
	ck_assert(!shown("D")->responding);
	host_state(two, "live");
	host_run(2 * SECOND);
	ck_assert_str_eq(shown("D")->state, "live");
	ck_assert(shown("D")->responding && is_read("D"));
}
END_TEST

/* ---- A controller that vfio-pci has, say for a virtual machine. ---- */

static void lend(struct fake_drive *d, const char *driver)
{
	char address[64];

	strcpy(address, d->found.drive.address);
	d->found.drive = (struct drive){ .numa_node = -1, .present = true };
	strcpy(d->found.drive.address, address);
	strcpy(d->found.drive.state, driver);
	d->found.target[0] = 0;
}

static void give_back(struct fake_drive *d, const char *device, const char *drive_file)
{
	strcpy(d->found.drive.device, device);
	fake_become(d, drive_file);
	strcpy(d->found.target, device);
}

START_TEST(test_a_drive_that_is_lent_is_not_gone)
{
	struct fake_drive *a = fake_plug("nvme0", PATH("A", "0000:01:00.0"));

	host_start();
	host_run(2 * SECOND);
	lend(a, "vfio-pci");
	host_event(NULL, false, 0);
	host_run(30 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert(shown("A")->present);
	ck_assert_str_eq(shown("A")->state, "vfio-pci");
	ck_assert(shown("A")->lent && !shown("A")->responding);
	ck_assert_str_eq(shown("A")->model, "M1");
	ck_assert_uint_eq(a->readers, 0);
	unsigned commands = a->commands;
	host_run(60 * SECOND);
	ck_assert_uint_eq(a->commands, commands);
	give_back(a, "nvme5", PATH("A", "0000:01:00.0"));
	host_event(a, true, 0);
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert_str_eq(shown("A")->state, "live");
	ck_assert_str_eq(shown("A")->device, "nvme5");
	ck_assert(is_read("A"));
	ck_assert(!shown("A")->lent && shown("A")->responding);
	const char *events = host_events("A");
	ck_assert_ptr_null(strstr(events, "remove"));
	ck_assert_ptr_null(strstr(events, "responsive"));
}
END_TEST

START_TEST(test_one_path_is_lent)
{
	start();
	lend(one, "vfio-pci");
	host_event(NULL, false, 0);
	host_run(2 * SECOND);
	ck_assert(shown("D")->present && is_read("D"));
	ck_assert_str_eq(shown("D")->device, "nvme2");
	ck_assert_str_eq(shown("D")->state, "live");
	host_run(120 * SECOND);
	ck_assert(is_read("D"));
}
END_TEST

/* Between two drivers it has none for a moment, and may be seen as gone. */
START_TEST(test_a_drive_is_gone_for_a_moment_and_then_lent)
{
	struct fake_drive *a = fake_plug("nvme0", PATH("A", "0000:01:00.0"));

	host_start();
	host_run(2 * SECOND);
	host_remove(a);
	lend(a, "no driver");
	host_add(a);
	ck_assert(shown("A")->present);
	ck_assert_str_eq(shown("A")->state, "no driver");
}
END_TEST

/* Lent since before the collector was started: known by its place until it is back. */
START_TEST(test_who_was_lent_at_first_is_one_drive_when_it_is_back)
{
	struct fake_drive *a = fake_plug("nvme0", PATH("A", "0000:01:00.0"));

	lend(a, "vfio-pci");
	host_start();
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert(shown("@0000:01:00.0")->present);
	ck_assert_str_eq(shown("@0000:01:00.0")->state, "vfio-pci");
	give_back(a, "nvme0", PATH("A", "0000:01:00.0"));
	host_event(a, true, 0);
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert(is_read("A"));
	/* Nor is it missed after a restart. */
	host_stop();
	host_start();
	ck_assert_uint_eq(host_drives(), 1);
}
END_TEST

START_TEST(test_a_lent_drive_may_be_pulled)
{
	struct fake_drive *a = fake_plug("nvme0", PATH("A", "0000:01:00.0"));

	host_start();
	host_run(2 * SECOND);
	lend(a, "vfio-pci");
	host_event(NULL, false, 0);
	host_remove(a);
	ck_assert(!shown("A")->present);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_MPA_01_one_drive_with_two_paths,
		test_MPA_01_the_other_path_takes_over,
		test_MPA_01_a_path_that_is_not_live_is_left,
		test_no_path_is_live,
		test_a_drive_that_is_lent_is_not_gone,
		test_one_path_is_lent,
		test_a_drive_is_gone_for_a_moment_and_then_lent,
		test_who_was_lent_at_first_is_one_drive_when_it_is_back,
		test_a_lent_drive_may_be_pulled,
		NULL,
	};

	return check_main_with("fleet paths", tests, host_setup, host_teardown);
}
