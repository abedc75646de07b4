/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvmewatch history */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/history_document.h"
#include "past.h"
#include "render.h"

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
		return past_said(r, &problem);
	r = past_open(c, &reader);
	if (r < 0)
		return r;
	return past_said(history_document(reader, q, c->arguments.csv, ret, &problem), &problem);
}

static int get_history(struct cli *c, const struct history_words *w, struct buffer *ret)
{
	_cleanup_(buffer_done) struct buffer path = { 0 };
	int r;

	buffer_text(&path, "/api/v1/drives/");
	source_put_name(w->drive, &path);
	buffer_text(&path, "/history");
	past_put_key(&path, "page", w->page);
	past_put_key(&path, "fields", w->fields);
	past_put_key(&path, "start", w->start);
	past_put_key(&path, "end", w->end);
	past_put_key(&path, "step", w->step);
	past_put_key(&path, "agg", w->agg);
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
		.drive = key, .page = a->words[1], .fields = fields, .start = past_moment(a->start, start),
		.end = past_moment(a->end, end), .step = a->step, .agg = a->agg,
	};
	r = get_history(c, &words, &text);
	if (r < 0)
		return r;
	return a->json || a->csv ? cli_print(&text) : print_history(c, &text);
}
