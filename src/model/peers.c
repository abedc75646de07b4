/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/peers.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/cleanup.h"

#define GROUP_LEAST 3
#define NORMAL 1.4826 /* from the median of absolute deviations to the standard deviation of a normal one */
#define DEVIATION_MOST 1000.0

static const struct {
	const char *name;
	double least, share; /* of its standard deviation: in its unit, and of the median */
} metrics[PEER_METRICS] = {
	[PEER_TEMPERATURE] = { "temperature", 2, 0 },
	[PEER_READ_LATENCY] = { "read_latency", 20e-6, 0.1 },
	[PEER_WRITE_LATENCY] = { "write_latency", 20e-6, 0.1 },
	[PEER_WRITE_AMPLIFICATION] = { "write_amplification", 0.1, 0.1 },
};

const char *peer_metric_name(enum peer_metric metric)
{
	return metrics[metric].name;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts them. */
static double median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static bool belongs(const struct peer *p, const struct peer *first, enum peer_metric metric)
{
	return isfinite(p->values[metric]) && !strcmp(p->model, first->model);
}

/* Those from the first on; none before it belongs to it. */
static void compare_group(const struct peer *peers, size_t first, size_t n, enum peer_metric metric,
			  double *values, struct peer_report *ret)
{
	size_t found = 0;

	for (size_t i = first; i < n; i++)
		if (belongs(&peers[i], &peers[first], metric))
			values[found++] = peers[i].values[metric];
	if (found < GROUP_LEAST)
		return;
	double middle = median(values, found);
	for (size_t i = 0; i < found; i++)
		values[i] = fabs(values[i] - middle);
	double deviation = fmax(NORMAL * median(values, found),
				fmax(metrics[metric].least, metrics[metric].share * fabs(middle)));
	for (size_t i = first; i < n; i++) {
		if (!belongs(&peers[i], &peers[first], metric))
			continue;
		double of = (peers[i].values[metric] - middle) / deviation;
		ret[i].of[metric].deviation = fmin(fmax(of, -DEVIATION_MOST), DEVIATION_MOST);
		ret[i].of[metric].drives = (unsigned)found;
	}
}

static bool is_first(const struct peer *peers, size_t which, enum peer_metric metric)
{
	if (!peers[which].model[0] || !isfinite(peers[which].values[metric]))
		return false;
	for (size_t i = 0; i < which; i++)
		if (belongs(&peers[i], &peers[which], metric))
			return false;
	return true;
}

int peers_compare(const struct peer *peers, size_t n, struct peer_report *ret)
{
	_cleanup_(freep) double *values = calloc(n ? n : 1, sizeof(*values));

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		ret[i] = (struct peer_report){ 0 };
	for (enum peer_metric metric = 0; metric < PEER_METRICS; metric++)
		for (size_t i = 0; i < n; i++)
			if (is_first(peers, i, metric))
				compare_group(peers, i, n, metric, values, ret);
	return 0;
}
