/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Drives that come, go, move, change and are taken away: what is shown, and which events are kept. */

#include <string.h>

#include "check_main.h"
#include "fake_host.h"

#define DRIVE(serial, address)                                                                  \
	"[identity]\nserial = " serial "\nmodel = M1\nfirmware = FW1\ncapacity = 1T\naddress = " \
	address "\n"
#define A DRIVE("A", "0000:01:00.0")
#define ZEROS_10 "00 00 00 00 00 00 00 00 00 00 "
#define ZEROS_40 ZEROS_10 ZEROS_10 ZEROS_10 ZEROS_10
#define B DRIVE("B", "0000:02:00.0")

static bool present(const char *key)
{
	const struct now_drive *d = host_shown(key);

	ck_assert_msg(d != NULL, "%s", key);
	return d->drive.present;
}

static const char *device_of(const char *key)
{
	const struct now_drive *d = host_shown(key);

	return d ? d->drive.device : "none";
}

/* Read within the last poll. */
static bool is_read(const char *key)
{
	return host_value(key, &smart_page, "power_cycles") >= 0;
}

START_TEST(test_a_drive_is_found_and_read)
{
	fake_plug("nvme0", A);
	host_start();
	host_run(2 * SECOND);
	ck_assert(present("A") && is_read("A"));
	ck_assert_str_eq(host_events("A"), "attach nvme0");
}
END_TEST

/* A degree a minute. */
START_TEST(test_a_drive_that_heats_up_tells_when_it_will_be_too_hot)
{
	static const char text[] = A "[identify]\nwctemp_celsius = 77\n[smart]\ntemperature_celsius = %d\n";
	char file[512];
	int celsius = 40;

	snprintf(file, sizeof(file), text, celsius);
	struct fake_drive *a = fake_plug("nvme0", file);
	host_start();
	host_run(60 * SECOND);
	ck_assert_int_eq(host_value("A", &thermal_page, "time_to_warning_seconds"), -1);
	while (celsius < 57) {
		snprintf(file, sizeof(file), text, ++celsius);
		fake_become(a, file);
		host_run(60 * SECOND);
	}
	int64_t seconds = host_value("A", &thermal_page, "time_to_warning_seconds");
	ck_assert_msg(seconds >= 1150 && seconds <= 1250, "%lld", (long long)seconds);
	ck_assert_int_eq(host_value("A", &thermal_page, "headroom_celsius"), 20);
	host_run(600 * SECOND);
	ck_assert_int_eq(host_value("A", &thermal_page, "time_to_warning_seconds"), -1);
}
END_TEST

/* Its slow pages are read more often then; what is made of others is not. */
START_TEST(test_a_hot_drive_shows_its_wear_all_the_time)
{
	fake_plug("nvme0", A "[identify]\nwctemp_celsius = 77\n[smart]\ntemperature_celsius = 75\n");
	host_start();
	host_run(60 * SECOND);
	for (unsigned i = 0; i < 120; i++) {
		host_run(5 * SECOND);
		const struct now_drive *d = host_shown("A");
		ck_assert(now_page_is_live(d, &d->pages[page_index(&wear_page)], fake_now));
	}
}
END_TEST

/* Hosts without drives are normal, and the first one that comes is seen. */
START_TEST(test_the_first_drive_of_an_empty_host)
{
	host_start();
	host_run(3600 * SECOND);
	ck_assert_uint_eq(host_drives(), 0);
	fake_plug("nvme0", A);
	host_event(NULL, false, 0);
	host_run(2 * SECOND);
	ck_assert(present("A") && is_read("A"));
}
END_TEST

/* An event was lost: within a minute it is seen all the same. */
START_TEST(test_a_drive_is_seen_without_an_event)
{
	host_start();
	fake_plug("nvme0", A);
	host_run(62 * SECOND);
	ck_assert(is_read("A"));
}
END_TEST

START_TEST(test_a_drive_that_is_gone_is_shown_as_gone)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(SECOND);
	host_remove(a);
	ck_assert(!present("A"));
	ck_assert_uint_eq(a->readers, 0);
	host_run(60 * SECOND);
	ck_assert(!is_read("A"));
	ck_assert_str_eq(host_shown("A")->drive.model, "M1");
	ck_assert_str_eq(host_events("A"), "attach nvme0, remove nvme0");
}
END_TEST

START_TEST(test_a_drive_is_forgotten_after_its_time)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	fake_plug("nvme1", B);
	host_start();
	host_remove(a);
	host_run((int64_t)host.settings.forget_after - 120 * SECOND);
	ck_assert_uint_eq(host_drives(), 2);
	host_run(240 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert(is_read("B"));
}
END_TEST

START_TEST(test_a_drive_comes_back_under_another_name)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(SECOND);
	host_remove(a);
	host_run(100 * SECOND);
	strcpy(a->found.drive.device, "nvme7");
	strcpy(a->found.target, "nvme7");
	strcpy(a->found.drive.address, "0000:09:00.0");
	host_add(a);
	host_run(2 * SECOND);
	ck_assert(present("A") && is_read("A"));
	ck_assert_str_eq(device_of("A"), "nvme7");
	ck_assert_uint_eq(a->readers, 1);
	ck_assert_str_eq(host_events("A"), "attach nvme0, remove nvme0, attach nvme7");
}
END_TEST

/* Case PRM-04, while the collector runs: what is read stays with the serial. */
START_TEST(test_PRM_04_two_drives_trade_their_names)
{
	struct fake_drive *a = fake_plug("nvme0", A "[smart]\npower_cycles = 1\n");
	struct fake_drive *b = fake_plug("nvme1", B "[smart]\npower_cycles = 2\n");

	host_start();
	host_run(SECOND);
	a->there = b->there = false;
	host_event(NULL, false, 0);
	strcpy(a->found.drive.device, "nvme1");
	strcpy(a->found.target, "nvme1");
	strcpy(b->found.drive.device, "nvme0");
	strcpy(b->found.target, "nvme0");
	a->there = b->there = true;
	host_event(NULL, false, 0);
	host_run(20 * SECOND);
	ck_assert_str_eq(device_of("A"), "nvme1");
	ck_assert_int_eq(host_value("A", &smart_page, "power_cycles"), 1);
	ck_assert_int_eq(host_value("B", &smart_page, "power_cycles"), 2);
}
END_TEST

/* They may have gone and come between two scans. */
START_TEST(test_PRM_04_names_are_traded_within_one_scan)
{
	struct fake_drive *a = fake_plug("nvme0", A "[smart]\npower_cycles = 1\n");
	struct fake_drive *b = fake_plug("nvme1", B "[smart]\npower_cycles = 2\n");

	host_start();
	host_run(SECOND);
	strcpy(a->found.drive.device, "nvme1");
	strcpy(a->found.target, "nvme1");
	strcpy(b->found.drive.device, "nvme0");
	strcpy(b->found.target, "nvme0");
	host_event(NULL, false, 0);
	host_run(20 * SECOND);
	ck_assert_int_eq(host_value("A", &smart_page, "power_cycles"), 1);
	ck_assert_int_eq(host_value("B", &smart_page, "power_cycles"), 2);
}
END_TEST

/* Another drive in the same slot, under the same name. */
START_TEST(test_a_swapped_drive_is_another_drive)
{
	struct fake_drive *d = fake_plug("nvme0", A "[smart]\npower_cycles = 900\n");

	host_start();
	host_run(SECOND);
	fake_swap(d, DRIVE("C", "0000:01:00.0") "[smart]\npower_cycles = 3\n");
	host_event(d, true, 0);
	host_run(2 * SECOND);
	ck_assert(!present("A") && present("C"));
	ck_assert_int_eq(host_value("C", &smart_page, "power_cycles"), 3);
	ck_assert(!is_read("A"));
	ck_assert_uint_eq(d->readers, 1);
}
END_TEST

/* Its predecessor is gone already, and stays so: nothing more happened to it. */
START_TEST(test_a_newcomer_in_a_slot_says_nothing_of_who_was_there)
{
	struct fake_drive *d = fake_plug("nvme0", A);

	host_start();
	host_run(SECOND);
	host_remove(d);
	fake_swap(d, DRIVE("C", "0000:01:00.0"));
	strcpy(d->found.drive.state, "connecting");
	host_add(d);
	host_run(2 * SECOND);
	ck_assert(!present("A"));
	host_state(d, "live");
	host_run(2 * SECOND);
	ck_assert(!present("A") && present("C") && is_read("C"));
	ck_assert_str_eq(host_events("A"), "attach nvme0, remove nvme0");
}
END_TEST

/* The kernel announces a controller before it knows what it is. */
START_TEST(test_a_controller_that_starts_has_no_serial_yet)
{
	struct fake_drive *d = fake_plug("nvme0", A);

	host_start();
	host_run(SECOND);
	host_remove(d);
	d->found.drive.serial[0] = d->found.drive.model[0] = d->found.drive.firmware[0] = 0;
	strcpy(d->found.drive.state, "connecting");
	host_add(d);
	ck_assert_uint_eq(host_drives(), 1);
	fake_become(d, A);
	host_event(d, true, 0);
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert(present("A") && is_read("A"));
	ck_assert_str_eq(host_events("A"), "attach nvme0, remove nvme0, attach nvme0");
}
END_TEST

/* So does a drive that was never here. */
START_TEST(test_a_new_drive_that_starts_is_one_drive)
{
	struct fake_drive *d = fake_plug("nvme0", A);

	d->found.drive.serial[0] = 0;
	strcpy(d->found.drive.state, "new");
	host_start();
	host_run(SECOND);
	fake_become(d, A);
	host_event(d, true, 0);
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert(is_read("A"));
	ck_assert_str_eq(host_events("A"), "attach nvme0");
}
END_TEST

START_TEST(test_firmware_and_capacity_change)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(SECOND);
	fake_become(a, "[identity]\nserial = A\nmodel = M1\nfirmware = FW2\ncapacity = 1T\n"
		     "address = 0000:01:00.0\n");
	host_event(a, false, 0);
	host_run(2 * SECOND);
	ck_assert_str_eq(host_shown("A")->drive.firmware, "FW2");
	a->found.drive.capacity_bytes = 500;
	host_event(NULL, false, 0);
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_shown("A")->drive.capacity_bytes, 500);
	ck_assert_str_eq(host_events("A"), "attach nvme0, firmware_change FW1 to FW2, "
					   "capacity_change 1000000000000 to 500 bytes");
}
END_TEST

/* Case FWU-01: activated without reset, only Identify tells; the kernel learns of it later. */
START_TEST(test_FWU_01_firmware_as_identify_says)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	fake_become(a, "[identity]\nserial = A\nmodel = M1\nfirmware = FW2\ncapacity = 1T\n"
		     "address = 0000:01:00.0\n");
	strcpy(a->found.drive.firmware, "FW1");
	host_event(a, false, 0x010002); /* a notice of the drive's */
	host_run(2 * SECOND);
	ck_assert_str_eq(host_shown("A")->drive.firmware, "FW2");
	strcpy(a->found.drive.firmware, "FW2");
	host_event(a, false, 0);
	host_run(2 * SECOND);
	ck_assert_str_eq(host_shown("A")->drive.firmware, "FW2");
	ck_assert_str_eq(host_events("A"), "attach nvme0, firmware_change FW1 to FW2");
}
END_TEST

/* Case HNG-08: seconds in a reset are no alarm. */
START_TEST(test_HNG_08_a_short_reset_is_no_alarm)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(SECOND);
	for (int i = 0; i < 10; i++) {
		host_state(a, "resetting");
		ck_assert_str_eq(host_shown("A")->drive.state, "resetting");
		host_run(3 * SECOND);
		ck_assert(host_shown("A")->drive.responding && present("A"));
		host_state(a, "live");
		host_event(a, true, 0);
		host_run(20 * SECOND);
		ck_assert(is_read("A"));
	}
	ck_assert_str_eq(host_shown("A")->drive.state, "live");
	const char *events = host_events("A");
	ck_assert_ptr_null(strstr(events, "unresponsive"));
	unsigned resets = 0;
	for (const char *p = events; (p = strstr(p, ", reset ")); p++)
		resets++;
	/* One event for each, though state and kernel both tell of it. */
	ck_assert_uint_eq(resets, 10);
}
END_TEST

START_TEST(test_a_reset_that_does_not_end_is_said)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(SECOND);
	host_state(a, "resetting");
	host_run(8 * SECOND);
	ck_assert(!host_shown("A")->drive.responding);
	unsigned commands = a->commands;
	host_run(60 * SECOND);
	ck_assert_uint_eq(a->commands, commands);
	host_state(a, "live");
	host_run(2 * SECOND);
	ck_assert(host_shown("A")->drive.responding && is_read("A"));
	ck_assert_str_eq(host_events("A"),
			 "attach nvme0, reset the kernel resets the controller, "
			 "unresponsive resetting, responsive ");
}
END_TEST

/* Case HNG-02: live, resetting, dead, gone; a size of 0 on the way. */
START_TEST(test_HNG_02_a_drive_that_the_kernel_gives_up)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(SECOND);
	host_state(a, "resetting");
	host_run(60 * SECOND);
	a->found.drive.capacity_bytes = 0;
	host_state(a, "dead");
	host_run(SECOND);
	ck_assert_str_eq(host_shown("A")->drive.state, "dead");
	host_remove(a);
	ck_assert(!present("A"));
	ck_assert_ptr_nonnull(strstr(host_events("A"), "remove nvme0"));
}
END_TEST

/* What Identify says in and after a reset may be rubbish: it is asked again until it is itself. */
START_TEST(test_garbage_identity_after_a_reset_is_not_believed)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	host_start();
	host_run(2 * SECOND);
	host_state(a, "resetting");
	host_run(SECOND);
	struct discovered found = a->found;
	fake_become(a, "[identity]\nserial = A\nmodel = M1\nfirmware = FW1\naddress = 0000:01:00.0\n"
		     "[fault]\nwhat = garbage\npage = identify\n");
	a->found = found;
	host_state(a, "live");
	host_run(5 * SECOND);
	ck_assert_str_eq(host_shown("A")->drive.firmware, "FW1");
	ck_assert_uint_eq(host_drives(), 1);
	found = a->found;
	fake_become(a, "[identity]\nserial = A\nmodel = M1\nfirmware = FW3\naddress = 0000:01:00.0\n");
	a->found = found;
	host_run(310 * SECOND);
	ck_assert_str_eq(host_shown("A")->drive.firmware, "FW3");
}
END_TEST

/* Case CAP-02: a node of size 0 is no removal. */
START_TEST(test_CAP_02_a_size_of_0_is_no_removal)
{
	struct fake_drive *a = fake_plug("nvme0", A);

	a->found.drive.capacity_bytes = 0;
	host_start();
	host_run(2 * SECOND);
	ck_assert(present("A") && is_read("A"));
}
END_TEST

/* Case IDN-06: 40 NULs for a model. */
START_TEST(test_IDN_06_a_drive_without_model)
{
	struct fake_drive *a = fake_plug("nvme0", A "[raw]\nidentify.24 = " ZEROS_40 "\n");

	ck_assert_str_eq(a->found.drive.model, "");
	host_start();
	host_run(2 * SECOND);
	ck_assert_str_eq(host_shown("A")->drive.model, "");
	ck_assert(is_read("A"));
}
END_TEST

/* Case IDN-11: two of one serial are two drives, whichever comes or goes. */
START_TEST(test_IDN_11_a_serial_becomes_ambiguous_and_unique_again)
{
	struct fake_drive *b;

	fake_plug("nvme0", A);
	host_start();
	host_run(2 * SECOND);
	ck_assert(is_read("A"));
	b = fake_plug("nvme1", DRIVE("A", "0000:02:00.0"));
	host_event(NULL, false, 0);
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 2);
	ck_assert(is_read("A@0000:01:00.0") && is_read("A@0000:02:00.0"));
	host_remove(b);
	host_run(2 * SECOND);
	/* The one that stayed has its name back, the other is missed. */
	ck_assert_uint_eq(host_drives(), 2);
	ck_assert(is_read("A") && present("A"));
	ck_assert(!present("A@0000:02:00.0"));
	ck_assert_str_eq(host_events("A@0000:02:00.0"), "attach nvme1, remove nvme1");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_drive_is_found_and_read,
		test_a_drive_that_heats_up_tells_when_it_will_be_too_hot,
		test_a_hot_drive_shows_its_wear_all_the_time,
		test_the_first_drive_of_an_empty_host,
		test_a_drive_is_seen_without_an_event,
		test_a_drive_that_is_gone_is_shown_as_gone,
		test_a_drive_is_forgotten_after_its_time,
		test_a_drive_comes_back_under_another_name,
		test_PRM_04_two_drives_trade_their_names,
		test_PRM_04_names_are_traded_within_one_scan,
		test_a_swapped_drive_is_another_drive,
		test_a_newcomer_in_a_slot_says_nothing_of_who_was_there,
		test_a_controller_that_starts_has_no_serial_yet,
		test_a_new_drive_that_starts_is_one_drive,
		test_firmware_and_capacity_change,
		test_FWU_01_firmware_as_identify_says,
		test_HNG_08_a_short_reset_is_no_alarm,
		test_a_reset_that_does_not_end_is_said,
		test_HNG_02_a_drive_that_the_kernel_gives_up,
		test_garbage_identity_after_a_reset_is_not_believed,
		test_CAP_02_a_size_of_0_is_no_removal,
		test_IDN_06_a_drive_without_model,
		test_IDN_11_a_serial_becomes_ambiguous_and_unique_again,
		NULL,
	};

	return check_main_with("fleet", tests, host_setup, host_teardown);
}
