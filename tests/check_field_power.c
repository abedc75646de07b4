/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rows that have code of their own: powers, whose unit stands in other bits, and the endurance
 * estimate, whose unit drives disagree on. */

#include <errno.h>

#include "page_support.h"

/* Whether x comes back after encoding. */
static bool survives(const struct field *f, unsigned index, uint8_t *bytes, double x)
{
	struct value v = { .type = VALUE_REAL, .real = x };

	return field_encode(f, index, &v, bytes) == 0 && field_decode(f, index, bytes, &v) == 0 &&
	       v.type == VALUE_REAL && v.real == x;
}

static const struct {
	const struct page *page;
	const char *column;
	bool zero; /* 0 W can be told from "not reported" */
} powers[] = {
	{ &smart_page, "power_watts", true },
	{ &power_measurement_page, "interval_power_max_watts", true },
	{ &identify_page, "power_state_max_watts_0", false },
	{ &identify_page, "power_state_max_watts_31", false },
	{ &identify_page, "power_state_idle_watts_7", false },
	{ &identify_page, "power_state_active_watts_31", false },
};

/* 0.0001 W up to 6.5535 W, 0.01 W up to 655.35 W. */
START_TEST(test_every_power_survives_the_round_trip)
{
	uint8_t bytes[PAGE_SIZE_MAX];
	unsigned index;

	memset(bytes, 0xff, sizeof(bytes));
	for (size_t i = 0; i < ELEMENTS(powers); i++) {
		const struct field *f = page_field(powers[i].page, powers[i].column, &index);

		for (unsigned n = powers[i].zero ? 0 : 1; n <= 0xffff; n++)
			if (!survives(f, index, bytes, n / 10000.0) ||
			    !survives(f, index, bytes, n / 100.0))
				ck_abort_msg("%s, raw %u", powers[i].column, n);
	}
}
END_TEST

/* NVMe Base 2.3: bits 17:16 of the interval power. */
START_TEST(test_interval_power_has_its_scale_beside_it)
{
	uint8_t bytes[512] = { 0 };

	put_hex(bytes, 240, "e8 03 00 00");
	check_value(&smart_page, bytes, "power_watts", "absent");
	put_hex(bytes, 240, "e8 03 01 00");
	check_value(&smart_page, bytes, "power_watts", "0.1");
	put_hex(bytes, 240, "e8 03 02 00");
	check_value(&smart_page, bytes, "power_watts", "10");
	put_hex(bytes, 240, "e8 03 03 00");
	check_value(&smart_page, bytes, "power_watts", "absent");
	put_hex(bytes, 240, "e8 03 72 ff"); /* 23:20 a measurement type, the rest reserved */
	check_value(&smart_page, bytes, "power_watts", "10");
}
END_TEST

/* 1000 means 0.1 W or 10 W; MXPS has the opposite sense of the two others. */
START_TEST(test_power_state_scales)
{
	static const char *const idle[] = { "absent", "0.1", "10", "absent" };
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };

	bytes[263] = 1;
	put_hex(bytes, 2048 + 32, "e8 03 00 00");
	check_value(&identify_page, bytes, "power_state_max_watts_1", "10");
	check_value(&identify_page, bytes, "power_state_non_operational_1", "0");
	put_hex(bytes, 2048 + 32, "e8 03 00 03");
	check_value(&identify_page, bytes, "power_state_max_watts_1", "0.1");
	check_value(&identify_page, bytes, "power_state_non_operational_1", "1");
	for (unsigned scale = 0; scale < 4; scale++) {
		put_hex(bytes, 2048 + 32 + 16, "e8 03");
		bytes[2048 + 32 + 18] = (uint8_t)(scale << 6 | 0x3f);
		put_hex(bytes, 2048 + 32 + 20, "e8 03");
		bytes[2048 + 32 + 22] = (uint8_t)(scale << 6 | 2);
		check_value(&identify_page, bytes, "power_state_idle_watts_1", idle[scale]);
		check_value(&identify_page, bytes, "power_state_active_watts_1", idle[scale]);
		check_value(&identify_page, bytes, "power_state_active_workload_1", "2");
	}
}
END_TEST

START_TEST(test_power_states_beyond_npss_are_absent)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	memset(bytes, 0x11, sizeof(bytes));
	bytes[263] = 2;
	check_value(&identify_page, bytes, "power_state_rrt_2", "17");
	check_value(&identify_page, bytes, "power_state_rrt_3", "absent");
	check_value(&identify_page, bytes, "power_state_non_operational_31", "absent");
	bytes[263] = 255; /* no such number of states: all 32 are read, none beyond */
	check_value(&identify_page, bytes, "power_state_rrt_31", "17");
}
END_TEST

/* Published samples: 20100000 are 10^9 bytes each, 16896000000000000 are bytes. */
START_TEST(test_endurance_estimate_tells_its_unit_by_its_size)
{
	static const struct {
		uint64_t raw;
		const char *bytes;
	} samples[] = {
		{ 0, "absent" },
		{ 1, "1000000000" },
		{ 20100000, "20100000000000000" },
		{ UINT64_C(9223372036), "9223372036000000000" },
		{ UINT64_C(9223372037), "absent" }, /* does not fit */
		{ UINT64_C(999999999999), "absent" },
		{ UINT64_C(1000000000000), "1000000000000" },
		{ UINT64_C(16896000000000000), "16896000000000000" },
		{ INT64_MAX, "9223372036854775807" },
		{ UINT64_MAX, "absent" },
	};

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		uint8_t bytes[512] = { 0 };

		put_number(bytes, 176, 16, samples[i].raw);
		check_value(&ocp_smart_page, bytes, "endurance_estimate_bytes", samples[i].bytes);
	}
}
END_TEST

START_TEST(test_endurance_estimates_survive_the_round_trip)
{
	static const int64_t values[] = { 1000000000, INT64_C(999000000000), INT64_C(1000000000000),
					  INT64_C(1000000000001), INT64_C(20100000000000000),
					  INT64_MAX };
	unsigned index;
	const struct field *f = page_field(&ocp_smart_page, "endurance_estimate_bytes", &index);

	for (size_t i = 0; i < ELEMENTS(values); i++) {
		struct value v = { .type = VALUE_INTEGER, .integer = values[i] };
		uint8_t bytes[512];

		memset(bytes, 0xff, sizeof(bytes));
		ck_assert_int_eq(field_encode(f, index, &v, bytes), 0);
		v = value_at(&ocp_smart_page, bytes, "endurance_estimate_bytes");
		ck_assert_int_eq(v.integer, values[i]);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_every_power_survives_the_round_trip,
		test_interval_power_has_its_scale_beside_it,
		test_power_state_scales,
		test_power_states_beyond_npss_are_absent,
		test_endurance_estimate_tells_its_unit_by_its_size,
		test_endurance_estimates_survive_the_round_trip,
		NULL,
	};

	return check_main("field power", tests);
}
