/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "collector.h"

#include <stdint.h>
#include <time.h>

#define ACCURACY 50000 /* microseconds: wake-ups that are close share one */

int collector_timer(struct collector *c, sd_event_time_handler_t fn, void *userdata,
		    sd_event_source **ret)
{
	sd_event_source *timer;
	int r = sd_event_add_time(c->event, &timer, CLOCK_BOOTTIME, UINT64_MAX, ACCURACY, fn,
				  userdata);

	if (r < 0)
		return r;
	*ret = timer;
	return 0;
}

int collector_arm(sd_event_source *timer, int64_t mono)
{
	int r = sd_event_source_set_time(timer, (uint64_t)mono);

	return r < 0 ? r : sd_event_source_set_enabled(timer, SD_EVENT_ONESHOT);
}
