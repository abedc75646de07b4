/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which pages a model with a firmware is known to lack. */

#include <string.h>

#include "check_main.h"
#include "collect/memory.h"

static const struct drive drive = { .serial = "S1", .model = "M1", .firmware = "FW1" };
static struct history_memory *m;

static void setup(void)
{
	m = NULL;
}

static void teardown(void)
{
	history_memory_free(m);
}

START_TEST(test_nothing_is_known_at_first)
{
	ck_assert(!memory_refuses(NULL, &drive, "ocp_smart"));
	m = calloc(1, sizeof(*m));
	ck_assert(!memory_refuses(m, &drive, "ocp_smart"));
}
END_TEST

START_TEST(test_a_refusal_goes_for_every_drive_of_the_model)
{
	struct drive other = drive;

	strcpy(other.serial, "S2");
	strcpy(other.device, "nvme7");
	ck_assert_int_eq(memory_add(&m, &drive, "ocp_smart"), 0);
	ck_assert(memory_refuses(m, &drive, "ocp_smart"));
	ck_assert(memory_refuses(m, &other, "ocp_smart"));
}
END_TEST

START_TEST(test_it_does_not_go_for_others)
{
	struct drive other = drive;

	ck_assert_int_eq(memory_add(&m, &drive, "ocp_smart"), 0);
	ck_assert(!memory_refuses(m, &drive, "smart"));
	strcpy(other.firmware, "FW2");
	ck_assert(!memory_refuses(m, &other, "ocp_smart"));
	other = drive;
	strcpy(other.model, "M1 ");
	ck_assert(!memory_refuses(m, &other, "ocp_smart"));
	other.model[0] = 0;
	ck_assert(!memory_refuses(m, &other, "ocp_smart"));
}
END_TEST

START_TEST(test_texts_of_any_length_are_told_apart)
{
	struct drive a = drive, b;

	memset(a.model, 'x', sizeof(a.model) - 1);
	memset(a.firmware, 'y', sizeof(a.firmware) - 1);
	a.model[sizeof(a.model) - 1] = a.firmware[sizeof(a.firmware) - 1] = 0;
	b = a;
	b.model[sizeof(b.model) - 2] = 'z';
	ck_assert_int_eq(memory_add(&m, &a, "ocp_smart"), 0);
	ck_assert(memory_refuses(m, &a, "ocp_smart"));
	ck_assert(!memory_refuses(m, &b, "ocp_smart"));
}
END_TEST

START_TEST(test_many_are_all_kept)
{
	struct drive d = drive;

	for (int i = 0; i < 500; i++) {
		snprintf(d.model, sizeof(d.model), "M%d", i);
		ck_assert_int_eq(memory_add(&m, &d, "ocp_smart"), 0);
	}
	ck_assert_uint_eq(m->n_refusals, 500);
	for (int i = 0; i < 500; i++) {
		snprintf(d.model, sizeof(d.model), "M%d", i);
		ck_assert(memory_refuses(m, &d, "ocp_smart"));
	}
}
END_TEST

/* What was learnt before history.db could be read is added to what that says, once. */
START_TEST(test_what_was_learnt_is_merged)
{
	struct history_memory *learnt = NULL;
	struct drive other = drive;

	strcpy(other.model, "M2");
	ck_assert_int_eq(memory_add(&m, &drive, "ocp_smart"), 0);
	ck_assert_int_eq(memory_add(&learnt, &drive, "ocp_smart"), 0);
	ck_assert_int_eq(memory_add(&learnt, &other, "ocp_smart"), 0);
	memory_merge(m, learnt);
	memory_merge(m, NULL);
	history_memory_free(learnt);
	ck_assert_uint_eq(m->n_refusals, 2);
	ck_assert(memory_refuses(m, &drive, "ocp_smart"));
	ck_assert(memory_refuses(m, &other, "ocp_smart"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_nothing_is_known_at_first,
		test_a_refusal_goes_for_every_drive_of_the_model,
		test_it_does_not_go_for_others,
		test_texts_of_any_length_are_told_apart,
		test_many_are_all_kept,
		test_what_was_learnt_is_merged,
		NULL,
	};

	return check_main_with("memory", tests, setup, teardown);
}
