/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "arguments.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const struct option long_options[] = {
	{ "agg", required_argument, NULL, 'g' },
	{ "all", no_argument, NULL, 'a' },
	{ "config", required_argument, NULL, 'c' },
	{ "csv", no_argument, NULL, 'C' },
	{ "end", required_argument, NULL, 'e' },
	{ "help", no_argument, NULL, 'h' },
	{ "json", no_argument, NULL, 'j' },
	{ "option", required_argument, NULL, 'o' },
	{ "since", required_argument, NULL, 's' },
	{ "start", required_argument, NULL, 'b' },
	{ "step", required_argument, NULL, 't' },
	{ "url", required_argument, NULL, 'u' },
	{ "version", no_argument, NULL, 'V' },
	{ 0 },
};

static void help_verb(const struct verb *v, struct buffer *out)
{
	buffer_printf(out, "Usage: nvmewatch [OPTION ...] %s%s%s\n\n%s\n\nOptions are listed by "
			   "nvmewatch --help.\n",
		      v->name, v->words[0] ? " " : "", v->words, v->help);
}

static void help_line(const struct verb *v, struct buffer *out)
{
	char usage[96];

	snprintf(usage, sizeof(usage), "%s %s", v->name, v->words);
	buffer_printf(out, "  %-30s %.*s\n", usage, (int)strcspn(v->help, "\n"), v->help);
}

void arguments_help(const struct verb *v, struct buffer *out)
{
	if (v) {
		help_verb(v, out);
		return;
	}
	buffer_text(out, "Usage: nvmewatch [OPTION ...] VERB [WORD ...]\n"
			 "Shows this host's NVMe drives and steers their collector.\n\n");
	for (v = verbs; v->name; v++)
		help_line(v, out);
	buffer_text(out, "\nDRIVE is a serial, a device name as nvme0, or the beginning of one "
			 "serial alone. TIME is\n2026-11-30T21:00:00Z, seconds since 1970, or a "
			 "duration as 12h or 7d: so long ago.\n\n"
			 "  --json                  print JSON as the API has it\n"
			 "  --all                   show: absent values too\n"
			 "  --csv                   history, events, export: print CSV\n"
			 "  --start, --end TIME     history, export: from when, until when\n"
			 "  --since TIME            events: from when\n"
			 "  --step DURATION         history: one value for each so long\n"
			 "  --agg AGG               history: which, as mean, max or increase\n"
			 "  --url URL               ask the server at URL, not this host's\n"
			 "  --config FILE           read FILE and the *.conf files of FILE.d\n"
			 "  -o section.key=value    set one key, after the files\n"
			 "  --version               print the version\n"
			 "  --help                  print this, or more about a VERB\n\n"
			 "nvmewatch(1) says more.\n");
}

__attribute__((format(printf, 3, 4)))
static int refuse(char *error, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, size, format, args);
	va_end(args);
	return -EINVAL;
}

static void keep(struct arguments *a, const char *option, char *value)
{
	a->configuration[a->n_configuration++] = (char *)option;
	a->configuration[a->n_configuration++] = value;
}

static int take_option(struct arguments *a, int c, char **argv, char *error, size_t size)
{
	switch (c) {
	case 'a': a->all = true; break;
	case 'b': a->start = optarg; break;
	case 'C': a->csv = true; break;
	case 'e': a->end = optarg; break;
	case 'g': a->agg = optarg; break;
	case 's': a->since = optarg; break;
	case 't': a->step = optarg; break;
	case 'c': keep(a, "--config", optarg); break;
	case 'h': a->action = ARGUMENTS_HELP; break;
	case 'j': a->json = true; break;
	case 'o': keep(a, "-o", optarg); break;
	case 'u': a->url = optarg; break;
	case 'V': a->action = ARGUMENTS_VERSION; break;
	case ':': return refuse(error, size, "%s needs a value, see --help", argv[optind - 1]);
	default:
		/* With a letter the word at hand need not be its own, but for a value that is one
		 * too many. */
		if (optopt > 0 && (strncmp(argv[optind - 1], "--", 2) ||
				   !strchr(argv[optind - 1], '=')))
			return refuse(error, size, "unknown option \"-%c\", see --help", optopt);
		return refuse(error, size, "unknown option \"%s\", see --help", argv[optind - 1]);
	}
	return 0;
}

static int take_options(struct arguments *a, int argc, char **argv, char *error, size_t size)
{
	int c, r = 0;

	opterr = 0;
	optind = 0; /* from the start, whoever read options before */
	while (r >= 0 && (c = getopt_long(argc, argv, ":o:", long_options, NULL)) != -1)
		r = take_option(a, c, argv, error, size);
	return r;
}

static const struct verb *verb_find(const char *name)
{
	for (const struct verb *v = verbs; v->name; v++)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

static int check_options(const struct arguments *a, char *error, size_t size)
{
	const char *name = a->verb->name;
	const struct verb *v = a->verb;
	const struct {
		const char *option;
		bool given, taken;
	} options[] = {
		{ "--json", a->json, v->json }, { "--all", a->all, v->all }, { "--csv", a->csv, v->csv },
		{ "--start", a->start, v->span }, { "--end", a->end, v->span },
		{ "--step", a->step, v->step }, { "--agg", a->agg, v->step },
		{ "--since", a->since, v->since },
	};

	for (size_t i = 0; i < ELEMENTS(options); i++)
		if (options[i].given && !options[i].taken)
			return refuse(error, size, "%s takes no %s", name, options[i].option);
	if (a->json && a->csv)
		return refuse(error, size, "--json and --csv exclude each other");
	if (a->url && a->verb->host)
		return refuse(error, size, "%s is about this host and takes no --url", name);
	if (a->url && strncmp(a->url, "http://", 7) && strncmp(a->url, "https://", 8))
		return refuse(error, size, "--url takes http://HOST:PORT or https://HOST:PORT, "
			      "not \"%s\"", a->url);
	return 0;
}

static int take_words(struct arguments *a, int n, char **words, char *error, size_t size)
{
	a->verb = n ? verb_find(words[0]) : NULL;
	if (n && !a->verb)
		return refuse(error, size, "unknown verb \"%s\", see --help", words[0]);
	if (a->action != ARGUMENTS_RUN)
		return 0;
	if (!n)
		return refuse(error, size, "what to do? See --help");
	if ((size_t)n - 1 < a->verb->least || (size_t)n - 1 > a->verb->most)
		return refuse(error, size, "usage: nvmewatch %s%s%s", a->verb->name,
			      a->verb->words[0] ? " " : "", a->verb->words);
	for (int i = 1; i < n; i++)
		a->words[a->n_words++] = words[i];
	return check_options(a, error, size);
}

int arguments_parse(int argc, char **argv, struct arguments *ret, char *error, size_t error_size)
{
	int r;

	*ret = (struct arguments){ 0 };
	/* No option yields more than its two words, and argv has as many. */
	ret->configuration = calloc(2 * (size_t)argc + 2, sizeof(char *));
	if (!ret->configuration)
		return -ENOMEM;
	ret->configuration[ret->n_configuration++] = (char *)"nvmewatch";
	r = take_options(ret, argc, argv, error, error_size);
	return r < 0 ? r : take_words(ret, argc - optind, argv + optind, error, error_size);
}

void arguments_done(struct arguments *a)
{
	free(a->configuration);
	*a = (struct arguments){ 0 };
}
