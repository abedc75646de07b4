/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "polls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/sim.h"
#include "nvmewatch/thermal.h"
#include "nvmewatch/trend.h"
#include "polls_noise.h"

#define BOOTED (86400 * SECOND) /* the host, before the first sample */
#define SOURCES_MAX 64          /* pages and instances of one drive */
#define PAGES_MAX 128

/* A page or an instance of one, as it is asked for. */
struct source {
	const struct page *page;
	uint32_t instance;
	struct command command;
	int64_t period;
};

struct polled {
	struct sim *sim;
	struct drive drive;
	struct noise noise;
	int64_t elapsed;
	struct source sources[SOURCES_MAX];
	unsigned n_sources;
	uint8_t *known[PAGES_MAX]; /* what other pages' presence follows from */
	bool asked[PAGES_MAX];
	/* What the page of temperatures is made of. */
	struct throttling throttling;
	struct trend trend;
	uint8_t smart[PAGE_SIZE_MAX], before[PAGE_SIZE_MAX];
};

struct polls {
	int64_t time, every;
	unsigned n_drives;
	struct polled *drives;
	uint8_t bytes[SOURCES_MAX][PAGE_SIZE_MAX];
};

/* ---- What a drive has ---- */

static bool ask(struct polled *d, const struct command *c, const struct page *p, uint8_t *ret)
{
	static struct reply reply;

	memset(&reply, 0, sizeof(reply));
	sim_execute(d->sim, (uint64_t)d->elapsed, c, &reply);
	if (reply.error || reply.status || page_check(p, reply.data, reply.length) != PAGE_SOUND)
		return false;
	memcpy(ret, reply.data, p->size);
	return true;
}

static const uint8_t *known_bytes(const void *userdata, const struct page *p, bool *ret_settled)
{
	struct polled *d = (struct polled *)userdata;
	unsigned i = page_index(p);

	if (!d->asked[i]) {
		struct command c = command_for_page(p, 0, 0);
		d->asked[i] = true;
		d->known[i] = calloc(1, PAGE_SIZE_MAX);
		if (d->known[i] && !ask(d, &c, p, d->known[i])) {
			free(d->known[i]);
			d->known[i] = NULL;
		}
	}
	*ret_settled = true;
	return d->known[i];
}

static int64_t period_of(const struct page *p, int64_t every)
{
	int64_t seconds = p->every_read ? 15 : p->cadence == CADENCE_SMART ? 60
					 : p->cadence == CADENCE_OCP ? 300 : 3600;

	return seconds * SECOND > every ? seconds * SECOND : every;
}

static void add_source(struct polled *d, const struct page_facts *facts, const struct page *p,
		       uint32_t instance, int64_t every)
{
	const uint8_t *list = p->uuid ? facts_bytes(facts, &uuid_list_page) : NULL;
	struct source s = { .page = p, .instance = instance, .period = period_of(p, every) };
	uint8_t bytes[PAGE_SIZE_MAX];

	if (p->command != PAGE_DERIVED) {
		s.command = command_for_page(p, instance, list ? uuid_index_of(list, p->uuid) : 0);
		s.command.length = page_length(p, facts);
	}
	if (d->n_sources < SOURCES_MAX && (p->command == PAGE_DERIVED || ask(d, &s.command, p, bytes)))
		d->sources[d->n_sources++] = s;
}

static void find_sources(struct polled *d, int64_t every)
{
	const struct page_facts facts = { .vendor = d->drive.vendor, .model = d->drive.model,
					  .firmware = d->drive.firmware, .bytes = known_bytes,
					  .userdata = d };
	uint32_t instances[PAGE_INSTANCES_MAX] = { 0 };

	for (const struct page *const *p = pages; *p; p++) {
		int n = 1;

		if (!(*p)->history || ((*p)->command == PAGE_DERIVED && *p != &thermal_page) ||
		    page_presence(*p, &facts) != PAGE_POSSIBLE)
			continue;
		instances[0] = 0;
		if ((*p)->instances)
			n = (*p)->instances(&facts, instances, PAGE_INSTANCES_MAX);
		for (int i = 0; i < n; i++)
			add_source(d, &facts, *p, instances[i], every);
	}
}

/* ---- All of them ---- */

void polls_free(struct polls *s)
{
	for (unsigned i = 0; i < s->n_drives; i++) {
		sim_free(s->drives[i].sim);
		for (unsigned p = 0; p < PAGES_MAX; p++)
			free(s->drives[i].known[p]);
	}
	free(s->drives);
	free(s);
}

static bool open_drive(struct polled *d, const char *folder, unsigned number, int64_t every)
{
	char path[4096], device[16], error[256];

	snprintf(path, sizeof(path), "%s/%03u.drive", folder, number);
	if (sim_load(path, &d->sim, error, sizeof(error)) < 0) {
		fprintf(stderr, "%s\n", error);
		return false;
	}
	snprintf(device, sizeof(device), "nvme%u", number);
	sim_set_device(d->sim, device);
	sim_describe(d->sim, &d->drive);
	drive_set_key(&d->drive, true);
	noise_init(&d->noise, number);
	find_sources(d, every);
	return true;
}

struct polls *polls_open(const char *folder, unsigned drives, unsigned every)
{
	struct polls *s = calloc(1, sizeof(*s));

	if (!s || !(s->drives = calloc(drives, sizeof(*s->drives)))) {
		free(s);
		return NULL;
	}
	s->time = POLLS_START;
	s->every = every * SECOND;
	for (; s->n_drives < drives; s->n_drives++)
		if (!open_drive(&s->drives[s->n_drives], folder, s->n_drives, s->every)) {
			polls_free(s);
			return NULL;
		}
	return s;
}

int64_t polls_time(const struct polls *s)
{
	return s->time;
}

/* Page 02h is read at every poll, and kept at some. */
static void read_smart(struct polled *d)
{
	struct command c = command_for_page(&smart_page, 0, 0);

	memcpy(d->before, d->smart, sizeof(d->before));
	if (ask(d, &c, &smart_page, d->smart))
		noise_add(&d->noise, &smart_page, d->smart);
}

static void derive(struct polled *d, uint8_t *bytes)
{
	const struct thermal_sight sight = { .identify = d->known[page_index(&identify_page)],
					     .smart = d->smart, .smart_before = d->before };
	int64_t celsius;

	throttling_update(&d->throttling, &sight, d->elapsed);
	thermal_put(&d->throttling, &sight, (POLLS_START + d->throttling.since) / 1000, bytes);
	if (page_integer(&smart_page, d->smart, "temperature_celsius", &celsius))
		trend_add(&d->trend, d->elapsed, celsius);
	trend_put(&d->trend, sight.identify, d->elapsed, bytes);
}

static bool read_source(struct polled *d, const struct source *source, uint8_t *bytes)
{
	if (source->page == &thermal_page) {
		derive(d, bytes);
		return true;
	}
	if (source->page == &smart_page) {
		memcpy(bytes, d->smart, smart_page.size);
		return true;
	}
	if (!ask(d, &source->command, source->page, bytes))
		return false;
	noise_add(&d->noise, source->page, bytes);
	return true;
}

/* A drive's pages are read one after another. */
static unsigned poll_drive(struct polls *s, unsigned number, struct sample *found)
{
	struct polled *d = &s->drives[number];
	int64_t at = s->time;
	unsigned n = 0;

	d->elapsed = s->time - POLLS_START;
	read_smart(d);
	for (unsigned i = 0; i < d->n_sources; i++) {
		const struct source *source = &d->sources[i];

		if (s->time % source->period || !read_source(d, source, s->bytes[n]))
			continue;
		if (source->page != &thermal_page || !n)
			at += noise_delay(&d->noise);
		found[n] = (struct sample){ .key = d->drive.key, .drive = number, .page = source->page,
					    .instance = source->instance, .time = at,
					    .mono = at - POLLS_START + BOOTED, .bytes = s->bytes[n] };
		n++;
	}
	return n;
}

void polls_next(struct polls *s, void (*take)(void *userdata, const struct sample *found, unsigned n),
		  void *userdata)
{
	struct sample found[SOURCES_MAX];

	for (unsigned i = 0; i < s->n_drives; i++) {
		unsigned n = poll_drive(s, i, found);
		if (n)
			take(userdata, found, n);
	}
	s->time += s->every;
}
