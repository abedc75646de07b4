/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /healthz and /readyz */

#include "api.h"
#include "json.h"

static double publication_age(const struct view *v)
{
	return (double)((v->mono - v->snapshot->mono) / 1000) / 1000;
}

/* That it is answered is the answer. */
int api_healthz(struct server *s, const struct request *q, const char *const *names,
		struct answer *ret)
{
	(void)s, (void)q, (void)names;
	return answer_json(ret, json_pack("{ss}", "status", "ok"));
}

int api_readyz(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret)
{
	struct view v;

	(void)q, (void)names;
	live_look(&s->live, &v);
	if (!v.snapshot)
		return answer_problem(ret, 503, "The collector has not published anything yet.");
	if (!v.up)
		return answer_problem(ret, 503, "The collector has stopped publishing.");
	return answer_json(ret, json_pack("{ss sf si}", "status", "ready", "age_seconds",
					  publication_age(&v), "drives",
					  (int)v.snapshot->n_drives));
}
