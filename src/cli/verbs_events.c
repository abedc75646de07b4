/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvmewatch events */

#include <errno.h>

#include "nvmewatch/event_document.h"
#include "past.h"
#include "render.h"

static int events_of_files(struct cli *c, const struct event_words *w, struct buffer *ret)
{
	_cleanup_(history_reader_freep) struct history_reader *reader = NULL;
	_cleanup_(document_done) struct document problem = { 0 };
	struct event_question q;
	int r = event_question_parse(w, &q, &problem);

	if (r < 0)
		return past_said(r, &problem);
	r = past_open(c, &reader);
	return r < 0 ? r : past_said(event_document(reader, &q, c->arguments.csv, ret, &problem), &problem);
}

static int get_events(struct cli *c, const struct event_words *w, struct buffer *ret)
{
	_cleanup_(buffer_done) struct buffer path = { 0 };
	int r;

	buffer_text(&path, w->drive ? "/api/v1/drives/" : "/api/v1");
	if (w->drive)
		source_put_name(w->drive, &path);
	buffer_text(&path, "/events");
	past_put_key(&path, "since", w->since);
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
	r = get_events(c, &(struct event_words){ .drive = key, .since = past_moment(a->since, since) },
		       &text);
	if (r < 0)
		return r;
	return a->json || a->csv ? cli_print(&text) : print_events(&text);
}
