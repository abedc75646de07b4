/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A folder with history.db and spool.db, filled the way the collector does, and a reader of both. */

#include "archive_support.h"
#include "nvmewatch/history_read.h"

#define T0 (INT64_C(1796083200000)) /* midnight UTC, milliseconds */
#define BOOT_1 "11111111-1111-1111-1111-111111111111"
#define BOOT_2 "22222222-2222-2222-2222-222222222222"

static struct history_reader *reader;

static inline void reader_teardown(void)
{
	history_reader_free(reader);
	reader = NULL;
	archive_teardown();
	archive = NULL;
}

static inline void open_reader(void)
{
	history_reader_free(reader);
	reader = NULL;
	ck_assert_int_eq(history_reader_open(folder, folder, &reader), 0);
}

/* A sample of a page, at milliseconds after T0. */
static inline void spool_page(const char *key, const struct page *p, uint32_t instance, int64_t after,
			      const char *boot, const uint8_t *bytes)
{
	struct archive_entry e = { .what = ARCHIVE_PAGE, .key = key, .name = p->name,
				   .instance = instance, .time = (T0 + after) * 1000,
				   .mono = (after + 3600000) * 1000, .boot_id = boot, .bytes = bytes,
				   .size = p->size };

	ck_assert_int_eq(archive_put(archive, &e, 1), 0);
}

/* Of page smart, with a temperature (0: absent) and power cycles. */
static inline void spool_smart(const char *key, int64_t after, int celsius, uint64_t cycles)
{
	uint8_t bytes[512] = { 0 };

	bytes_put(bytes + 1, 2, celsius ? (uint64_t)(celsius + 273) : 0);
	bytes_put(bytes + 112, 8, cycles);
	bytes[32] = 1;
	spool_page(key, &smart_page, 0, after, BOOT_1, bytes);
}

static inline void flush(void)
{
	ck_assert_int_eq(archive_flush(archive), 0);
}

/* Three drives' rows of every minute of [from, to): temperature 40 + minute % 10, cycles the minute. */
static inline void spool_minutes(int from, int to)
{
	for (int i = from; i < to; i++) {
		spool_smart("S1", i * 60000, 40 + i % 10, (uint64_t)i);
		spool_smart("S2", i * 60000 + 1, 50, 1000 + (uint64_t)i);
		spool_smart("S3", i * 60000 + 2, 0, 7);
	}
}

/* ---- What a scan yields ---- */

static char scanned[65536];
static size_t scanned_rows;

static inline int note_row(const struct sheet *s, size_t row, size_t n_columns, const int *columns)
{
	size_t used = strlen(scanned);

	used += (size_t)snprintf(scanned + used, sizeof(scanned) - used, "%s%lld", used ? " " : "",
				 (long long)(sheet_fixed(s, row, SHEET_TIME) - T0) / 1000);
	for (size_t i = 0; i < n_columns; i++) {
		struct value v;

		sheet_get(s, row, (size_t)columns[i], &v);
		if (v.type == VALUE_INTEGER)
			used += (size_t)snprintf(scanned + used, sizeof(scanned) - used, "=%lld",
						 (long long)v.integer);
		else
			used += (size_t)snprintf(scanned + used, sizeof(scanned) - used, "=%s",
						 v.type == VALUE_ABSENT ? "-" : v.text);
	}
	scanned_rows++;
	return 0;
}

static inline int note_rows(void *userdata, const struct sheet *s)
{
	const struct history_span *span = userdata;
	int columns[8];

	for (size_t i = 0; i < span->n_columns; i++)
		columns[i] = layout_find(s->layout, span->columns[i]);
	for (size_t row = 0; row < s->n_rows; row++)
		if (sheet_fixed(s, row, SHEET_TIME) >= span->start &&
		    sheet_fixed(s, row, SHEET_TIME) <= span->end)
			note_row(s, row, span->n_columns, columns);
	return 0;
}

static const char *const wanted_columns[] = { "power_cycles", "temperature_celsius" };

/* Rows of smart of [from, to] seconds after T0 as "60=1=41 ...": time, cycles, temperature. */
static inline const char *scan(const char *key, int64_t from, int64_t to)
{
	struct history_span span = { .drive = key, .page = &smart_page, .start = T0 + from * 1000,
				     .end = T0 + to * 1000 + 999, .columns = wanted_columns,
				     .n_columns = 2 };

	scanned[0] = 0;
	scanned_rows = 0;
	ck_assert_int_eq(history_scan(reader, &span, note_rows, &span), 0);
	return scanned;
}
