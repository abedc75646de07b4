/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What an answer makes of a page: believed, counted, kept, or given up. */

#include <errno.h>
#include <string.h>

#include "collect/watch_page.h"
#include "check_main.h"
#include "nvmewatch/cleanup.h"

static uint8_t kept[512];
static struct watch_page wp;
static struct reply reply;

static void begin(const struct page *p)
{
	memset(kept, 0x77, sizeof(kept));
	wp = (struct watch_page){ .page = p, .bytes = kept };
}

/* A good answer, its bytes filled with `mark`. */
static void answer_good(uint8_t mark)
{
	reply = (struct reply){ .length = 512 };
	page_blank(wp.page, reply.data);
	reply.data[0] = mark;
}

static void answer_status(uint16_t status)
{
	reply = (struct reply){ .status = status };
}

static enum failure judge(void)
{
	return watch_page_judge(wp.page, &reply);
}

/* Judges and takes. Returns whether it may be asked again. */
static bool take(void)
{
	return watch_page_take(&wp, judge(), &reply);
}

START_TEST(test_a_good_page_is_kept)
{
	begin(&smart_page);
	answer_good(7);
	ck_assert_int_eq(judge(), FAILURE_NONE);
	ck_assert(take());
	ck_assert(wp.known && wp.supported && wp.was_good);
	ck_assert_mem_eq(kept, reply.data, 512);
}
END_TEST

START_TEST(test_failures_are_told_apart)
{
	begin(&ocp_smart_page);
	answer_status(0x109);
	ck_assert_int_eq(judge(), FAILURE_REFUSED);
	answer_status(0x006);
	ck_assert_int_eq(judge(), FAILURE_STATUS);
	reply = (struct reply){ .error = -ENODEV };
	ck_assert_int_eq(judge(), FAILURE_IO);
	answer_good(1);
	reply.length = 299;
	ck_assert_int_eq(judge(), FAILURE_SIZE);
	answer_good(1);
	memset(reply.data, 0, 512);
	ck_assert_int_eq(judge(), FAILURE_ZERO);
	answer_good(1);
	reply.data[500] ^= 1;
	ck_assert_int_eq(judge(), FAILURE_GUID);
	answer_good(1);
	reply.data[15] = 1; /* the upper half of bytes written */
	ck_assert_int_eq(judge(), FAILURE_OVERFLOW);
}
END_TEST

START_TEST(test_failures_have_different_words)
{
	for (int a = 0; a < FAILURES; a++)
		for (int b = 0; b < a; b++)
			ck_assert_str_ne(failure_name((enum failure)a),
					 failure_name((enum failure)b));
}
END_TEST

START_TEST(test_LOG_01_a_refused_page_is_not_asked_again)
{
	begin(&ocp_smart_page);
	answer_status(0x109);
	ck_assert_int_eq(judge(), FAILURE_REFUSED);
	ck_assert(!take());
	ck_assert(wp.known && !wp.supported && !wp.was_good);
}
END_TEST

/* 4109h and 6002h without their flags. */
START_TEST(test_LOG_02_either_status_refuses)
{
	static const uint16_t statuses[] = { 0x109, 0x002, 0x001 };

	for (size_t i = 0; i < ELEMENTS(statuses); i++) {
		begin(&ocp_smart_page);
		answer_status(statuses[i]);
		ck_assert(!take());
		ck_assert(!wp.supported);
	}
}
END_TEST

START_TEST(test_LOG_10_a_page_without_guid_is_not_the_page)
{
	begin(&ocp_smart_page);
	answer_good(1);
	memset(reply.data + 496, 0, 16);
	ck_assert_int_eq(judge(), FAILURE_GUID);
	ck_assert(!take());
	ck_assert(wp.known && !wp.supported && !wp.was_good);
}
END_TEST

/* A page that is temporarily not to be had (SAN-01, LOG-04) is asked for again, however often. */
START_TEST(test_SAN_01_other_failures_give_nothing_up)
{
	static const uint16_t statuses[] = { 0x01d, 0x013, 0x006, 0x082 };

	begin(&smart_page);
	for (int i = 0; i < 100; i++) {
		answer_status(statuses[i % 4]);
		ck_assert_int_eq(judge(), FAILURE_STATUS);
		ck_assert(take());
		ck_assert(!wp.known);
	}
	answer_good(3);
	ck_assert(take());
	ck_assert(wp.was_good);
}
END_TEST

START_TEST(test_LOG_15_zeros_after_a_good_page_keep_the_good_one)
{
	begin(&smart_page);
	answer_good(7);
	ck_assert(take());
	for (int i = 0; i < 10; i++) {
		reply = (struct reply){ .length = 512 };
		ck_assert_int_eq(judge(), FAILURE_ZERO);
		ck_assert(take());
		ck_assert_uint_eq(kept[0], 7);
		ck_assert(wp.was_good && wp.supported);
	}
}
END_TEST

START_TEST(test_LOG_15_zeros_at_first_are_no_answer)
{
	begin(&smart_page);
	reply = (struct reply){ .length = 512 };
	ck_assert(take());
	ck_assert(!wp.known && !wp.was_good);
	ck_assert_uint_eq(kept[0], 0x77);
}
END_TEST

START_TEST(test_a_short_page_is_not_kept)
{
	begin(&smart_page);
	answer_good(7);
	ck_assert(take());
	for (unsigned length = 0; length < 512; length += 4) {
		answer_good(9);
		reply.length = (uint16_t)length;
		ck_assert(take());
		ck_assert_uint_eq(kept[0], 7);
	}
}
END_TEST

/* Drives refuse pages in a reset or sanitize: twice is forgiven, thrice is not. */
START_TEST(test_a_good_page_is_given_up_after_three_refusals)
{
	begin(&ocp_smart_page);
	answer_good(7);
	ck_assert(take());
	answer_status(0x109);
	ck_assert(take());
	ck_assert(take());
	ck_assert(wp.supported && wp.was_good);
	ck_assert(!take());
	ck_assert(wp.known && !wp.supported);
}
END_TEST

START_TEST(test_refusals_count_in_a_row_only)
{
	begin(&ocp_smart_page);
	answer_good(7);
	ck_assert(take());
	for (int i = 0; i < 20; i++) {
		answer_status(0x109);
		ck_assert(take());
		ck_assert(take());
		if (i % 2)
			answer_good(8);
		else
			answer_status(0x01d);
		ck_assert(take());
	}
	ck_assert(wp.supported);
}
END_TEST

/* One value that does not fit costs that value. */
START_TEST(test_an_overflow_costs_one_value_only)
{
	struct value v;
	unsigned index;

	begin(&smart_page);
	answer_good(0);
	bytes_put(reply.data + 112, 8, 5);
	reply.data[64 + 8] = 1;
	ck_assert_int_eq(judge(), FAILURE_OVERFLOW);
	ck_assert(take());
	ck_assert(wp.was_good && wp.supported);
	page_decode(&smart_page, page_field(&smart_page, "host_read_commands", &index), 0, kept,
		    &v);
	ck_assert_int_eq(v.type, VALUE_ABSENT);
	page_decode(&smart_page, page_field(&smart_page, "power_cycles", &index), 0, kept, &v);
	ck_assert_int_eq(v.integer, 5);
}
END_TEST

/* Without an answer there is no reply to look at. */
START_TEST(test_silence_and_death_are_counted)
{
	begin(&smart_page);
	answer_good(7);
	ck_assert(take());
	ck_assert(watch_page_take(&wp, FAILURE_TIMEOUT, NULL));
	ck_assert(watch_page_take(&wp, FAILURE_READER, NULL));
	ck_assert_uint_eq(kept[0], 7);
	ck_assert(wp.supported);
}
END_TEST

/* A page that was given up and is asked again, after a reset say, is believed again. */
START_TEST(test_a_page_may_come_back)
{
	begin(&ocp_smart_page);
	answer_status(0x109);
	ck_assert(!take());
	answer_good(7);
	ck_assert(take());
	ck_assert(wp.known && wp.supported && wp.was_good);
	ck_assert_uint_eq(wp.refusals, 0);
}
END_TEST

/* Case HNG-10: not ready is a status like others once it counts, never a refusal. */
START_TEST(test_HNG_10_not_ready_gives_nothing_up)
{
	static const uint16_t soon[] = { 0x021, 0x022, 0x024, 0x082 };

	for (size_t i = 0; i < ELEMENTS(soon); i++) {
		begin(&ocp_smart_page);
		answer_status(soon[i]);
		ck_assert(status_is_temporary(soon[i]) && !status_is_refusal(soon[i]));
		ck_assert_int_eq(judge(), FAILURE_STATUS);
		ck_assert(take());
		ck_assert(!wp.known);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_good_page_is_kept,
		test_failures_are_told_apart,
		test_failures_have_different_words,
		test_LOG_01_a_refused_page_is_not_asked_again,
		test_LOG_02_either_status_refuses,
		test_LOG_10_a_page_without_guid_is_not_the_page,
		test_SAN_01_other_failures_give_nothing_up,
		test_LOG_15_zeros_after_a_good_page_keep_the_good_one,
		test_LOG_15_zeros_at_first_are_no_answer,
		test_a_short_page_is_not_kept,
		test_a_good_page_is_given_up_after_three_refusals,
		test_refusals_count_in_a_row_only,
		test_an_overflow_costs_one_value_only,
		test_silence_and_death_are_counted,
		test_a_page_may_come_back,
		test_HNG_10_not_ready_gives_nothing_up,
		NULL,
	};

	return check_main("watch page", tests);
}
