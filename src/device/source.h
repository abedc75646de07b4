/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where a reader's answers come from: a controller of the kernel, or a simulated drive. */

#include "nvmewatch/command.h"

struct source {
	const char *name;
	/* Prepares `target`. 0 or a negative errno; a message goes to stderr where errno cannot say
	 * what is wrong. */
	int (*open)(const char *target, void **ret);
	/* Executes an allowed command; fills all of *ret but the sequence. May block. */
	void (*execute)(void *drive, const struct command *c, struct reply *ret);
};

extern const struct source linux_source, sim_source;

/* Reads a drive of that source as collect asks for it (see reader_main.c). Returns the exit status. */
int reader_main(const struct source *source, int argc, char **argv);
