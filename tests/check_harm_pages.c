/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a drive is asked for, page by page: none that it refused, none too often, none for nothing. */

#include <string.h>

#include "collect/memory.h"
#include "harm_support.h"

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
		test_ERR_04_being_found_costs_a_drive_one_error,
		test_LOG_02_a_refused_endurance_group_is_not_asked_again,
		test_a_group_that_one_drive_lacks_is_asked_of_its_siblings,
		test_a_refused_feature_is_not_asked_for_after_a_restart,
		test_a_page_that_a_firmware_lacks_goes,
		test_a_list_of_zeros_is_not_waited_for,
		test_a_list_that_ends_in_an_error_is_not_asked_for_each_poll,
		test_many_slow_pages_do_not_hold_up_the_temperature,
		test_a_storm_of_events_is_none_of_commands,
		test_namespaces_that_are_no_longer_listed,
		test_a_namespace_that_was_replaced,
		test_what_the_kernel_does_not_say_is_no_refusal,
		test_the_kernel_is_asked_again,
		test_the_kernel_does_not_answer_for_a_drive,
		NULL,
	};

	return check_main_with("harm_pages", tests, host_setup, host_teardown);
}
