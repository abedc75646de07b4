/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A simulated drive in a reader. The target is PATH@DEVICE@MICROSECONDS: the drive file, the name that
 * discovery gave it, and when the drive was powered on (mono), so that a reader that is started again
 * goes on with the drive where the last one left it. PATH alone is powered on now. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/parse.h"
#include "nvmewatch/sim.h"
#include "source.h"

struct simulated {
	struct sim *sim;
	int64_t power_on;
};

/* Cuts "@DIGITS" off the path. Returns the moment, now where there is none. */
static int64_t power_on_take(char *path)
{
	char *at = strrchr(path, '@');
	int64_t moment;

	if (!at || !at[1] || strspn(at + 1, "0123456789") != strlen(at + 1) ||
	    parse_int(at + 1, &moment) < 0)
		return clock_mono();
	*at = 0;
	return moment;
}

/* Cuts "@nvme3" off the path. Returns the name, NULL where there is none. */
static const char *device_take(char *path)
{
	char *at = strrchr(path, '@');
	int end = 0;

	if (!at || (sscanf(at, "@nvme%*u%n", &end), !end || at[end]))
		return NULL;
	*at = 0;
	return at + 1;
}

static int sim_source_open(const char *target, void **ret)
{
	static struct simulated s;
	_cleanup_(freep) char *path = strdup(target);
	char error[512];

	if (!path)
		return -ENOMEM;
	sim_freep(&s.sim); /* one at a time */
	s.power_on = power_on_take(path);
	const char *device = device_take(path);
	int r = sim_load(path, &s.sim, error, sizeof(error));
	if (r < 0) {
		fprintf(stderr, "nvmewatch-reader: %s\n", error);
		return r;
	}
	if (device)
		sim_set_device(s.sim, device);
	*ret = &s;
	return 0;
}

static uint64_t elapsed(const struct simulated *s)
{
	int64_t now = clock_mono();

	return now > s->power_on ? (uint64_t)(now - s->power_on) : 0;
}

static void sim_source_execute(void *drive, const struct command *c, struct reply *ret)
{
	static struct reply released;
	struct simulated *s = drive;
	struct command release;
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
	if (command_release(c, ret, &release))
		sim_execute(s->sim, elapsed(s), &release, &released);
}

const struct source sim_source = {
	.name = "sim",
	.open = sim_source_open,
	.execute = sim_source_execute,
};
