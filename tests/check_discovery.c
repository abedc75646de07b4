/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which of the drives found are watched. */

#include <string.h>

#include "check_main.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/discovery.h"

static const struct drive local = {
	.serial = "S1X", .model = "SAMSUNG MZQL23T8HCLS-00A07", .device = "nvme3",
	.address = "0000:3b:00.0", .transport = "pcie",
};

/* Whether it is watched with such lists, commas between the patterns. */
static bool wants(const struct drive *d, const char *include, const char *exclude, bool fabrics)
{
	struct settings s;
	char error[256], option[256];

	ck_assert_int_eq(settings_init(&s), 0);
	snprintf(option, sizeof(option), "collect.include=%s", include);
	ck_assert_int_eq(settings_override(&s, option, error, sizeof(error)), 0);
	snprintf(option, sizeof(option), "collect.exclude=%s", exclude);
	ck_assert_int_eq(settings_override(&s, option, error, sizeof(error)), 0);
	s.fabrics = fabrics;
	bool wanted = discovery_wants(&s, d);
	settings_done(&s);
	return wanted;
}

START_TEST(test_every_local_drive_is_wanted)
{
	static const struct drive nameless = { .device = "nvme0" };

	ck_assert(wants(&local, "", "", false));
	ck_assert(wants(&nameless, "", "", false));
}
END_TEST

START_TEST(test_include_matches_any_of_its_names)
{
	ck_assert(wants(&local, "S1X", "", false));
	ck_assert(wants(&local, "*MZQL2*", "", false));
	ck_assert(wants(&local, "SAMSUNG?MZQL23T8HCLS-00A07", "", false));
	ck_assert(wants(&local, "nvme[0-3]", "", false));
	ck_assert(wants(&local, "0000:3b:*", "", false));
	ck_assert(wants(&local, "nothing,S1X", "", false));
}
END_TEST

START_TEST(test_include_leaves_out_the_rest)
{
	ck_assert(!wants(&local, "S1", "", false));     /* not the whole serial */
	ck_assert(!wants(&local, "s1x", "", false));    /* another serial */
	ck_assert(!wants(&local, "nvme", "", false));
	ck_assert(!wants(&local, "nvme30", "", false));
	ck_assert(!wants(&local, "pcie", "", false));   /* transports are no names */
}
END_TEST

START_TEST(test_exclude_wins)
{
	ck_assert(!wants(&local, "", "nvme3", false));
	ck_assert(!wants(&local, "S1X", "*", false));
	ck_assert(wants(&local, "", "nvme4", false));
	ck_assert(wants(&local, "S1X", "nvme4, S2*", false));
}
END_TEST

START_TEST(test_fabrics_are_wanted_on_demand)
{
	static const char *const fabrics[] = { "tcp", "rdma", "fc", "loop" };

	for (size_t i = 0; i < ELEMENTS(fabrics); i++) {
		struct drive d = local;

		strcpy(d.transport, fabrics[i]);
		ck_assert(!wants(&d, "", "", false));
		ck_assert(!wants(&d, "S1X", "", false));
		ck_assert(wants(&d, "", "", true));
		ck_assert(!wants(&d, "", "S1X", true));
	}
}
END_TEST

/* Case CAP-06: what has an unknown transport and a node is a drive of this host. */
START_TEST(test_CAP_06_unknown_transports_are_local)
{
	static const char *const transports[] = { "pcie", "apple-nvme", "sim", "" };

	for (size_t i = 0; i < ELEMENTS(transports); i++) {
		struct drive d = local;

		strcpy(d.transport, transports[i]);
		ck_assert(wants(&d, "", "", false));
	}
}
END_TEST

START_TEST(test_an_empty_name_matches_only_what_matches_all)
{
	static const struct drive d = { .serial = "S1X", .device = "nvme0" };

	ck_assert(wants(&d, "*", "", false));
	ck_assert(!wants(&d, "?", "", false));
	ck_assert(!wants(&d, "", "*", false));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_every_local_drive_is_wanted,
		test_include_matches_any_of_its_names,
		test_include_leaves_out_the_rest,
		test_exclude_wins,
		test_fabrics_are_wanted_on_demand,
		test_CAP_06_unknown_transports_are_local,
		test_an_empty_name_matches_only_what_matches_all,
		NULL,
	};

	return check_main("discovery", tests);
}
