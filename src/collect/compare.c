/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "compare.h"

#include "collector.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/peers.h"
#include "schedule.h"
#include "watch.h"

static void compare_all(struct collector *c, int64_t now)
{
	_cleanup_(freep) struct peer *peers = calloc(c->n_watches, sizeof(*peers));
	_cleanup_(freep) struct peer_report *reports = calloc(c->n_watches, sizeof(*reports));

	if (!peers || !reports)
		return; /* the next time */
	for (size_t i = 0; i < c->n_watches; i++)
		watch_tell_peers(c->watches[i], now, &peers[i]);
	if (peers_compare(peers, c->n_watches, reports) < 0)
		return;
	for (size_t i = 0; i < c->n_watches; i++)
		watch_take_peers(c->watches[i], &reports[i]);
}

void compare_run(struct collector *c, int64_t now, bool answers)
{
	int64_t next = schedule_next(now, c->settings.poll_ocp, c->phase);

	/* Not at the start, and at once where the cadence was changed. */
	if (!c->compare || next < c->compare)
		c->compare = next;
	if (answers || now < c->compare)
		return;
	c->compare = next;
	if (c->n_watches)
		compare_all(c, now);
}
