/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Text to numbers, independent of the locale. All return 0, or -EINVAL (not a number of that
 * form, or rubbish behind it) or -ERANGE; *ret is untouched on failure. Any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal, or hexadecimal with 0x. */
int parse_uint(const char *text, uint64_t *ret);
int parse_int(const char *text, int64_t *ret);

/* Decimal fraction with a point. */
int parse_real(const char *text, double *ret);

/* yes, no, true, false, on, off, 1, 0. */
int parse_bool(const char *text, bool *ret);

/* A whole number with s, m, h or d, in microseconds: "15s", "5m", "30d". */
int parse_duration(const char *text, uint64_t *ret_us);

/* A whole number with K, M, G or T, or of bytes without: "64M", "4G", in units of 1024. */
int parse_size(const char *text, uint64_t *ret_bytes);

/* RFC 3339 ("2026-11-30T21:37:06Z", a day alone is its begin in UTC) or seconds since 1970, either with a
 * fraction; in microseconds since 1970. -ERANGE: before 1970 or after 9999. */
int parse_time(const char *text, int64_t *ret_us);

/* Hexadecimal bytes, blanks between them allowed: "c5 af 10". At most size of them.
 * ret_length is how many there were. */
int parse_hex(const char *text, uint8_t *ret, size_t size, size_t *ret_length);

/* A quantity from 0 to 2^63 - 1: a whole number, or a decimal fraction with K, M, G, T or P (powers of 1000)
 * behind it, rounded: "3.84T", "971K". */
int parse_quantity(const char *text, uint64_t *ret);
