/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "collector.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/log.h"
#include "recorder.h"

#define SECOND INT64_C(1000000)
#define CADENCE_MAX (15 * SECOND)

int publication_start(struct collector *c)
{
	c->publish_cadence = c->settings.poll_smart;
	if (c->publish_cadence > (uint64_t)CADENCE_MAX)
		c->publish_cadence = (uint64_t)CADENCE_MAX;
	c->now_path = format_text("%s/now.db", c->settings.run_dir);
	if (!c->now_path)
		return -ENOMEM;
	c->dirty = true; /* a host without drives is published too */
	return now_new(c->publish_cadence, &c->now);
}

static void put_store(struct collector *c)
{
	struct now_store store;

	if (recorder_status(c->recorder, &store))
		now_put_store(c->now, &store);
}

static void publish(struct collector *c, int64_t now)
{
	put_store(c);
	int r = now_publish(c->now, c->now_path, clock_real(), now);

	/* Once per spell. */
	if (r < 0 && !c->publish_failing)
		log_msg(LOG_ERR, "%s cannot be written (%s): nothing new is served until it can",
			c->now_path, strerror(-r));
	else if (r == 0 && c->publish_failing)
		log_msg(LOG_NOTICE, "%s is written again", c->now_path);
	c->publish_failing = r < 0;
	c->dirty = false;
	c->published = now;
}

int64_t publication_run(struct collector *c, int64_t now, bool answers)
{
	int64_t earliest = c->published ? c->published + SECOND : now;
	int64_t latest = (c->published ? c->published : now) + (int64_t)c->publish_cadence;

	if ((c->dirty && now >= earliest && !answers) || now >= latest) {
		publish(c, now);
		return now + (int64_t)c->publish_cadence;
	}
	return c->dirty && !answers && earliest < latest ? earliest : latest;
}
