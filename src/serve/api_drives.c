/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /api/v1/drives and /api/v1/drives/{serial} */

#include "api.h"
#include "json.h"

int api_drives(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret)
{
	_cleanup_(document_done) struct document d;
	struct view v;

	(void)q, (void)names;
	live_look(&s->live, &v);
	document_drives(&v, &d);
	return answer_document(ret, &d);
}

int api_drive(struct server *s, const struct request *q, const char *const *names,
	      struct answer *ret)
{
	_cleanup_(document_done) struct document d;
	struct view v;

	(void)q;
	live_look(&s->live, &v);
	document_drive(&v, names[0], &d);
	return answer_document(ret, &d);
}
