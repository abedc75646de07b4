/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the tests of the simulated drive share: drives from text, commands, values by column. */

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nvmewatch/sim.h"

#define SECOND UINT64_C(1000000)
#define HOUR (3600 * SECOND)
#define DAY (24 * HOUR)
#define YEAR (365 * DAY)

#define SERIAL "[identity]\nserial = TEST1\n"
/* LPA without SMART per namespace, a UUID list, an OCP page. */
#define OCP_DRIVE SERIAL "[identify]\nctratt = 0x200\n[ocp_smart]\nlog_page_version = 3\n"

/* Loads a drive file of that text. Returns what sim_load() does. */
static inline int load_text(const char *text, struct sim **ret, char *error, size_t size)
{
	char path[] = "/tmp/check_sim_XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	int r = sim_load(path, ret, error, size);
	unlink(path);
	return r;
}

static inline struct sim *drive_of(const char *text)
{
	struct sim *s = NULL;
	char error[1024] = "";
	int r = load_text(text, &s, error, sizeof(error));

	ck_assert_msg(r == 0, "%s", error);
	return s;
}

static inline struct command get_log(uint8_t lid)
{
	return (struct command){ .protocol = COMMAND_PROTOCOL, .opcode = OPCODE_GET_LOG_PAGE,
				 .id = lid, .nsid = NSID_ALL, .length = 512, .rae = 1 };
}

static inline struct command identify_cns(uint8_t cns)
{
	return (struct command){ .protocol = COMMAND_PROTOCOL, .opcode = OPCODE_IDENTIFY,
				 .id = cns, .length = 4096 };
}

static inline struct command read_page(const struct page *p)
{
	bool first = p->selector == SELECT_NSID || p->selector == SELECT_LSI;
	struct command c = command_for_page(p, first, 0);

	/* What any drive has of it. */
	if (p->size_min)
		c.length = p->size_min;
	return c;
}

static inline struct reply run(struct sim *s, uint64_t elapsed, struct command c)
{
	struct reply r;

	memset(&r, 0xa5, sizeof(r));
	sim_execute(s, elapsed, &c, &r);
	return r;
}

/* A page as a reader has it read: what the command has taken hold of is released. */
static inline struct reply run_read(struct sim *s, uint64_t elapsed, const struct page *p)
{
	struct command c = read_page(p), release;
	struct reply r = run(s, elapsed, c);

	if (command_release(&c, &r, &release))
		ck_assert_uint_eq(run(s, elapsed, release).status, r.status);
	return r;
}

/* The value of a column of a page in a reply. */
static inline struct value value_of(const struct page *p, const struct reply *r,
				    const char *column)
{
	struct value v = { .type = VALUE_ABSENT };
	unsigned index;
	const struct field *f = page_field(p, column, &index);

	ck_assert_msg(f != NULL, "no column %s", column);
	ck_assert_int_eq(r->error, 0);
	ck_assert_int_eq(r->status, 0);
	page_decode(p, f, index, r->data, &v);
	return v;
}

static inline int64_t integer_at(struct sim *s, uint64_t elapsed, const struct page *p,
				 const char *column)
{
	struct reply r = run_read(s, elapsed, p);
	struct value v = value_of(p, &r, column);

	ck_assert_msg(v.type == VALUE_INTEGER, "%s is no integer", column);
	return v.integer;
}

static inline double real_at(struct sim *s, uint64_t elapsed, const struct page *p,
			     const char *column)
{
	struct reply r = run_read(s, elapsed, p);
	struct value v = value_of(p, &r, column);

	ck_assert_msg(v.type == VALUE_REAL, "%s is no real", column);
	return v.real;
}

static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);

	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
