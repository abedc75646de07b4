/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "metrics.h"

#include <errno.h>
#include <string.h>

#include "accept.h"
#include "exposition.h"
#include "server.h"

#define TYPE_TEXT "text/plain; version=0.0.4; charset=utf-8"
#define TYPE_OPENMETRICS "application/openmetrics-text; version=1.0.0; charset=utf-8"

static int render(struct server *s, const struct view *v, bool openmetrics,
		  const char *const *only, int64_t *ret_until, struct body **ret)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	struct exposition_options options = {
		.openmetrics = openmetrics,
		.full = s->settings.full_metrics,
		.labels = s->settings.labels,
		.only = only,
	};
	int r = exposition_render(s->families, v, &options, &out, ret_until);

	return r < 0 ? r : body_new(&out, openmetrics ? TYPE_OPENMETRICS : TYPE_TEXT, ret);
}

static void rendering_drop(struct rendering *r)
{
	body_unref(r->body);
	body_unref(r->compressed);
	*r = (struct rendering){ 0 };
}

void metrics_cache_done(struct metrics_cache *c)
{
	rendering_drop(&c->renderings[0]);
	rendering_drop(&c->renderings[1]);
}

static int cached(struct server *s, const struct view *v, bool openmetrics, bool gzip,
		  struct body **ret)
{
	struct rendering *kept = &s->cache.renderings[openmetrics];
	int r = 0;

	if (s->cache.generation != s->live.generation) {
		metrics_cache_done(&s->cache);
		s->cache.generation = s->live.generation;
	}
	if (kept->body && v->mono > kept->until)
		rendering_drop(kept);
	if (!kept->body)
		r = render(s, v, openmetrics, NULL, &kept->until, &kept->body);
	if (r >= 0 && gzip && !kept->compressed)
		r = body_compress(kept->body, &kept->compressed);
	if (r < 0)
		return r;
	*ret = body_ref(gzip ? kept->compressed : kept->body);
	return 0;
}

/* The values of ?family=, NULL at the end. */
static size_t families_asked(const struct request *q, const char *ret[static PARAMETERS_MAX + 1])
{
	size_t n = 0;

	for (size_t i = 0; i < q->n_parameters; i++)
		if (!strcmp(q->parameters[i].key, "family"))
			ret[n++] = q->parameters[i].value;
	ret[n] = NULL;
	return n;
}

int metrics_answer(struct server *s, const struct request *q, struct answer *ret)
{
	const char *only[PARAMETERS_MAX + 1];
	bool openmetrics = accept_openmetrics(q->accept);
	struct body *body;
	struct view v;
	int64_t until;
	int r;

	live_look(&s->live, &v);
	if (families_asked(q, only))
		r = render(s, &v, openmetrics, only, &until, &body);
	else
		r = cached(s, &v, openmetrics, accept_gzip(q->accept_encoding), &body);
	if (r < 0)
		return r;
	*ret = (struct answer){
		.status = 200, .body = body, .vary = "Accept, Accept-Encoding",
	};
	return 0;
}
