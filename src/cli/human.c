/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "human.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MINUTE 60.0
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define YEAR (365.25 * DAY)

void human_bytes(double bytes, char ret[static HUMAN_MAX])
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	size_t unit = 0;

	/* What would be rounded to 1000 goes to the next unit: 999.6 GB is 1.00 TB. */
	while (bytes >= 999.5 && unit + 1 < ELEMENTS(units)) {
		bytes /= 1000;
		unit++;
	}
	int digits = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
	snprintf(ret, HUMAN_MAX, "%.*f %s", digits, bytes, units[unit]);
}

void human_duration(double seconds, char ret[static HUMAN_MAX])
{
	static const struct {
		double below, unit;
		const char *name;
	} steps[] = {
		{ 2 * MINUTE, 1, "s" }, { 2 * HOUR, MINUTE, "min" }, { 2 * DAY, HOUR, "h" },
		{ 2 * YEAR, DAY, "d" },
	};

	for (size_t i = 0; i < ELEMENTS(steps); i++)
		if (seconds < steps[i].below) {
			snprintf(ret, HUMAN_MAX, "%.0f %s", floor(seconds / steps[i].unit),
				 steps[i].name);
			return;
		}
	snprintf(ret, HUMAN_MAX, "%.1f years", seconds / YEAR);
}

void human_ratio(double ratio, char ret[static HUMAN_MAX])
{
	snprintf(ret, HUMAN_MAX, "%.6g%%", ratio * 100);
}

void human_value(const json_t *value, struct buffer *out)
{
	if (json_is_integer(value))
		buffer_integer(out, json_integer_value(value));
	else if (json_is_real(value))
		buffer_printf(out, "%.15g", json_real_value(value));
	else if (json_is_boolean(value))
		buffer_text(out, json_is_true(value) ? "yes" : "no");
	else if (json_is_string(value))
		human_text(json_string_value(value), out);
	else
		buffer_text(out, "-");
}

/* Whether the column's name ends in the unit, its index apart. */
static bool has_unit(const char *column, const char *unit)
{
	size_t length = strlen(column), suffix = strlen(unit), end = length;

	while (end > 0 && column[end - 1] >= '0' && column[end - 1] <= '9')
		end--;
	if (end < length && end > 0 && column[end - 1] == '_')
		length = end - 1;
	return length > suffix && !memcmp(column + length - suffix, unit, suffix);
}

void human_reading(const char *column, const json_t *value, char ret[static HUMAN_MAX])
{
	double n = json_number_value(value);

	ret[0] = 0;
	if (!json_is_number(value))
		return;
	if (has_unit(column, "_bytes") && n >= 1000)
		human_bytes(n, ret);
	else if (has_unit(column, "_seconds") && n >= 2 * MINUTE)
		human_duration(n, ret);
	else if (has_unit(column, "_ratio"))
		human_ratio(n, ret);
}

void human_time(const char *time, int64_t now, struct buffer *out)
{
	struct tm tm = { 0 };
	char age[HUMAN_MAX];
	const char *rest = strptime(time, "%Y-%m-%dT%H:%M:%S", &tm);

	if (!rest || rest[strspn(rest, ".0123456789")] != 'Z') {
		human_text(time, out);
		return;
	}
	buffer_printf(out, "%04d-%02d-%02d %02d:%02d:%02d UTC", tm.tm_year + 1900, tm.tm_mon + 1,
		      tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	/* Another host's clock may differ: what lies in the future has no age. */
	int64_t seconds = now / 1000000 - timegm(&tm);
	if (seconds < 0)
		return;
	human_duration((double)seconds, age);
	buffer_printf(out, ", %s ago", age);
}

void human_text(const char *text, struct buffer *out)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		/* U+0080 to U+009F are controls too. */
		bool c1 = p[0] == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f;

		if (*p < 0x20 || *p == 0x7f || c1)
			buffer_put(out, "?", 1);
		else
			buffer_put(out, p, 1);
		p += c1;
	}
}
