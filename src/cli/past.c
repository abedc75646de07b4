/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "past.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/history_problem.h"
#include "nvmewatch/parse.h"

const char *past_moment(const char *text, char ret[static MOMENT_MAX])
{
	uint64_t ago;
	int64_t now = clock_real();

	if (!text || parse_duration(text, &ago) < 0 || ago > (uint64_t)now)
		return text;
	now -= (int64_t)ago;
	snprintf(ret, MOMENT_MAX, "%lld.%06lld", (long long)(now / 1000000), (long long)(now % 1000000));
	return ret;
}

void past_put_key(struct buffer *path, const char *key, const char *value)
{
	if (!value)
		return;
	buffer_printf(path, "%c%s=", memchr(path->data, '?', path->length) ? '&' : '?', key);
	source_put_name(value, path);
}

int past_open(struct cli *c, struct history_reader **ret)
{
	_cleanup_(document_done) struct document problem = { 0 };
	int r = history_reader_open(c->source.state_dir, c->source.run_dir, ret);

	if (r < 0 && history_problem(r, &problem) == -EINVAL)
		cli_say("%s", problem.problem);
	else if (r < 0)
		cli_say("%s", strerror(-r));
	return r == -EINVAL ? -EIO : r;
}

int past_said(int r, const struct document *problem)
{
	if (r < 0)
		cli_say("%s", r == -EINVAL ? problem->problem : strerror(-r));
	return r == -EINVAL ? -ENOENT : r;
}
