/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What does not fit is refused in both directions, and the few conversions that have code of their
 * own. */

#include <errno.h>
#include <math.h>

#include "field_rows.h"

static struct value integer(int64_t n)
{
	return (struct value){ .type = VALUE_INTEGER, .integer = n };
}

static struct value real(double x)
{
	return (struct value){ .type = VALUE_REAL, .real = x };
}

static struct value text(const char *s)
{
	struct value v = { .type = VALUE_TEXT };

	snprintf(v.text, sizeof(v.text), "%s", s);
	return v;
}

static const struct field *field_of(const struct page *p, const char *column, unsigned *ret_index)
{
	const struct field *f = page_field(p, column, ret_index);

	ck_assert_msg(f != NULL, "no column %s", column);
	return f;
}

/* Encoding fails with that code and leaves every byte as it was. */
static void check_refused(const struct page *p, const char *column, struct value v, int code)
{
	uint8_t bytes[PAGE_SIZE_MAX], before[PAGE_SIZE_MAX];
	unsigned index;
	const struct field *f = field_of(p, column, &index);

	memset(bytes, 0x5a, sizeof(bytes));
	memcpy(before, bytes, sizeof(bytes));
	int r = field_encode(f, index, &v, bytes);
	ck_assert_msg(r == code, "%s: %d, not %d", column, r, code);
	ck_assert_mem_eq(bytes, before, sizeof(bytes));
}

START_TEST(test_numbers_that_do_not_fit_are_refused)
{
	check_refused(&smart_page, "power_cycles", integer(-1), -ERANGE);
	check_refused(&smart_page, "temperature_celsius", integer(-274), -ERANGE);
	check_refused(&smart_page, "temperature_celsius", integer(200), -ERANGE);
	check_refused(&smart_page, "critical_warning_spare", integer(2), -ERANGE);
	check_refused(&smart_page, "critical_warning_raw", integer(256), -ERANGE);
	check_refused(&smart_page, "available_spare_ratio", real(1.01), -ERANGE);
	check_refused(&smart_page, "endurance_used_ratio", real(2.56), -ERANGE);
	check_refused(&smart_page, "endurance_used_ratio", real(-0.01), -ERANGE);
	check_refused(&smart_page, "endurance_used_ratio", real(NAN), -ERANGE);
	check_refused(&smart_page, "endurance_used_ratio", real(INFINITY), -ERANGE);
	check_refused(&smart_page, "power_cycles", real(1e19), -ERANGE);
	check_refused(&ocp_smart_page, "refreshes", integer(INT64_C(1) << 56), -ERANGE);
	check_refused(&smart_page, "temperature_over_warning_seconds",
		      integer(INT64_C(60) << 32), -ERANGE);
}
END_TEST

START_TEST(test_values_of_the_wrong_type_are_refused)
{
	check_refused(&smart_page, "power_cycles", text("7"), -EINVAL);
	check_refused(&smart_page, "power_watts", text("7"), -EINVAL);
	check_refused(&identify_page, "sn", integer(7), -EINVAL);
	check_refused(&identify_page, "sn", text("123456789012345678901"), -ERANGE);
	check_refused(&identify_page, "ieee", integer(7), -EINVAL);
	check_refused(&identify_page, "ieee", text("0025"), -EINVAL);
	check_refused(&identify_page, "ieee", text("00253g"), -EINVAL);
	check_refused(&identify_page, "power_state_max_watts_0", text("7"), -EINVAL);
	check_refused(&ocp_smart_page, "endurance_estimate_bytes", text("7"), -EINVAL);
	check_refused(&ocp_smart_page, "endurance_estimate_bytes", real(7), -EINVAL);
}
END_TEST

START_TEST(test_what_drives_cannot_say_is_refused)
{
	check_refused(&smart_page, "power_watts", real(655.36), -ERANGE);
	check_refused(&smart_page, "power_watts", real(-1), -ERANGE);
	check_refused(&smart_page, "power_watts", real(NAN), -ERANGE);
	check_refused(&identify_page, "power_state_max_watts_31", real(655.36), -ERANGE);
	check_refused(&identify_page, "power_state_idle_watts_0", real(NAN), -ERANGE);
	check_refused(&identify_page, "power_state_active_watts_0", real(-0.1), -ERANGE);
	check_refused(&ocp_smart_page, "endurance_estimate_bytes", integer(-1), -ERANGE);
	check_refused(&ocp_smart_page, "endurance_estimate_bytes", integer(1500000000), -ERANGE);
}
END_TEST

START_TEST(test_numbers_are_rounded_to_the_unit_of_the_drive)
{
	uint8_t bytes[512] = { 0 };
	unsigned index;
	const struct field *f = field_of(&smart_page, "host_read_bytes", &index);
	struct value v = integer(3 * 512000 + 255999);

	ck_assert_int_eq(field_encode(f, index, &v, bytes), 0);
	check_value(&smart_page, bytes, "host_read_bytes", "1536000");
	v = integer(3 * 512000 + 256000);
	ck_assert_int_eq(field_encode(f, index, &v, bytes), 0);
	check_value(&smart_page, bytes, "host_read_bytes", "2048000");
}
END_TEST

static int decode(const struct page *p, const uint8_t *bytes, const char *column)
{
	unsigned index;
	const struct field *f = field_of(p, column, &index);
	struct value v;
	int code = page_decode(p, f, index, bytes, &v);

	ck_assert(code == 0 || v.type == VALUE_ABSENT);
	return code;
}

/* The upper half of a 128-bit number: garbage or saturation, never a number modulo 2^64. */
START_TEST(test_upper_half_makes_a_number_absent)
{
	for (struct row *r = rows; r < rows + n_rows; r++) {
		struct value v;

		for (unsigned byte = 8; r->field->type == FIELD_NUMBER && byte < r->field->size;
		     byte++) {
			uint8_t bytes[PAGE_SIZE_MAX] = { 0 };

			bytes[r->field->offset] = 7;
			bytes[r->field->offset + byte] = 1;
			ck_row(r, "wrapped", field_decode(r->field, 0, bytes, &v) == -ERANGE);
			ck_assert_int_eq(v.type, VALUE_ABSENT);
		}
	}
}
END_TEST

START_TEST(test_numbers_above_63_bits_are_absent)
{
	uint8_t bytes[512] = { 0 };

	put_number(bytes, 64, 16, INT64_MAX);
	check_value(&smart_page, bytes, "host_read_commands", "9223372036854775807");
	put_number(bytes, 64, 16, UINT64_C(1) << 63);
	ck_assert_int_eq(decode(&smart_page, bytes, "host_read_commands"), -ERANGE);
}
END_TEST

START_TEST(test_numbers_above_63_bits_after_scaling_are_absent)
{
	uint8_t bytes[512] = { 0 };

	put_number(bytes, 32, 16, INT64_MAX / 512000);
	check_value(&smart_page, bytes, "host_read_bytes", "9223372036854272000");
	put_number(bytes, 32, 16, INT64_MAX / 512000 + 1);
	ck_assert_int_eq(decode(&smart_page, bytes, "host_read_bytes"), -ERANGE);
	put_number(bytes, 128, 16, UINT64_MAX);
	ck_assert_int_eq(decode(&smart_page, bytes, "power_on_seconds"), -ERANGE);
	ck_assert_uint_eq(page_overflows(&smart_page, bytes), 2);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_numbers_that_do_not_fit_are_refused,
		test_values_of_the_wrong_type_are_refused,
		test_what_drives_cannot_say_is_refused,
		test_numbers_are_rounded_to_the_unit_of_the_drive,
		test_upper_half_makes_a_number_absent,
		test_numbers_above_63_bits_are_absent,
		test_numbers_above_63_bits_after_scaling_are_absent,
		NULL,
	};

	rows_gather();
	return check_main("field limits", tests);
}
