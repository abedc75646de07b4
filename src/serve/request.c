/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "request.h"

#include <errno.h>
#include <string.h>

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In place. A NUL would hide what follows it. */
static int percent_decode(char *text, bool plus_is_blank)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (*from == '%') {
			int high = hex_digit(from[1]), low = high < 0 ? -1 : hex_digit(from[2]);

			if (low < 0 || (high | low) == 0)
				return -EINVAL;
			*to++ = (char)(high << 4 | low);
			from += 2;
		} else {
			*to++ = plus_is_blank && *from == '+' ? ' ' : *from;
		}
	}
	*to = 0;
	return 0;
}

/* Servers take "http://host/path" too (RFC 9112, 3.2.2): the path is what follows the host. */
static char *after_authority(char *target)
{
	char *scheme = strstr(target, "://");

	if (target[0] == '/' || !scheme)
		return target;
	return scheme + 3 + strcspn(scheme + 3, "/");
}

static int path_parse(struct request *q, char *path)
{
	if (*path++ != '/')
		return -EINVAL;
	for (char *segment = strsep(&path, "/"); segment; segment = strsep(&path, "/")) {
		if (q->n_segments == SEGMENTS_MAX || percent_decode(segment, false) < 0)
			return -EINVAL;
		q->segments[q->n_segments++] = segment;
	}
	return 0;
}

static int query_parse(struct request *q, char *query)
{
	for (char *value = strsep(&query, "&"); value; value = strsep(&query, "&")) {
		char *key = strsep(&value, "=");

		if (!*key && !value)
			continue;
		if (!value)
			value = key + strlen(key);
		if (q->n_parameters == PARAMETERS_MAX || percent_decode(key, true) < 0 ||
		    percent_decode(value, true) < 0)
			return -EINVAL;
		q->parameters[q->n_parameters++] = (struct parameter){ key, value };
	}
	return 0;
}

int request_parse(const char *target, struct request **ret)
{
	_cleanup_(request_freep) struct request *q = calloc(1, sizeof(*q));
	int r;

	if (!q)
		return -ENOMEM;
	q->text = strdup(target);
	if (!q->text)
		return -ENOMEM;
	char *query = strchr(q->text, '?');
	if (query)
		*query++ = 0;
	r = path_parse(q, after_authority(q->text));
	if (r >= 0 && query)
		r = query_parse(q, query);
	if (r < 0)
		return r;
	*ret = TAKE(q);
	return 0;
}

void request_free(struct request *q)
{
	if (!q)
		return;
	free(q->text);
	free(q);
}

const char *request_parameter(const struct request *q, const char *key)
{
	for (size_t i = 0; i < q->n_parameters; i++)
		if (!strcmp(q->parameters[i].key, key))
			return q->parameters[i].value;
	return NULL;
}
