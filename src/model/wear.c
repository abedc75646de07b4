/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/wear.h"

#include <errno.h>
#include <string.h>

#include "wear_internal.h"

#define FINE (5 * 60 * WEAR_SECOND)  /* points are no closer */
#define COARSE 32                    /* nor, of that share of their age */
#define KEPT (31 * WEAR_DAY)
#define POINTS_MAX 512               /* COARSE allows for some 430 */
#define LONGEST (366 * WEAR_DAY)     /* that a clock is believed over */
#define FASTEST 64e9                 /* bytes per second: no drive writes more */

int wear_new(struct wear **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void wear_free(struct wear *w)
{
	if (w)
		free(w->points);
	free(w);
}

int64_t wear_elapsed(const struct wear_moment *a, const struct wear_moment *b)
{
	int64_t d;

	if (a->boot == b->boot ? __builtin_sub_overflow(b->mono, a->mono, &d)
			       : __builtin_sub_overflow(b->time, a->time, &d))
		return 0;
	return d > 0 && d <= LONGEST ? d : 0;
}

/* Whether a counter can have gone from a to b in that time. */
static bool grew(int64_t a, int64_t b, int64_t elapsed)
{
	return a >= 0 && b >= a && (double)b - (double)a <= FASTEST * ((double)elapsed / 1e6 + 1);
}

/* Forgets points that no window needs: old ones, and those closer to their neighbours than their age is
 * worth. */
static void thin(struct wear *w)
{
	size_t first = 0, kept = 1;

	while (first + 1 < w->n && w->points[first + 1].t <= w->head.t - KEPT)
		first++;
	if (w->n - first == POINTS_MAX)
		first++;
	memmove(w->points, w->points + first, (w->n - first) * sizeof(*w->points));
	w->n -= first;
	for (size_t i = 1; i < w->n; i++) {
		int64_t age = (w->head.t - w->points[i].t) / COARSE;

		if (i + 1 == w->n || w->points[i + 1].t - w->points[kept - 1].t > (age > FINE ? age : FINE))
			w->points[kept++] = w->points[i];
	}
	w->n = kept;
}

static int keep_point(struct wear *w)
{
	if (w->n && w->points[w->n - 1].t == w->head.t)
		return 0;
	if (w->n)
		thin(w);
	if (w->n == w->allocated) {
		size_t allocated = w->allocated ? 2 * w->allocated : 32;
		struct wear_point *grown = realloc(w->points, allocated * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		w->points = grown;
		w->allocated = allocated;
	}
	w->points[w->n++] = w->head;
	return 0;
}

static void pair_media(struct wear *w, const struct wear_sample *s)
{
	w->media_t = w->head.t;
	w->media_written = s->media_written;
	w->media_host_written = s->host_written;
	w->media_known = true;
	w->media_broken = false;
}

/* The two counters are compared where both were read at one moment. */
static void add_media(struct wear *w, const struct wear_sample *s)
{
	int64_t elapsed = w->head.t - w->media_t;

	if (s->media_written < 0 || s->host_written < 0)
		return;
	if (w->media_known && !w->media_broken && grew(w->media_written, s->media_written, elapsed) &&
	    grew(w->media_host_written, s->host_written, elapsed)) {
		w->head.media_covered += (double)elapsed;
		w->head.media += (double)(s->media_written - w->media_written);
		w->head.media_host += (double)(s->host_written - w->media_host_written);
	}
	pair_media(w, s);
}

static void add_host(struct wear *w, const struct wear_sample *s, int64_t elapsed)
{
	double capacity = w->last.capacity > 0 ? w->last.capacity : s->capacity;

	if (!grew(w->last.host_written, s->host_written, elapsed)) {
		/* Not being told is no reset. */
		w->media_broken |= w->last.host_written >= 0 && s->host_written >= 0;
		return;
	}
	if (!(capacity > 0))
		return;
	double written = (double)(s->host_written - w->last.host_written);
	w->head.covered += (double)elapsed;
	w->head.host += written;
	w->head.writes += written / capacity;
}

static void add_step(struct wear *w, const struct wear_sample *s, int64_t before)
{
	int was = w->last.used_percent, is = s->used_percent;

	if (was < 0 || is < 0 || is == was)
		return;
	if (is < was) { /* another scale, or another start */
		w->n_steps = 0;
		return;
	}
	if (w->n_steps == WEAR_STEPS_MAX)
		memmove(w->steps, w->steps + 1, --w->n_steps * sizeof(*w->steps));
	w->steps[w->n_steps++] = (struct wear_step){ before, w->head.t, is };
}

static void begin(struct wear *w, const struct wear_sample *s)
{
	w->n = 0;
	w->n_steps = 0;
	w->head = (struct wear_point){ 0 };
	w->last = *s;
	w->begun = true;
	w->media_known = false;
	add_media(w, s);
}

int wear_add(struct wear *w, const struct wear_sample *s)
{
	int64_t elapsed = w->begun ? wear_elapsed(&w->last.at, &s->at) : 0, before = w->head.t;
	int r;

	if (w->begun && s->at.boot == w->last.at.boot && s->at.mono <= w->last.at.mono)
		return 0;
	if (!elapsed) {
		begin(w, s);
		return keep_point(w);
	}
	if (elapsed > FINE && (r = keep_point(w)) < 0)
		return r;
	w->head.t += elapsed;
	add_host(w, s, elapsed);
	add_media(w, s);
	add_step(w, s, before);
	/* What is not told this time is still what it was. */
	int used = s->used_percent < 0 ? w->last.used_percent : s->used_percent;
	w->last = *s;
	w->last.used_percent = used;
	return w->head.t - w->points[w->n - 1].t >= FINE ? keep_point(w) : 0;
}
