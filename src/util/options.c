/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define STANDARD_CONFIG SYSCONFDIR "/nvmewatch/nvmewatch.conf"

static const struct option long_options[] = {
	{ "config", required_argument, NULL, 'c' },
	{ "option", required_argument, NULL, 'o' },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void print_help(const struct options *o)
{
	printf("Usage: %s [--config FILE] [-o section.key=value ...]\n"
	       "%s\n\n"
	       "  --config FILE         read FILE and the *.conf files of FILE.d\n"
	       "                        (without it: %s, where it exists)\n"
	       "  -o section.key=value  set one key, after the files\n"
	       "  --version             print the version\n"
	       "  --help                print this\n\n"
	       "Keys are described in nvmewatch.conf(5).\n",
	       o->program, o->description, STANDARD_CONFIG);
}

/* One pass for the file, a second for what overrides it. */
static int overrides(const struct options *o, struct settings *s, char *error, size_t error_size)
{
	int c;

	optind = 0;
	while ((c = getopt_long(o->argc, o->argv, "c:o:", long_options, NULL)) != -1) {
		int r = c == 'o' ? settings_override(s, optarg, error, error_size) : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

static const char *config_of(const struct options *o)
{
	const char *config = NULL;
	int c;

	optind = 0;
	while ((c = getopt_long(o->argc, o->argv, "c:o:", long_options, NULL)) != -1)
		if (c == 'c')
			config = optarg;
	return config;
}

int options_reload(const struct options *o, struct settings *ret_settings, char *error,
		   size_t error_size)
{
	const char *config = config_of(o);
	struct settings s;

	snprintf(error, error_size, "out of memory");
	int r = settings_init(&s);
	if (r < 0)
		return r;
	r = settings_load(&s, config ? config : STANDARD_CONFIG, !config, error, error_size);
	if (r == 0)
		r = overrides(o, &s, error, error_size);
	if (r == 0)
		r = settings_check(&s, error, error_size);
	if (r < 0) {
		settings_done(&s);
		return r;
	}
	*ret_settings = s;
	return 0;
}

int options_read(const struct options *o, struct settings *ret_settings)
{
	char error[512];
	int c;

	while ((c = getopt_long(o->argc, o->argv, "c:o:", long_options, NULL)) != -1) {
		if (c == 'h') {
			print_help(o);
			return 0;
		}
		if (c == 'V') {
			printf("%s %s\n", o->program, PACKAGE_VERSION);
			return 0;
		}
		if (c == '?') /* getopt has said what is wrong */
			return -EINVAL;
	}
	if (optind < o->argc) {
		fprintf(stderr, "%s: unexpected argument \"%s\", see --help\n", o->program,
			o->argv[optind]);
		return -EINVAL;
	}
	int r = options_reload(o, ret_settings, error, sizeof(error));
	if (r < 0) {
		fprintf(stderr, "%s: %s\n", o->program, error);
		return r;
	}
	return 1;
}
