/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /api/v1/events and /api/v1/drives/{serial}/events */

#include <errno.h>

#include "api.h"
#include "history_job.h"
#include "json.h"
#include "nvmewatch/event_document.h"

static int write_events(struct history_reader *r, const void *question, bool csv,
			struct buffer *out, struct document *problem)
{
	return event_document(r, question, csv, out, problem);
}

int api_events(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret)
{
	const struct event_words words = {
		.drive = names[0],
		.since = request_parameter(q, "since"),
		.type = request_parameter(q, "type"),
		.after = request_parameter(q, "after"),
		.limit = request_parameter(q, "limit"),
	};
	_cleanup_(document_done) struct document problem = { 0 };
	_cleanup_(freep) struct event_question *question = malloc(sizeof(*question));

	if (!question)
		return -ENOMEM;
	if (event_question_parse(&words, question, &problem) < 0)
		return answer_document(ret, &problem);
	question->known = names[0] && history_job_knows(s, names[0]);
	return history_job_answer(s, q, TAKE(question), free, write_events, ret);
}
