/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One question to history, asked again and again of one reader, as a server does:
 *
 *   ask STATE DRIVE PAGE COLUMN START END STEP REPEATS
 *
 * Seconds; STEP 0 is chosen. Prints the least milliseconds of wall clock and of CPU time, those of the first
 * time, with opening history.db, how many points there were, the step in seconds, and what answered. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nvmewatch/history_query.h"

static double milliseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	double least_wall = 1e9, least_cpu = 1e9, first = 0;
	_cleanup_(history_reader_freep) struct history_reader *reader = NULL;

	if (argc != 9) {
		fprintf(stderr, "usage: ask STATE DRIVE PAGE COLUMN START END STEP REPEATS\n");
		return 2;
	}
	const char *columns[] = { argv[4] };
	struct query q = { .page = page_find(argv[3]), .columns = columns, .n_columns = 1,
			   .start = atoll(argv[5]) * 1000, .end = atoll(argv[6]) * 1000 - 1,
			   .step = atoll(argv[7]) * 1000, .agg = QUERY_DEFAULT };
	for (int i = atoi(argv[8]); q.page && i > 0; i--) {
		_cleanup_(query_result_freep) struct query_result *found = NULL;
		double wall = milliseconds(CLOCK_MONOTONIC), cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
		int r = reader ? 0 : history_reader_open(argv[1], NULL, &reader);

		if (r == 0)
			r = history_query(reader, argv[2], &q, &found);
		wall = milliseconds(CLOCK_MONOTONIC) - wall;
		cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		if (r < 0) {
			fprintf(stderr, "ask: %s\n", strerror(-r));
			return 1;
		}
		first = first ? first : wall;
		least_wall = wall < least_wall ? wall : least_wall;
		least_cpu = cpu < least_cpu ? cpu : least_cpu;
		if (i == 1 && found)
			printf("%.4f %.4f %.4f %zu %lld %s\n", least_wall, least_cpu, first, found->n_points,
			       (long long)found->plan.step / 1000,
			       query_resolution_name(found->plan.resolution));
	}
	return q.page ? 0 : 2;
}
