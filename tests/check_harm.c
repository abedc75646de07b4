/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is asked of a drive, and how often: no error is provoked twice, nobody is woken. */

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "check_main.h"
#include "collect/control.h"
#include "collect/memory.h"
#include "collect/recorder.h"
#include "fake_host.h"
#include "nvmewatch/control.h"

#define MODEL(serial, model, firmware) \
	"[identity]\nserial = " serial "\nmodel = " model "\nfirmware = " firmware "\n"
#define OCP "[ocp_smart]\nlog_page_version = 3\nplp_starts = 7\n"
#define MINUTE (60 * SECOND)
#define C0 0xc0

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

static void pause_drive(const char *key, uint64_t seconds)
{
	struct control_request r = { .version = CONTROL_VERSION, .verb = CONTROL_PAUSE,
				     .seconds = seconds };

	snprintf(r.drive, sizeof(r.drive), "%s", key);
	ck_assert_int_eq(control_execute(&host, &r, 0), 0);
}

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

/* Case ERR-04: a consumer drive logs what it is asked in vain. That is the OCP page, once. */
START_TEST(test_ERR_04_being_found_costs_a_drive_one_error)
{
	fake_plug("nvme0", MODEL("S0", "M1", "FW1")
		  "capacity = 1T\n[identify]\nver = 0x10300\noacs = 0x17\nelpe = 62\nlpa = 0x8\nhctma = 1\n"
		  "apsta = 1\nendgidmax = 3\n[smart]\nerror_log_entries = 3029\n"
		  "sensor_temperature_celsius_2 = 40\n");

	host_start();
	host_run(24 * 60 * MINUTE);
	ck_assert_int_eq(host_value("S0", &smart_page, "error_log_entries"), 3029 + 1);
	ck_assert_int_eq(host_value("S0", &error_information_page, "error_count_1"), 3029 + 1);
	ck_assert_int_eq(host_value("S0", &error_information_page, "status_1"), 0x109);
}
END_TEST

/* Case LOG-02: an endurance group's page is refused, whatever Identify says. */
START_TEST(test_LOG_02_a_refused_endurance_group_is_not_asked_again)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP
					 "[identify]\nctratt = 0x10\nendgidmax = 1\n"
					 "[fault]\npage = log 0x09\nwhat = status 0x4109\n");

	host_start();
	host_run(24 * 60 * MINUTE);
	ck_assert_uint_eq(d->asked[9], 1);
	ck_assert_int_eq(host_value("S0", &smart_page, "temperature_celsius"), 30);
}
END_TEST

/* Groups are made by who uses the drive: what one lacks another of the model may have. */
START_TEST(test_a_group_that_one_drive_lacks_is_asked_of_its_siblings)
{
	const char *groups = "[identify]\nctratt = 0x10\nendgidmax = 2\n[endurance_group_1]\n"
			     "available_spare_ratio = 1\n";
	char text[512];

	snprintf(text, sizeof(text), MODEL("S0", "M1", "FW1") "%s", groups);
	struct fake_drive *one = fake_plug("nvme0", text);
	host_start();
	host_run(MINUTE);
	unsigned asked_one = one->asked[9];
	snprintf(text, sizeof(text), MODEL("S1", "M1", "FW1") "%s[endurance_group_2]\n"
		 "available_spare_ratio = 0.5\n", groups);
	struct fake_drive *two = fake_plug("nvme1", text);
	host_event(two, true, 0);
	host_run(MINUTE);
	ck_assert_uint_eq(asked_one, 2);
	ck_assert_uint_eq(two->asked[9], 2);
	const struct now_page *group = &host_shown("S1")->pages[page_index(&endurance_group_page)];
	ck_assert(group->more && group->more->bytes);
	/* And the first is not asked for its second again. */
	host_stop();
	host_start();
	host_run(MINUTE);
	ck_assert_uint_eq(one->asked[9], asked_one + 1);
}
END_TEST

/* Not even of what every drive should have. */
START_TEST(test_a_refused_feature_is_not_asked_for_after_a_restart)
{
	fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP "[smart]\nsensor_temperature_celsius_2 = 40\n"
		  "[fault A]\npage = async_event_configuration\nwhat = status 0x4002\n"
		  "[fault B]\npage = over_temperature_threshold\nwhat = status 0x4002\n"
		  "[fault C]\npage = power_management\nwhat = status 0x4002\n");

	host_start();
	host_run(60 * MINUTE);
	int64_t before = host_value("S0", &smart_page, "error_log_entries");
	for (int i = 0; i < 3; i++) {
		host_event(&fake_drives[0], true, 0);
		host_run(MINUTE);
		host_stop();
		host_start();
		host_run(MINUTE);
	}
	ck_assert_int_eq(host_value("S0", &smart_page, "error_log_entries"), before);
}
END_TEST

/* What another firmware lacks is not shown as that which the former one had. */
START_TEST(test_a_page_that_a_firmware_lacks_goes)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") "[identify]\nctratt = 0x200\n"
					 OCP "[uuid_list]\nuuid_1 = c194d55be0944794a21d29998f56be6f\n");
	const struct now_page *list;

	host_start();
	host_run(MINUTE);
	list = &host_shown("S0")->pages[page_index(&uuid_list_page)];
	ck_assert_ptr_nonnull(list->bytes);
	fake_become(d, MODEL("S0", "M1", "FW2") OCP);
	host_event(d, true, 0);
	host_run(MINUTE);
	list = &host_shown("S0")->pages[page_index(&uuid_list_page)];
	ck_assert(!list->bytes);
}
END_TEST

/* A list of log pages that cannot be had for another reason than a refusal is not waited for, and costs no
 * error per poll. */
static void check_useless_list(const char *what)
{
	char text[512];

	snprintf(text, sizeof(text), MODEL("S0", "M1", "FW1") "[identify]\nlpa = 0x28\n" OCP
		 "[supported_logs]\nlog_pages = 00-06 c0\n[fault]\npage = supported_logs\nwhat = %s\n", what);
	fake_plug("nvme0", text);
	host_start();
	host_run(5 * MINUTE);
	ck_assert_int_eq(host_value("S0", &ocp_smart_page, "plp_starts"), 7);
	host_run(24 * 60 * MINUTE);
	ck_assert_uint_le(fake_drives[0].asked[0], 5 + 5 + 23);
}

START_TEST(test_a_list_of_zeros_is_not_waited_for)
{
	check_useless_list("zero");
}
END_TEST

START_TEST(test_a_list_that_ends_in_an_error_is_not_asked_for_each_poll)
{
	check_useless_list("status 0x6");
}
END_TEST

/* ---- Sleep. ---- */

/* Case PWR-06: a drive that goes to low power by itself is read at most once a minute. */
START_TEST(test_PWR_06_a_drive_with_apst_is_read_once_a_minute)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP
					 "[identify]\napsta = 1\nwctemp_celsius = 30\n"
					 "[smart]\ntemperature_celsius = 60\n");

	host_start();
	host_run(MINUTE);
	unsigned before = d->woken;
	host_run(60 * MINUTE);
	ck_assert_uint_ge(d->asked[2], 60);
	/* 02h and C0h (it is hot) each minute, and whatever else is due together with them. */
	ck_assert_uint_le(d->woken - before, 60 + 1);
}
END_TEST

START_TEST(test_a_suspended_drive_is_not_woken)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	d->found.may_sleep = true;
	host_start();
	host_run(MINUTE);
	unsigned before = d->commands;
	ck_assert_uint_gt(before, 0);
	d->suspended = true;
	host_run(60 * MINUTE);
	ck_assert_uint_eq(d->commands, before);
	ck_assert(host_shown("S0")->drive.responding);
	d->suspended = false;
	host_run(MINUTE);
	ck_assert_uint_gt(d->commands, before);
}
END_TEST

/* Nor by a reset of its state, an event, or a reload. */
START_TEST(test_a_suspended_drive_is_not_woken_by_an_event)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	d->found.may_sleep = d->suspended = true;
	host_start();
	host_event(d, false, 0x010002);
	host_run(MINUTE);
	ck_assert_uint_eq(d->commands, 0);
}
END_TEST

/* ---- Retain asynchronous event. ---- */

#define NO_RAE(what) "[smart]\npower_cycles = 5\n[fault]\npage = smart\nrae = 1\nwhat = " what "\n"

static void check_rae_fallback(const char *text)
{
	struct fake_drive *d = fake_plug("nvme0", text);

	host_start();
	host_run(2 * SECOND);
	ck_assert_int_eq(host_value("S0", &smart_page, "power_cycles"), 5);
	/* With it, and without. */
	ck_assert_uint_eq(d->asked[2], 2);
	ck_assert_uint_eq(d->clearing, 1);
	host_run(10 * MINUTE);
	/* The next poll tries with it once more, to be sure; then it is kept to: one read per poll. */
	ck_assert_uint_eq(d->asked[2], 2 + 40 + 1);
	ck_assert_uint_eq(d->clearing, 1 + 40);
	ck_assert_uint_eq(host_shown("S0")->n_errors, 1); /* of C0h */
}

START_TEST(test_zeros_where_the_event_is_retained)
{
	check_rae_fallback(MODEL("S0", "M1", "FW1") NO_RAE("zero"));
}
END_TEST

START_TEST(test_garbage_where_the_event_is_retained)
{
	check_rae_fallback(MODEL("S0", "M1", "FW1") NO_RAE("garbage"));
}
END_TEST

/* Case AEN-01: a good answer is never asked for again without. */
START_TEST(test_AEN_01_the_event_is_retained)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	host_start();
	host_run(60 * MINUTE);
	ck_assert_uint_ge(d->asked[2], 240);
	ck_assert_uint_eq(d->clearing, 0);
}
END_TEST

/* One odd answer is no proof that the event is to blame. */
START_TEST(test_one_bad_answer_does_not_end_the_retaining)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") "[smart]\npower_cycles = 5\n"
					 "[fault]\npage = smart\ntimes = 1\nwhat = zero\n");

	host_start();
	host_run(10 * MINUTE);
	ck_assert_int_eq(host_value("S0", &smart_page, "power_cycles"), 5);
	ck_assert_uint_eq(d->clearing, 1);
}
END_TEST

/* Zeros either way: tried once, and then never again. */
START_TEST(test_a_drive_that_answers_zeros_anyway_is_asked_once_more)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1")
					 "[fault]\npage = smart\nwhat = zero\n");

	host_start();
	host_run(10 * MINUTE);
	ck_assert_uint_eq(d->clearing, 1);
	ck_assert_int_eq(host_value("S0", &smart_page, "power_cycles"), -1);
}
END_TEST

START_TEST(test_a_model_that_is_known_for_it_is_not_asked_in_vain)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "WDS100T3X0C-00SJG0", "111110WD")
					 NO_RAE("zero"));

	host_start();
	host_run(MINUTE);
	ck_assert_int_eq(host_value("S0", &smart_page, "power_cycles"), 5);
	ck_assert_uint_eq(d->asked[2], d->clearing);
}
END_TEST

/* ---- Retries. ---- */

static unsigned asked_in_first_second(const char *fault)
{
	char text[512];

	snprintf(text, sizeof(text), MODEL("S0", "M1", "FW1") "[fault]\npage = smart\nwhat = %s\n",
		 fault);
	struct fake_drive *d = fake_plug("nvme0", text);
	host_start();
	/* Behind a poll, so that the next one is 15 s away. */
	while (!d->asked[2])
		host_run(SECOND / 100);
	host_run(SECOND);
	return d->asked[2];
}

/* Case HNG-10: "will be ready soon", and is. */
START_TEST(test_HNG_10_a_drive_that_is_not_ready_is_asked_once_more)
{
	ck_assert_uint_eq(asked_in_first_second("status 0x82\ntimes = 1"), 2);
	ck_assert_int_ge(host_value("S0", &smart_page, "power_cycles"), 0);
	/* It does not count as a failure. */
	ck_assert_uint_eq(host_shown("S0")->n_errors, 1); /* C0h */
}
END_TEST

START_TEST(test_HNG_10_once_and_no_more)
{
	ck_assert_uint_eq(asked_in_first_second("status 0x82"), 2);
}
END_TEST

START_TEST(test_HNG_10_busy_is_not_ready)
{
	ck_assert_uint_eq(asked_in_first_second("errno EAGAIN\ntimes = 1"), 2);
	ck_assert(host_shown("S0")->drive.responding);
}
END_TEST

START_TEST(test_HNG_10_nothing_else_is_asked_twice)
{
	ck_assert_uint_eq(asked_in_first_second("status 0x6"), 1);
}
END_TEST

START_TEST(test_HNG_10_no_errno_is_asked_twice)
{
	ck_assert_uint_eq(asked_in_first_second("errno EIO"), 1);
}
END_TEST

/* ---- Many pages. ---- */

/* Many pages at once, of a drive that takes half a second for each, are no reason to look away from its
 * temperature. */
START_TEST(test_many_slow_pages_do_not_hold_up_the_temperature)
{
	char text[4096] = MODEL("S0", "M1", "FW1") "capacity = 1T\n" OCP "[namespaces]\nnsids =";
	size_t used = strlen(text);

	for (unsigned i = 1; i <= 80; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, " %u", i);
	snprintf(text + used, sizeof(text) - used, "\n");
	struct fake_drive *d = fake_plug("nvme0", text);
	d->slow = SECOND / 2;
	host_start();
	host_run(10 * MINUTE);
	ck_assert_uint_ge(d->asked[2], 40);
	/* Once an hour they are due together. */
	host_run(50 * MINUTE);
	unsigned before = d->asked[2];
	host_run(MINUTE);
	ck_assert_uint_ge(d->asked[2] - before, 4);
	ck_assert_uint_ge(d->commands, 2 * 80);
}
END_TEST

/* The first of many events is answered at once, and the last; in between once a minute will do. */
START_TEST(test_a_storm_of_events_is_none_of_commands)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP);

	host_start();
	host_run(MINUTE);
	unsigned all = d->commands, errors_read = d->asked[1];
	host_event(d, false, 0x010002);
	ck_assert_uint_eq(d->asked[1], errors_read + 1);
	for (int i = 0; i < 5 * 59; i++)
		host_event(d, false, 0x010002);
	ck_assert_uint_eq(d->asked[1], errors_read + 1);
	ck_assert_uint_le(d->commands, 3 * all);
	host_run(2 * SECOND);
	ck_assert_uint_eq(d->asked[1], errors_read + 2);
	host_run(10 * MINUTE);
	ck_assert_uint_eq(d->asked[1], errors_read + 2);
}
END_TEST

/* A drive that no longer lists its namespaces: which there are is guessed, and those beyond go, while
 * they are read. */
START_TEST(test_namespaces_that_are_no_longer_listed)
{
#define LISTED MODEL("S0", "M1", "FW1") "capacity = 1T\n" OCP "[namespaces]\nnsids = 20\n" \
	"[block_20]\nread_completed = 6\n"
	struct fake_drive *d = fake_plug("nvme0", LISTED);
	const struct now_page *block;

	host_start();
	host_run(MINUTE);
	block = &host_shown("S0")->pages[page_index(&block_page)];
	ck_assert_uint_eq(block->instance, 20);
	ck_assert_ptr_nonnull(block->bytes);
	fake_become(d, LISTED "[fault]\npage = namespaces\nwhat = status 0x4002\n");
	host_event(d, true, 0);
	host_run(5 * MINUTE);
	block = &host_shown("S0")->pages[page_index(&block_page)];
	ck_assert_uint_ne(block->instance, 20);
	ck_assert_ptr_null(block->more);
}
END_TEST

/* Deleted and made anew under another number, of the same size: the kernel tells of no event. */
START_TEST(test_a_namespace_that_was_replaced)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") "capacity = 1T\n" OCP
					 "[namespaces]\nnsids = 1\n");
	const struct now_page *namespace;

	host_start();
	host_run(MINUTE);
	namespace = &host_shown("S0")->pages[page_index(&namespace_page)];
	ck_assert_uint_eq(namespace->instance, 1);
	fake_become(d, MODEL("S0", "M1", "FW1") "capacity = 1T\n" OCP "[namespaces]\nnsids = 2\n");
	host_run(61 * MINUTE);
	namespace = &host_shown("S0")->pages[page_index(&namespace_page)];
	ck_assert_uint_eq(namespace->instance, 2);
	ck_assert_ptr_nonnull(namespace->bytes);
	ck_assert_ptr_null(namespace->more);
}
END_TEST

/* ---- Hung drives, and readers that cannot be killed. ---- */

/* Case HNG-01: no second command, no second process, whatever the kernel says meanwhile. */
START_TEST(test_HNG_01_a_hung_drive_is_left_alone)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	host_start();
	host_run(2 * SECOND);
	d->hangs = true;
	host_run(MINUTE);
	unsigned before = d->commands;
	ck_assert(!host_shown("S0")->drive.responding);
	host_event(d, false, 0);
	host_run(60 * MINUTE);
	ck_assert_uint_eq(d->commands, before);
	ck_assert_uint_eq(d->readers, 1);
	d->hangs = false;
	host_run(MINUTE);
	ck_assert(host_shown("S0")->drive.responding);
	ck_assert_int_ge(host_value("S0", &smart_page, "power_cycles"), 0);
	ck_assert_str_eq(host_events("S0"),
			 "attach nvme0, unresponsive no answer in poll.timeout, responsive ");
}
END_TEST

START_TEST(test_an_earlier_reader_is_waited_for)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	d->locked = true;
	host_start();
	host_run(10 * MINUTE);
	ck_assert_uint_eq(d->commands, 0);
	ck_assert(!host_shown("S0")->drive.responding && host_shown("S0")->drive.present);
	d->locked = false;
	host_run(2 * MINUTE);
	ck_assert(host_shown("S0")->drive.responding);
	ck_assert_int_ge(host_value("S0", &smart_page, "power_cycles"), 0);
	ck_assert_str_eq(host_events("S0"), "attach nvme0, unresponsive an earlier reader still waits "
					    "for it, responsive ");
}
END_TEST

START_TEST(test_a_pause_is_kept_and_ends)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1"));

	host_start();
	host_run(2 * SECOND);
	pause_drive("S0", 1800);
	unsigned before = d->commands;
	host_run(29 * MINUTE);
	host_event(d, false, 0x010002);
	ck_assert_uint_eq(d->commands, before);
	ck_assert(host_shown("S0")->drive.present && host_shown("S0")->drive.responding);
	host_run(2 * MINUTE);
	ck_assert_uint_gt(d->commands, before);
	/* 0 ends one. */
	pause_drive("S0", 1800);
	before = d->commands;
	pause_drive("S0", 0);
	host_run(20 * SECOND);
	ck_assert_uint_gt(d->commands, before);
}
END_TEST

/* ---- The Persistent Event Log. ---- */

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

/* ---- What the kernel says of a drive. ---- */

/* Some drives' links are none: no error of theirs, nothing to remember of a model or to wait for. */
START_TEST(test_what_the_kernel_does_not_say_is_no_refusal)
{
	fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP
		  "[fault]\npage = pcie_link\nwhat = status 0x4002\n");
	fake_plug("nvme1", MODEL("S1", "M1", "FW1") OCP);
	host_start();
	host_run(5 * SECOND);
	ck_assert_int_eq(host_value("S1", &pcie_link_page, "max_link_width"), 4);
	ck_assert_int_eq(host_value("S0", &pcie_link_page, "max_link_width"), -1);
	ck_assert_uint_eq(host_shown("S0")->n_errors, 0);
	ck_assert(!host_shown("S0")->pages[page_index(&pcie_link_page)].supported);
	ck_assert(!memory_refuses(host.memory, &host_shown("S0")->drive, "pcie_link"));
}
END_TEST

/* It may come later, as a namespace does. */
START_TEST(test_the_kernel_is_asked_again)
{
	fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP
		  "[fault]\npage = pcie_link\nwhat = status 0x4002\ntimes = 2\n");
	host_start();
	host_run(MINUTE);
	ck_assert_int_eq(host_value("S0", &pcie_link_page, "max_link_width"), -1);
	host_run(3 * 3600 * SECOND);
	ck_assert_int_eq(host_value("S0", &pcie_link_page, "max_link_width"), 4);
	ck_assert(host_shown("S0")->pages[page_index(&pcie_link_page)].supported);
}
END_TEST

START_TEST(test_the_kernel_does_not_answer_for_a_drive)
{
	struct fake_drive *d = fake_plug("nvme0", MODEL("S0", "M1", "FW1") OCP);

	host_start();
	host_run(MINUTE);
	ck_assert(host_shown("S0")->drive.responding);
	fake_become(d, MODEL("S0", "M1", "FW1") OCP "[fault]\nwhat = errno EIO\n");
	unsigned before = d->looks;
	for (int hour = 0; hour < 3; hour++) {
		host_run(3600 * SECOND);
		ck_assert(!host_shown("S0")->drive.responding);
	}
	ck_assert_uint_gt(d->looks, before);
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
		test_ERR_04_being_found_costs_a_drive_one_error,
		test_LOG_02_a_refused_endurance_group_is_not_asked_again,
		test_a_group_that_one_drive_lacks_is_asked_of_its_siblings,
		test_PWR_06_a_drive_with_apst_is_read_once_a_minute,
		test_a_suspended_drive_is_not_woken,
		test_a_suspended_drive_is_not_woken_by_an_event,
		test_zeros_where_the_event_is_retained,
		test_garbage_where_the_event_is_retained,
		test_one_bad_answer_does_not_end_the_retaining,
		test_AEN_01_the_event_is_retained,
		test_a_drive_that_answers_zeros_anyway_is_asked_once_more,
		test_a_model_that_is_known_for_it_is_not_asked_in_vain,
		test_HNG_10_a_drive_that_is_not_ready_is_asked_once_more,
		test_HNG_10_once_and_no_more,
		test_HNG_10_busy_is_not_ready,
		test_HNG_10_nothing_else_is_asked_twice,
		test_HNG_10_no_errno_is_asked_twice,
		test_many_slow_pages_do_not_hold_up_the_temperature,
		test_a_storm_of_events_is_none_of_commands,
		test_namespaces_that_are_no_longer_listed,
		test_a_list_of_zeros_is_not_waited_for,
		test_a_list_that_ends_in_an_error_is_not_asked_for_each_poll,
		test_a_refused_feature_is_not_asked_for_after_a_restart,
		test_a_page_that_a_firmware_lacks_goes,
		test_a_namespace_that_was_replaced,
		test_HNG_01_a_hung_drive_is_left_alone,
		test_an_earlier_reader_is_waited_for,
		test_a_pause_is_kept_and_ends,
		test_the_event_log_is_never_read_unasked,
		test_the_event_log_is_read_once_for_who_asks,
		test_what_cannot_be_read_is_said,
		test_the_event_log_waits_for_a_pause,
		test_another_tools_event_log_is_left_alone,
		test_a_new_warning_has_the_event_log_read_once_an_hour,
		test_a_warning_of_a_drive_without_event_log_has_nothing_read,
		test_a_reset_by_the_driver_has_the_event_log_read_once,
		test_what_the_kernel_does_not_say_is_no_refusal,
		test_the_kernel_is_asked_again,
		test_the_kernel_does_not_answer_for_a_drive,
		NULL,
	};

	return check_main_with("harm", tests, host_setup, host_teardown);
}
