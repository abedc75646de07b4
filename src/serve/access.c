/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "access.h"

#include <string.h>

#define CHALLENGE "Bearer realm=\"nvmewatch\""

static int unauthorized(const struct request *q, const char *key, struct answer *ret)
{
	int r = answer_problem(ret, 401, "%s needs the token of %s, sent as \"Authorization: "
			       "Bearer TOKEN\".", q->method, key);

	/* RFC 6750, 3.1: who brought none is not told that it is wrong. */
	ret->challenge = q->authorization ? CHALLENGE ", error=\"invalid_token\"" : CHALLENGE;
	return r;
}

int access_check(const struct tokens *t, const struct request *q, struct access to,
		 struct answer *ret)
{
	bool post = !strcmp(q->method, "POST");
	const struct token *token = post ? &t->admin : &t->read;

	if (token->wanted)
		return (to.open && !post) || token_matches(token, q->authorization) ? 1 :
		       unauthorized(q, post ? "serve.admin_token_file" : "serve.read_token_file",
				    ret);
	if (post && to.posts)
		return answer_problem(ret, 403, "POST is refused here: serve.admin_token_file is not "
				      "set.");
	return 1;
}
