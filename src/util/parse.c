/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "nvmewatch/cleanup.h"

int parse_uint(const char *text, uint64_t *ret)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	char *end;

	/* strtoull() would take signs and blanks. */
	if (!(hex ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits)))
		return -EINVAL;
	errno = 0;
	unsigned long long n = strtoull(text, &end, hex ? 16 : 10); /* takes one 0x, not two */
	if (*end)
		return -EINVAL;
	if (errno == ERANGE)
		return -ERANGE;
	*ret = n;
	return 0;
}

int parse_int(const char *text, int64_t *ret)
{
	bool negative = text[0] == '-';
	uint64_t n;
	int r = parse_uint(text + negative, &n);

	if (r < 0)
		return r;
	if (n > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	*ret = (int64_t)(negative ? -n : n);
	return 0;
}

int parse_real(const char *text, double *ret)
{
	char *end;

	if (!isdigit((unsigned char)text[0]) &&
	    !(text[0] == '-' && isdigit((unsigned char)text[1])))
		return -EINVAL;
	if (strpbrk(text, "xX")) /* strtod() would take hexadecimal */
		return -EINVAL;
	errno = 0;
	double x = strtod(text, &end);
	if (*end)
		return -EINVAL;
	if (errno == ERANGE)
		return -ERANGE;
	*ret = x;
	return 0;
}

int parse_bool(const char *text, bool *ret)
{
	static const char *const words[][2] = {
		{ "no", "yes" }, { "false", "true" }, { "off", "on" }, { "0", "1" },
	};

	for (size_t i = 0; i < ELEMENTS(words); i++)
		for (int truth = 0; truth < 2; truth++)
			if (!strcasecmp(text, words[i][truth])) {
				*ret = truth;
				return 0;
			}
	return -EINVAL;
}

/* Decimal digits, length of them; 0x1d is not a day. */
static int digits_parse(const char *text, size_t length, uint64_t *ret)
{
	char number[24];

	if (!length || length >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, length);
	number[length] = 0;
	return strspn(number, "0123456789") == length ? parse_uint(number, ret) : -EINVAL;
}

static int unit_seconds(char unit, uint64_t *ret)
{
	switch (unit) {
	case 's': *ret = 1; return 0;
	case 'm': *ret = 60; return 0;
	case 'h': *ret = 3600; return 0;
	case 'd': *ret = 86400; return 0;
	default: return -EINVAL;
	}
}

int parse_duration(const char *text, uint64_t *ret_us)
{
	size_t length = strlen(text);
	uint64_t n, seconds, us;

	if (!length)
		return -EINVAL;
	int r = unit_seconds(text[length - 1], &seconds);
	if (r < 0)
		return r;
	r = digits_parse(text, length - 1, &n);
	if (r < 0)
		return r;
	if (__builtin_mul_overflow(n, seconds * 1000000, &us) || us > INT64_MAX)
		return -ERANGE;
	*ret_us = us;
	return 0;
}

int parse_size(const char *text, uint64_t *ret_bytes)
{
	static const char units[] = "KMGT";
	size_t length = strlen(text);
	const char *unit = length ? strchr(units, text[length - 1]) : NULL;
	uint64_t n, bytes;
	int r = digits_parse(text, length - (unit != NULL), &n);

	if (r < 0)
		return r;
	if (__builtin_mul_overflow(n, UINT64_C(1) << (unit ? 10 * (unit - units + 1) : 0), &bytes) ||
	    bytes > INT64_MAX)
		return -ERANGE;
	*ret_bytes = bytes;
	return 0;
}

static int nibble(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* ret may be NULL: then the bytes are only counted. */
static int hex_bytes(const char *text, uint8_t *ret, size_t size, size_t *ret_length)
{
	size_t n = 0;

	for (;;) {
		while (isspace((unsigned char)*text))
			text++;
		if (!*text)
			break;
		int high = nibble(text[0]), low = high < 0 ? -1 : nibble(text[1]);
		if (low < 0)
			return -EINVAL;
		if (n == size)
			return -ERANGE;
		if (ret)
			ret[n] = (uint8_t)((unsigned)high << 4 | (unsigned)low);
		n++;
		text += 2;
	}
	if (!n)
		return -EINVAL;
	*ret_length = n;
	return 0;
}

int parse_hex(const char *text, uint8_t *ret, size_t size, size_t *ret_length)
{
	size_t length;
	int r = hex_bytes(text, NULL, size, &length);

	return r < 0 ? r : hex_bytes(text, ret, size, ret_length);
}

int parse_quantity(const char *text, uint64_t *ret)
{
	static const char units[] = "KMGTP";
	size_t length = strlen(text);
	char number[32];
	double unit = 1, x;

	if (!length || length >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, length + 1);
	const char *suffix = strchr(units, toupper((unsigned char)text[length - 1]));
	if (suffix) {
		number[length - 1] = 0;
		unit = pow(1000, (double)(suffix - units + 1));
	} else if (!parse_uint(number, ret)) {
		return 0; /* exact, whatever its size */
	}
	int r = parse_real(number, &x);
	if (r < 0)
		return r;
	x = round(x * unit);
	if (!(x >= 0 && x < 9223372036854775808.0))
		return -ERANGE;
	*ret = (uint64_t)x;
	return 0;
}
