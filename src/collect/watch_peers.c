/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a drive is compared by with those of its model, and what comes of it. */

#include <math.h>

#include "nvmewatch/peers.h"
#include "watch_internal.h"

#define SLEEPY INT64_C(60000000) /* microseconds: some drives are not read more often */
#define REQUESTS_LEAST 100       /* the mean of less is that of a few slow ones */

/* What a drive no longer gives says nothing of now. */
static bool is_recent(const struct watch *w, const struct watch_page *wp, int64_t now)
{
	int64_t cadence = (int64_t)w->collector->settings.poll_ocp;

	return wp->supported && wp->was_good && now - wp->read <= 3 * (cadence > SLEEPY ? cadence : SLEEPY);
}

static double value_of(const struct watch_page *wp, const char *column)
{
	unsigned index;
	const struct field *f = page_field(wp->page, column, &index);
	struct value v;

	if (page_decode(wp->page, f, index, wp->bytes, &v) < 0)
		return NAN;
	return v.type == VALUE_INTEGER ? (double)v.integer : v.real;
}

static double recent_value(const struct watch *w, const struct page *p, const char *column, int64_t now)
{
	const struct watch_page *wp = watch_page(w, p);

	return is_recent(w, wp, now) ? value_of(wp, column) : NAN;
}

/* Of all namespaces together; NAN: one of them cannot be had. */
static void sum_requests(const struct watch *w, int64_t now, struct watch_requests *ret)
{
	*ret = (struct watch_requests){ 0 };
	for (const struct watch_page *wp = watch_page(w, &block_page); wp; wp = wp->more) {
		if (wp->vacant)
			continue;
		bool recent = is_recent(w, wp, now);
		ret->namespaces += wp->instance;
		ret->reads += recent ? value_of(wp, "read_completed") : NAN;
		ret->read_seconds += recent ? value_of(wp, "read_latency_seconds") : NAN;
		ret->writes += recent ? value_of(wp, "write_completed") : NAN;
		ret->write_seconds += recent ? value_of(wp, "write_latency_seconds") : NAN;
	}
}

/* The kernel's counters start anew now and then. */
static double mean_latency(double requests, double seconds)
{
	return requests >= REQUESTS_LEAST && seconds >= 0 ? seconds / requests : NAN;
}

static void tell_latency(struct watch *w, int64_t now, struct peer *ret)
{
	struct watch_requests before = w->requests, *r = &w->requests;

	sum_requests(w, now, r);
	/* Another namespace brings all that it ever did. */
	if (r->namespaces != before.namespaces)
		return;
	ret->values[PEER_READ_LATENCY] = mean_latency(r->reads - before.reads,
						      r->read_seconds - before.read_seconds);
	ret->values[PEER_WRITE_LATENCY] = mean_latency(r->writes - before.writes,
						       r->write_seconds - before.write_seconds);
}

void watch_tell_peers(struct watch *w, int64_t now, struct peer *ret)
{
	*ret = (struct peer){ .model = w->drive.model };
	for (enum peer_metric i = 0; i < PEER_METRICS; i++)
		ret->values[i] = NAN;
	if (!w->drive.present || !w->drive.responding) {
		w->requests = (struct watch_requests){ 0 };
		return;
	}
	ret->values[PEER_TEMPERATURE] = recent_value(w, &smart_page, "temperature_celsius", now);
	tell_latency(w, now, ret);
	ret->values[PEER_WRITE_AMPLIFICATION] =
		recent_value(w, &wear_page, "write_amplification_24h_ratio", now);
}

static bool says_something(const struct peer_report *r)
{
	for (enum peer_metric i = 0; i < PEER_METRICS; i++)
		if (r->of[i].drives)
			return true;
	return false;
}

void watch_take_peers(struct watch *w, const struct peer_report *r)
{
	struct watch_page *wp = watch_page(w, &peers_page);
	uint8_t *bytes = says_something(r) ? watch_derived_bytes(wp) : NULL;

	if (bytes) {
		peers_put(r, bytes);
		watch_publish_page(w, wp);
	} else {
		watch_withdraw_page(w, wp);
	}
}
