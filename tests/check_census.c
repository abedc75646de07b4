/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From controllers to drives: which are paths of one drive, and what each drive is called. */

#include <string.h>

#include "check_main.h"
#include "collect/census.h"

#define NQN "nqn.2019-08.org.example:subsystem"

static struct discovered found[128];
static size_t n_found;
static struct candidate *list;
static size_t n;

static void setup(void)
{
	memset(found, 0, sizeof(found));
	n_found = 0;
	list = NULL;
}

static void teardown(void)
{
	free(list);
}

static struct discovered *add(const char *serial, const char *nqn, uint16_t cntlid)
{
	size_t i = n_found++;
	struct discovered *f = &found[i];

	f->cntlid = cntlid;
	f->source = "linux";
	snprintf(f->target, sizeof(f->target), "nvme%zu", i);
	snprintf(f->drive.serial, sizeof(f->drive.serial), "%s", serial);
	snprintf(f->drive.subsystem_nqn, sizeof(f->drive.subsystem_nqn), "%s", nqn);
	snprintf(f->drive.device, sizeof(f->drive.device), "nvme%zu", i);
	snprintf(f->drive.address, sizeof(f->drive.address), "0000:%02zx:00.0", i + 1);
	strcpy(f->drive.state, "live");
	f->drive.capacity_bytes = 1000;
	return f;
}

static void take(void)
{
	ck_assert_int_eq(census_take(found, n_found, &list, &n), 0);
}

START_TEST(test_no_controllers_no_drives)
{
	take();
	ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(test_a_drive_has_its_serial_for_a_key)
{
	add("A", NQN "1", 1);
	add("B", NQN "2", 1);
	take();
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(list[0].drive.key, "A");
	ck_assert_str_eq(list[1].drive.key, "B");
	ck_assert(!list[0].duplicate && !list[1].duplicate);
	ck_assert_uint_eq(list[0].drive.n_paths, 0);
	ck_assert_str_eq(list[1].target, "nvme1");
	ck_assert_str_eq(list[1].source, "linux");
}
END_TEST

START_TEST(test_MPA_01_two_controllers_of_a_subsystem_are_one_drive)
{
	add("A", NQN, 66);
	add("B", NQN "2", 1);
	add("A", NQN, 65);
	take();
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(list[0].drive.key, "A");
	ck_assert(!list[0].duplicate);
	ck_assert_uint_eq(list[0].drive.n_paths, 2);
	ck_assert_str_eq(list[0].drive.paths[0].device, "nvme0");
	ck_assert_str_eq(list[0].drive.paths[1].device, "nvme2");
	ck_assert_str_eq(list[0].drive.paths[1].address, "0000:03:00.0");
	/* Not doubled. */
	ck_assert_uint_eq(list[0].drive.capacity_bytes, 1000);
	ck_assert_str_eq(list[0].target, "nvme0");
}
END_TEST

/* Case MPA-04: the path that is used may not have them all. */
START_TEST(test_MPA_04_the_largest_path_tells_the_capacity)
{
	add("A", NQN, 1)->drive.capacity_bytes = 0;
	add("A", NQN, 2);
	add("A", NQN, 3)->drive.capacity_bytes = 500;
	take();
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(list[0].target, "nvme0");
	ck_assert_uint_eq(list[0].drive.capacity_bytes, 1000);
}
END_TEST

/* Case IDN-11: same serial, same name, same controller id: no subsystem, but two drives. */
START_TEST(test_IDN_11_careless_duplicates_are_two_drives)
{
	add("0000000000CA", NQN, 0);
	add("0000000000CA", NQN, 0);
	take();
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(list[0].drive.key, "0000000000CA@0000:01:00.0");
	ck_assert_str_eq(list[1].drive.key, "0000000000CA@0000:02:00.0");
	ck_assert(list[0].duplicate && list[1].duplicate);
}
END_TEST

/* However they come, no controller is lost. */
START_TEST(test_IDN_11_duplicates_with_several_ids_lose_none)
{
	uint64_t seed = 3;

	for (int round = 0; round < 2000; round++) {
		setup();
		for (unsigned i = 0; i < 6; i++)
			add(random_next(&seed) % 2 ? "A" : "B", NQN, (uint16_t)(random_next(&seed) % 3));
		take();
		size_t paths = 0;
		for (size_t i = 0; i < n; i++) {
			paths += list[i].drive.n_paths ? list[i].drive.n_paths : 1;
			for (size_t k = 0; k < i; k++)
				ck_assert_str_ne(list[i].drive.key, list[k].drive.key);
		}
		ck_assert_uint_eq(paths, 6);
		free(list);
		list = NULL;
	}
}
END_TEST

START_TEST(test_equal_serials_of_different_subsystems_are_two_drives)
{
	add("A", NQN "1", 1);
	add("A", NQN "2", 2);
	take();
	ck_assert_uint_eq(n, 2);
	ck_assert(list[0].duplicate && list[1].duplicate);
	ck_assert_str_eq(list[1].drive.key, "A@0000:02:00.0");
}
END_TEST

/* Without a name, or without a serial, nothing says that they belong together. */
START_TEST(test_nameless_controllers_are_drives_of_their_own)
{
	add("A", "", 1);
	add("A", "", 2);
	add("", NQN, 1);
	add("", NQN, 2);
	take();
	ck_assert_uint_eq(n, 4);
	ck_assert_str_eq(list[2].drive.key, "@0000:03:00.0");
	ck_assert_str_eq(list[3].drive.key, "@0000:04:00.0");
	/* No serial is no claim to one. */
	ck_assert(!list[2].duplicate && !list[3].duplicate);
}
END_TEST

/* Case IDN-10: a name that is none is a text like any other. */
START_TEST(test_IDN_10_a_name_is_opaque)
{
	add("A", "HPE MS10i-p Gen10+ Boot Controller \x01", 1);
	add("A", "HPE MS10i-p Gen10+ Boot Controller \x01", 2);
	take();
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(list[0].drive.n_paths, 2);
}
END_TEST

START_TEST(test_the_first_live_path_is_used)
{
	strcpy(add("A", NQN, 1)->drive.state, "connecting");
	struct discovered *second = add("A", NQN, 2);
	add("A", NQN, 3);
	second->may_sleep = true;
	take();
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(list[0].drive.n_paths, 3);
	ck_assert_str_eq(list[0].target, "nvme1");
	ck_assert_str_eq(list[0].drive.device, "nvme1");
	ck_assert_str_eq(list[0].drive.state, "live");
	ck_assert(list[0].may_sleep);
	ck_assert_str_eq(list[0].drive.paths[0].state, "connecting");
}
END_TEST

START_TEST(test_without_a_live_path_it_is_the_first)
{
	strcpy(add("A", NQN, 1)->drive.state, "connecting");
	strcpy(add("A", NQN, 2)->drive.state, "resetting");
	take();
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(list[0].target, "nvme0");
	ck_assert_str_eq(list[0].drive.state, "connecting");
}
END_TEST

/* What another driver has tells nothing of itself: it is no path. */
START_TEST(test_what_cannot_be_read_stands_alone)
{
	add("A", NQN, 1);
	struct discovered *lent = add("", "", 0);
	lent->target[0] = lent->drive.device[0] = 0;
	strcpy(lent->drive.state, "vfio-pci");
	struct discovered *odd = add("A", NQN, 2);
	odd->target[0] = 0;
	take();
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(list[1].drive.key, "@0000:02:00.0");
	ck_assert_str_eq(list[1].target, "");
	ck_assert_uint_eq(list[0].drive.n_paths, 0);
}
END_TEST

START_TEST(test_more_paths_than_fit_are_still_one_drive)
{
	for (uint16_t i = 0; i < 2 * DRIVE_PATHS_MAX; i++)
		add("A", NQN, i);
	take();
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(list[0].drive.n_paths, DRIVE_PATHS_MAX);
}
END_TEST

START_TEST(test_a_drive_without_address_goes_by_its_name)
{
	add("A", NQN "1", 1)->drive.address[0] = 0;
	add("A", NQN "2", 1)->drive.address[0] = 0;
	add("", "", 0)->drive.address[0] = 0;
	take();
	ck_assert_str_eq(list[0].drive.key, "A@nvme0");
	ck_assert_str_eq(list[1].drive.key, "A@nvme1");
	ck_assert_str_eq(list[2].drive.key, "@nvme2");
}
END_TEST

/* Case HOT-04: a large host, again and again, a third of it new each time. */
START_TEST(test_HOT_04_ten_thousand_scans)
{
	uint64_t seed = 5;
	char serial[32];

	for (int round = 0; round < 10000; round++) {
		setup();
		size_t count = random_next(&seed) % 100;
		while (n_found < count) {
			snprintf(serial, sizeof(serial), "S%u", (unsigned)(random_next(&seed) % 70));
			add(serial, NQN, (uint16_t)(random_next(&seed) % 4));
		}
		take();
		ck_assert_uint_le(n, n_found);
		free(list);
		list = NULL;
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_no_controllers_no_drives,
		test_a_drive_has_its_serial_for_a_key,
		test_MPA_01_two_controllers_of_a_subsystem_are_one_drive,
		test_MPA_04_the_largest_path_tells_the_capacity,
		test_IDN_11_careless_duplicates_are_two_drives,
		test_IDN_11_duplicates_with_several_ids_lose_none,
		test_equal_serials_of_different_subsystems_are_two_drives,
		test_nameless_controllers_are_drives_of_their_own,
		test_IDN_10_a_name_is_opaque,
		test_the_first_live_path_is_used,
		test_without_a_live_path_it_is_the_first,
		test_what_cannot_be_read_stands_alone,
		test_more_paths_than_fit_are_still_one_drive,
		test_a_drive_without_address_goes_by_its_name,
		test_HOT_04_ten_thousand_scans,
		NULL,
	};

	return check_main_with("census", tests, setup, teardown);
}
