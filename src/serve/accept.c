/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "accept.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct span {
	const char *at;
	size_t length;
};

/* One element of a comma-separated header: `value;name=value;q=0.5`. */
struct choice {
	struct span value;
	struct span version; /* .at NULL where there is none */
	unsigned quality;    /* thousandths */
};

static struct span trimmed(const char *at, size_t length)
{
	while (length && isspace((unsigned char)*at))
		at++, length--;
	while (length && isspace((unsigned char)at[length - 1]))
		length--;
	if (length >= 2 && at[0] == '"' && at[length - 1] == '"')
		at++, length -= 2;
	return (struct span){ at, length };
}

static bool is(struct span s, const char *word)
{
	return s.length == strlen(word) && !strncasecmp(s.at, word, s.length);
}

/* Takes the text up to `separator` off the front of *rest. */
static struct span next(struct span *rest, char separator)
{
	const char *end = memchr(rest->at, separator, rest->length);
	size_t length = end ? (size_t)(end - rest->at) : rest->length;
	struct span taken = trimmed(rest->at, length);
	size_t skip = length + (end != NULL);

	*rest = (struct span){ rest->at + skip, rest->length - skip };
	return taken;
}

/* "0", "0.5", "1.000" (RFC 9110, 12.4.2); what is none of these counts as refused. */
static unsigned quality(struct span s)
{
	unsigned n = 0, digits = 0;

	if (!s.length || (s.at[0] != '0' && s.at[0] != '1'))
		return 0;
	for (size_t i = 0; i < s.length && digits < 4; i++) {
		if (i == 1 && s.at[i] == '.')
			continue;
		if (!isdigit((unsigned char)s.at[i]))
			return 0;
		n = n * 10 + (unsigned)(s.at[i] - '0');
		digits++;
	}
	for (; digits < 4; digits++)
		n *= 10;
	return n > 1000 ? 1000 : n;
}

static struct choice next_choice(struct span *rest)
{
	struct span element = next(rest, ',');
	struct choice c = { .value = next(&element, ';'), .quality = 1000 };

	while (element.length) {
		struct span value = next(&element, ';'), name = next(&value, '=');

		value = trimmed(value.at, value.length);
		if (is(name, "q"))
			c.quality = quality(value);
		else if (is(name, "version"))
			c.version = value;
	}
	return c;
}

static void raise(unsigned *quality_, unsigned to)
{
	if (to > *quality_)
		*quality_ = to;
}

bool accept_openmetrics(const char *accept)
{
	struct span rest = { accept, accept ? strlen(accept) : 0 };
	unsigned openmetrics = 0, text = 0;

	while (rest.length) {
		struct choice c = next_choice(&rest);

		if (is(c.value, "application/openmetrics-text")) {
			if (!c.version.at || is(c.version, "1.0.0"))
				raise(&openmetrics, c.quality);
		} else if (is(c.value, "text/plain") || is(c.value, "text/*") ||
			   is(c.value, "*/*")) {
			if (!c.version.at || is(c.version, "0.0.4"))
				raise(&text, c.quality);
		}
	}
	return openmetrics && openmetrics >= text;
}

bool accept_csv(const char *accept)
{
	struct span rest = { accept, accept ? strlen(accept) : 0 };
	unsigned csv = 0, json = 0;

	while (rest.length) {
		struct choice c = next_choice(&rest);

		if (is(c.value, "text/csv"))
			raise(&csv, c.quality);
		else if (is(c.value, "application/json"))
			raise(&json, c.quality);
	}
	return csv && csv >= json;
}

bool accept_gzip(const char *accept_encoding)
{
	struct span rest = { accept_encoding, accept_encoding ? strlen(accept_encoding) : 0 };
	unsigned gzip = 0, any = 0, identity = 0;
	bool named = false;

	while (rest.length) {
		struct choice c = next_choice(&rest);

		if (is(c.value, "gzip") || is(c.value, "x-gzip")) {
			gzip = c.quality;
			named = true;
		} else if (is(c.value, "*")) {
			any = c.quality;
		} else if (is(c.value, "identity")) {
			identity = c.quality;
		}
	}
	if (!named)
		gzip = any;
	return gzip && gzip >= identity;
}
