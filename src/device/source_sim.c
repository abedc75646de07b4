/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A simulated drive in a reader: powered on when the reader starts. */

#include <stdio.h>
#include <unistd.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/sim.h"
#include "source.h"

struct simulated {
	struct sim *sim;
	int64_t power_on;
};

static int sim_source_open(const char *target, void **ret)
{
	static struct simulated s;
	char error[512];
	int r = sim_load(target, &s.sim, error, sizeof(error));

	if (r < 0) {
		fprintf(stderr, "nvmewatch-reader: %s\n", error);
		return r;
	}
	s.power_on = clock_mono();
	*ret = &s;
	return 0;
}

static uint64_t elapsed(const struct simulated *s)
{
	return (uint64_t)(clock_mono() - s->power_on);
}

static void sim_source_execute(void *drive, const struct command *c, struct reply *ret)
{
	struct simulated *s = drive;
	uint64_t delay = sim_delay_us(s->sim, elapsed(s), c);

	if (sim_crashes(s->sim, elapsed(s), c))
		_exit(1);
	if (delay == UINT64_MAX)
		for (;;)
			pause();
	for (; delay >= 1000000; delay -= 1000000)
		sleep(1);
	usleep((useconds_t)delay);
	sim_execute(s->sim, elapsed(s), c, ret);
}

const struct source sim_source = {
	.name = "sim",
	.open = sim_source_open,
	.execute = sim_source_execute,
};
