/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int server_init(struct server *s, struct settings *settings)
{
	int r;

	*s = (struct server){ .settings = *settings, .times = CLIENT_TIMES,
			      .work = WORK_LIMITS };
	*settings = (struct settings){ 0 };
	r = live_init(&s->live, s->settings.run_dir);
	return r < 0 ? r : families_new(pages, &s->families);
}

int server_unlock(struct server *s, char *error, size_t error_size)
{
	int r = tls_read(&s->settings, &s->tls, error, error_size);

	return r < 0 ? r : tokens_read(&s->settings, &s->tokens, error, error_size);
}

/* What listening sockets, open files and the protocol stand for. */
static bool needs_restart(const struct settings *a, const struct settings *b)
{
	return strcmp(a->listen, b->listen) || strcmp(a->run_dir, b->run_dir) ||
	       strcmp(a->state_dir, b->state_dir) || !a->tls_cert[0] != !b->tls_cert[0];
}

int server_reload(struct server *s, struct settings *settings, char *error, size_t error_size)
{
	_cleanup_(tls_unrefp) struct tls *tls = NULL;
	struct tls *old = s->tls;
	int r;

	if (needs_restart(&s->settings, settings)) {
		snprintf(error, error_size, "serve.listen, paths.* and whether there is a "
			 "serve.tls_cert change with a restart only");
		return -EINVAL;
	}
	r = tls_read(settings, &tls, error, error_size);
	if (r >= 0)
		r = tokens_read(settings, &s->tokens, error, error_size);
	if (r < 0)
		return r;
	s->tls = tls;
	tls = old;
	settings_done(&s->settings);
	s->settings = *settings;
	*settings = (struct settings){ 0 };
	metrics_cache_done(&s->cache); /* rendered as the old settings said */
	return 0;
}

void server_done(struct server *s)
{
	metrics_cache_done(&s->cache);
	families_free(s->families);
	live_done(&s->live);
	tls_unref(s->tls);
	tokens_done(&s->tokens);
	settings_done(&s->settings);
}
