/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A simulated drive that is reset, pulled, put back, updated and swapped. */

#include <errno.h>
#include <stdlib.h>

#include "check_main.h"
#include "sim_support.h"

static struct drive described(const struct sim *s, uint64_t elapsed)
{
	struct drive d;

	sim_describe_at(s, elapsed, &d);
	return d;
}

static void check_same(const struct sim *s, uint64_t a, uint64_t b)
{
	struct drive x = described(s, a), y = described(s, b);

	ck_assert_str_eq(x.serial, y.serial);
	ck_assert_str_eq(x.firmware, y.firmware);
	ck_assert_str_eq(x.device, y.device);
	ck_assert_str_eq(x.state, y.state);
	ck_assert_uint_eq(x.capacity_bytes, y.capacity_bytes);
	ck_assert_int_eq(x.present, y.present);
}

/* ---- Presence. ---- */

START_TEST(test_a_drive_without_faults_is_there)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(SERIAL "[fault]\nwhat = hang\nat = 5s\nfor = 5s\n");
	struct drive now;

	sim_describe(s, &now);
	ck_assert_str_eq(now.state, "live");
	ck_assert(now.present);
	check_same(s, 0, YEAR);
	ck_assert_int_eq(sim_presence(s, 7 * SECOND), SIM_LIVE);
	ck_assert_int_eq(sim_next_change_us(s, 0), INT64_MAX);
}
END_TEST

/* case HNG-08 */
START_TEST(test_HNG_08_a_reset_takes_its_time)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault]\nwhat = reset\nat = 10s\nfor = 3s\n");

	ck_assert_str_eq(described(s, 9 * SECOND).state, "live");
	ck_assert_str_eq(described(s, 10 * SECOND).state, "resetting");
	ck_assert(described(s, 10 * SECOND).present);
	ck_assert_int_eq(run(s, 12 * SECOND, get_log(2)).error, -EAGAIN);
	ck_assert_str_eq(described(s, 13 * SECOND).state, "live");
	ck_assert_int_eq(run(s, 13 * SECOND, get_log(2)).error, 0);
	ck_assert_int_eq(integer_at(s, 13 * SECOND, &smart_page, "error_log_entries"), 0);
}
END_TEST

START_TEST(test_identify_may_be_garbage_after_a_reset)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault a]\nwhat = reset\nat = 10s\nfor = 3s\n"
		       "[fault b]\nwhat = garbage\npage = identify\nat = 10s\nfor = 5s\n");
	struct reply good = run(s, 0, identify_cns(1));

	struct reply r = run(s, 13 * SECOND, identify_cns(1));
	ck_assert_int_eq(r.error, 0);
	ck_assert_mem_ne(r.data, good.data, 512);
	r = run(s, 15 * SECOND, identify_cns(1));
	ck_assert_mem_eq(r.data, good.data, 512);
}
END_TEST

/* During a reset another errno than EAGAIN may be had. */
START_TEST(test_a_reset_may_end_commands_otherwise)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault a]\nwhat = reset\nat = 10s\nfor = 3s\n"
		       "[fault b]\nwhat = errno EINTR\nat = 10s\nfor = 1s\n");

	ck_assert_int_eq(run(s, 10 * SECOND, get_log(2)).error, -EINTR);
	ck_assert_int_eq(run(s, 11 * SECOND, get_log(2)).error, -EAGAIN);
}
END_TEST

/* case HOT-07 */
START_TEST(test_HOT_07_a_drive_goes_and_comes_back)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[smart]\npower_cycles = 7\nunsafe_shutdowns = 2\n"
		       "[ocp_smart]\nlog_page_version = 3\nunaligned_ios = 99\n"
		       "[fault]\nwhat = remove\nat = 30s\nuntil = 1m\n");

	ck_assert(sim_is_present(s, 29 * SECOND) && !sim_is_present(s, 30 * SECOND) &&
		  sim_is_present(s, 60 * SECOND));
	struct drive d = described(s, 30 * SECOND);
	ck_assert(!d.present);
	ck_assert_str_eq(d.state, "");
	ck_assert_str_eq(d.serial, "TEST1");
	ck_assert_int_eq(integer_at(s, 29 * SECOND, &ocp_smart_page, "unaligned_ios"), 99);
	ck_assert_int_eq(run(s, 30 * SECOND, get_log(2)).error, -ENODEV);
	ck_assert_int_eq(integer_at(s, 60 * SECOND, &smart_page, "power_cycles"), 8);
	ck_assert_int_eq(integer_at(s, 60 * SECOND, &smart_page, "unsafe_shutdowns"), 3);
	ck_assert_int_eq(integer_at(s, 60 * SECOND, &ocp_smart_page, "unaligned_ios"), 0);
}
END_TEST

/* A drive that is added later has lost nothing. */
START_TEST(test_a_drive_may_come_later)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[smart]\npower_cycles = 7\n[fault]\nwhat = remove\nuntil = 1m\n");

	ck_assert(!sim_is_present(s, 0));
	ck_assert_int_eq(sim_next_change_us(s, 0), 60 * (int64_t)SECOND);
	ck_assert_int_eq(integer_at(s, 60 * SECOND, &smart_page, "power_cycles"), 7);
}
END_TEST

START_TEST(test_counters_that_reset_do)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[smart]\npower_cycles = 7\n[ocp_smart]\nlog_page_version = 3\nunaligned_ios = 99\n"
		       "[fault]\nwhat = reset\nat = 10s\nfor = 3s\n");

	ck_assert_int_eq(integer_at(s, 0, &ocp_smart_page, "unaligned_ios"), 99);
	ck_assert_int_eq(integer_at(s, 13 * SECOND, &ocp_smart_page, "unaligned_ios"), 0);
	ck_assert_int_eq(integer_at(s, 13 * SECOND, &smart_page, "power_cycles"), 7);
}
END_TEST

START_TEST(test_every_change_is_announced)
{
	static const int64_t seconds[] = { 10, 13, 25, 30, 40, 60 };
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[fault pull]\nwhat = remove\nat = 30s\nuntil = 1m\n"
		       "[fault reset]\nwhat = reset\nat = 10s\nfor = 3s\n"
		       "[fault slow]\nwhat = delay 1s\nat = 5s\n"
		       "[change early]\nat = 25s\ncapacity = 1T\n[change late]\nat = 40s\ndevice = nvme9\n");
	uint64_t t = 0;

	for (size_t i = 0; i < ELEMENTS(seconds); i++) {
		int64_t next = sim_next_change_us(s, t);
		ck_assert_int_eq(next, seconds[i] * (int64_t)SECOND);
		check_same(s, t, (uint64_t)next - 1);
		t = (uint64_t)next;
	}
	ck_assert_int_eq(sim_next_change_us(s, t), INT64_MAX);
	ck_assert_int_eq(sim_next_change_us(s, UINT64_MAX), INT64_MAX);
}
END_TEST

/* ---- Changes. ---- */

START_TEST(test_a_drive_may_come_back_under_another_name)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "device = nvme3\naddress = 0000:01:00.0\n[fault]\nwhat = remove\nat = 10s\nuntil = 20s\n"
		       "[change]\nat = 15s\ndevice = nvme5\naddress = 0000:02:00.0\n");

	ck_assert_str_eq(described(s, 14 * SECOND).device, "nvme3");
	ck_assert_str_eq(described(s, 20 * SECOND).device, "nvme5");
	ck_assert_str_eq(described(s, 20 * SECOND).address, "0000:02:00.0");
	ck_assert_str_eq(described(s, 20 * SECOND).serial, "TEST1");
}
END_TEST

/* case FWU-01: without a reset the kernel goes on showing what it read. */
START_TEST(test_FWU_01_the_kernel_is_behind_until_a_reset)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "firmware = OLD\n[change]\nat = 10s\nfirmware = NEW\n"
		       "[fault]\nwhat = reset\nat = 30s\nfor = 2s\n");

	struct reply r = run(s, 10 * SECOND, identify_cns(1));
	ck_assert_str_eq(value_of(&identify_page, &r, "fr").text, "NEW");
	ck_assert_str_eq(value_of(&identify_page, &r, "sn").text, "TEST1");
	ck_assert_str_eq(described(s, 10 * SECOND).firmware, "OLD");
	ck_assert_str_eq(described(s, 31 * SECOND).firmware, "OLD");
	ck_assert_str_eq(described(s, 32 * SECOND).firmware, "NEW");
	/* The kernel's page is as far behind. */
	r = run(s, 29 * SECOND, read_page(&controller_page));
	ck_assert_str_eq(value_of(&controller_page, &r, "firmware").text, "OLD");
	r = run(s, 32 * SECOND, read_page(&controller_page));
	ck_assert_str_eq(value_of(&controller_page, &r, "firmware").text, "NEW");
}
END_TEST

/* Namespaces are looked at again as soon as the drive says so. */
START_TEST(test_another_capacity_shows_at_once)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "capacity = 4T\n[change]\nat = 10s\ncapacity = 2T\n");

	ck_assert_uint_eq(described(s, 0).capacity_bytes, UINT64_C(4000000000000));
	ck_assert_uint_eq(described(s, 10 * SECOND).capacity_bytes, UINT64_C(2000000000000));
	ck_assert_int_eq(integer_at(s, 10 * SECOND, &identify_page, "tnvmcap_bytes"), 2000000000000);
}
END_TEST

START_TEST(test_a_swapped_drive_begins_anew)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[smart]\npower_on_seconds = 36000\npower_cycles = 7\n"
		       "[behaviour]\nworkload = steady\nwrite = 100M\n"
		       "[fault]\nwhat = remove\nat = 2h\nuntil = 3h\n"
		       "[change]\nat = 2h\nserial = OTHER\nsmart.power_on_seconds = 0\nsmart.power_cycles = 1\n"
		       "smart.host_written_bytes = 0\n");

	run(s, HOUR, get_log(0xca)); /* an entry in the first drive's error log */
	ck_assert_int_eq(integer_at(s, HOUR, &smart_page, "power_on_seconds"), 39600);
	ck_assert_str_eq(described(s, 3 * HOUR - 1).serial, "TEST1");
	ck_assert_str_eq(described(s, 3 * HOUR).serial, "OTHER");
	ck_assert_int_eq(integer_at(s, 4 * HOUR, &smart_page, "power_on_seconds"), 7200);
	ck_assert_int_eq(integer_at(s, 4 * HOUR, &smart_page, "power_cycles"), 2);
	ck_assert_int_eq(integer_at(s, 4 * HOUR, &smart_page, "error_log_entries"), 0);
	ck_assert_int_lt(integer_at(s, 4 * HOUR, &smart_page, "host_written_bytes"),
			 7300 * INT64_C(100000000));
}
END_TEST

/* The way there makes no difference to a reader that is started again. */
START_TEST(test_a_new_reader_finds_the_same_drive)
{
	const char *text = SERIAL "[behaviour]\nworkload = bursty\nread_iops = 1K\nwrite = 100M\n"
				  "[fault]\nwhat = remove\nat = 2h\nuntil = 3h\n"
				  "[change]\nat = 2h\nserial = OTHER\nsmart.power_cycles = 1\n";
	_cleanup_(sim_freep) struct sim *often = drive_of(text), *once = drive_of(text);

	for (uint64_t t = 0; t < 5 * HOUR; t += 60 * SECOND)
		run(often, t, get_log(2));
	struct reply a = run(often, 5 * HOUR, get_log(2)), b = run(once, 5 * HOUR, get_log(2));
	ck_assert_mem_eq(a.data, b.data, 512);
}
END_TEST

START_TEST(test_values_change_too)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[change 1]\nat = 10s\nsmart.critical_warning_spare = 1\nsmart.media_errors = 3\n"
		       "[change 2]\nat = 20s\nsmart.critical_warning_spare = 0\n"
		       "ocp_smart.log_page_version = 3\nocp_smart.bad_user_nand_blocks = 4\n");

	ck_assert_int_eq(integer_at(s, 9 * SECOND, &smart_page, "critical_warning_spare"), 0);
	ck_assert_uint_eq(run(s, 9 * SECOND, get_log(0xc0)).status, 0x109);
	ck_assert_int_eq(integer_at(s, 10 * SECOND, &smart_page, "critical_warning_spare"), 1);
	ck_assert_int_eq(integer_at(s, 20 * SECOND, &smart_page, "critical_warning_spare"), 0);
	ck_assert_int_eq(integer_at(s, 20 * SECOND, &smart_page, "media_errors"), 3);
	ck_assert_uint_eq(run(s, 20 * SECOND, get_log(0xc0)).status, 0);
}
END_TEST

/* [identify] after [identity] has the last word until the change names the same. */
START_TEST(test_a_change_changes_what_it_names)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "capacity = 4T\n[identify]\ntnvmcap_bytes = absent\n[change]\nat = 1s\nmodel = New\n");

	struct reply r = run(s, SECOND, identify_cns(1));
	ck_assert_str_eq(value_of(&identify_page, &r, "mn").text, "New");
	ck_assert_int_eq(value_of(&identify_page, &r, "tnvmcap_bytes").type, VALUE_ABSENT);
}
END_TEST

static const struct {
	const char *text, *error; /* behind FILE */
} bad[] = {
	{ "[change]\ncolour = red\n", ":2: [change] has no key \"colour\"; allowed are serial, " },
	{ "[change x]\nat = 3\n", ":2: [change x] at = 3: allowed is a whole number with s, m, h or d" },
	{ "[change]\nsmart.x = 3\n", ":2: [smart] has no field \"x\"" },
	{ "[change]\nfoo.x = 3\n", ":2: [change] \"foo.x\" names no page" },
	{ "[change]\nsmart.temperature_celsius = hot\n", ":2: [smart] temperature_celsius = hot: " },
	{ "[change]\ncapacity = 4X\n", ":2: [change] capacity = 4X: allowed is " },
	{ SERIAL "[change]\ndevice = nvme3\n", ": [change] lacks at" },
	{ SERIAL "[change a]\nat = 9s\nslot = 3\n[change b]\nat = 5s\nslot = 4\n",
	  ": [change b] is earlier than [change a]" },
};

START_TEST(test_bad_changes_say_what_is_allowed)
{
	struct sim *s = NULL;
	char error[4096] = "";
	int r = load_text(bad[_i].text, &s, error, sizeof(error));
	const char *message = strchr(error, ':');

	ck_assert_int_lt(r, 0);
	ck_assert_ptr_null(s);
	ck_assert_msg(message && !strncmp(message, bad[_i].error, strlen(bad[_i].error)),
		      "\"%s\" is not \"%s\"", error, bad[_i].error);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_drive_without_faults_is_there,
		test_HNG_08_a_reset_takes_its_time,
		test_identify_may_be_garbage_after_a_reset,
		test_a_reset_may_end_commands_otherwise,
		test_HOT_07_a_drive_goes_and_comes_back,
		test_a_drive_may_come_later,
		test_counters_that_reset_do,
		test_every_change_is_announced,
		test_a_drive_may_come_back_under_another_name,
		test_FWU_01_the_kernel_is_behind_until_a_reset,
		test_another_capacity_shows_at_once,
		test_a_swapped_drive_begins_anew,
		test_a_new_reader_finds_the_same_drive,
		test_values_change_too,
		test_a_change_changes_what_it_names,
	};
	Suite *suite = suite_create("sim timeline");
	TCase *tcase = tcase_create("sim timeline");

	tcase_set_timeout(tcase, CHECK_TIMEOUT);
	for (size_t i = 0; i < ELEMENTS(tests); i++)
		tcase_add_test(tcase, tests[i]);
	tcase_add_loop_test(tcase, test_bad_changes_say_what_is_allowed, 0, (int)ELEMENTS(bad));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
