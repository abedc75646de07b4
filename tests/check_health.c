/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A drive's health in a word. */

#include "serve_support.h"

static const struct drive there = { .present = true, .responding = true };
static const struct drive silent = { .present = true };
static const struct drive lent = { .present = true, .lent = true, .state = "vfio-pci" };
static const struct drive gone = { .responding = true, .reason = "no answer in poll.timeout" };
static const struct drive denied = { .present = true, .reason = "/dev/nvme0 may not be opened" };

static struct health health_of(uint8_t warning)
{
	uint8_t smart[512] = { warning };
	struct health h;

	health_assess(smart, &there, &h);
	return h;
}

START_TEST(test_no_warning_is_ok)
{
	struct health h = health_of(0);

	ck_assert_int_eq(h.status, HEALTH_OK);
	ck_assert_uint_eq(h.n_reasons, 0);
}
END_TEST

START_TEST(test_every_bit_has_its_word)
{
	static const struct {
		enum health_status status;
		const char *word;
	} bits[] = {
		{ HEALTH_CRITICAL, "spare" }, { HEALTH_WARNING, "temperature" },
		{ HEALTH_CRITICAL, "reliability" }, { HEALTH_CRITICAL, "read-only" },
		{ HEALTH_CRITICAL, "backup" }, { HEALTH_WARNING, "persistent memory" },
	};

	for (unsigned bit = 0; bit < ELEMENTS(bits); bit++) {
		struct health h = health_of((uint8_t)(1 << bit));

		ck_assert_int_eq(h.status, bits[bit].status);
		ck_assert_uint_eq(h.n_reasons, 1);
		ck_assert_has(h.reasons[0], bits[bit].word);
	}
}
END_TEST

START_TEST(test_the_gravest_decides_and_leads)
{
	struct health h = health_of(0x0a);

	ck_assert_int_eq(h.status, HEALTH_CRITICAL);
	ck_assert_uint_eq(h.n_reasons, 2);
	ck_assert_has(h.reasons[0], "read-only");
	ck_assert_uint_le(health_of(0xff).n_reasons, HEALTH_REASONS_MAX);
}
END_TEST

START_TEST(test_without_data_nothing_is_claimed)
{
	uint8_t smart[512] = { 0x08 };
	struct health h;

	health_assess(NULL, &there, &h);
	ck_assert_str_eq(health_status_name(h.status), "unknown");
	ck_assert_has(h.reasons[0], "no fresh SMART data");
	health_assess(smart, &gone, &h);
	ck_assert_int_eq(h.status, HEALTH_UNKNOWN);
	ck_assert_uint_eq(h.n_reasons, 1);
	ck_assert_has(h.reasons[0], "gone");
}
END_TEST

START_TEST(test_silence_is_critical)
{
	uint8_t smart[512] = { 0x02 };
	struct health h;

	health_assess(smart, &silent, &h);
	ck_assert_int_eq(h.status, HEALTH_CRITICAL);
	ck_assert_has(h.reasons[0], "does not respond");
	ck_assert_has(h.reasons[1], "temperature");
}
END_TEST

/* Nothing is known, and nothing is wrong. */
START_TEST(test_a_lent_drive_is_no_alarm)
{
	struct health h;

	health_assess(NULL, &lent, &h);
	ck_assert_int_eq(h.status, HEALTH_UNKNOWN);
	ck_assert_uint_eq(h.n_reasons, 1);
	ck_assert_has(h.reasons[0], "another driver");
}
END_TEST

/* Case PRV-04: why it does not respond is said too. */
START_TEST(test_PRV_04_the_reason_follows_the_fact)
{
	struct health h;

	health_assess(NULL, &denied, &h);
	ck_assert_int_eq(h.status, HEALTH_CRITICAL);
	ck_assert_uint_eq(h.n_reasons, 2);
	ck_assert_has(h.reasons[0], "does not respond");
	ck_assert_str_eq(h.reasons[1], denied.reason);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_no_warning_is_ok,
		test_every_bit_has_its_word,
		test_the_gravest_decides_and_leads,
		test_without_data_nothing_is_claimed,
		test_silence_is_critical,
		test_a_lent_drive_is_no_alarm,
		test_PRV_04_the_reason_follows_the_fact,
		NULL,
	};

	return run_cases("health", tests);
}
