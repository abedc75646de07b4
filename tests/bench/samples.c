/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "samples.h"

#include <math.h>
#include <string.h>

#include "nvmewatch/buffer.h"
#include "../check_main.h"

#define START_MS INT64_C(1699920000000)
#define BOOT_MS INT64_C(86412345)
#define SLEW 15e-6
#define UNIT_BYTES 512000
#define COMMAND_BYTES 16384

/* What a column is like. */
enum kind {
	FLAT = 'c',        /* never changes */
	ABSENT = '-',
	RARE = 'r',        /* now and then one more, the more the higher the load */
	TEMPERATURE = 't',
	SENSOR = 's',      /* a temperature that every other drive has */
	WRITTEN = 'w',     /* data units */
	READ = 'd',
	WRITES = 'W',      /* commands */
	READS = 'D',
	BYTES = 'b',       /* of the media: multiples of a page */
	BUSY = 'm',        /* minutes, as seconds */
	HOURS = 'h',       /* the same of hours */
	WATTS = 'p',
	USE = 'u',         /* bytes in use, up and down */
	ERRORS = 'e',      /* corrected ones: a few a minute under load */
	LEVEL = 'l',       /* slowly up and down */
};

static const char *const kinds[SAMPLES_PAGES] = {
	[SAMPLES_THERMAL] = "tttsc",
	[SAMPLES_SMART] = "ctccccdwDWmchccrcctts-----cccrpcccccccmc",
	[SAMPLES_OCP] = "bbrcccccecccrrrrccrclceccucccccccccccccccrccc",
};

static double uniform(struct samples_drive *d)
{
	return (double)(random_next(&d->random) >> 11) * 0x1p-53;
}

/* About normal, of variance 1. */
static double normal(struct samples_drive *d)
{
	return (uniform(d) + uniform(d) + uniform(d) + uniform(d) - 2) * 1.7320508;
}

struct layout *samples_layout(unsigned page)
{
	_cleanup_(buffer_done) struct buffer text = { 0 };
	struct layout *l = NULL;

	buffer_text(&text, "drive:i instance:i time:i mono:i boot:i");
	for (unsigned i = 0; kinds[page][i]; i++)
		buffer_printf(&text, " column_%u:i", i);
	buffer_put(&text, "", 1);
	return text.failed || layout_parse(text.data, &l) < 0 ? NULL : l;
}

void samples_start(struct samples_drive *d, unsigned number)
{
	*d = (struct samples_drive){ .number = number, .random = number, .temperature = 36 };
	for (unsigned p = 0; p < SAMPLES_PAGES; p++)
		for (unsigned i = 0; kinds[p][i]; i++) {
			int64_t any = (int64_t)(random_next(&d->random) >> 40);
			char kind = kinds[p][i];
			d->columns[p][i] = kind == FLAT || kind == RARE ? any % 100
					 : kind == HOURS ? any % 9999 * 3600
					 : kind == BYTES ? any * UNIT_BYTES * 100
					 : kind == USE ? any * 4096 * 16
					 : kind == BUSY ? any * 60 : any * 1000;
		}
}

/* Writes and reads of the 10 s, in MB/s. */
static void work(struct samples_drive *d, double day, double *ret_writes, double *ret_reads)
{
	double wave = (0.5 + 0.45 * sin(2 * M_PI * (day - 0.3))) * exp(0.3 * normal(d));

	switch (d->number % 4) {
	case 0:
		*ret_writes = uniform(d) < 0.2 ? uniform(d) * 0.2 : 0;
		*ret_reads = uniform(d) < 0.05 ? uniform(d) : 0;
		return;
	case 1:
		*ret_writes = 200 * (1 + 0.05 * normal(d));
		*ret_reads = 400 * (1 + 0.05 * normal(d));
		return;
	case 2:
		*ret_writes = 400 * wave;
		*ret_reads = 900 * wave;
		return;
	default:
		if ((d->burst_left -= 10) <= 0) {
			d->burst = !d->burst;
			d->burst_left = -log(uniform(d) + 1e-9) * (d->burst ? 600 : 5400);
		}
		*ret_writes = d->burst ? 1500 * (1 + 0.1 * normal(d)) : uniform(d) < 0.3 ? 2 * uniform(d) : 0;
		*ret_reads = d->burst ? 800 * uniform(d) : 0.2 * uniform(d);
	}
}

/* What a column of a kind comes to in the 10 s. */
static void advance(struct samples_drive *d, char kind, double written, double read, int64_t *n)
{
	double bytes;

	switch (kind) {
	case WRITTEN: *n += (int64_t)written; return;
	case READ: *n += (int64_t)read; return;
	case WRITES: *n += (int64_t)(written * UNIT_BYTES / COMMAND_BYTES * (1 + 0.1 * normal(d))); return;
	case READS: *n += (int64_t)(read * UNIT_BYTES / COMMAND_BYTES * (1 + 0.1 * normal(d))); return;
	case BYTES:
		bytes = written * UNIT_BYTES * (1.6 + 0.1 * normal(d));
		*n += (int64_t)(bytes / COMMAND_BYTES) * COMMAND_BYTES;
		return;
	case BUSY: *n += uniform(d) < d->load / 6 ? 60 : 0; return;
	case HOURS: *n += d->tick % 360 == 0 ? 3600 : 0; return;
	case RARE: *n += uniform(d) < d->load * 4e-4; return;
	case ERRORS: *n += uniform(d) < d->load * 0.3 ? 1 + (int64_t)(3 * uniform(d)) : 0; return;
	case USE: *n += d->load > 0.1 ? (int64_t)(256 * normal(d)) * 4096 : 0; return;
	default: return;
	}
}

static void go_on(struct samples_drive *d)
{
	double day = fmod((double)d->tick / 8640, 1), writes, reads;

	work(d, day, &writes, &reads);
	d->load = fmin(fmax((writes + reads / 2) / 1500, 0), 1);
	double around = 36 + 2 * sin(2 * M_PI * (day - 0.4)) + d->number % 8 * 0.7 + 28 * d->load;
	d->temperature += (around - d->temperature) * (1 - exp(-10 / 240.0));
	d->units_written += fmax(writes, 0) * 1e7 / UNIT_BYTES;
	d->units_read += fmax(reads, 0) * 1e7 / UNIT_BYTES;
	double written = floor(d->units_written), read = floor(d->units_read);
	d->units_written -= written;
	d->units_read -= read;
	for (unsigned p = 0; p < SAMPLES_PAGES; p++)
		for (unsigned i = 0; kinds[p][i]; i++)
			advance(d, kinds[p][i], written, read, &d->columns[p][i]);
	d->tick++;
}

/* What is read of a column now; false: nothing. */
static bool reading(struct samples_drive *d, unsigned page, unsigned column, int64_t *ret)
{
	char kind = kinds[page][column];
	double offset = column % 3 * 4;

	*ret = d->columns[page][column];
	if (kind == TEMPERATURE || kind == SENSOR)
		*ret = (int64_t)floor(d->temperature + offset + 0.35 * normal(d) + 0.5);
	else if (kind == WATTS)
		*ret = (int64_t)((500 + 1300 * d->load) * (1 + 0.01 * normal(d)));
	else if (kind == LEVEL)
		*ret = 28 + (int64_t)floor(6 * sin((double)d->tick / 9000) + 0.2 * normal(d));
	return kind != ABSENT && (kind != SENSOR || d->number % 2 == 0);
}

static bool add_row(struct samples_drive *d, unsigned page, bool whole_seconds, struct sheet *s)
{
	int64_t n, late = (int64_t)fabs(1.5 * normal(d)) + (uniform(d) < 0.01 ? (int64_t)(30 * uniform(d)) : 0);
	int64_t time = START_MS + d->tick * 10000 + page * 2 + late;

	if (whole_seconds)
		time = time / 1000 * 1000;
	if (sheet_add_row(s) < 0)
		return false;
	int64_t mono = BOOT_MS + (int64_t)floor((double)(time - START_MS) * (1 + SLEW));
	const int64_t fixed[SHEET_FIXED] = { d->number + 1, 0, time, mono, 1 };
	for (unsigned i = 0; i < SHEET_FIXED; i++)
		s->columns[i].values[s->n_rows - 1] = fixed[i];
	for (unsigned i = 0; kinds[page][i]; i++) {
		struct sheet_column *c = &s->columns[SHEET_FIXED + i];
		c->present[s->n_rows - 1] = reading(d, page, i, &n);
		c->values[s->n_rows - 1] = c->present[s->n_rows - 1] ? n : 0;
	}
	return true;
}

bool samples_next(struct samples_drive *d, bool whole_seconds, struct sheet *const sheets[SAMPLES_PAGES])
{
	bool minute = d->tick % 6 == 0;

	go_on(d);
	for (unsigned p = 0; p < SAMPLES_PAGES; p++)
		if ((p == SAMPLES_THERMAL || minute) && !add_row(d, p, whole_seconds, sheets[p]))
			return false;
	return true;
}
