/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The samples that fill feeds to the archive, as text for other databases:
 *
 *   dump openmetrics|prometheus SIM_FOLDER DRIVES DAYS EVERY whole|exact [PAGE.COLUMN]...
 *
 * openmetrics: times in seconds, and a line at the end; prometheus: times in milliseconds. Of all columns
 * that are numbers, unless some are named. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/parse.h"
#include "polls.h"

struct dump {
	bool openmetrics, whole;
	char **wanted;
	int n_wanted;
};

static bool is_wanted(const struct dump *d, const char *page, const char *column)
{
	char name[PAGE_NAME_MAX + FIELD_COLUMN_MAX + 2];

	snprintf(name, sizeof(name), "%s.%s", page, column);
	for (int i = 0; i < d->n_wanted; i++)
		if (!strcmp(d->wanted[i], name))
			return true;
	return d->n_wanted == 0;
}

static void put_time(const struct dump *d, int64_t time)
{
	int64_t ms = d->whole ? (time + SECOND / 2) / SECOND * 1000 : time / 1000;

	if (d->openmetrics)
		printf(" %lld.%03d\n", (long long)(ms / 1000), (int)(ms % 1000));
	else
		printf(" %lld\n", (long long)ms);
}

static void put_value(const struct dump *d, const struct sample *s, const char *column, const struct value *v)
{
	char text[32];

	printf("nvmewatch_%s_%s{serial=\"%s\"", s->page->name, column, s->key);
	if (s->page->selector != SELECT_NOTHING)
		printf(",%s=\"%u\"", s->page->instance, s->instance);
	if (v->type == VALUE_INTEGER)
		snprintf(text, sizeof(text), "%lld", (long long)v->integer);
	else
		format_real(v->real, text);
	printf("} %s", text);
	put_time(d, s->time);
}

static void put_sample(const struct dump *d, const struct sample *s)
{
	char column[FIELD_COLUMN_MAX];
	struct value v;

	for (size_t i = 0; i < s->page->n_fields; i++)
		for (unsigned k = 0; k < field_count(&s->page->fields[i]); k++) {
			field_column(&s->page->fields[i], k, column);
			if (is_wanted(d, s->page->name, column) &&
			    page_decode(s->page, &s->page->fields[i], k, s->bytes, &v) == 0 &&
			    (v.type == VALUE_INTEGER || v.type == VALUE_REAL))
				put_value(d, s, column, &v);
		}
}

static void put(void *userdata, const struct sample *found, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		put_sample(userdata, &found[i]);
}

int main(int argc, char **argv)
{
	if (argc < 7) {
		fprintf(stderr, "usage: dump openmetrics|prometheus SIM_FOLDER DRIVES DAYS EVERY whole|exact"
				" [PAGE.COLUMN]...\n");
		return 2;
	}
	struct dump d = { .openmetrics = !strcmp(argv[1], "openmetrics"), .whole = !strcmp(argv[6], "whole"),
			  .wanted = argv + 7, .n_wanted = argc - 7 };
	struct polls *s = polls_open(argv[2], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[5]));
	if (!s)
		return 1;
	while (polls_time(s) < POLLS_START + atoi(argv[4]) * DAY)
		polls_next(s, put, &d);
	polls_free(s);
	if (d.openmetrics)
		printf("# EOF\n");
	return fflush(stdout) ? 1 : 0;
}
