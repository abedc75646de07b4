/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Who a drive says it is, and drives that say little or may not be asked: each is one drive, shown and
 * read as far as it lets itself be. */

#include <string.h>

#include "check_main.h"
#include "fake_host.h"
#include "nvmewatch/health.h"

#define AT "[identity]\naddress = 0000:01:00.0\n"
#define FULL_SERIAL "S4YPNG0R612345ABCDEF"
#define FULL_MODEL "91721190020910SAM0PM1725A0004T00035000"

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

/* Gone and back: the same drive again, by whatever key. */
static void check_return(struct fake_drive *d, const char *key)
{
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert(is_read(key));
	host_remove(d);
	ck_assert(!shown(key)->present);
	host_add(d);
	host_run(2 * SECOND);
	ck_assert_uint_eq(host_drives(), 1);
	ck_assert(shown(key)->present && is_read(key));
}

/* Case IDN-01: fields are as wide as they are; what follows is another field. */
START_TEST(test_IDN_01_texts_without_an_end)
{
	struct fake_drive *d = fake_plug("nvme0", "[identity]\nserial = " FULL_SERIAL
					 "\nfirmware = DNA8DNA8\n[raw]\nidentify.72 = 41 41 41 41\n");

	host_start();
	check_return(d, FULL_SERIAL);
	ck_assert_str_eq(shown(FULL_SERIAL)->firmware, "DNA8DNA8");
}
END_TEST

/* Case IDN-02: full width. */
START_TEST(test_IDN_02_texts_of_full_width)
{
	struct fake_drive *d = fake_plug("nvme0", "[identity]\nserial = " FULL_SERIAL
					 "\nmodel = " FULL_MODEL "12\nfirmware = MVP41G7A\n");

	host_start();
	check_return(d, FULL_SERIAL);
	ck_assert_str_eq(shown(FULL_SERIAL)->model, FULL_MODEL "12");
}
END_TEST

/* Case IDN-04: line ends behind it. */
START_TEST(test_IDN_04_line_ends_are_trimmed)
{
	struct fake_drive *d = fake_plug("nvme0", "[identity]\nserial =\n[raw]\nidentify.4 = 30 63 63 34 37 "
					 "61 64 33 37 62 37 31 2d 33 0a 20 20 20 20 20\n"
					 "identify.64 = 30 31 30 31 0a 00 00 00\n");

	host_start();
	check_return(d, "0cc47ad37b71-3");
	ck_assert_str_eq(shown("0cc47ad37b71-3")->firmware, "0101");
}
END_TEST

/* Case IDN-08: right-justified. */
START_TEST(test_IDN_08_blanks_in_front_are_trimmed)
{
	struct fake_drive *d = fake_plug("nvme0", "[identity]\nserial =\n[raw]\nidentify.4 = 20 20 20 20 20 "
					 "20 20 20 31 39 32 38 32 32 36 37 34 46 46 41\n");

	host_start();
	check_return(d, "192822674FFA");
}
END_TEST

START_TEST(test_a_drive_without_serial)
{
	struct fake_drive *d = fake_plug("nvme0", AT "serial =\n");

	host_start();
	check_return(d, "@0000:01:00.0");
}
END_TEST

/* Cases IDN-13 and CAP-04: no namespace, or none that is active. */
START_TEST(test_IDN_13_CAP_04_a_controller_without_namespace_is_read)
{
	struct fake_drive *d = fake_plug("nvme0", AT "serial = A\n");

	d->found.drive.capacity_bytes = 0;
	host_start();
	check_return(d, "A");
	ck_assert_uint_eq(shown("A")->capacity_bytes, 0);
}
END_TEST

/* Case CAP-04: all of its namespaces are detached. What is not allocated is shown. */
START_TEST(test_CAP_04_a_drive_whose_namespaces_are_all_detached_is_read)
{
	fake_plug("nvme0", AT "serial = A\n[identify]\ntnvmcap_bytes = 2000398934016\n"
		  "unvmcap_bytes = 1000\n[raw]\nnamespaces.0 = 00 00 00 00\n");
	host_start();
	host_run(5 * SECOND);
	ck_assert(shown("A")->responding && is_read("A"));
	ck_assert_int_eq(host_value("A", &identify_page, "tnvmcap_bytes"), 2000398934016);
	ck_assert_int_eq(host_value("A", &identify_page, "unvmcap_bytes"), 1000);
	ck_assert_int_eq(host_value("A", &namespace_page, "size_bytes"), -1);
	ck_assert_uint_eq(host_shown("A")->n_errors, 1); /* of C0h */
}
END_TEST

static enum health_status status_of(const char *key)
{
	const struct now_drive *d = host_shown(key);
	struct health h;

	health_assess(d->pages[page_index(&smart_page)].bytes, &d->drive, &h);
	return h.status;
}

/* Case CAP-09: everything is used on drives that keep no count. */
START_TEST(test_CAP_09_a_namespace_that_is_all_used_is_no_alarm)
{
	fake_plug("nvme0", AT "serial = A\ncapacity = 1T\n");
	host_start();
	host_run(5 * SECOND);
	ck_assert_int_eq(host_value("A", &namespace_page, "size_bytes"), 1000000000000);
	ck_assert_int_eq(host_value("A", &namespace_page, "used_bytes"), 1000000000000);
	ck_assert_int_eq(status_of("A"), HEALTH_OK);
}
END_TEST

/* Case MPA-06: what a fabric's target makes up. It is marked by its transport; nothing is made of zeros. */
START_TEST(test_MPA_06_a_fabric_drive_is_marked_and_has_no_temperature)
{
	fake_plug("nvme0", AT "serial = A\ntransport = tcp\n[smart]\ntemperature_celsius = absent\n"
		  "available_spare_ratio = 0\navailable_spare_threshold_ratio = 0\npower_cycles = 5\n");
	host_start();
	host_run(60 * SECOND);
	ck_assert_str_eq(shown("A")->transport, "tcp");
	ck_assert(shown("A")->responding && is_read("A"));
	ck_assert_int_eq(host_value("A", &smart_page, "power_cycles"), 5);
	ck_assert_int_eq(host_value("A", &smart_page, "temperature_celsius"), -1);
	ck_assert_int_eq(host_value("A", &thermal_page, "headroom_celsius"), -1);
	ck_assert_int_eq(status_of("A"), HEALTH_OK);
}
END_TEST

/* Case FWU-02: "needs a reset to become active" and its like are of that page, not of the drive. */
START_TEST(test_FWU_02_activation_statuses_are_no_failure_of_the_drive)
{
	static const char *const statuses[] = { "0x10b", "0x110", "0x111", "0x112" };
	char text[256], key[8];

	for (unsigned i = 0; i < ELEMENTS(statuses); i++) {
		snprintf(key, sizeof(key), "nvme%u", i);
		snprintf(text, sizeof(text), "[identity]\nserial = S%u\nmodel = M%u\n[ocp_smart]\n"
			 "plp_starts = 1\n[fault]\npage = ocp_smart\nwhat = status %s\n", i, i,
			 statuses[i]);
		fake_plug(key, text);
	}
	host_start();
	host_run(60 * SECOND);
	for (unsigned i = 0; i < ELEMENTS(statuses); i++) {
		snprintf(key, sizeof(key), "S%u", i);
		ck_assert(shown(key)->responding && is_read(key));
	}
}
END_TEST

/* How often what stderr got has a text in it. */
static unsigned said(FILE *err, const char *text)
{
	char line[512];
	unsigned n = 0;

	rewind(err);
	while (fgets(line, sizeof(line), err))
		n += strstr(line, text) != NULL;
	return n;
}

/* Cases PRV-01, PRV-02 and PRV-04: what may not be opened is listed, says so once, and shows no
 * zeros. */
START_TEST(test_PRV_04_drives_that_may_not_be_opened_are_listed)
{
	char text[128], name[8];
	_cleanup_(fclosep) FILE *err = tmpfile();
	int saved = dup(2);

	dup2(fileno(err), 2);
	for (unsigned i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "nvme%u", i);
		snprintf(text, sizeof(text), "[identity]\nserial = S%u\n%s", i,
			 i < 2 ? "" : "[fault]\nwhat = errno EACCES\n");
		fake_plug(name, text);
	}
	host_start();
	host_run(60 * SECOND);
	ck_assert_uint_eq(host_drives(), 8);
	for (unsigned i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "S%u", i);
		ck_assert(shown(name)->present);
		ck_assert_int_eq(shown(name)->responding, i < 2);
		ck_assert_int_eq(is_read(name), i < 2);
		snprintf(text, sizeof(text), i < 2 ? "" : "/dev/nvme%u: Permission denied", i);
		ck_assert_str_eq(shown(name)->reason, text);
	}
	host_run(3600 * SECOND);
	ck_assert_str_eq(shown("S7")->reason, "/dev/nvme7: Permission denied");
	ck_assert_str_eq(host_events("S7"), "attach nvme7, unresponsive /dev/nvme7: Permission denied");
	dup2(saved, 2);
	close(saved);
	ck_assert_uint_eq(said(err, "Permission denied"), 6);
}
END_TEST

/* Case HNG-04: a known drive that broke stays in the list. */
START_TEST(test_HNG_04_a_drive_that_broke_is_listed)
{
	struct fake_drive *d = fake_plug("nvme0", AT "serial = A\n");

	host_start();
	host_run(60 * SECOND);
	fake_become(d, AT "serial = A\n[fault]\nwhat = errno EAGAIN\n");
	host_run(3600 * SECOND);
	ck_assert(shown("A")->present && !shown("A")->responding);
	ck_assert(!is_read("A"));
	/* When it was last read is still known. */
	ck_assert_int_gt(host_shown("A")->pages[page_index(&smart_page)].time, 0);
}
END_TEST

/* Case CNT-03: counters that fall are the drive's word, and another drive is another matter. */
START_TEST(test_CNT_03_a_swap_is_told_from_a_reset_of_counters)
{
	struct fake_drive *d = fake_plug("nvme0", AT "serial = A\n[smart]\npower_cycles = 900\n");

	host_start();
	host_run(20 * SECOND);
	fake_become(d, AT "serial = A\n[smart]\npower_cycles = 0\n");
	host_run(20 * SECOND);
	ck_assert_int_eq(host_value("A", &smart_page, "power_cycles"), 0);
	fake_swap(d, AT "serial = B\n[smart]\npower_cycles = 3\n");
	host_event(d, false, 0);
	host_run(20 * SECOND);
	ck_assert(!shown("A")->present);
	ck_assert_int_eq(host_value("B", &smart_page, "power_cycles"), 3);
	ck_assert_str_eq(host_events("A"), "attach nvme0, counter_reset power_cycles from 900 to 0, "
					   "error_log_entries from 1 to 0, remove nvme0");
	ck_assert_str_eq(host_events("B"), "attach nvme0");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_IDN_01_texts_without_an_end,
		test_IDN_02_texts_of_full_width,
		test_IDN_04_line_ends_are_trimmed,
		test_IDN_08_blanks_in_front_are_trimmed,
		test_a_drive_without_serial,
		test_IDN_13_CAP_04_a_controller_without_namespace_is_read,
		test_CAP_04_a_drive_whose_namespaces_are_all_detached_is_read,
		test_CAP_09_a_namespace_that_is_all_used_is_no_alarm,
		test_MPA_06_a_fabric_drive_is_marked_and_has_no_temperature,
		test_FWU_02_activation_statuses_are_no_failure_of_the_drive,
		test_PRV_04_drives_that_may_not_be_opened_are_listed,
		test_HNG_04_a_drive_that_broke_is_listed,
		test_CNT_03_a_swap_is_told_from_a_reset_of_counters,
		NULL,
	};

	return check_main_with("fleet identity", tests, host_setup, host_teardown);
}
