/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the tests of serve share: a host of drives whose pages are built through the field table,
 * and looks at what is rendered of it. */

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../src/serve/exposition.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/now.h"

#define SECOND INT64_C(1000000)
#define NOW (1000 * SECOND)
#define CADENCE (15 * SECOND)
#define HOST_DRIVES 4
#define HOST_PAGES 64

struct host {
	struct now_snapshot snapshot;
	struct view view;
	struct now_drive drives[HOST_DRIVES];
	struct now_page pages[HOST_DRIVES][HOST_PAGES];
	uint8_t bytes[HOST_DRIVES][HOST_PAGES][PAGE_SIZE_MAX];
};

/* n live drives with the serials D0, D1, … and no pages, at NOW. */
static inline void host_init(struct host *h, unsigned n)
{
	memset(h, 0, sizeof(*h));
	ck_assert_uint_le(page_total(), HOST_PAGES);
	h->snapshot = (struct now_snapshot){
		.drives = h->drives, .n_drives = n, .time = NOW, .mono = NOW, .cadence_us = CADENCE,
	};
	h->view = (struct view){ .snapshot = &h->snapshot, .up = true, .mono = NOW };
	for (unsigned i = 0; i < n; i++) {
		struct drive *d = &h->drives[i].drive;

		h->drives[i].pages = h->pages[i];
		*d = (struct drive){ .present = true, .responding = true, .numa_node = -1 };
		snprintf(d->serial, sizeof(d->serial), "D%u", i);
		snprintf(d->device, sizeof(d->device), "nvme%u", i);
		strcpy(d->state, "live");
		drive_set_key(d, true);
	}
}

/* A page of drive i read at NOW, all absent or 0 but for what the test puts there. */
static inline uint8_t *host_page(struct host *h, unsigned i, const struct page *p)
{
	uint8_t *bytes = h->bytes[i][page_index(p)];

	page_blank(p, bytes);
	h->pages[i][page_index(p)] = (struct now_page){
		.known = true, .supported = true, .time = NOW, .mono = NOW,
		.cadence_us = CADENCE, .bytes = bytes, .length = p->size,
	};
	return bytes;
}

static inline void page_put(const struct page *p, uint8_t *bytes, const char *column, double x)
{
	unsigned index;
	const struct field *f = page_field(p, column, &index);
	struct value v = { .type = VALUE_INTEGER, .integer = (int64_t)x };

	ck_assert_msg(f != NULL, "no column %s", column);
	if (field_value_type(f) == VALUE_REAL)
		v = (struct value){ .type = VALUE_REAL, .real = x };
	ck_assert_int_eq(field_encode(f, index, &v, bytes), 0);
}

/* Renders into a text that the caller frees. */
static inline char *host_render(const struct host *h, const struct exposition_options *options,
				int64_t *ret_until)
{
	static const struct exposition_options plain;
	_cleanup_(families_freep) struct families *families = NULL;
	struct buffer out = { 0 };
	int64_t until;

	ck_assert_int_eq(families_new(pages, &families), 0);
	ck_assert_int_eq(exposition_render(families, &h->view, options ? options : &plain, &out,
					   ret_until ? ret_until : &until), 0);
	buffer_put(&out, "", 1);
	return out.data;
}

#define ck_assert_has(text, part)                                                      \
	ck_assert_msg(strstr(text, part) != NULL, "missing: %s in:\n%s", part, text)
#define ck_assert_lacks(text, part)                                                    \
	ck_assert_msg(strstr(text, part) == NULL, "unwanted: %s in:\n%s", part, text)

static inline unsigned occurrences(const char *text, const char *part)
{
	unsigned n = 0;

	for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
		n++;
	return n;
}

/* Runs the one test case of a program, each test between setup and teardown. */
static inline int run_fixture(const char *name, SFun setup, SFun teardown,
			      const TTest *const *tests)
{
	Suite *suite = suite_create(name);
	TCase *cases = tcase_create(name);
	SRunner *runner = srunner_create(suite);

	tcase_set_timeout(cases, 60); /* valgrind and sanitizers are slow */
	tcase_add_checked_fixture(cases, setup, teardown);
	for (; *tests; tests++)
		tcase_add_test(cases, *tests);
	suite_add_tcase(suite, cases);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}

static inline int run_cases(const char *name, const TTest *const *tests)
{
	return run_fixture(name, NULL, NULL, tests);
}
