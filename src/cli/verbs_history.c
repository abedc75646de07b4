/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The verbs that look back. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/event_document.h"
#include "nvmewatch/history_document.h"
#include "nvmewatch/history_export.h"
#include "nvmewatch/history_problem.h"
#include "nvmewatch/parse.h"
#include "render.h"

#define MOMENT_MAX 64

/* A duration is so long ago; all else is as the API takes it. NULL stays that. */
static const char *moment(const char *text, char ret[static MOMENT_MAX])
{
	uint64_t ago;
	int64_t now = clock_real();

	if (!text || parse_duration(text, &ago) < 0 || ago > (uint64_t)now)
		return text;
	now -= (int64_t)ago;
	snprintf(ret, MOMENT_MAX, "%lld.%06lld", (long long)(now / 1000000), (long long)(now % 1000000));
	return ret;
}

/* Whether this terminal's user reads UTF-8, as setlocale() would look it up. */
static bool reads_utf8(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ELEMENTS(variables); i++) {
		const char *value = getenv(variables[i]), *dot = value ? strchr(value, '.') : NULL;

		if (value && value[0])
			return dot && (!strncasecmp(dot, ".utf-8", 6) || !strncasecmp(dot, ".utf8", 5));
	}
	return false;
}

static void put_key(struct buffer *path, const char *key, const char *value)
{
	if (!value)
		return;
	buffer_printf(path, "%c%s=", memchr(path->data, '?', path->length) ? '&' : '?', key);
	source_put_name(value, path);
}

static int open_files(struct cli *c, struct history_reader **ret)
{
	_cleanup_(document_done) struct document problem = { 0 };
	int r = history_reader_open(c->source.state_dir, c->source.run_dir, ret);

	if (r < 0 && history_problem(r, &problem) == -EINVAL)
		cli_say("%s", problem.problem);
	else if (r < 0)
		cli_say("%s", strerror(-r));
	return r == -EINVAL ? -EIO : r;
}

/* What a document came to. A problem is one of data or of the host, not of usage. */
static int said(int r, const struct document *problem)
{
	if (r < 0)
		cli_say("%s", r == -EINVAL ? problem->problem : strerror(-r));
	return r == -EINVAL ? -ENOENT : r;
}

/* ---- Values. ---- */

/* The fields of the command line as the API takes them; NULL: all. */
static int join_fields(const struct arguments *a, char **ret)
{
	_cleanup_(buffer_done) struct buffer list = { 0 };

	for (size_t i = 2; i < a->n_words; i++) {
		buffer_text(&list, i > 2 ? "," : "");
		buffer_text(&list, a->words[i]);
	}
	if (a->n_words <= 2)
		return 0;
	buffer_put(&list, "", 1);
	if (list.failed)
		return -ENOMEM;
	*ret = TAKE(list.data);
	return 0;
}

static int history_of_files(struct cli *c, const struct history_words *w, struct buffer *ret)
{
	_cleanup_(history_reader_freep) struct history_reader *reader = NULL;
	_cleanup_(history_question_freep) struct history_question *q = NULL;
	_cleanup_(document_done) struct document problem = { 0 };
	int r = history_question_parse(w, clock_real() / 1000, &q, &problem);

	if (r < 0)
		return said(r, &problem);
	r = open_files(c, &reader);
	if (r < 0)
		return r;
	return said(history_document(reader, q, c->arguments.csv, ret, &problem), &problem);
}

static int get_history(struct cli *c, const struct history_words *w, struct buffer *ret)
{
	_cleanup_(buffer_done) struct buffer path = { 0 };
	int r;

	buffer_text(&path, "/api/v1/drives/");
	source_put_name(w->drive, &path);
	buffer_text(&path, "/history");
	put_key(&path, "page", w->page);
	put_key(&path, "fields", w->fields);
	put_key(&path, "start", w->start);
	put_key(&path, "end", w->end);
	put_key(&path, "step", w->step);
	put_key(&path, "agg", w->agg);
	buffer_put(&path, "", 1);
	r = path.failed ? -ENOMEM : source_ask(&c->source, path.data, c->arguments.csv, ret);
	return r == 1 ? history_of_files(c, w, ret) : r;
}

/* Prints the document as a table, if it is one. */
static int print_history(const struct cli *c, const struct buffer *text)
{
	json_auto_t *document = json_loadb(text->data, text->length, 0, NULL);
	_cleanup_(buffer_done) struct buffer out = { 0 };

	if (!document) {
		cli_say("the server answers no JSON");
		return -EPROTO;
	}
	if (render_history(document, c->arguments.n_words > 2, reads_utf8(), cli_colour(), &out) < 0)
		out.failed = true;
	return cli_print(&out);
}

int verb_history(struct cli *c)
{
	const struct arguments *a = &c->arguments;
	_cleanup_(freep) char *key = NULL, *fields = NULL;
	_cleanup_(buffer_done) struct buffer text = { 0 };
	char start[MOMENT_MAX], end[MOMENT_MAX];
	int r = source_drive_key(&c->source, a->words[0], &key);

	if (r >= 0)
		r = join_fields(a, &fields);
	if (r < 0)
		return r;
	const struct history_words words = {
		.drive = key, .page = a->words[1], .fields = fields, .start = moment(a->start, start),
		.end = moment(a->end, end), .step = a->step, .agg = a->agg,
	};
	r = get_history(c, &words, &text);
	if (r < 0)
		return r;
	return a->json || a->csv ? cli_print(&text) : print_history(c, &text);
}

/* ---- Events. ---- */

static int events_of_files(struct cli *c, const struct event_words *w, struct buffer *ret)
{
	_cleanup_(history_reader_freep) struct history_reader *reader = NULL;
	_cleanup_(document_done) struct document problem = { 0 };
	struct event_question q;
	int r = event_question_parse(w, &q, &problem);

	if (r < 0)
		return said(r, &problem);
	r = open_files(c, &reader);
	return r < 0 ? r : said(event_document(reader, &q, c->arguments.csv, ret, &problem), &problem);
}

static int get_events(struct cli *c, const struct event_words *w, struct buffer *ret)
{
	_cleanup_(buffer_done) struct buffer path = { 0 };
	int r;

	buffer_text(&path, w->drive ? "/api/v1/drives/" : "/api/v1");
	if (w->drive)
		source_put_name(w->drive, &path);
	buffer_text(&path, "/events");
	put_key(&path, "since", w->since);
	buffer_put(&path, "", 1);
	r = path.failed ? -ENOMEM : source_ask(&c->source, path.data, c->arguments.csv, ret);
	return r == 1 ? events_of_files(c, w, ret) : r;
}

static int print_events(const struct buffer *text)
{
	json_auto_t *document = json_loadb(text->data, text->length, 0, NULL);
	_cleanup_(buffer_done) struct buffer out = { 0 };

	if (!document) {
		cli_say("the server answers no JSON");
		return -EPROTO;
	}
	if (render_events(json_object_get(document, "events"), cli_colour(), &out) < 0)
		out.failed = true;
	if (json_is_true(json_object_get(document, "more")))
		cli_say("there are more: go on with --since the last time");
	return cli_print(&out);
}

int verb_events(struct cli *c)
{
	const struct arguments *a = &c->arguments;
	_cleanup_(buffer_done) struct buffer text = { 0 };
	_cleanup_(freep) char *key = NULL;
	char since[MOMENT_MAX];
	int r = a->words[0] ? source_drive_key(&c->source, a->words[0], &key) : 0;

	if (r < 0)
		return r;
	r = get_events(c, &(struct event_words){ .drive = key, .since = moment(a->since, since) },
		       &text);
	if (r < 0)
		return r;
	return a->json || a->csv ? cli_print(&text) : print_events(&text);
}

/* ---- Export. ---- */

static int export_moment(const char *option, const char *text, int64_t *ret_ms)
{
	char buffer[MOMENT_MAX];
	int64_t us;

	if (!text)
		return 0;
	if (parse_time(moment(text, buffer), &us) < 0) {
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
		r = open_files(c, &reader);
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
