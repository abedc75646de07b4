/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Puts a text with backslash, newline and, in label values, the quote escaped. OpenMetrics wants
 * the quote escaped in HELP too. */
static void escaped(struct buffer *out, const char *text, bool quotes)
{
	const char *special = quotes ? "\\\n\"" : "\\\n";

	for (;;) {
		size_t plain = strcspn(text, special);

		buffer_put(out, text, plain);
		text += plain;
		if (!*text)
			return;
		char pair[2] = { '\\', *text == '\n' ? 'n' : *text };
		buffer_put(out, pair, 2);
		text++;
	}
}

void text_label(struct buffer *out, bool more, const char *key, const char *value)
{
	if (more)
		buffer_put(out, ",", 1);
	buffer_text(out, key);
	buffer_put(out, "=\"", 2);
	escaped(out, value, true);
	buffer_put(out, "\"", 1);
}

/* A family is asked for by its name with or without the suffix. */
static bool asked_for(const struct text *t, const char *name, const char *suffix)
{
	size_t length = strlen(name);

	if (!t->only)
		return true;
	for (const char *const *only = t->only; *only; only++)
		if (!strncmp(*only, name, length) &&
		    (!(*only)[length] || !strcmp(*only + length, suffix)))
			return true;
	return false;
}

bool text_family(struct text *t, const char *name, enum metric_type type, const char *help)
{
	const char *suffix = metric_suffix(type);

	if (!asked_for(t, name, suffix))
		return false;
	t->name = name;
	t->help = help;
	t->type = type;
	t->headed = false;
	t->head_length = (size_t)snprintf(t->head, sizeof(t->head), "%s%s{", name, suffix);
	return true;
}

static const char *type_word(const struct text *t)
{
	switch (t->type) {
	case METRIC_COUNTER: return "counter";
	case METRIC_INFO: return t->openmetrics ? "info" : "gauge";
	case METRIC_HISTOGRAM: return "histogram";
	case METRIC_GAUGE: break;
	}
	return "gauge";
}

/* OpenMetrics names the family, the text format its samples. */
static void text_head(struct text *t)
{
	const char *suffix = t->openmetrics ? "" : metric_suffix(t->type);

	buffer_printf(t->out, "# HELP %s%s ", t->name, suffix);
	escaped(t->out, t->help, t->openmetrics);
	buffer_printf(t->out, "\n# TYPE %s%s %s\n", t->name, suffix, type_word(t));
	t->headed = true;
}

void text_sample(struct text *t)
{
	if (!t->headed)
		text_head(t);
	buffer_put(t->out, t->head, t->head_length);
}

void text_part(struct text *t, const char *part)
{
	if (!t->headed)
		text_head(t);
	buffer_text(t->out, t->name);
	buffer_text(t->out, part);
	buffer_put(t->out, "{", 1);
}

void text_bare(struct text *t, int64_t n)
{
	if (!t->headed)
		text_head(t);
	buffer_put(t->out, t->head, t->head_length - 1);
	buffer_put(t->out, " ", 1);
	buffer_integer(t->out, n);
	buffer_put(t->out, "\n", 1);
}

void text_end_integer(struct text *t, int64_t n)
{
	buffer_put(t->out, "} ", 2);
	buffer_integer(t->out, n);
	buffer_put(t->out, "\n", 1);
}

#define EXACT 9007199254740992.0 /* 2^53: a double holds every whole number up to it */

/* Nearly every real value is a whole number of hundredths to millionths, and printf() and
 * strtod() would be most of the cost of a scrape. */
static bool decimal(struct buffer *out, double x)
{
	static const double powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };

	if (!(x >= 0))
		return false;
	for (int places = 0; places < (int)ELEMENTS(powers); places++) {
		double scaled = nearbyint(x * powers[places]);
		char digits[8];

		if (scaled > EXACT)
			return false;
		if (scaled / powers[places] != x)
			continue;
		int64_t n = (int64_t)scaled, unit = (int64_t)powers[places];
		buffer_integer(out, n / unit);
		n %= unit;
		for (int i = places; i > 0; i--, n /= 10)
			digits[i] = (char)('0' + n % 10);
		digits[0] = '.';
		if (places)
			buffer_put(out, digits, (size_t)places + 1);
		return true;
	}
	return false;
}

void text_end_real(struct text *t, double x)
{
	buffer_put(t->out, "} ", 2);
	if (!decimal(t->out, x))
		buffer_real(t->out, x);
	buffer_put(t->out, "\n", 1);
}

void text_finish(struct text *t)
{
	if (t->openmetrics)
		buffer_text(t->out, "# EOF\n");
}
