/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "past.h"

#include <errno.h>
#include <stdio.h>

#include "media.h"
#include "nvmewatch/history_read.h"

#define MINUTE INT64_C(60000) /* milliseconds, as all of history's times */
#define DAY (1440 * MINUTE)
#define KEPT (31 * DAY)
#define TOGETHER (2 * MINUTE) /* a drive's pages are read in one go */

struct media_row {
	int64_t time, written;
};

struct loading {
	int64_t now;
	size_t counter; /* of media_counters[] */
	struct media_row *media;
	size_t n_media, next_media;
	struct past_drive *drive;
};

static void *grown(void *array, size_t n, size_t size)
{
	/* In steps: rows are many. */
	return n % 256 ? array : reallocarray(array, n + 256, size);
}

/* Whether a row at that time adds to what one at `before` told. */
static bool is_worth(const struct loading *k, int64_t before, int64_t time)
{
	int64_t least = k->now - time > DAY ? 60 * MINUTE : 5 * MINUTE;

	return time - before >= least - MINUTE / 2 || time < before;
}

static int take_media(void *userdata, const struct history_row *row)
{
	struct loading *k = userdata;
	const char *const *columns = media_counters[k->counter].columns;
	struct media_row found = { .time = row->time };

	if (k->n_media && !is_worth(k, k->media[k->n_media - 1].time, row->time))
		return 0;
	for (size_t i = 0; i < MEDIA_COLUMNS && columns[i]; i++)
		if (row->values[i].type != VALUE_INTEGER ||
		    __builtin_add_overflow(found.written, row->values[i].integer, &found.written))
			return 0;
	if (found.written <= 0)
		return 0;
	struct media_row *more = grown(k->media, k->n_media, sizeof(*more));
	if (!more)
		return -ENOMEM;
	k->media = more;
	more[k->n_media++] = found;
	return 0;
}

/* What was written to the media when that row was taken; WEAR_UNKNOWN: that was not read then. */
static int64_t media_at(struct loading *k, int64_t time)
{
	while (k->next_media < k->n_media && k->media[k->next_media].time < time - TOGETHER)
		k->next_media++;
	if (k->next_media == k->n_media || k->media[k->next_media].time > time + TOGETHER)
		return WEAR_UNKNOWN;
	return k->media[k->next_media++].written;
}

static int take_host(void *userdata, const struct history_row *row)
{
	struct loading *k = userdata;
	struct past_drive *d = k->drive;
	const struct value *written = &row->values[0], *used = &row->values[1];
	struct wear_sample s = {
		/* A process lives in boot 0; those of history are others. */
		.at = { row->time * 1000, row->mono * 1000, (uint64_t)row->boot },
		.host_written = written->type == VALUE_INTEGER ? written->integer : WEAR_UNKNOWN,
		.media_written = media_at(k, row->time),
		.used_percent = used->type == VALUE_REAL ? (int)(used->real * 100 + 0.5) : WEAR_UNKNOWN,
	};

	if (d->n_samples && s.media_written < 0 &&
	    !is_worth(k, d->samples[d->n_samples - 1].at.time / 1000, row->time))
		return 0;
	struct wear_sample *more = grown(d->samples, d->n_samples, sizeof(*more));
	if (!more)
		return -ENOMEM;
	d->samples = more;
	more[d->n_samples++] = s;
	return 0;
}

static int scan(struct history_reader *r, struct loading *k, const struct page *p, const char *const *columns,
		size_t n_columns, history_one_row callback)
{
	const struct history_span span = {
		.drive = k->drive->key, .page = p, .start = k->now - KEPT, .end = k->now,
		.columns = columns, .n_columns = n_columns,
	};
	int e = history_scan_rows(r, &span, callback, k);

	return e == -ENOENT ? 0 : e;
}

static int load_drive(struct history_reader *r, struct past_drive *d, int64_t now)
{
	static const char *const host[] = { "host_written_bytes", "endurance_used_ratio" };
	struct loading k = { .now = now, .drive = d };
	int e = 0;

	for (; e == 0 && !k.n_media && k.counter < MEDIA_COUNTERS; k.counter++) {
		const struct media_counter *m = &media_counters[k.counter];
		e = scan(r, &k, m->page, m->columns, m->columns[1] ? 2 : 1, take_media);
	}
	if (e == 0)
		e = scan(r, &k, &smart_page, host, ELEMENTS(host), take_host);
	free(k.media);
	return e;
}

void past_free(struct past *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n_drives; i++)
		free(p->drives[i].samples);
	free(p->drives);
	free(p);
}

struct finding {
	struct past *past;
	int64_t now;
};

static int take_drive(void *userdata, const struct history_known_drive *d)
{
	struct finding *f = userdata;
	struct past_drive *more;

	if (d->last_seen < f->now - KEPT)
		return 0;
	more = reallocarray(f->past->drives, f->past->n_drives + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	f->past->drives = more;
	more += f->past->n_drives++;
	*more = (struct past_drive){ .n_samples = 0 };
	snprintf(more->key, sizeof(more->key), "%s", d->key);
	return 0;
}

int past_load(const char *state_dir, const char *run_dir, int64_t now, struct past **ret)
{
	_cleanup_(history_reader_freep) struct history_reader *r = NULL;
	_cleanup_(past_freep) struct past *p = calloc(1, sizeof(*p));
	struct finding f = { p, now / 1000 };
	int e = p ? history_reader_open(state_dir, run_dir, &r) : -ENOMEM;

	if (e == 0)
		e = history_scan_drives(r, take_drive, &f);
	for (size_t i = 0; e == 0 && i < p->n_drives; i++)
		e = load_drive(r, &p->drives[i], now / 1000);
	if (e < 0)
		return e;
	*ret = TAKE(p);
	return 0;
}
