/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvmewatch export */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/history_export.h"
#include "nvmewatch/parse.h"
#include "past.h"

static int export_moment(const char *option, const char *text, int64_t *ret_ms)
{
	char buffer[MOMENT_MAX];
	int64_t us;

	if (!text)
		return 0;
	if (parse_time(past_moment(text, buffer), &us) < 0) {
		cli_say("%s takes a time as 2026-11-30T21:00:00Z, seconds since 1970, or a duration as 7d, "
			"not \"%s\"", option, text);
		return -EINVAL;
	}
	*ret_ms = us / 1000;
	return 0;
}

static int export_page(const struct arguments *a, struct history_export *what)
{
	if (a->words[1]) {
		what->page = page_find(a->words[1]);
		if (!what->page) {
			cli_say("No page is called \"%s\".", a->words[1]);
			return -ENOENT;
		}
	}
	if (!a->csv || what->page)
		return 0;
	cli_say("CSV is of one page: nvmewatch export --csv DRIVE PAGE, DRIVE \"-\" for all drives");
	return -EINVAL;
}

int verb_export(struct cli *c)
{
	const struct arguments *a = &c->arguments;
	struct history_export what = {
		.format = a->csv ? HISTORY_CSV : HISTORY_SQL, .end = INT64_MAX,
	};
	_cleanup_(history_reader_freep) struct history_reader *reader = NULL;
	_cleanup_(freep) char *key = NULL;
	int r = export_page(a, &what);

	if (r >= 0)
		r = export_moment("--start", a->start, &what.start);
	if (r >= 0)
		r = export_moment("--end", a->end, &what.end);
	if (r >= 0 && a->words[0] && strcmp(a->words[0], "-"))
		r = source_drive_key(&c->source, a->words[0], &key);
	if (r >= 0)
		r = past_open(c, &reader);
	if (r < 0)
		return r;
	what.drive = key;
	r = history_export_file(reader, &what, stdout);
	if (r == -ENOENT)
		cli_say("history has no drive with the serial \"%s\"", key ? key : "");
	else if (r < 0)
		cli_say("cannot export: %s", strerror(-r));
	return r == -EINVAL ? -EIO : r;
}
