/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The command line taken apart: a verb of the table, its words, and options that may stand
 * anywhere. Says nothing itself. One thread (getopt). */

#include <stdbool.h>
#include <stddef.h>

#include "nvmewatch/buffer.h"

#define WORDS_MAX 34

struct cli;

struct verb {
	const char *name;
	const char *words; /* as usage shows them */
	const char *help;  /* lines for people */
	size_t least, most; /* words */
	bool json; /* takes --json */
	bool all;  /* takes --all */
	bool csv;  /* takes --csv */
	bool span; /* takes --start and --end */
	bool step; /* takes --step and --agg */
	bool since; /* takes --since */
	bool host; /* is about this host, so takes no --url */
	int (*run)(struct cli *c);
};

/* NULL name at the end. */
extern const struct verb verbs[];

struct arguments {
	enum { ARGUMENTS_RUN, ARGUMENTS_HELP, ARGUMENTS_VERSION } action;
	const struct verb *verb; /* NULL with --help and --version where none was given */
	const char *words[WORDS_MAX]; /* NULL: not given */
	size_t n_words;
	const char *url;
	bool json, all, csv;
	const char *start, *end, *step, *agg, *since; /* NULL: not given */
	char **configuration; /* --config and -o as the daemons take them, behind a name */
	int n_configuration;
};

/* Takes argv apart, reordering it; what it yields points into it. 0; -EINVAL with a message in
 * error[]; -ENOMEM. arguments_done() in every case. */
int arguments_parse(int argc, char **argv, struct arguments *ret, char *error, size_t error_size);
void arguments_done(struct arguments *a);

/* What --help prints, for one verb or, with NULL, for all. */
void arguments_help(const struct verb *v, struct buffer *out);
