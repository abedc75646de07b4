/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the samples of a wear say: writes by window, write amplification, and when the drive is worn out. */

#include <math.h>

#include "wear_internal.h"

#define HALF 2             /* a window is known from this part of it on */
#define NEAR 8             /* within that part of a window, points are interpolated */
#define AMPLIFIED_FROM 1e9 /* bytes of hosts: below, it says nothing */
#define CENTURY (100.0 * 365.25 * 86400)

static const int64_t lengths[WEAR_LIFE] = { WEAR_HOUR, WEAR_DAY, 7 * WEAR_DAY, 30 * WEAR_DAY };

const char *wear_span_name(enum wear_span span)
{
	static const char *const names[WEAR_SPANS] = { "1h", "24h", "7d", "30d", "life" };

	return names[span];
}

const char *wear_basis_name(enum wear_basis basis)
{
	static const char *const names[WEAR_BASES] = {
		"percentage_used", "rated_tbw", "ocp_endurance", "endurance_group",
	};

	return names[basis];
}

static double between(double a, double b, double share)
{
	return a + (b - a) * share;
}

/* Where a window begins. A long time without samples is all in or all out: nobody knows when in it the
 * drive was written. */
static struct wear_point begin_of(const struct wear *w, int64_t start, int64_t length)
{
	size_t i = 0;

	while (i < w->n && w->points[i].t <= start)
		i++;
	struct wear_point b = i < w->n ? w->points[i] : w->head;
	if (!i || b.t - w->points[i - 1].t > length / NEAR || b.t <= start)
		return b;
	const struct wear_point *a = &w->points[i - 1];
	double share = (double)(start - a->t) / (double)(b.t - a->t);
	return (struct wear_point){
		.t = start,
		.covered = between(a->covered, b.covered, share),
		.host = between(a->host, b.host, share),
		.writes = between(a->writes, b.writes, share),
		.media_covered = between(a->media_covered, b.media_covered, share),
		.media = between(a->media, b.media, share),
		.media_host = between(a->media_host, b.media_host, share),
	};
}

/* What was counted in a window. */
static struct wear_point window_of(const struct wear *w, int64_t now, int64_t length)
{
	struct wear_point a = begin_of(w, now - length, length);

	return (struct wear_point){
		.t = length,
		.covered = w->head.covered - a.covered,
		.host = w->head.host - a.host,
		.writes = w->head.writes - a.writes,
		.media_covered = w->head.media_covered - a.media_covered,
		.media = w->head.media - a.media,
		.media_host = w->head.media_host - a.media_host,
	};
}

static bool is_known(double covered, int64_t length)
{
	return covered * HALF >= (double)length;
}

static double amplification(double media, double host)
{
	return host >= AMPLIFIED_FROM ? media / host : -1;
}

static struct wear_window judge(const struct wear_point *d)
{
	struct wear_window r = {
		.covered_seconds = d->covered / 1e6, .drive_writes_per_day = -1, .write_amplification = -1,
	};

	if (is_known(d->covered, d->t))
		r.drive_writes_per_day = d->writes / (d->covered / (double)WEAR_DAY);
	if (is_known(d->media_covered, d->t))
		r.write_amplification = amplification(d->media, d->media_host);
	return r;
}

static struct wear_window judge_life(const struct wear *w, const struct wear_facts *f)
{
	double days = (double)f->power_on_seconds / 86400;
	struct wear_window r = { .drive_writes_per_day = -1, .write_amplification = -1 };

	if (w->begun && days >= 1 && f->capacity > 0 && w->last.host_written >= 0) {
		r.covered_seconds = (double)f->power_on_seconds;
		r.drive_writes_per_day = (double)w->last.host_written / f->capacity / days;
	}
	if (w->media_known)
		r.write_amplification = amplification((double)w->media_written,
						      (double)w->media_host_written);
	return r;
}

/* In so many seconds from now, rounded to a second; 0 where that is no time to be named. */
static int64_t moment(const struct wear_moment *now, double seconds)
{
	return fabs(seconds) <= CENTURY ? (int64_t)(now->time / WEAR_SECOND) + (int64_t)seconds : 0;
}

/* What is left, at three rates per second. */
static struct wear_end end_of(const struct wear_moment *now, double left, double rate, double fastest,
			      double slowest)
{
	/* What is exhausted already was so the longer ago, the slower it went. */
	bool past = left < 0;
	struct wear_end end = { .expected = rate > 0 ? moment(now, left / rate) : 0 };

	if (!end.expected)
		return end;
	if (fastest > 0)
		end.earliest = moment(now, left / (past ? slowest : fastest));
	if (slowest > 0)
		end.latest = moment(now, left / (past ? fastest : slowest));
	return end;
}

/* The rate of each window of either counter, in bytes per second; negative: not known. */
static double rate_of(const struct wear_point *d, bool media)
{
	double covered = media ? d->media_covered : d->covered;

	return is_known(covered, d->t) ? (media ? d->media : d->host) / (covered / 1e6) : -1;
}

static struct wear_end end_of_bytes(const struct wear_moment *now, const struct wear_point *windows,
				    bool media, double left)
{
	double fastest = 0, slowest = INFINITY, longest = -1;

	for (enum wear_span i = WEAR_24H; i < WEAR_LIFE; i++) {
		double rate = rate_of(&windows[i], media);
		if (rate < 0)
			continue;
		fastest = fmax(fastest, rate);
		slowest = fmin(slowest, rate);
		if (i >= WEAR_7D)
			longest = rate;
	}
	return end_of(now, left, longest, fastest, slowest);
}

static double middle(const struct wear_step *s)
{
	return ((double)s->after + (double)s->by) / 2e6;
}

/* In percent per second. */
struct pace {
	double rate, fastest, slowest;
};

static bool pace_of(const struct wear *w, int64_t now, struct pace *ret)
{
	const struct wear_step *first = &w->steps[0], *last = first + w->n_steps - 1;

	if (w->n_steps < 2 || last->after - first->by < WEAR_DAY)
		return false;
	struct pace p = {
		.rate = (last->percent - first->percent) / (middle(last) - middle(first)),
		.slowest = INFINITY,
	};
	for (const struct wear_step *s = first; s < last; s++) {
		double step = s[1].percent - s->percent;
		/* Steps of one sample or the next are as fast as they are together. */
		if (s[1].after > s->by)
			p.fastest = fmax(p.fastest, step / ((double)(s[1].after - s->by) / 1e6));
		p.slowest = fmin(p.slowest, step / ((double)(s[1].by - s->after) / 1e6));
	}
	/* The next one has not come yet. */
	double most = (last->percent - first->percent + 1) / ((double)now / 1e6 - middle(first));
	p.rate = fmin(p.rate, most);
	p.slowest = fmin(p.slowest, most);
	p.fastest = fmax(p.fastest, p.rate);
	*ret = p;
	return true;
}

static void judge_percentage(const struct wear *w, const struct wear_moment *at, int64_t now,
			     struct wear_report *ret)
{
	struct pace p;

	ret->used_percent_per_day = -1;
	if (!pace_of(w, now, &p))
		return;
	const struct wear_step *last = &w->steps[w->n_steps - 1];
	double since = p.rate * ((double)now / 1e6 - middle(last));
	ret->used_percent_per_day = p.rate * 86400;
	ret->ends[WEAR_PERCENTAGE_USED] = end_of(at, 100 - last->percent - fmin(since, 1), p.rate, p.fastest,
						 p.slowest);
}

void wear_report(const struct wear *w, const struct wear_moment *at, const struct wear_facts *f,
		 struct wear_report *ret)
{
	struct wear_point windows[WEAR_LIFE];
	int64_t now = w->head.t + (w->begun ? wear_elapsed(&w->last.at, at) : 0);

	*ret = (struct wear_report){ 0 };
	for (enum wear_span i = 0; i < WEAR_LIFE; i++) {
		windows[i] = window_of(w, now, lengths[i]);
		ret->windows[i] = judge(&windows[i]);
	}
	ret->windows[WEAR_LIFE] = judge_life(w, f);
	for (enum wear_span i = 0; i < WEAR_SPANS; i++) {
		double writes = ret->windows[i].drive_writes_per_day;
		ret->windows[i].rated_fraction = writes >= 0 && f->drive_writes_per_day > 0 ?
			writes / f->drive_writes_per_day : -1;
	}
	judge_percentage(w, at, now, ret);
	if (f->rated_written > 0 && w->last.host_written >= 0)
		ret->ends[WEAR_RATED] = end_of_bytes(at, windows, false, f->rated_written -
						     (double)w->last.host_written);
	if (f->ocp_estimate > 0 && w->media_known)
		ret->ends[WEAR_OCP] = end_of_bytes(at, windows, true, f->ocp_estimate -
						   (double)w->media_written);
	if (f->group_estimate > 0 && (f->group_media_written > 0 || w->media_known))
		ret->ends[WEAR_ENDURANCE_GROUP] = end_of_bytes(at, windows, true, f->group_estimate -
			(double)(f->group_media_written > 0 ? f->group_media_written : w->media_written));
}
