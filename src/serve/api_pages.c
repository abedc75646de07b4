/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /api/v1/drives/{serial}/pages/{page} */

#include "api.h"
#include "json.h"
#include "nvmewatch/parse.h"

static int raw_answer(const struct view *v, const char *const *names, struct answer *ret)
{
	_cleanup_(buffer_done) struct buffer bytes = { 0 };
	_cleanup_(document_done) struct document problem = { 0 };
	const struct page *p;
	const struct now_page *known = document_find_page(v, names[0], names[1], &p, &problem);

	if (!known)
		return answer_document(ret, &problem);
	buffer_put(&bytes, known->bytes, known->length);
	return answer_bytes(ret, &bytes, TYPE_BYTES);
}

int api_page(struct server *s, const struct request *q, const char *const *names,
	     struct answer *ret)
{
	_cleanup_(document_done) struct document d = { 0 };
	const char *text = request_parameter(q, "raw");
	bool raw = false;
	struct view v;

	if (text && parse_bool(text, &raw) < 0)
		return answer_problem(ret, 400, "raw takes 1 or 0, not \"%s\".", text);
	live_look(&s->live, &v);
	if (raw)
		return raw_answer(&v, names, ret);
	document_page(&v, names[0], names[1], &d);
	return answer_document(ret, &d);
}
