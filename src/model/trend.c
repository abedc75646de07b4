/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/trend.h"

#include <math.h>

#include "nvmewatch/page.h"
#include "thermal_bytes.h"

#define SECOND INT64_C(1000000)
#define WINDOW (600 * SECOND)
/* So many as the ring holds are just that window. */
#define APART (WINDOW / (TREND_READS - 1))
#define SPAN_LEAST (120 * SECOND)
#define READS_LEAST 4
#define DEGREES_LEAST 2   /* over the reads: a drive that goes from one degree to the next makes 1.5 */
#define ERRORS_LEAST 3    /* standard errors */
#define ROUNDING (1.0 / 12) /* the variance of whole degrees, which reads that are equal hide */
#define DAY 86400

struct line {
	unsigned n;
	double span;      /* seconds */
	double mean_time, mean; /* seconds before now; degrees */
	double time_squares, products, squares; /* about the means */
};

static const struct trend_read *newest(const struct trend *t)
{
	return t->n ? &t->reads[(t->next + TREND_READS - 1) % TREND_READS] : NULL;
}

void trend_add(struct trend *t, int64_t now, int64_t celsius)
{
	const struct trend_read *last = newest(t);

	if (last && now - last->time < APART)
		return;
	t->reads[t->next] = (struct trend_read){ .time = now, .celsius = celsius };
	t->next = (t->next + 1) % TREND_READS;
	if (t->n < TREND_READS)
		t->n++;
}

static bool counts(const struct trend_read *r, int64_t now)
{
	return r->time <= now && now - r->time <= WINDOW;
}

static double seconds_of(const struct trend_read *r, int64_t now)
{
	return (double)(r->time - now) / SECOND;
}

static void take_means(const struct trend *t, int64_t now, struct line *l)
{
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (unsigned i = 0; i < t->n; i++) {
		const struct trend_read *r = &t->reads[i];

		if (!counts(r, now))
			continue;
		l->n++;
		l->mean_time += seconds_of(r, now);
		l->mean += (double)r->celsius;
		first = r->time < first ? r->time : first;
		last = r->time > last ? r->time : last;
	}
	if (!l->n)
		return;
	l->mean_time /= l->n;
	l->mean /= l->n;
	l->span = (double)(last - first) / SECOND;
}

static void take_squares(const struct trend *t, int64_t now, struct line *l)
{
	for (unsigned i = 0; i < t->n; i++) {
		const struct trend_read *r = &t->reads[i];

		if (!counts(r, now))
			continue;
		double time = seconds_of(r, now) - l->mean_time, degrees = (double)r->celsius - l->mean;
		l->time_squares += time * time;
		l->products += time * degrees;
		l->squares += degrees * degrees;
	}
}

bool trend_rise(const struct trend *t, int64_t now, double *ret)
{
	struct line l = { 0 };

	take_means(t, now, &l);
	if (l.n < READS_LEAST || l.span * SECOND < SPAN_LEAST)
		return false;
	take_squares(t, now, &l);
	double rise = l.products / l.time_squares;
	double variance = (l.squares - rise * l.products) / (l.n - 2);
	double error = sqrt(fmax(variance, ROUNDING) / l.time_squares);
	bool tells = fabs(rise) * l.span >= DEGREES_LEAST && fabs(rise) >= ERRORS_LEAST * error;
	*ret = tells ? rise : 0;
	return true;
}

bool trend_seconds_until(const struct trend *t, int64_t now, int64_t limit, int64_t *ret)
{
	double rise;

	if (!trend_rise(t, now, &rise) || rise <= 0)
		return false;
	double seconds = fmax((double)(limit - newest(t)->celsius), 0) / rise;
	if (seconds > DAY)
		return false;
	*ret = llround(seconds);
	return true;
}

void trend_put(const struct trend *t, const uint8_t *identify, int64_t now, uint8_t *bytes)
{
	int64_t limit, seconds = -1, raw = 0;
	double rise;

	if (trend_rise(t, now, &rise))
		raw = llround(rise * RISE_SCALE) + RISE_BIAS;
	if (!page_integer(&identify_page, identify, "wctemp_celsius", &limit) ||
	    !trend_seconds_until(t, now, limit, &seconds))
		seconds = -1;
	bytes_put(bytes + THERMAL_RISE, 4, (uint64_t)raw);
	bytes_put(bytes + THERMAL_TO_WARNING, 4, (uint64_t)(seconds + 1));
}
