/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The command line that every daemon takes: --config FILE, -o section.key=value, --version,
 * --help. */

#include "nvmewatch/settings.h"

struct options {
	const char *program;     /* as in --help and --version */
	const char *description; /* one sentence for --help */
	int argc;
	char **argv;
};

/* Reads the command line and the configuration it names. Returns 1: go on with *ret_settings; 0:
 * done, all was said on stdout; a negative errno: what is wrong was said on stderr. */
int options_read(const struct options *o, struct settings *ret_settings);

/* The configuration again, for SIGHUP. 0, or a negative errno with a message in error[]. */
int options_reload(const struct options *o, struct settings *ret_settings, char *error,
		   size_t error_size);
