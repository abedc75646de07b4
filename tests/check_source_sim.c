/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The simulated drive of a reader: where its file is, and since when it has been on. */

#include <errno.h>
#include <stdlib.h>

#include "check_main.h"
#include "device/source.h"
#include "nvmewatch/boot.h"
#include "sim_support.h"

static char folder[] = "/tmp/check_source_XXXXXX";
static char path[128];

static void write_drive(const char *name, const char *text)
{
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void begin(void)
{
	strcpy(folder, "/tmp/check_source_XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	write_drive("a.drive", SERIAL "[behaviour]\naccelerate = 600\n"
				      "[fault]\npage = identify\nwhat = status 6\nat = 6s\n");
}

static void end(void)
{
	unlink(path);
	rmdir(folder);
}

static struct reply ask(const char *target, struct command c)
{
	static struct reply r;
	void *drive;

	ck_assert_int_eq(sim_source.open(target, &drive), 0);
	sim_source.execute(drive, &c, &r);
	return r;
}

static int64_t power_on_seconds(const char *target)
{
	struct reply r = ask(target, get_log(2));

	return value_of(&smart_page, &r, "power_on_seconds").integer;
}

START_TEST(test_a_path_alone_is_powered_on_now)
{
	ck_assert_int_eq(power_on_seconds(path), 0);
	ck_assert_uint_eq(ask(path, identify_cns(1)).status, 0);
}
END_TEST

/* A reader that is started again goes on where the last one was. */
START_TEST(test_a_drive_was_powered_on_when_the_target_says)
{
	char target[256];

	snprintf(target, sizeof(target), "%s@%lld", path,
		 (long long)(clock_mono() - (int64_t)(13 * SECOND)));
	ck_assert_int_ge(power_on_seconds(target), 7200);
	ck_assert_uint_eq(ask(target, identify_cns(1)).status, 6);
}
END_TEST

START_TEST(test_a_drive_of_the_future_is_new)
{
	char target[256];

	snprintf(target, sizeof(target), "%s@%lld", path,
		 (long long)(clock_mono() + (int64_t)HOUR));
	ck_assert_int_eq(power_on_seconds(target), 0);
}
END_TEST

/* Only digits up to the end are a time. */
START_TEST(test_a_path_may_have_an_at_sign)
{
	char target[256];

	end();
	begin();
	unlink(path);
	write_drive("b@12.drive", SERIAL);
	ck_assert_int_eq(power_on_seconds(path), 0);
	snprintf(target, sizeof(target), "%s@%lld", path, (long long)clock_mono());
	ck_assert_int_eq(power_on_seconds(target), 0);
	void *drive;
	snprintf(target, sizeof(target), "%s@", path);
	ck_assert_int_eq(sim_source.open(target, &drive), -ENOENT);
	snprintf(target, sizeof(target), "%s@12x", path);
	ck_assert_int_eq(sim_source.open(target, &drive), -ENOENT);
}
END_TEST

/* What the kernel calls its namespaces follows from what discovery calls the drive. */
START_TEST(test_a_drive_is_named_by_the_target)
{
	char target[256];
	struct reply r = ask(path, command_for_page(&block_page, 1, 0));

	ck_assert_int_eq(value_of(&block_page, &r, "name").type, VALUE_ABSENT);
	snprintf(target, sizeof(target), "%s@nvme7@%lld", path, (long long)clock_mono());
	r = ask(target, command_for_page(&block_page, 1, 0));
	ck_assert_str_eq(value_of(&block_page, &r, "name").text, "nvme7n1");
	ck_assert_int_eq(power_on_seconds(target), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_path_alone_is_powered_on_now,
		test_a_drive_was_powered_on_when_the_target_says,
		test_a_drive_of_the_future_is_new,
		test_a_path_may_have_an_at_sign,
		test_a_drive_is_named_by_the_target,
		NULL,
	};

	return check_main_with("source sim", tests, begin, end);
}
