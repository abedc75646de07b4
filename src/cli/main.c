/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvmewatch: shows the drives that the daemons watch, and steers the collector. */

#include <errno.h>
#include <stdio.h>

#include "cli.h"
#include "nvmewatch/options.h"

#define EXIT_USAGE 2

static int settings_read(struct cli *c)
{
	const struct options options = {
		.program = "nvmewatch",
		.argc = c->arguments.n_configuration,
		.argv = c->arguments.configuration,
	};
	char error[512];
	int r = options_reload(&options, &c->settings, error, sizeof(error));

	if (r < 0)
		cli_say("%s", error);
	return r;
}

/* What a server elsewhere says needs nothing of this host. */
static int prepare(struct cli *c)
{
	int r;

	if (c->arguments.url) {
		r = source_remote(&c->source, c->arguments.url);
	} else {
		r = settings_read(c);
		if (r < 0)
			return r == -EINVAL ? -EBADMSG : r;
		r = c->arguments.verb->host ? source_files(&c->source, &c->settings) :
					      source_local(&c->source, &c->settings);
	}
	if (r < 0)
		cli_say("out of memory");
	return r;
}

static int run(struct cli *c)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	int r;

	switch (c->arguments.action) {
	case ARGUMENTS_HELP:
		arguments_help(c->arguments.verb, &out);
		return cli_print(&out);
	case ARGUMENTS_VERSION:
		buffer_text(&out, "nvmewatch " PACKAGE_VERSION "\n");
		return cli_print(&out);
	case ARGUMENTS_RUN:
		break;
	}
	r = prepare(c);
	return r < 0 ? r : c->arguments.verb->run(c);
}

int main(int argc, char **argv)
{
	struct cli c = { 0 };
	char error[512] = "out of memory";
	int r = arguments_parse(argc, argv, &c.arguments, error, sizeof(error));

	if (r < 0)
		cli_say("%s", error);
	else
		r = run(&c);
	source_done(&c.source);
	settings_done(&c.settings);
	arguments_done(&c.arguments);
	return r == -EINVAL ? EXIT_USAGE : r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
