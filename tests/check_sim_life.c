/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The simulated drive over time, and the fleet that is shipped. */

#include <errno.h>
#include <glob.h>
#include <stdlib.h>

#include "sim_support.h"

#define LOADED                                                                              \
	SERIAL "capacity = 1T\n[identify]\nwctemp_celsius = 77\ncctemp_celsius = 85\n"      \
	       "[smart]\ntemperature_celsius = 40\nsensor_temperature_celsius_1 = 45\n"     \
	       "energy_joules = 3600\npower_watts = 5\n"                                    \
	       "[ocp_smart]\nlog_page_version = 5\nuser_erase_cycles_avg = 1\n"             \
	       "[behaviour]\nread = 500M\nwrite = 100M\nread_iops = 40K\nwrite_iops = 10K\n" \
	       "write_amplification = 2\n"

/* ---- Behaviour. ---- */

START_TEST(test_nothing_moves_without_behaviour)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(SERIAL "[smart]\nhost_read_bytes = 512000\n");
	struct reply before = run(s, 0, get_log(2)), after = run(s, YEAR, get_log(2));

	ck_assert_mem_eq(before.data, after.data, 512);
}
END_TEST

START_TEST(test_counters_follow_the_workload)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(LOADED "workload = steady\n");
	double written, media, read;

	run(s, 0, get_log(2));
	written = (double)integer_at(s, DAY, &smart_page, "host_written_bytes");
	read = (double)integer_at(s, DAY, &smart_page, "host_read_bytes");
	media = (double)integer_at(s, DAY, &ocp_smart_page, "physical_media_written_bytes");
	ck_assert_double_eq_tol(written, 0.95 * 86400 * 100e6, 0.01 * written);
	ck_assert_double_eq_tol(read, 5 * written, 0.01 * read);
	ck_assert_double_eq_tol(media, 2 * written, 0.001 * media);
	ck_assert_int_eq(integer_at(s, DAY, &smart_page, "power_on_seconds"), 86400);
	ck_assert_int_eq(integer_at(s, DAY, &ocp_smart_page, "user_erase_cycles_avg"),
			 1 + (int)(media / 1e12));
	ck_assert_double_eq_tol(real_at(s, DAY, &smart_page, "power_watts"), 11.65, 0.5);
	ck_assert_double_eq_tol((double)integer_at(s, DAY, &smart_page, "energy_joules"),
				11.65 * 86400, 20000);
}
END_TEST

START_TEST(test_an_idle_drive_does_nothing)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(LOADED "workload = idle\n");

	ck_assert_int_eq(integer_at(s, DAY, &smart_page, "host_read_commands"), 0);
	ck_assert_int_eq(integer_at(s, DAY, &smart_page, "temperature_celsius"), 35);
	ck_assert_int_eq(integer_at(s, DAY, &smart_page, "sensor_temperature_celsius_1"), 40);
}
END_TEST

START_TEST(test_temperature_has_a_time_constant)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[smart]\ntemperature_celsius = 35\n[behaviour]\nworkload = steady\n"
		       "idle_temperature = 35\nload_temperature = 75\ntime_constant = 100s\n");

	ck_assert_int_eq(integer_at(s, 0, &smart_page, "temperature_celsius"), 35);
	ck_assert_int_le(llabs(integer_at(s, 100 * SECOND, &smart_page, "temperature_celsius") - 59), 1);
	ck_assert_int_le(llabs(integer_at(s, HOUR, &smart_page, "temperature_celsius") - 73), 1);
}
END_TEST

START_TEST(test_wear_follows_the_bytes_written)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		LOADED "workload = steady\nendurance = 820.8T\naccelerate = 60\n");
	/* 0.95 * 100 MB/s * 86400 s = 8.208 TB a day: 1 % of the endurance */

	ck_assert_double_eq(real_at(s, 0, &smart_page, "endurance_used_ratio"), 0);
	uint64_t t = 50 * DAY / 60;
	ck_assert_double_eq_tol(real_at(s, t, &smart_page, "endurance_used_ratio"), 0.5, 0.011);
	ck_assert_double_eq(real_at(s, t, &smart_page, "available_spare_ratio"), 1);
	t = 110 * DAY / 60;
	ck_assert_double_eq_tol(real_at(s, t, &smart_page, "endurance_used_ratio"), 1.1, 0.011);
	ck_assert_double_lt(real_at(s, t, &smart_page, "available_spare_ratio"), 1);
	t = 3 * YEAR / 60;
	ck_assert_double_eq(real_at(s, t, &smart_page, "endurance_used_ratio"), 2.55);
	ck_assert_int_eq(integer_at(s, t, &smart_page, "critical_warning_spare"), 1);
}
END_TEST

START_TEST(test_a_hot_drive_throttles_and_recovers)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		LOADED "workload = steady\nambient = 45\nidle_temperature = 36\n"
		       "load_temperature = 62\nthrottle_temperature = 77\nheavy_temperature = 84\n");
	bool throttled = false, recovered = false;
	int64_t hottest = 0;

	for (uint64_t t = 0; t < 6 * HOUR; t += 15 * SECOND) {
		struct reply r = run(s, t, get_log(0xc0));
		int64_t level = value_of(&ocp_smart_page, &r, "throttled").integer;
		int64_t celsius = integer_at(s, t, &smart_page, "temperature_celsius");
		recovered |= throttled && !level;
		throttled |= level > 0;
		hottest = celsius > hottest ? celsius : hottest;
	}
	ck_assert(throttled && recovered);
	ck_assert_int_ge(hottest, 77);
	ck_assert_int_le(hottest, 80);
	ck_assert_int_ge(integer_at(s, 6 * HOUR, &ocp_smart_page, "thermal_throttle_events"), 2);
	ck_assert_int_ge(integer_at(s, 6 * HOUR, &smart_page, "thermal_transitions_1"), 2);
	ck_assert_int_ge(integer_at(s, 6 * HOUR, &smart_page, "thermal_throttle_seconds_1"), 60);
}
END_TEST

/* What was reached once stays, and how often one asks makes no difference. */
START_TEST(test_the_way_there_makes_no_difference)
{
	static const char *const workloads[] = { "idle", "steady", "diurnal", "bursty" };
	char text[1024];

	snprintf(text, sizeof(text), LOADED "ambient = 45\nload_temperature = 62\n"
		 "throttle_temperature = 77\naccelerate = 3.7\nworkload = %s\n", workloads[_i]);
	_cleanup_(sim_freep) struct sim *often = drive_of(text), *once = drive_of(text);

	for (uint64_t t = 0; t < DAY; t += 777 * SECOND + 13)
		run(often, t, get_log(2));
	struct reply a = run(often, DAY, get_log(2)), b = run(once, DAY, get_log(2));
	ck_assert_mem_eq(a.data, b.data, 512);
	a = run(often, DAY, get_log(0xc0));
	b = run(once, DAY, get_log(0xc0));
	ck_assert_mem_eq(a.data, b.data, 512);
}
END_TEST

START_TEST(test_drives_do_not_move_in_step)
{
	_cleanup_(sim_freep) struct sim *a = drive_of("[identity]\nserial = A\n[behaviour]\n"
						      "workload = bursty\nread_iops = 10K\n");
	_cleanup_(sim_freep) struct sim *b = drive_of("[identity]\nserial = B\n[behaviour]\n"
						      "workload = bursty\nread_iops = 10K\n");

	ck_assert_int_ne(integer_at(a, DAY, &smart_page, "host_read_commands"),
			 integer_at(b, DAY, &smart_page, "host_read_commands"));
}
END_TEST

START_TEST(test_small_counters_saturate)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		LOADED "workload = steady\nambient = 45\nload_temperature = 62\n"
		       "throttle_temperature = 77\naccelerate = 60\n[raw]\nsmart.224 = f0 ff ff ff\n"
		       "[ocp_smart]\nthermal_throttle_events = 250\n");

	ck_assert_int_eq(integer_at(s, 60 * DAY / 60, &ocp_smart_page, "thermal_throttle_events"), 255);
}
END_TEST

/* One in a million commands, a tenth of it in each slower bucket, from a timer of 5 minutes that begins
 * anew at its threshold of 7 days. */
START_TEST(test_the_latency_monitor_follows_the_workload)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(LOADED "workload = steady\n");
	const struct page *p = &ocp_latency_monitor_page;

	ck_assert_int_eq(integer_at(s, 0, p, "active_bucket_read_ios_0"), 0);
	ck_assert_int_le(llabs(integer_at(s, DAY, p, "active_bucket_read_ios_0") - 3283), 40);
	ck_assert_int_le(llabs(integer_at(s, DAY, p, "active_bucket_write_ios_1") - 82), 2);
	ck_assert_int_eq(integer_at(s, DAY, p, "active_bucket_timer_seconds"), 86400);
	ck_assert_int_eq(integer_at(s, DAY, p, "static_bucket_read_ios_0"), 0);
	ck_assert_int_eq(integer_at(s, 8 * DAY, p, "active_bucket_timer_seconds"), 86400);
	ck_assert_int_le(llabs(integer_at(s, 8 * DAY, p, "active_bucket_read_ios_0") - 3283), 40);
	ck_assert_int_eq(integer_at(s, 8 * DAY, p, "static_bucket_read_ios_0"), 12096);
	ck_assert_int_eq(integer_at(s, 8 * DAY, p, "static_bucket_write_ios_3"), 3);
	ck_assert_int_eq(integer_at(s, 13 * DAY, p, "static_bucket_read_ios_0"), 12096);
}
END_TEST

START_TEST(test_a_latency_monitor_that_is_off_stands_still)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		LOADED "workload = steady\n[ocp_latency_monitor]\nfeature_status_raw = 6\n");
	struct command c = read_page(&ocp_latency_monitor_page);
	struct reply before = run(s, 0, c), after = run(s, DAY, c);

	ck_assert_mem_eq(before.data, after.data, 512);
}
END_TEST

/* What C0h says decides, as the drive shows it. */
START_TEST(test_a_drive_has_the_ocp_pages_of_its_version)
{
	_cleanup_(sim_freep) struct sim *two = drive_of(
		SERIAL "[ocp_smart]\nplp_starts = 1\n[raw]\nocp_smart.494 = 03 00\n");
	_cleanup_(sim_freep) struct sim *five = drive_of(SERIAL "[ocp_smart]\nlog_page_version = 4\n");
	_cleanup_(sim_freep) struct sim *none = drive_of(SERIAL);

	ck_assert_int_eq(run(none, 0, read_page(&ocp_error_recovery_page)).status, 0x109);
	ck_assert_int_eq(run(none, 0, read_page(&ocp_power_state_page)).status, 0x002);
	ck_assert_int_eq(run(two, 0, read_page(&ocp_hardware_components_page)).status, 0x109);
	ck_assert_int_eq(run(five, 0, read_page(&ocp_firmware_activation_history_page)).status, 0x109);
	ck_assert_int_eq(integer_at(two, 0, &ocp_firmware_activation_history_page, "entries"), 0);
	ck_assert_int_eq(integer_at(five, 0, &ocp_unsupported_requirements_page,
				    "requirements_unsupported"), 0);
	ck_assert_int_eq(integer_at(five, 0, &ocp_error_recovery_page, "panic"), 0);
}
END_TEST

/* Any 64-bit time ends, and soon. */
START_TEST(test_the_end_of_time)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		LOADED "workload = bursty\nendurance = 1T\naccelerate = 1000000\n");

	ck_assert_int_gt(integer_at(s, UINT64_MAX, &smart_page, "power_on_seconds"), 1000000000);
	ck_assert_double_eq(real_at(s, UINT64_MAX, &smart_page, "endurance_used_ratio"), 2.55);
}
END_TEST

/* The host's counters tell the same life as the drive's, from when it was powered on. */
START_TEST(test_the_block_device_counts_the_workload)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[smart]\nhost_read_commands = 5000\n"
		"[behaviour]\nworkload = steady\nread = 100M\nwrite = 10M\nread_iops = 1000\n"
		"write_iops = 100\n");

	ck_assert_int_eq(integer_at(s, 0, &block_page, "read_completed"), 0);
	int64_t reads = integer_at(s, HOUR, &block_page, "read_completed");
	ck_assert_int_gt(reads, 3600 * 100);
	ck_assert_int_eq(integer_at(s, HOUR, &smart_page, "host_read_commands"), 5000 + reads);
	ck_assert_double_eq_tol(real_at(s, HOUR, &block_page, "read_latency_seconds"),
				(double)reads * 0.0001, 0.001);
	ck_assert_int_gt(integer_at(s, HOUR, &block_page, "write_bytes"), 3600 * INT64_C(1000000));
	ck_assert_uint_eq(run(s, HOUR, command_for_page(&block_page, 2, 0)).status, 2);
}
END_TEST

/* ---- The shipped fleet. ---- */

static void fleet_load(glob_t *ret)
{
	const char *folder = getenv("NVMEWATCH_SRCDIR");
	char pattern[4096];

	snprintf(pattern, sizeof(pattern), "%s/etc/sim/*.drive", folder ? folder : ".");
	ck_assert_msg(glob(pattern, 0, NULL, ret) == 0, "%s: no drives", pattern);
	ck_assert_uint_ge(ret->gl_pathc, 16);
}

static struct sim *drive_from(const char *path)
{
	struct sim *s = NULL;
	char error[1024] = "";
	int r = sim_load(path, &s, error, sizeof(error));

	ck_assert_msg(r == 0, "%s", error);
	return s;
}

/* What the drive has under that id is another of the layouts that share it. */
static bool is_anothers(struct sim *s, const struct page *p, uint64_t elapsed)
{
	for (const struct page *const *q = pages; *q; q++) {
		if (*q == p || (*q)->command != p->command || (*q)->id != p->id)
			continue;
		struct reply r = run_read(s, elapsed, *q);
		if (page_check(*q, r.data, r.length) == PAGE_SOUND)
			return true;
	}
	return false;
}

static void page_is_sound(struct sim *s, const char *path, const struct page *p, uint64_t elapsed)
{
	struct reply r = run_read(s, elapsed, p);
	struct value v;

	if (p->command == PAGE_DERIVED)
		return;
	ck_assert_int_eq(r.error, 0);
	if (r.status) {
		ck_assert_msg((p->presence || p->command == PAGE_HOST) &&
			      r.status == (p->command == PAGE_LOG ? 0x109 : 0x002),
			      "%s: %s: status %x", path, p->name, r.status);
		return;
	}
	if (page_check(p, r.data, r.length) != PAGE_SOUND && is_anothers(s, p, elapsed))
		return;
	ck_assert_msg(page_check(p, r.data, r.length) == PAGE_SOUND, "%s: %s", path, p->name);
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++)
			ck_assert_msg(page_decode(p, &p->fields[i], n, r.data, &v) != -ERANGE,
				      "%s: %s %s", path, p->name, p->fields[i].name);
}

START_TEST(test_every_shipped_page_is_sound)
{
	glob_t fleet;

	fleet_load(&fleet);
	for (size_t i = 0; i < fleet.gl_pathc; i++) {
		_cleanup_(sim_freep) struct sim *s = drive_from(fleet.gl_pathv[i]);
		for (uint64_t t = 0; t < 4 * DAY; t += DAY)
			for (unsigned n = 0; pages[n]; n++)
				page_is_sound(s, fleet.gl_pathv[i], pages[n], t);
	}
	globfree(&fleet);
}
END_TEST

START_TEST(test_shipped_drives_are_told_apart)
{
	glob_t fleet;

	fleet_load(&fleet);
	struct drive *drives = calloc(fleet.gl_pathc, sizeof(*drives));
	ck_assert_ptr_nonnull(drives);
	for (size_t i = 0; i < fleet.gl_pathc; i++) {
		_cleanup_(sim_freep) struct sim *s = drive_from(fleet.gl_pathv[i]);
		sim_describe(s, &drives[i]);
		ck_assert_uint_gt(drives[i].capacity_bytes, 0);
		ck_assert_str_ne(drives[i].serial, "");
		for (size_t j = 0; j < i; j++) {
			ck_assert_str_ne(drives[i].serial, drives[j].serial);
			ck_assert_str_ne(drives[i].address, drives[j].address);
			ck_assert_str_ne(drives[i].slot, drives[j].slot);
		}
	}
	free(drives);
	globfree(&fleet);
}
END_TEST

/* No counter of either page falls. */
static void counters_only_grow(const char *path, const struct page *p, const struct reply *before,
			       const struct reply *after)
{
	struct value old, new;

	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++) {
			const struct field *f = &p->fields[i];
			if (f->kind != FIELD_COUNTER || page_decode(p, f, n, before->data, &old))
				continue;
			ck_assert_int_eq(page_decode(p, f, n, after->data, &new), 0);
			ck_assert_msg(new.integer >= old.integer, "%s: %s %s fell", path, p->name,
				      f->name);
		}
}

START_TEST(test_shipped_drives_live_a_month)
{
	glob_t fleet;

	fleet_load(&fleet);
	for (size_t i = 0; i < fleet.gl_pathc; i++) {
		const char *path = fleet.gl_pathv[i];
		_cleanup_(sim_freep) struct sim *s = drive_from(path);
		struct reply smart = run(s, 0, get_log(2)), ocp = run(s, 0, get_log(0xc0));
		for (uint64_t t = HOUR; t < 30 * DAY; t = t * 9 / 8) {
			struct reply next = run(s, t, get_log(2));
			counters_only_grow(path, &smart_page, &smart, &next);
			int64_t celsius = value_of(&smart_page, &next, "temperature_celsius").integer;
			ck_assert_msg(celsius > 20 && celsius < 80, "%s: %d degrees", path,
				      (int)celsius);
			smart = next;
			if (ocp.status)
				continue;
			next = run(s, t, get_log(0xc0));
			counters_only_grow(path, &ocp_smart_page, &ocp, &next);
			ocp = next;
		}
	}
	globfree(&fleet);
}
END_TEST

static struct sim *shipped(const char *name)
{
	const char *folder = getenv("NVMEWATCH_SRCDIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/etc/sim/%s.drive", folder ? folder : ".", name);
	return drive_from(path);
}

START_TEST(test_the_fleet_has_its_trouble)
{
	_cleanup_(sim_freep) struct sim *hot = shipped("solidigm-p5430-7t68-hot");
	_cleanup_(sim_freep) struct sim *worn = shipped("hgst-sn150-1t6-worn");
	_cleanup_(sim_freep) struct sim *failed = shipped("samsung-pm9a3-1t92-failed");
	int64_t before = integer_at(hot, 0, &smart_page, "thermal_transitions_1");

	ck_assert_int_gt(integer_at(hot, 12 * HOUR, &smart_page, "thermal_transitions_1"), before);
	ck_assert_double_ge(real_at(worn, 0, &smart_page, "endurance_used_ratio"), 0.98);
	ck_assert_double_gt(real_at(worn, 90 * DAY, &smart_page, "endurance_used_ratio"), 1);
	ck_assert_int_eq(integer_at(failed, 0, &smart_page, "critical_warning_backup_failed"), 1);
}
END_TEST

/* What vendors' own pages count moves with the drive. */
START_TEST(test_the_vendors_pages_live_too)
{
	static const struct {
		const char *drive;
		const struct page *page;
		const char *nand, *host;
		int64_t unit; /* of the latter in SMART's bytes */
	} moving[] = {
		{ "solidigm-p5316-30t72", &intel_smart_page, "nand_written_raw", "host_written_raw",
		  33554432 },
		{ "pblaze6-d6920-7t68", &memblaze_smart_v2_page, "nand_written_bytes",
		  "host_written_bytes", 1 },
		{ "pblaze6-6530-3t84", &memblaze_smart_v3_page, "nand_written_bytes",
		  "host_written_bytes", 1 },
		{ "hgst-sn100-3t2", &wdc_smart_page, "nand_written_bytes", NULL, 1 },
	};

	for (size_t i = 0; i < ELEMENTS(moving); i++) {
		_cleanup_(sim_freep) struct sim *s = shipped(moving[i].drive);
		int64_t before = integer_at(s, 0, moving[i].page, moving[i].nand);
		int64_t after = integer_at(s, 20 * DAY, moving[i].page, moving[i].nand);
		int64_t smart = integer_at(s, 20 * DAY, &smart_page, "host_written_bytes");

		ck_assert_int_gt(after, before);
		if (moving[i].host) {
			int64_t host = moving[i].unit *
				       integer_at(s, 20 * DAY, moving[i].page, moving[i].host);
			ck_assert_int_le(llabs(host - smart), 2 * 33554432);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim_life");
	TCase *behaviour = tcase_create("behaviour"), *fleet = tcase_create("fleet");

	tcase_set_timeout(fleet, 120);
	tcase_set_timeout(behaviour, 60);
	tcase_add_test(behaviour, test_nothing_moves_without_behaviour);
	tcase_add_test(behaviour, test_counters_follow_the_workload);
	tcase_add_test(behaviour, test_an_idle_drive_does_nothing);
	tcase_add_test(behaviour, test_temperature_has_a_time_constant);
	tcase_add_test(behaviour, test_wear_follows_the_bytes_written);
	tcase_add_test(behaviour, test_a_hot_drive_throttles_and_recovers);
	tcase_add_loop_test(behaviour, test_the_way_there_makes_no_difference, 0, 4);
	tcase_add_test(behaviour, test_the_latency_monitor_follows_the_workload);
	tcase_add_test(behaviour, test_a_latency_monitor_that_is_off_stands_still);
	tcase_add_test(behaviour, test_a_drive_has_the_ocp_pages_of_its_version);
	tcase_add_test(behaviour, test_drives_do_not_move_in_step);
	tcase_add_test(behaviour, test_small_counters_saturate);
	tcase_add_test(behaviour, test_the_end_of_time);
	tcase_add_test(behaviour, test_the_block_device_counts_the_workload);
	tcase_add_test(fleet, test_every_shipped_page_is_sound);
	tcase_add_test(fleet, test_shipped_drives_are_told_apart);
	tcase_add_test(fleet, test_shipped_drives_live_a_month);
	tcase_add_test(fleet, test_the_fleet_has_its_trouble);
	tcase_add_test(fleet, test_the_vendors_pages_live_too);
	suite_add_tcase(suite, behaviour);
	suite_add_tcase(suite, fleet);
	return run_suite(suite);
}
