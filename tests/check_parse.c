/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Text to numbers: what is one, what is none, what is too large. Nothing is written on failure. */

#include <errno.h>
#include <string.h>

#include "check_main.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/parse.h"

START_TEST(test_unsigned_numbers)
{
	static const struct {
		const char *text;
		int code;
		uint64_t value;
	} samples[] = {
		{ "0", 0, 0 },
		{ "007", 0, 7 }, /* decimal, whatever leads */
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "0xffffffffffffffff", 0, UINT64_MAX },
		{ "0XaB", 0, 0xab },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "0x10000000000000000", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "1.0", -EINVAL, 0 },
		{ "1,000", -EINVAL, 0 },
		{ "1\xc2\xa0" "000", -EINVAL, 0 }, /* a locale's thousands separator, case DEC-06 */
		{ "0x", -EINVAL, 0 },
		{ "x1", -EINVAL, 0 },
		{ "0xg", -EINVAL, 0 },
		{ "0x0x10", -EINVAL, 0 },
		{ "ff", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
	};

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		uint64_t n = 77;
		int r = parse_uint(samples[i].text, &n);

		ck_assert_msg(r == samples[i].code, "\"%s\": %d", samples[i].text, r);
		ck_assert_uint_eq(n, r < 0 ? 77 : samples[i].value);
	}
}
END_TEST

START_TEST(test_signed_numbers)
{
	static const struct {
		const char *text;
		int code;
		int64_t value;
	} samples[] = {
		{ "-8", 0, -8 },
		{ "-0", 0, 0 },
		{ "-0x10", 0, -16 },
		{ "9223372036854775807", 0, INT64_MAX },
		{ "-9223372036854775807", 0, -INT64_MAX },
		{ "-9223372036854775808", 0, INT64_MIN },
		{ "9223372036854775808", -ERANGE, 0 },
		{ "-9223372036854775809", -ERANGE, 0 },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "--8", -EINVAL, 0 },
		{ "-", -EINVAL, 0 },
		{ "- 8", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
	};

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		int64_t n = 77;
		int r = parse_int(samples[i].text, &n);

		ck_assert_msg(r == samples[i].code, "\"%s\": %d", samples[i].text, r);
		ck_assert_int_eq(n, r < 0 ? 77 : samples[i].value);
	}
}
END_TEST

START_TEST(test_decimal_fractions)
{
	static const struct {
		const char *text;
		int code;
		double value;
	} samples[] = {
		{ "0", 0, 0 },
		{ "3.5", 0, 3.5 },
		{ "-3.5", 0, -3.5 },
		{ "0.0001", 0, 0.0001 },
		{ "1e400", -ERANGE, 0 },
		{ "3,5", -EINVAL, 0 }, /* case DEC-06: a decimal comma is none */
		{ "", -EINVAL, 0 },
		{ "-", -EINVAL, 0 },
		{ ".5", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "1.5.2", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "-0x1p4", -EINVAL, 0 },
		{ "nan", -EINVAL, 0 },
		{ "inf", -EINVAL, 0 },
		{ "-inf", -EINVAL, 0 },
	};

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		double x = 77;
		int r = parse_real(samples[i].text, &x);

		ck_assert_msg(r == samples[i].code, "\"%s\": %d", samples[i].text, r);
		ck_assert(x == (r < 0 ? 77 : samples[i].value));
	}
}
END_TEST

START_TEST(test_truth)
{
	static const char *const words[2][5] = {
		{ "no", "false", "off", "0", "NO" }, { "yes", "true", "on", "1", "Yes" },
	};
	static const char *const none[] = { "", "y", "n", "2", "yess", " yes", "yes ", "null" };
	bool b;

	for (int truth = 0; truth < 2; truth++)
		for (size_t i = 0; i < ELEMENTS(words[0]); i++) {
			b = !truth;
			ck_assert_int_eq(parse_bool(words[truth][i], &b), 0);
			ck_assert_int_eq(b, truth);
		}
	for (size_t i = 0; i < ELEMENTS(none); i++)
		ck_assert_int_eq(parse_bool(none[i], &b), -EINVAL);
}
END_TEST

START_TEST(test_durations)
{
	static const struct {
		const char *text;
		int code;
		uint64_t us;
	} samples[] = {
		{ "0s", 0, 0 },
		{ "15s", 0, 15000000 },
		{ "5m", 0, 300000000 },
		{ "1h", 0, UINT64_C(3600000000) },
		{ "30d", 0, UINT64_C(2592000000000) },
		{ "9223372036854s", 0, UINT64_C(9223372036854000000) },
		{ "9223372036855s", -ERANGE, 0 },
		{ "18446744073709551615d", -ERANGE, 0 },
		{ "18446744073709551616d", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "s", -EINVAL, 0 },
		{ "15", -EINVAL, 0 },
		{ "15 s", -EINVAL, 0 },
		{ "15S", -EINVAL, 0 },
		{ "15ms", -EINVAL, 0 },
		{ "1.5h", -EINVAL, 0 },
		{ "-1s", -EINVAL, 0 },
		{ "1h30m", -EINVAL, 0 },
		{ "0x1d", -EINVAL, 0 }, /* 29, or one day? */
		{ "0x10s", -EINVAL, 0 },
		{ "1w", -EINVAL, 0 },
	};

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		uint64_t us = 77;
		int r = parse_duration(samples[i].text, &us);

		ck_assert_msg(r == samples[i].code, "\"%s\": %d", samples[i].text, r);
		ck_assert_uint_eq(us, r < 0 ? 77 : samples[i].us);
	}
}
END_TEST

START_TEST(test_sizes)
{
	static const struct {
		const char *text;
		int code;
		uint64_t bytes;
	} samples[] = {
		{ "0", 0, 0 },
		{ "4096", 0, 4096 },
		{ "1K", 0, 1024 },
		{ "64M", 0, UINT64_C(67108864) },
		{ "4G", 0, UINT64_C(4294967296) },
		{ "1T", 0, UINT64_C(1099511627776) },
		{ "8388607T", 0, UINT64_C(9223370937343148032) },
		{ "8388608T", -ERANGE, 0 },
		{ "16777216T", -ERANGE, 0 },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "G", -EINVAL, 0 },
		{ "4g", -EINVAL, 0 },
		{ "4 G", -EINVAL, 0 },
		{ "4GB", -EINVAL, 0 },
		{ "4GiB", -EINVAL, 0 },
		{ "1.5G", -EINVAL, 0 },
		{ "-1G", -EINVAL, 0 },
		{ "0x1K", -EINVAL, 0 },
	};

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		uint64_t bytes = 77;
		int r = parse_size(samples[i].text, &bytes);

		ck_assert_msg(r == samples[i].code, "\"%s\": %d", samples[i].text, r);
		ck_assert_uint_eq(bytes, r < 0 ? 77 : samples[i].bytes);
	}
}
END_TEST

START_TEST(test_times)
{
	static const struct {
		const char *text;
		int code;
		int64_t us;
	} samples[] = {
		{ "0", 0, 0 },
		{ "1790000000", 0, INT64_C(1790000000000000) },
		{ "1790000000.5", 0, INT64_C(1790000000500000) },
		{ "1790000000.1234567", 0, INT64_C(1790000000123456) },
		{ "1970-01-01T00:00:00Z", 0, 0 },
		{ "2026-09-21T14:13:20Z", 0, INT64_C(1790000000000000) },
		{ "2026-09-21t14:13:20.123z", 0, INT64_C(1790000000123000) },
		{ "2026-09-21 16:13:20+02:00", 0, INT64_C(1790000000000000) },
		{ "2026-09-21T16:13:20 02:00", 0, INT64_C(1790000000000000) }, /* %2B was meant */
		{ "2026-09-21T08:43:20-05:30", 0, INT64_C(1790000000000000) },
		{ "2026-09-21", 0, INT64_C(1789948800000000) },
		{ "2024-02-29T23:59:60Z", 0, INT64_C(1709251200000000) },
		{ "9999-12-31T23:59:59Z", 0, INT64_C(253402300799000000) },
		{ "253402300799", 0, INT64_C(253402300799000000) },
		{ "253402300800", -ERANGE, 0 },
		{ "99999999999999999999999999", -ERANGE, 0 },
		{ "1969-12-31T23:59:59Z", -ERANGE, 0 },
		{ "2025-02-29", -EINVAL, 0 },
		{ "2100-02-29", -EINVAL, 0 },
		{ "2026-13-01", -EINVAL, 0 },
		{ "2026-00-01", -EINVAL, 0 },
		{ "2026-04-31", -EINVAL, 0 },
		{ "2026-9-21", -EINVAL, 0 },
		{ "2026-09-21T14:13:20", -EINVAL, 0 }, /* where? */
		{ "2026-09-21T14:13Z", -EINVAL, 0 },
		{ "2026-09-21T24:00:00Z", -EINVAL, 0 },
		{ "2026-09-21T14:13:20.Z", -EINVAL, 0 },
		{ "2026-09-21T14:13:20Zx", -EINVAL, 0 },
		{ "2026-09-21T14:13:20+0200", -EINVAL, 0 },
		{ "2026-09-21T14:13:20+24:00", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "now", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "1e9", -EINVAL, 0 },
		{ "5m", -EINVAL, 0 },
		{ "1.", -EINVAL, 0 },
		{ ".5", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
	};

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		int64_t us = 77;
		int r = parse_time(samples[i].text, &us);

		ck_assert_msg(r == samples[i].code, "\"%s\": %d", samples[i].text, r);
		ck_assert_msg(us == (r < 0 ? 77 : samples[i].us), "\"%s\": %lld", samples[i].text,
			      (long long)us);
	}
}
END_TEST

START_TEST(test_a_very_long_duration_is_refused)
{
	char text[200];
	uint64_t us = 77;

	for (size_t length = 20; length < sizeof(text); length++) {
		memset(text, '9', length);
		strcpy(text + length - 1, "s");
		ck_assert_int_lt(parse_duration(text, &us), 0);
	}
	ck_assert_uint_eq(us, 77);
}
END_TEST

START_TEST(test_hexadecimal_bytes)
{
	static const uint8_t expected[] = { 0xc5, 0xaf, 0x10 };
	static const char *const same[] = { "c5 af 10", "C5AF10", "  c5af\t10 ", "c5 af10" };
	uint8_t bytes[3];
	size_t n;

	for (size_t i = 0; i < ELEMENTS(same); i++) {
		memset(bytes, 0, sizeof(bytes));
		ck_assert_int_eq(parse_hex(same[i], bytes, sizeof(bytes), &n), 0);
		ck_assert_uint_eq(n, 3);
		ck_assert_mem_eq(bytes, expected, 3);
	}
}
END_TEST

START_TEST(test_what_is_not_hexadecimal_writes_nothing)
{
	static const struct {
		const char *text;
		int code;
	} samples[] = {
		{ "", -EINVAL }, { "  ", -EINVAL }, { "c", -EINVAL }, { "c5 a", -EINVAL },
		{ "c 5", -EINVAL }, { "c5 zz", -EINVAL }, { "0xc5", -EINVAL }, { "c5,af", -EINVAL },
		{ "01 02 03 04", -ERANGE },
	};

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		uint8_t bytes[3] = { 7, 7, 7 };
		size_t n = 77;

		ck_assert_int_eq(parse_hex(samples[i].text, bytes, sizeof(bytes), &n),
				 samples[i].code);
		ck_assert_uint_eq(n, 77);
		ck_assert_mem_eq(bytes, "\7\7\7", 3);
	}
}
END_TEST

START_TEST(test_quantities)
{
	static const struct {
		const char *text;
		uint64_t value;
	} samples[] = {
		{ "0", 0 }, { "4096", 4096 }, { "9223372036854775807", INT64_MAX }, { "971K", 971000 },
		{ "1.1M", 1100000 }, { "7G", 7000000000 }, { "15.36T", 15360000000000 },
		{ "1.275p", 1275000000000000 }, { "0.5", 1 }, { "1.4", 1 },
	};
	static const char *const wrong[] = { "", "K", "1Q", "1 T", "-1", "-1K", "nan", "nanK", "1e3KK", "9300P" };
	uint64_t n;

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		ck_assert_msg(parse_quantity(samples[i].text, &n) == 0, "%s", samples[i].text);
		ck_assert_uint_eq(n, samples[i].value);
	}
	for (size_t i = 0; i < ELEMENTS(wrong); i++) {
		n = 77;
		ck_assert_msg(parse_quantity(wrong[i], &n) < 0, "%s", wrong[i]);
		ck_assert_uint_eq(n, 77);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_unsigned_numbers,
		test_signed_numbers,
		test_decimal_fractions,
		test_truth,
		test_durations,
		test_sizes,
		test_times,
		test_a_very_long_duration_is_refused,
		test_quantities,
		test_hexadecimal_bytes,
		test_what_is_not_hexadecimal_writes_nothing,
		NULL,
	};

	return check_main("parse", tests);
}
