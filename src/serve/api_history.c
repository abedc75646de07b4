/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /api/v1/drives/{serial}/history */

#include <errno.h>

#include "api.h"
#include "history_job.h"
#include "json.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/history_document.h"

static int write_history(struct history_reader *r, const void *question, bool csv,
			 struct buffer *out, struct document *problem)
{
	return history_document(r, question, csv, out, problem);
}

static void free_question(void *question)
{
	history_question_free(question);
}

int api_history(struct server *s, const struct request *q, const char *const *names,
		struct answer *ret)
{
	const struct history_words words = {
		.drive = names[0],
		.page = request_parameter(q, "page"),
		.fields = request_parameter(q, "fields"),
		.start = request_parameter(q, "start"),
		.end = request_parameter(q, "end"),
		.step = request_parameter(q, "step"),
		.agg = request_parameter(q, "agg"),
	};
	_cleanup_(history_question_freep) struct history_question *question = NULL;
	_cleanup_(document_done) struct document problem = { 0 };
	int r = history_question_parse(&words, clock_real() / 1000, &question, &problem);

	if (r == -EINVAL)
		return answer_document(ret, &problem);
	if (r < 0)
		return r;
	question->known = history_job_knows(s, names[0]);
	return history_job_answer(s, q, TAKE(question), free_question, write_history, ret);
}
