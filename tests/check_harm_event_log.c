/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The Persistent Event Log, which is read only for who asks and after a sign of trouble. */

#include <errno.h>

#include "harm_support.h"

#define PEL 0x0d
#define LOGGING(serial) MODEL(serial, "M1", "FW1") OCP "[identify]\nlpa = 0x10\n"

static int ask_for(const char *key, const char *page)
{
	struct control_request r = { .version = CONTROL_VERSION, .verb = CONTROL_READ };

	snprintf(r.drive, sizeof(r.drive), "%s", key);
	snprintf(r.page, sizeof(r.page), "%s", page);
	return control_execute(&host, &r, 0);
}

static int64_t error_log_entries(void)
{
	return host_value("S0", &smart_page, "error_log_entries");
}

/* Not at attach, by schedule, after an event, a reset or a restart. */
START_TEST(test_the_event_log_is_never_read_unasked)
{
	struct fake_drive *d = fake_plug("nvme0", LOGGING("S0"));

	host_start();
	host_run(1000 * 15 * SECOND);
	host_event(d, false, 0x010002);
	host_run(MINUTE);
	host_event(d, true, 0);
	host_run(MINUTE);
	host_state(d, "resetting");
	host_run(5 * SECOND);
	host_state(d, "live");
	host_run(MINUTE);
	host_remove(d);
	host_run(MINUTE);
	host_add(d);
	host_run(MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 0);
	ck_assert_uint_eq(error_log_entries(), 0);
	host_stop();
	host_start();
	host_run(MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 0);
	ck_assert(!host_shown("S0")->pages[page_index(&persistent_events_page)].known);
}
END_TEST

START_TEST(test_the_event_log_is_read_once_for_who_asks)
{
	struct fake_drive *d = fake_plug("nvme0", LOGGING("S0"));

	host_start();
	host_run(MINUTE);
	ck_assert_int_eq(ask_for("S0", "persistent_events"), 0);
	host_run(SECOND);
	ck_assert_uint_eq(d->asked[PEL], 1);
	ck_assert_uint_eq(d->released, 1);
	ck_assert_int_eq(host_value("S0", &persistent_events_page, "events"), 2);
	host_run(24 * 60 * MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 1);
	/* It stays what it was. */
	ck_assert_int_eq(host_value("S0", &persistent_events_page, "events"), 2);
	ck_assert_int_eq(ask_for("S0", "persistent_events"), 0);
	host_run(SECOND);
	ck_assert_uint_eq(d->asked[PEL], 2);
	ck_assert_uint_eq(d->released, 2);
	ck_assert_int_eq(error_log_entries(), 0);
}
END_TEST

START_TEST(test_what_cannot_be_read_is_said)
{
	struct fake_drive *d = fake_plug("nvme0", LOGGING("S0")),
			  *without = fake_plug("nvme1", MODEL("S1", "M2", "FW1") OCP);
	static const char *const others[] = { "", "smart", "identify", "persistent_event", "events" };

	host_start();
	host_run(MINUTE);
	for (size_t i = 0; i < ELEMENTS(others); i++)
		ck_assert_int_eq(ask_for("S0", others[i]), -EINVAL);
	ck_assert_int_eq(ask_for("S1", "persistent_events"), -EOPNOTSUPP);
	ck_assert_int_eq(ask_for("S2", "persistent_events"), -ENOENT);
	host_remove(d);
	ck_assert_int_eq(ask_for("S0", "persistent_events"), -ENODEV);
	host_run(MINUTE);
	ck_assert_uint_eq(d->asked[PEL] + without->asked[PEL], 0);
}
END_TEST

/* While it is paused, it is not; and a drive that goes meanwhile is not asked when it is back. */
START_TEST(test_the_event_log_waits_for_a_pause)
{
	struct fake_drive *d = fake_plug("nvme0", LOGGING("S0"));

	host_start();
	host_run(MINUTE);
	pause_drive("S0", 600);
	ck_assert_int_eq(ask_for("S0", "persistent_events"), 0);
	host_run(9 * MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 0);
	host_run(2 * MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 1);
	pause_drive("S0", 600);
	ck_assert_int_eq(ask_for("S0", "persistent_events"), 0);
	host_remove(d);
	host_run(MINUTE);
	host_add(d);
	pause_drive("S0", 0);
	host_run(20 * MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 1);
}
END_TEST

/* Another tool reads it: nothing is released, the page stays one that the drive has, and nobody tries
 * until somebody asks again. */
START_TEST(test_another_tools_event_log_is_left_alone)
{
	struct fake_drive *d = fake_plug("nvme0", LOGGING("S0"));
	struct command c = command_for_page(&persistent_events_page, 0, 0);
	static struct reply reply;

	host_start();
	host_run(MINUTE);
	sim_execute(d->sim, (uint64_t)fake_now, &c, &reply);
	ck_assert_uint_eq(reply.status, 0);
	ck_assert_int_eq(ask_for("S0", "persistent_events"), 0);
	host_run(60 * MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 1);
	ck_assert_uint_eq(d->released, 0);
	ck_assert(host_shown("S0")->drive.responding);
	c.lsp = 2;
	sim_execute(d->sim, (uint64_t)fake_now, &c, &reply);
	ck_assert_int_eq(ask_for("S0", "persistent_events"), 0);
	host_run(SECOND);
	ck_assert_uint_eq(d->released, 1);
	ck_assert_int_eq(host_value("S0", &persistent_events_page, "events"), 2);
}
END_TEST

/* A new warning is worth a look, but not one that comes and goes, or was there at first. */
START_TEST(test_a_new_warning_has_the_event_log_read_once_an_hour)
{
	struct fake_drive *d = fake_plug("nvme0", LOGGING("S0")
					 "[smart]\ncritical_warning_raw = 1\n");

	host_start();
	host_run(60 * MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 0);
	for (unsigned i = 0; i < 30; i++) {
		fake_become(d, LOGGING("S0") "[smart]\ncritical_warning_raw = 3\n");
		host_run(MINUTE);
		fake_become(d, LOGGING("S0") "[smart]\ncritical_warning_raw = 1\n");
		host_run(MINUTE);
		ck_assert_uint_eq(d->asked[PEL], 1);
	}
	fake_become(d, LOGGING("S0") "[smart]\ncritical_warning_raw = 3\n");
	host_run(24 * 60 * MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 2);
	ck_assert_uint_eq(d->released, 2);
}
END_TEST

START_TEST(test_a_warning_of_a_drive_without_event_log_has_nothing_read)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP);

	host_start();
	host_run(MINUTE);
	fake_become(d, MODEL("S0", "M1", "FW1") OCP "[smart]\ncritical_warning_raw = 4\n");
	host_run(60 * MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 0);
	ck_assert_int_eq(error_log_entries(), 0);
}
END_TEST

/* The driver gives up on a command and resets the drive: once that answers again, its log may tell why. */
START_TEST(test_a_reset_by_the_driver_has_the_event_log_read_once)
{
	struct fake_drive *d = fake_plug("nvme0", LOGGING("S0"));

	host_start();
	host_run(MINUTE);
	fake_become(d, LOGGING("S0") "[fault]\nwhat = errno EINTR\ntimes = 1\n");
	d->hangs = true;
	host_run(MINUTE);
	ck_assert(!host_shown("S0")->drive.responding);
	ck_assert_uint_eq(d->asked[PEL], 0);
	d->hangs = false;
	host_run(60 * MINUTE);
	ck_assert_uint_eq(d->asked[PEL], 1);
	ck_assert_uint_eq(d->released, 1);
	ck_assert_int_eq(host_value("S0", &persistent_events_page, "events"), 2);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_the_event_log_is_never_read_unasked,
		test_the_event_log_is_read_once_for_who_asks,
		test_what_cannot_be_read_is_said,
		test_the_event_log_waits_for_a_pause,
		test_another_tools_event_log_is_left_alone,
		test_a_new_warning_has_the_event_log_read_once_an_hour,
		test_a_warning_of_a_drive_without_event_log_has_nothing_read,
		test_a_reset_by_the_driver_has_the_event_log_read_once,
		NULL,
	};

	return check_main_with("harm_event_log", tests, host_setup, host_teardown);
}
