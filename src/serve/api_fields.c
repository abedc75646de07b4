/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /api/v1/fields */

#include "api.h"
#include "json.h"

int api_fields(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret)
{
	_cleanup_(document_done) struct document d;

	(void)s, (void)q, (void)names;
	document_fields(pages, &d);
	return answer_document(ret, &d);
}
