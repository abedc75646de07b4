/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "server.h"

int server_init(struct server *s, struct settings *settings)
{
	int r;

	*s = (struct server){ .settings = *settings };
	*settings = (struct settings){ 0 };
	r = live_init(&s->live, s->settings.run_dir);
	return r < 0 ? r : families_new(pages, &s->families);
}

void server_done(struct server *s)
{
	metrics_cache_done(&s->cache);
	families_free(s->families);
	live_done(&s->live);
	settings_done(&s->settings);
}
