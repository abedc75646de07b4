/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/boot.h"

#include <stdio.h>
#include <time.h>

#include "nvmewatch/cleanup.h"

static int64_t clock_us(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t clock_real(void)
{
	return clock_us(CLOCK_REALTIME);
}

int64_t clock_mono(void)
{
	return clock_us(CLOCK_BOOTTIME);
}

void boot_id(char ret[static 40])
{
	_cleanup_(fclosep) FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!f || fscanf(f, "%36s", ret) != 1)
		ret[0] = 0;
}
