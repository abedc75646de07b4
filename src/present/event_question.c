/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "nvmewatch/event_document.h"
#include "nvmewatch/history_problem.h"
#include "nvmewatch/parse.h"

static int parse_type(const char *text, struct event_question *q, struct document *problem)
{
	if (!text[0] || text[strspn(text, "abcdefghijklmnopqrstuvwxyz_")] ||
	    strlen(text) >= sizeof(q->type)) {
		document_problem(problem, 400, "type takes a type of event as \"attach\" or "
				 "\"throttle_begin\", not \"%s\".", text);
		return -EINVAL;
	}
	strcpy(q->type, text);
	return 0;
}

static int parse_since(const char *text, struct event_question *q, struct document *problem)
{
	int64_t us;

	if (parse_time(text, &us) < 0) {
		document_problem(problem, 400, "since takes a time as 2026-11-30T21:00:00Z or seconds "
				 "since 1970, not \"%s\".", text);
		return -EINVAL;
	}
	/* Not one of the millisecond before it. */
	q->since = us / 1000 + (us % 1000 > 0);
	q->onward = true;
	return 0;
}

static int parse_after(const char *text, struct event_question *q, struct document *problem)
{
	if (parse_int(text, &q->after) < 0 || q->after < 0) {
		document_problem(problem, 400, "after takes the id of an event, a whole number, not "
				 "\"%s\".", text);
		return -EINVAL;
	}
	q->onward = true;
	return 0;
}

static int parse_limit(const char *text, struct event_question *q, struct document *problem)
{
	if (parse_uint(text, &q->limit) < 0 || q->limit < 1 || q->limit > EVENTS_MOST) {
		document_problem(problem, 400, "limit takes 1 to %d, not \"%s\".", EVENTS_MOST, text);
		return -EINVAL;
	}
	return 0;
}

int event_question_parse(const struct event_words *words, struct event_question *ret,
			 struct document *problem)
{
	struct event_question q = { .limit = EVENTS_USUAL };
	int r = 0;

	if (words->drive)
		r = history_copy_key(words->drive, q.drive, sizeof(q.drive), problem);
	if (r >= 0 && words->type)
		r = parse_type(words->type, &q, problem);
	if (r >= 0 && words->since)
		r = parse_since(words->since, &q, problem);
	if (r >= 0 && words->after)
		r = parse_after(words->after, &q, problem);
	if (r >= 0 && words->limit)
		r = parse_limit(words->limit, &q, problem);
	if (r >= 0)
		*ret = q;
	return r;
}
