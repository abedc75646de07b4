/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* now.db: what collect publishes is what serve reads. */

#include <errno.h>

#include "now_support.h"
#include "nvmewatch/boot.h"

static struct now *n;
static struct now_snapshot *s;

static void setup(void)
{
	folder_make();
	n = now_filled();
	s = snapshot_of(n, in_folder("now.db"));
}

static void teardown(void)
{
	now_snapshot_free(s);
	now_free(n);
	folder_remove();
}

static void republish(void)
{
	now_snapshot_free(s);
	s = snapshot_of(n, in_folder("now.db"));
}

START_TEST(test_a_publication_tells_when_it_was_made)
{
	char boot[40];

	boot_id(boot);
	ck_assert_int_eq(s->time, TIME);
	ck_assert_int_eq(s->mono, MONO);
	ck_assert_uint_eq(s->cadence_us, CADENCE);
	ck_assert_str_eq(s->boot_id, boot);
	ck_assert_str_eq(s->version, PACKAGE_VERSION);
}
END_TEST

START_TEST(test_drives_come_back_whole)
{
	struct drive expected = drive_named("S1");
	const struct drive *d = &now_find(s, "S1")->drive;

	ck_assert_str_eq(d->key, expected.key);
	ck_assert_str_eq(d->serial, expected.serial);
	ck_assert_str_eq(d->model, expected.model);
	ck_assert_str_eq(d->firmware, expected.firmware);
	ck_assert_str_eq(d->device, expected.device);
	ck_assert_str_eq(d->transport, expected.transport);
	ck_assert_str_eq(d->address, expected.address);
	ck_assert_str_eq(d->slot, expected.slot);
	ck_assert_str_eq(d->subsystem_nqn, expected.subsystem_nqn);
	ck_assert_str_eq(d->state, expected.state);
	ck_assert_str_eq(d->reason, expected.reason);
	ck_assert_int_eq(d->numa_node, -1);
	ck_assert_uint_eq(d->vendor, UINT32_MAX);
	ck_assert_uint_eq(d->capacity_bytes, INT64_MAX);
	ck_assert(d->present && d->lent && d->responding);
}
END_TEST

START_TEST(test_drives_are_in_the_order_of_their_keys)
{
	ck_assert_uint_eq(s->n_drives, 2);
	ck_assert_str_eq(s->drives[0].drive.key, "S1");
	ck_assert_str_eq(s->drives[1].drive.key, "S2");
	ck_assert_ptr_null(now_find(s, "S3"));
	ck_assert_ptr_null(now_find(s, ""));
}
END_TEST

START_TEST(test_pages_come_back_byte_for_byte)
{
	const struct now_page *smart = &now_find(s, "S1")->pages[page_index(&smart_page)];
	const struct now_page *identify = &now_find(s, "S1")->pages[page_index(&identify_page)];

	ck_assert(smart->known && smart->supported);
	ck_assert_int_eq(smart->time, TIME - 1);
	ck_assert_int_eq(smart->mono, MONO - 1);
	ck_assert_uint_eq(smart->cadence_us, CADENCE);
	ck_assert_mem_eq(smart->bytes, smart_bytes, sizeof(smart_bytes));
	ck_assert_uint_eq(identify->cadence_us, 0);
	ck_assert_mem_eq(identify->bytes, identify_bytes, sizeof(identify_bytes));
}
END_TEST

/* They are not in the file. */
START_TEST(test_zeros_at_the_end_come_back)
{
	static uint8_t zeros[4096];
	const struct now_page *back;

	ck_assert_int_eq(now_put_page(n, "S1", &namespaces_page, 0, TIME, MONO, 0, zeros, 4096), 0);
	smart_bytes[511] = 0;
	smart_bytes[510] = 7;
	ck_assert_int_eq(now_put_page(n, "S1", &smart_page, 0, TIME, MONO, 0, smart_bytes, 512), 0);
	republish();
	back = &now_find(s, "S1")->pages[page_index(&namespaces_page)];
	ck_assert_uint_eq(back->length, 4096);
	ck_assert_mem_eq(back->bytes, zeros, 4096);
	back = &now_find(s, "S1")->pages[page_index(&smart_page)];
	ck_assert_uint_eq(back->length, 512);
	ck_assert_mem_eq(back->bytes, smart_bytes, 512);
}
END_TEST

START_TEST(test_instances_come_back_in_rising_order)
{
	static const uint32_t put[] = { 7, 3, 9, 1, 5 };
	static uint8_t bytes[4096];
	uint32_t before = 0, count = 0;

	for (size_t i = 0; i < ELEMENTS(put); i++) {
		bytes[0] = (uint8_t)put[i];
		ck_assert_int_eq(now_put_page(n, "S1", &namespace_page, put[i], TIME, MONO, 0, bytes,
					      sizeof(bytes)), 0);
	}
	republish();
	const struct now_page *page = &now_find(s, "S1")->pages[page_index(&namespace_page)];
	for (; page; page = page->more, count++) {
		ck_assert_uint_gt(page->instance, before);
		ck_assert_uint_eq(page->bytes[0], page->instance);
		before = page->instance;
	}
	ck_assert_uint_eq(count, ELEMENTS(put));
}
END_TEST

START_TEST(test_an_unsupported_page_is_known_and_has_no_bytes)
{
	const struct now_page *ocp = &now_find(s, "S1")->pages[page_index(&ocp_smart_page)];
	const struct now_page *other = &now_find(s, "S2")->pages[page_index(&ocp_smart_page)];

	ck_assert(ocp->known && !ocp->supported && !ocp->bytes);
	ck_assert(!other->known && !other->bytes);
}
END_TEST

START_TEST(test_errors_come_back)
{
	const struct now_drive *d = now_find(s, "S1");

	ck_assert_uint_eq(d->n_errors, 1);
	ck_assert_ptr_eq(d->errors[0].page, &ocp_smart_page);
	ck_assert_str_eq(d->errors[0].reason, "refused");
	ck_assert_uint_eq(d->errors[0].count, 1);
	ck_assert_uint_eq(now_find(s, "S2")->n_errors, 0);
}
END_TEST

START_TEST(test_a_newer_value_takes_the_place_of_the_older)
{
	struct drive d = drive_named("S1");
	const struct now_drive *back;

	strcpy(d.firmware, "FW2");
	d.responding = false;
	smart_bytes[0] ^= 0xff;
	ck_assert_int_eq(now_put_drive(n, &d), 0);
	ck_assert_int_eq(now_put_page(n, "S1", &smart_page, 0, TIME, MONO, 2 * CADENCE, smart_bytes,
				      512), 0);
	ck_assert_int_eq(now_add_error(n, "S1", &ocp_smart_page, "refused"), 0);
	ck_assert_int_eq(now_add_error(n, "S1", &ocp_smart_page, "guid"), 0);
	republish();
	back = now_find(s, "S1");
	ck_assert_uint_eq(s->n_drives, 2);
	ck_assert_str_eq(back->drive.firmware, "FW2");
	ck_assert(!back->drive.responding);
	ck_assert_mem_eq(back->pages[page_index(&smart_page)].bytes, smart_bytes, 512);
	ck_assert_uint_eq(back->pages[page_index(&smart_page)].cadence_us, 2 * CADENCE);
	ck_assert_uint_eq(back->n_errors, 2);
	ck_assert_str_eq(back->errors[0].reason, "guid");
	ck_assert_uint_eq(back->errors[1].count, 2);
}
END_TEST

START_TEST(test_a_page_that_is_given_up_loses_its_bytes)
{
	const struct now_page *smart;

	ck_assert_int_eq(now_put_support(n, "S1", &smart_page, 0, false), 0);
	republish();
	smart = &now_find(s, "S1")->pages[page_index(&smart_page)];
	ck_assert(smart->known && !smart->supported && !smart->bytes);
	ck_assert_int_eq(now_put_page(n, "S1", &smart_page, 0, TIME, MONO, CADENCE, smart_bytes, 512), 0);
	republish();
	smart = &now_find(s, "S1")->pages[page_index(&smart_page)];
	ck_assert(smart->supported && smart->bytes);
}
END_TEST

START_TEST(test_a_removed_drive_leaves_nothing)
{
	struct drive d = drive_named("S1");

	ck_assert_int_eq(now_remove_drive(n, "S1"), 0);
	ck_assert_int_eq(now_remove_drive(n, "S1"), 0);
	republish();
	ck_assert_uint_eq(s->n_drives, 1);
	ck_assert_ptr_null(now_find(s, "S1"));
	/* A drive of the same key starts anew. */
	ck_assert_int_eq(now_put_drive(n, &d), 0);
	republish();
	ck_assert(!now_find(s, "S1")->pages[page_index(&smart_page)].known);
	ck_assert_uint_eq(now_find(s, "S1")->n_errors, 0);
}
END_TEST

/* A drive behind several controllers; fewer paths than before leave none of the old. */
START_TEST(test_MPA_01_paths_come_back)
{
	struct drive d = drive_named("S1");

	ck_assert_uint_eq(now_find(s, "S1")->drive.n_paths, 0);
	d.n_paths = DRIVE_PATHS_MAX;
	for (unsigned i = 0; i < DRIVE_PATHS_MAX; i++) {
		snprintf(d.paths[i].device, sizeof(d.paths[i].device), "nvme%u", i);
		snprintf(d.paths[i].address, sizeof(d.paths[i].address), "000%u:01:00.0", i);
		strcpy(d.paths[i].transport, "pcie");
		strcpy(d.paths[i].state, i ? "live" : "connecting");
	}
	ck_assert_int_eq(now_put_drive(n, &d), 0);
	republish();
	const struct drive *back = &now_find(s, "S1")->drive;
	ck_assert_uint_eq(back->n_paths, DRIVE_PATHS_MAX);
	ck_assert_mem_eq(back->paths, d.paths, sizeof(d.paths));
	ck_assert_uint_eq(now_find(s, "S2")->drive.n_paths, 0);
	d.n_paths = 2;
	ck_assert_int_eq(now_put_drive(n, &d), 0);
	republish();
	ck_assert_uint_eq(now_find(s, "S1")->drive.n_paths, 2);
	ck_assert_str_eq(now_find(s, "S1")->drive.paths[1].device, "nvme1");
	ck_assert_int_eq(now_remove_drive(n, "S1"), 0);
	d.n_paths = 0;
	ck_assert_int_eq(now_put_drive(n, &d), 0);
	republish();
	ck_assert_uint_eq(now_find(s, "S1")->drive.n_paths, 0);
}
END_TEST

START_TEST(test_two_sets_of_values_do_not_share)
{
	struct now *other;
	struct now_snapshot *empty;

	ck_assert_int_eq(now_new(CADENCE, &other), 0);
	empty = snapshot_of(other, in_folder("other.db"));
	ck_assert_uint_eq(empty->n_drives, 0);
	ck_assert_ptr_null(now_find(empty, "S1"));
	now_snapshot_free(empty);
	now_free(other);
}
END_TEST

/* What was read stays as it is, whatever is published since. */
START_TEST(test_a_snapshot_does_not_change)
{
	ck_assert_int_eq(now_remove_drive(n, "S1"), 0);
	ck_assert_int_eq(now_publish(n, in_folder("now.db"), TIME + 1, MONO + 1), 0);
	ck_assert_ptr_nonnull(now_find(s, "S1"));
	ck_assert_int_eq(s->time, TIME);
}
END_TEST

START_TEST(test_a_hundred_drives_are_all_found)
{
	char key[16];

	for (int i = 0; i < 100; i++) {
		snprintf(key, sizeof(key), "X%d", i * 37 % 100);
		struct drive d = drive_named(key);
		ck_assert_int_eq(now_put_drive(n, &d), 0);
		ck_assert_int_eq(now_put_page(n, key, &smart_page, 0, TIME, MONO, CADENCE,
					      smart_bytes, 512), 0);
	}
	republish();
	ck_assert_uint_eq(s->n_drives, 102);
	for (int i = 0; i < 100; i++) {
		snprintf(key, sizeof(key), "X%d", i);
		ck_assert_str_eq(now_find(s, key)->drive.key, key);
		ck_assert_ptr_nonnull(now_find(s, key)->pages[page_index(&smart_page)].bytes);
	}
}
END_TEST

START_TEST(test_durations_are_counted_by_page)
{
	static const uint64_t us[] = { 0, 1000, 1001, 10000000, 10000001, 70 };

	ck_assert_uint_eq(s->n_durations, 0);
	for (size_t i = 0; i < ELEMENTS(us); i++)
		now_add_duration(n, &smart_page, us[i]);
	now_add_duration(n, &ocp_smart_page, 5);
	republish();
	now_add_duration(n, &ocp_smart_page, 6);
	republish();
	ck_assert_uint_eq(s->n_durations, 2);
	ck_assert_ptr_eq(s->durations[0].page, &ocp_smart_page);
	ck_assert_uint_eq(s->durations[0].counts[0], 2);
	ck_assert_uint_eq(s->durations[0].sum_us, 11);
	ck_assert_uint_eq(s->durations[1].counts[0], 3);
	ck_assert_uint_eq(s->durations[1].counts[1], 1);
	ck_assert_uint_eq(s->durations[1].counts[4], 1);
	ck_assert_uint_eq(s->durations[1].counts[NOW_DURATION_BOUNDS], 1);
}
END_TEST

START_TEST(test_the_keeping_of_history_comes_back)
{
	const struct now_store store = { TIME, TIME - 5, UINT64_C(1) << 40, 3, 4, 5 };

	ck_assert(!s->has_store);
	ck_assert_int_eq(now_put_store(n, &store), 0);
	republish();
	ck_assert(s->has_store);
	ck_assert_mem_eq(&s->store, &store, sizeof(store));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_publication_tells_when_it_was_made,
		test_drives_come_back_whole,
		test_drives_are_in_the_order_of_their_keys,
		test_pages_come_back_byte_for_byte,
		test_zeros_at_the_end_come_back,
		test_instances_come_back_in_rising_order,
		test_an_unsupported_page_is_known_and_has_no_bytes,
		test_errors_come_back,
		test_a_newer_value_takes_the_place_of_the_older,
		test_a_page_that_is_given_up_loses_its_bytes,
		test_a_removed_drive_leaves_nothing,
		test_MPA_01_paths_come_back,
		test_two_sets_of_values_do_not_share,
		test_a_snapshot_does_not_change,
		test_a_hundred_drives_are_all_found,
		test_durations_are_counted_by_page,
		test_the_keeping_of_history_comes_back,
		NULL,
	};

	return check_main_with("now", tests, setup, teardown);
}
