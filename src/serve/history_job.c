/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history_job.h"

#include <errno.h>
#include <string.h>

#include "accept.h"
#include "json.h"
#include "nvmewatch/history_problem.h"

#define TYPE_CSV "text/csv; charset=utf-8; header=present"
#define VARY "Accept, Accept-Encoding"

static void stop(void *what)
{
	history_reader_cancel(what);
}

static int read_history(struct history_job *h, struct buffer *out, struct document *problem)
{
	_cleanup_(history_reader_freep) struct history_reader *reader = NULL;
	int r = history_reader_open(h->state_dir, h->run_dir, &reader);

	if (r < 0)
		return history_problem(r, problem);
	r = job_stoppable(&h->job, stop, reader);
	if (r >= 0)
		r = h->write(reader, h->question, h->csv, out, problem);
	job_unstoppable(&h->job);
	return r;
}

static int make(struct job *j, struct answer *ret)
{
	struct history_job *h = (struct history_job *)j;
	_cleanup_(buffer_done) struct buffer out = { 0 };
	_cleanup_(document_done) struct document problem = { 0 };
	int r = read_history(h, &out, &problem);

	if (r == -EINVAL)
		r = answer_document(ret, &problem);
	else if (r >= 0)
		r = answer_bytes(ret, &out, h->csv ? TYPE_CSV : TYPE_JSON);
	if (r >= 0)
		ret->vary = VARY;
	return r;
}

static void job_free(struct job *j)
{
	struct history_job *h = (struct history_job *)j;

	h->free_question(h->question);
	free(h->state_dir);
	free(h->run_dir);
	free(h);
}

bool history_job_knows(struct server *s, const char *drive)
{
	struct view v;

	live_look(&s->live, &v);
	return v.snapshot && now_find(v.snapshot, drive);
}

int history_job_answer(struct server *s, const struct request *q, void *question,
		       void (*free_question)(void *question),
		       int (*write)(struct history_reader *r, const void *question, bool csv,
				    struct buffer *out, struct document *problem),
		       struct answer *ret)
{
	struct history_job *h = calloc(1, sizeof(*h));

	if (!h) {
		free_question(question);
		return -ENOMEM;
	}
	*h = (struct history_job){
		.job = { .make = make, .free = job_free },
		.state_dir = strdup(s->settings.state_dir),
		.run_dir = strdup(s->settings.run_dir),
		.csv = accept_csv(q->accept),
		.question = question, .free_question = free_question, .write = write,
	};
	if (!h->state_dir || !h->run_dir) {
		job_free(&h->job);
		return -ENOMEM;
	}
	*ret = (struct answer){ .job = &h->job };
	return 0;
}
