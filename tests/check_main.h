/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What every unit test program shares: its main(), and where the source tree is. */

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_TIMEOUT 300 /* seconds per test: sanitizers on a busy machine are slow */

/* Runs the tests (NULL at the end), each between setup and teardown (which may be NULL), and prints
 * the counts. Returns main()'s exit code. */
static inline int check_main_with(const char *name, const TTest *const *tests, SFun setup,
				  SFun teardown)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner = srunner_create(suite);

	tcase_set_timeout(tcase, CHECK_TIMEOUT);
	tcase_add_checked_fixture(tcase, setup, teardown);
	suite_add_tcase(suite, tcase);
	for (; *tests; tests++)
		tcase_add_test(tcase, *tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

static inline int check_main(const char *name, const TTest *const *tests)
{
	return check_main_with(name, tests, NULL, NULL);
}

/* A path of the source tree, wherever the test is run from. */
static inline const char *source_path(const char *path)
{
	static char full[4096];
	const char *folder = getenv("NVMEWATCH_SRCDIR");

	snprintf(full, sizeof(full), "%s/%s", folder ? folder : ".", path);
	return full;
}

/* The same numbers in every run: a failure can be repeated (splitmix64). */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}
