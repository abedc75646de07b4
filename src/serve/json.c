/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "json.h"

int answer_json(struct answer *ret, json_t *document)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	int r = json_write(document, &out);

	json_decref(document);
	return r < 0 ? r : answer_bytes(ret, &out, TYPE_JSON);
}

int answer_document(struct answer *ret, struct document *d)
{
	return d->problem[0] ? answer_problem(ret, d->status, "%s", d->problem) :
			       answer_json(ret, TAKE(d->json));
}
