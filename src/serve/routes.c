/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "routes.h"

#include <string.h>

#include "accept.h"
#include "access.h"
#include "api.h"
#include "metrics.h"
#include "work.h"

#define NAMES_OF_PATH 2
#define KEYS_MAX 6
#define EVENT_KEYS { "since", "type", "after", "limit" }

static int metrics(struct server *s, const struct request *q, const char *const *names,
		   struct answer *ret)
{
	(void)names;
	return metrics_answer(s, q, ret);
}

/* "*" in a path stands for any one segment that is not empty. */
static const struct route {
	const char *path;
	int (*answer)(struct server *s, const struct request *q, const char *const *names,
		      struct answer *ret);
	const char *keys[KEYS_MAX]; /* of the query */
	bool any_key; /* a scraper may add its own */
	struct access access;
} routes[] = {
	{ "metrics", metrics, { 0 }, true, { 0 } },
	{ "api/v1/drives", api_drives, { 0 }, false, { 0 } },
	{ "api/v1/drives/*", api_drive, { 0 }, false, { 0 } },
	{ "api/v1/drives/*/events", api_events, EVENT_KEYS, false, { 0 } },
	{ "api/v1/drives/*/history", api_history,
	  { "page", "fields", "start", "end", "step", "agg" }, false, { 0 } },
	{ "api/v1/drives/*/pages/*", api_page, { "raw" }, false, { 0 } },
	{ "api/v1/events", api_events, EVENT_KEYS, false, { 0 } },
	{ "api/v1/fields", api_fields, { 0 }, false, { 0 } },
	{ "healthz", api_healthz, { 0 }, false, { .open = true } },
	{ "readyz", api_readyz, { 0 }, false, { 0 } },
};

static bool route_matches(const struct route *route, const struct request *q,
			  const char *names[static NAMES_OF_PATH])
{
	const char *path = route->path;
	size_t n_names = 0;

	for (size_t i = 0; i < q->n_segments; i++) {
		const char *segment = q->segments[i];
		size_t length = strcspn(path, "/");

		if (path[0] == '*' && segment[0])
			names[n_names++] = segment;
		else if (!length || strlen(segment) != length || memcmp(segment, path, length))
			return false;
		path += length;
		path += *path == '/';
	}
	return !*path;
}

static const struct route *route_find(const struct request *q,
				      const char *names[static NAMES_OF_PATH])
{
	for (size_t i = 0; i < ELEMENTS(routes); i++)
		if (route_matches(&routes[i], q, names))
			return &routes[i];
	return NULL;
}

/* The first query key that the route does not know, or NULL. */
static const char *unknown_key(const struct route *route, const struct request *q)
{
	for (size_t i = 0; i < q->n_parameters && !route->any_key; i++) {
		bool known = false;

		for (size_t n = 0; n < KEYS_MAX && route->keys[n] && !known; n++)
			known = !strcmp(route->keys[n], q->parameters[i].key);
		if (!known)
			return q->parameters[i].key;
	}
	return NULL;
}

/* A query key that is there twice, or NULL: which of both is meant nobody knows. */
static const char *double_key(const struct route *route, const struct request *q)
{
	for (size_t i = 0; i < q->n_parameters && !route->any_key; i++)
		if (request_parameter(q, q->parameters[i].key) != q->parameters[i].value)
			return q->parameters[i].key;
	return NULL;
}

static int not_allowed(const struct request *q, struct answer *ret)
{
	int r = answer_problem(ret, 405, "%s is not served here, only GET and HEAD are.",
			       q->method);

	ret->allow = "GET, HEAD";
	return r;
}

static int unknown(const struct route *route, const char *key, struct answer *ret)
{
	_cleanup_(buffer_done) struct buffer known = { 0 };

	for (size_t n = 0; n < KEYS_MAX && route->keys[n]; n++)
		buffer_printf(&known, "%s%s", n ? ", " : "", route->keys[n]);
	buffer_put(&known, "", 1);
	return answer_problem(ret, 400, "Unknown query key \"%s\": this takes %s.", key,
			      known.length > 1 ? known.data : "none");
}

int routes_answer(struct server *s, const struct request *q, struct answer *ret)
{
	const char *names[NAMES_OF_PATH] = { 0 };
	const struct route *route = route_find(q, names);
	struct access access = route ? route->access : (struct access){ 0 };
	int r = access_check(&s->tokens, q, access, ret);

	if (r <= 0)
		return r;
	if (!route)
		return answer_problem(ret, 404, "Nothing is served under this path.");
	if (strcmp(q->method, "GET") && strcmp(q->method, "HEAD"))
		return not_allowed(q, ret);
	const char *key = unknown_key(route, q);
	if (key)
		return unknown(route, key, ret);
	key = double_key(route, q);
	if (key)
		return answer_problem(ret, 400, "The query key \"%s\" is there twice.", key);
	struct answer a = { 0 };
	r = route->answer(s, q, names, &a);
	if (r >= 0 && a.job)
		a.job->gzip = accept_gzip(q->accept_encoding);
	else if (r >= 0 && accept_gzip(q->accept_encoding))
		r = answer_compress(&a);
	if (r < 0) {
		answer_done(&a);
		return r;
	}
	*ret = a;
	return 0;
}
