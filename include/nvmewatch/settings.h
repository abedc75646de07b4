/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Every key of nvmewatch.conf, shared by the programs. Durations are microseconds. Loaded once at
 * start (and again on SIGHUP); read-only afterwards, any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SETTINGS_FOREVER UINT64_MAX

struct settings {
	char *source; /* "linux" or "sim:DIR" */
	char **include, **exclude; /* shell patterns, NULL-terminated, or NULL */
	bool fabrics;
	uint64_t forget_after;
	char *state_dir, *run_dir;
	char *drives_dir; /* the site's part of the drive catalogue */
	uint64_t poll_smart, poll_ocp, poll_power, poll_slow, poll_timeout;
	uint64_t store_interval, store_flush;
	uint64_t keep_raw, keep_rollup; /* SETTINGS_FOREVER: for ever */
	uint64_t max_size, min_free;    /* bytes */
	char *listen; /* ADDRESS:PORT, [IPv6]:PORT */
	/* Files of serve, "" where they are not wanted. */
	char *tls_cert, *tls_key, *client_ca, *read_token_file, *admin_token_file;
	bool full_metrics;
	char **labels; /* labels on value series: serial first */
	uint64_t given; /* see settings_given() */
};

/* The defaults. 0 or -ENOMEM. */
int settings_init(struct settings *ret);
void settings_done(struct settings *s);

/* Reads `path` and then the *.conf files of path.d in the order of their names. A missing file at `path` is
 * an error unless optional is set. Returns 0, or a negative errno with a message in error[] that
 * names file, line and key and says what is allowed. */
int settings_load(struct settings *s, const char *path, bool optional, char *error, size_t error_size);

/* One `section.key=value` of the command line. As above. */
int settings_override(struct settings *s, const char *assignment, char *error, size_t error_size);

/* Whether a file or an option has set the key, be it to its default. */
bool settings_given(const struct settings *s, const char *section, const char *name);

/* Whether the keys go together, once all were read. 0, or -EINVAL with a message in error[]. */
int settings_check(const struct settings *s, char *error, size_t error_size);
