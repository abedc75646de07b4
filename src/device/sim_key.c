/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/parse.h"
#include "sim_internal.h"

static int word_parse(const struct sim_key *k, const char *text, int32_t *ret)
{
	for (int32_t i = 0; k->words[i]; i++)
		if (!strcmp(k->words[i], text)) {
			*ret = i;
			return 0;
		}
	return -EINVAL;
}

static int long_parse(const struct sim_key *k, const char *text, int64_t *ret)
{
	int64_t n;
	int r = parse_int(text, &n);

	if (r < 0)
		return r;
	if ((double)n < k->min || (double)n > k->max)
		return -ERANGE;
	*ret = n;
	return 0;
}

static int number_parse(const struct sim_key *k, const char *text, int32_t *ret)
{
	int64_t n;
	int r = long_parse(k, text, &n);

	if (r == 0)
		*ret = (int32_t)n;
	return r;
}

static int real_parse(const struct sim_key *k, const char *text, double *ret)
{
	double x;
	int r = parse_real(text, &x);

	if (r < 0)
		return r;
	if (!(x >= k->min && x <= k->max))
		return -ERANGE;
	*ret = x;
	return 0;
}

static int text_parse(const struct sim_key *k, const char *text, char *ret)
{
	size_t length = strlen(text);

	if (length >= k->size)
		return -ERANGE;
	memcpy(ret, text, length + 1);
	return 0;
}

static int key_parse(const struct sim_key *k, const char *text, void *ret)
{
	switch (k->kind) {
	case SIM_TEXT: return text_parse(k, text, ret);
	case SIM_NUMBER: return number_parse(k, text, ret);
	case SIM_LONG: return long_parse(k, text, ret);
	case SIM_REAL: return real_parse(k, text, ret);
	case SIM_SIZE: return parse_quantity(text, ret);
	case SIM_TIME: return parse_duration(text, ret);
	case SIM_FLAG: return parse_bool(text, ret);
	case SIM_WORD: return word_parse(k, text, ret);
	}
	return -EINVAL;
}

/* What a key takes, for people. */
static void key_allowed(const struct sim_key *k, struct buffer *b)
{
	switch (k->kind) {
	case SIM_TEXT: buffer_printf(b, "a text of at most %zu bytes", k->size - 1); break;
	case SIM_NUMBER:
	case SIM_LONG: buffer_printf(b, "a whole number from %.0f to %.0f", k->min, k->max); break;
	case SIM_REAL: buffer_printf(b, "a number from %g to %g", k->min, k->max); break;
	case SIM_SIZE: buffer_text(b, "a number, also with K, M, G, T or P as 3.84T"); break;
	case SIM_TIME: buffer_text(b, "a whole number with s, m, h or d as 20s"); break;
	case SIM_FLAG: buffer_text(b, "yes or no"); break;
	case SIM_WORD:
		for (unsigned i = 0; k->words[i]; i++)
			buffer_printf(b, "%s%s", i ? ", " : "one of ", k->words[i]);
		break;
	}
	buffer_put(b, "", 1);
}

static int value_fail(const struct sim_key *k, const struct ini_place *at, const char *section,
		      const char *value, int code)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };

	key_allowed(k, &b);
	if (b.failed)
		return -ENOMEM;
	return ini_fail(at, code, "[%s] %s = %s: allowed is %s", section, k->name, value, b.data);
}

static int unknown_fail(const struct sim_key *keys, size_t n_keys, const struct ini_place *at,
			const char *section, const char *name)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };

	for (size_t i = 0; i < n_keys; i++)
		buffer_printf(&b, "%s%s", i ? ", " : "", keys[i].name);
	buffer_put(&b, "", 1);
	if (b.failed)
		return -ENOMEM;
	return ini_fail(at, -EINVAL, "[%s] has no key \"%s\"; allowed are %s", section, name,
			b.data);
}

int sim_key_set(const struct sim_key *keys, size_t n_keys, void *target,
		const struct ini_place *at, const char *section, const char *name,
		const char *value)
{
	for (size_t i = 0; i < n_keys; i++)
		if (!strcmp(keys[i].name, name)) {
			int r = key_parse(&keys[i], value, (char *)target + keys[i].offset);
			return r < 0 ? value_fail(&keys[i], at, section, value, r) : 0;
		}
	return unknown_fail(keys, n_keys, at, section, name);
}
