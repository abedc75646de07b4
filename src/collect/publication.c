/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* now.db: at most once a second while values change, and at least once per cadence so that its age
 * says whether the collector lives. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "collector.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/log.h"

#define SECOND INT64_C(1000000)
#define CADENCE_MAX (15 * SECOND)
#define GATHER 20000 /* microseconds: answers that come together are published together */

static int on_publish_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	(void)source;
	(void)usec;
	publication_write(userdata);
	return 0;
}

int publication_start(struct collector *c)
{
	int r;

	c->publish_cadence = c->settings.poll_smart;
	if (c->publish_cadence > (uint64_t)CADENCE_MAX)
		c->publish_cadence = (uint64_t)CADENCE_MAX;
	if (asprintf(&c->now_path, "%s/now.db", c->settings.run_dir) < 0)
		return -ENOMEM;
	r = now_new(c->publish_cadence, &c->now);
	if (r < 0)
		return r;
	return collector_timer(c, on_publish_timer, c, &c->publish_timer);
}

void publication_request(struct collector *c)
{
	int64_t now = clock_mono(), earliest = c->published + SECOND;

	collector_arm(c->publish_timer, now + GATHER > earliest ? now + GATHER : earliest);
}

void publication_write(struct collector *c)
{
	int64_t mono = clock_mono();
	int r = now_publish(c->now, c->now_path, clock_real(), mono);

	if (r < 0 && !c->publish_failing)
		log_msg(LOG_ERR, "%s cannot be written (%s): nothing new is served until it can",
			c->now_path, strerror(-r));
	else if (r == 0 && c->publish_failing)
		log_msg(LOG_NOTICE, "%s is written again", c->now_path);
	c->publish_failing = r < 0;
	c->published = mono;
	/* Early enough that a busy host does not make a living collector look dead. */
	collector_arm(c->publish_timer, mono + (int64_t)c->publish_cadence);
}
