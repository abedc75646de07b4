/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "nvmewatch/parse.h"

#define SECOND INT64_C(1000000)
#define LAST_SECOND INT64_C(253402300799) /* of the year 9999 */

/* Exactly so many digits, and then *at stands behind them. -1: there are fewer. */
static int digits(const char **at, int n)
{
	int x = 0;

	for (; n > 0; n--, (*at)++) {
		if (!isdigit((unsigned char)**at))
			return -1;
		x = 10 * x + (**at - '0');
	}
	return x;
}

static bool take(const char **at, const char *any)
{
	if (!**at || !strchr(any, **at))
		return false;
	(*at)++;
	return true;
}

/* ".25" as microseconds; more digits than six do not count. None at all is 0. */
static int fraction(const char **at, int64_t *ret)
{
	int64_t unit = SECOND / 10, us = 0;

	if (!take(at, "."))
		return 0;
	if (!isdigit((unsigned char)**at))
		return -EINVAL;
	for (; isdigit((unsigned char)**at); (*at)++, unit /= 10)
		us += unit * (**at - '0');
	*ret = us;
	return 0;
}

/* "2026-11-30" */
static int date(const char **at, struct tm *ret)
{
	static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int year = digits(at, 4), month = take(at, "-") ? digits(at, 2) : -1;
	int day = take(at, "-") ? digits(at, 2) : -1;
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	if (year < 0 || month < 1 || month > 12 || day < 1 ||
	    day > lengths[month - 1] + (month == 2 && leap))
		return -EINVAL;
	ret->tm_year = year - 1900;
	ret->tm_mon = month - 1;
	ret->tm_mday = day;
	return 0;
}

/* "21:37:06"; the last minute of a day may have a second more. */
static int clock_time(const char **at, struct tm *ret)
{
	ret->tm_hour = digits(at, 2);
	ret->tm_min = take(at, ":") ? digits(at, 2) : -1;
	ret->tm_sec = take(at, ":") ? digits(at, 2) : -1;
	return ret->tm_hour < 0 || ret->tm_hour > 23 || ret->tm_min < 0 || ret->tm_min > 59 ||
			       ret->tm_sec < 0 || ret->tm_sec > 60 ? -EINVAL : 0;
}

/* "Z", "+01:00". A plus that stood in a URL may have become a blank. */
static int offset(const char **at, int64_t *ret_seconds)
{
	bool west = **at == '-';

	if (take(at, "Zz"))
		return 0;
	if (!take(at, "+- "))
		return -EINVAL;
	int hours = digits(at, 2), minutes = take(at, ":") ? digits(at, 2) : -1;
	if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
		return -EINVAL;
	*ret_seconds = (west ? -60 : 60) * (60 * hours + minutes);
	return 0;
}

static int rfc3339(const char *at, int64_t *ret_us)
{
	struct tm tm = { 0 };
	int64_t us = 0, east = 0;
	int r = date(&at, &tm);

	if (r >= 0 && *at) {
		r = take(&at, "Tt ") ? clock_time(&at, &tm) : -EINVAL;
		if (r >= 0)
			r = fraction(&at, &us);
		if (r >= 0)
			r = offset(&at, &east);
	}
	if (r < 0 || *at)
		return -EINVAL;
	int64_t seconds = timegm(&tm) - east;
	if (seconds < 0)
		return -ERANGE;
	*ret_us = seconds * SECOND + us;
	return 0;
}

static int unix_seconds(const char *at, int64_t *ret_us)
{
	int64_t seconds = 0, us = 0;

	for (; isdigit((unsigned char)*at); at++)
		if (seconds <= LAST_SECOND)
			seconds = 10 * seconds + (*at - '0');
	if (fraction(&at, &us) < 0 || *at)
		return -EINVAL;
	if (seconds > LAST_SECOND)
		return -ERANGE;
	*ret_us = seconds * SECOND + us;
	return 0;
}

int parse_time(const char *text, int64_t *ret_us)
{
	size_t n = strspn(text, "0123456789");

	if (n == 0)
		return -EINVAL;
	return n == 4 && text[n] == '-' ? rfc3339(text, ret_us) : unix_seconds(text, ret_us);
}
