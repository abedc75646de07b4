/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What one question to history costs in CPU: one field of one drive, to at most 500 points, from 30
 * days of packed rows and from five years of hours and days. Makes the history itself, in the folder
 * it is given. Prints lines of a name and milliseconds. */

#include <math.h>
#include <string.h>
#include <time.h>

#include "nvmewatch/archive.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/history_query.h"
#include "store/history_schema.h"
#include "store/rollup.h"

#define START INT64_C(1764547200000) /* midnight UTC, milliseconds */
#define HOUR INT64_C(3600000)
#define DAY (24 * HOUR)
#define DRIVES 2
#define EVERY INT64_C(15000) /* as temperatures are kept */
#define PER_DAY (DAY / EVERY)
#define DAYS 30
#define YEARS 5
#define ROUNDS 11

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void need(int result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(-result));
	exit(1);
}

/* ---- 30 days as the collector writes them ---- */

static void sample(int drive, int64_t n, uint8_t *bytes)
{
	static uint64_t written[DRIVES], seed = 1;
	double day = (double)(n % PER_DAY) / (double)PER_DAY * 6.283185;

	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	written[drive] += 100 + (seed >> 33) % 20 + (uint64_t)(50 * sin(day));
	bytes_put(bytes + 1, 2, 310 + (seed >> 50) % 2 + (uint64_t)(4 + 4 * sin(day)));
	bytes[3] = 100;
	bytes[4] = 10;
	bytes_put(bytes + 32, 8, written[drive] / 3);
	bytes_put(bytes + 48, 8, written[drive]);
	bytes_put(bytes + 64, 8, written[drive] * 7);
	bytes_put(bytes + 80, 8, written[drive] * 11);
	bytes_put(bytes + 128, 8, (uint64_t)(n * EVERY / HOUR));
}

static void put_day(struct archive *a, int day)
{
	static struct archive_entry entries[DRIVES];
	static uint8_t bytes[DRIVES][512];
	char keys[DRIVES][8];

	for (int64_t n = day * PER_DAY; n < (day + 1) * PER_DAY; n++) {
		for (int d = 0; d < DRIVES; d++) {
			snprintf(keys[d], sizeof(keys[d]), "S%d", d);
			sample(d, n, bytes[d]);
			entries[d] = (struct archive_entry){
				.what = ARCHIVE_PAGE, .key = keys[d], .name = "smart",
				.time = (START + n * EVERY + n % 7) * 1000,
				.mono = (n * EVERY + n % 7) * 1000, .boot_id = "boot",
				.bytes = bytes[d], .size = sizeof(bytes[d]),
			};
		}
		need(archive_put(a, entries, DRIVES), "spool");
		if (n % (PER_DAY / 4) == PER_DAY / 4 - 1)
			need(archive_flush(a), "flush");
	}
	int r;
	while ((r = archive_pack(a)) > 0)
		;
	need(r, "pack");
}

/* ---- Five years of hours and days, as a packing would have left them ---- */

static void bind_columns(sqlite3_stmt *q, const struct page *p, int n, int64_t time)
{
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned k = 0; k < field_count(&p->fields[i]); k++) {
			enum rolled_kind kind = rolled_kind(&p->fields[i]);
			int columns = kind == ROLLED_GAUGE ? 4 : kind == ROLLED_COUNTER ? 2 : 1;
			for (int c = 0; c < columns; c++)
				sqlite3_bind_int64(q, n++, time / 3600000 % 1000 + c);
		}
}

static void put_rollups(sqlite3 *db, bool days)
{
	_cleanup_(freep) char *sql = history_rollup_insert(&smart_page, days);
	int64_t period = days ? DAY : HOUR;
	sqlite3_stmt *q = NULL;

	need(sql ? sql_prepare(db, sql, &q) : -1, "insert");
	need(sql_run(db, "BEGIN"), "begin");
	for (int64_t t = START - YEARS * 365 * DAY; t < START; t += period)
		for (int d = 1; d <= DRIVES; d++) {
			sqlite3_bind_int64(q, 1, d);
			sqlite3_bind_int64(q, 2, t);
			sqlite3_bind_int64(q, 3, period / 60000);
			sqlite3_bind_int64(q, 4, 0);
			sqlite3_bind_int64(q, 5, t + period - 60000);
			sqlite3_bind_int64(q, 6, t + period - 60000 - START);
			bind_columns(q, &smart_page, 7, t);
			need(sql_finish(q), "insert");
		}
	sqlite3_finalize(q);
	need(sql_run(db, "COMMIT"), "commit");
}

static void make_history(const char *folder)
{
	_cleanup_(freep) char *path = format_text("%s/history.db", folder);
	_cleanup_(archive_freep) struct archive *a = NULL;
	sqlite3 *db;

	need(archive_new(folder, folder, &a), "archive");
	for (int day = 0; day < DAYS; day++)
		put_day(a, day);
	archive_free(TAKE(a));
	need(sql_errno(sqlite3_open(path, &db)), path);
	put_rollups(db, false);
	put_rollups(db, true);
	sqlite3_close(db);
}

/* ---- Questions ---- */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static struct history_reader *reader;

/* The first question reads the schema, which is large: a server keeps its readers. */
static double open_once(const char *folder)
{
	_cleanup_(history_reader_freep) struct history_reader *fresh = NULL;
	const struct history_span span = { .drive = "S1", .page = &smart_page };
	double start = cpu_ms();
	int64_t until;

	need(history_reader_open(folder, folder, &fresh), "open");
	need(history_rolled_until(fresh, &span, &until), "until");
	return cpu_ms() - start;
}

static double answer_once(const struct query *q)
{
	_cleanup_(query_result_freep) struct query_result *result = NULL;
	double start = cpu_ms();

	need(history_query(reader, "S1", q, &result), "query");
	return cpu_ms() - start;
}

static void print_median(const char *name, double *times)
{
	qsort(times, ROUNDS, sizeof(*times), compare);
	printf("%s %.3f\n", name, times[ROUNDS / 2]);
}

static void measure(const char *name, const char *column, enum query_agg agg, int64_t start, int64_t end,
		    int64_t step)
{
	struct query q = { .page = &smart_page, .columns = &column, .n_columns = 1, .agg = agg,
			   .start = start, .end = end, .step = step };
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		times[i] = answer_once(&q);
	print_median(name, times);
}

static void measure_open(const char *folder)
{
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		times[i] = open_once(folder);
	print_median("open", times);
}

int main(int argc, char **argv)
{
	const int64_t end = START + DAYS * DAY, five = START - YEARS * 365 * DAY;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	make_history(argv[1]);
	measure_open(argv[1]);
	need(history_reader_open(argv[1], argv[1], &reader), "open");
	/* Steps that are no whole hours are answered from rows. */
	measure("raw_mean", "temperature_celsius", QUERY_MEAN, START, end, DAYS * DAY / 500);
	measure("raw_rate", "host_written_bytes", QUERY_RATE, START, end, DAYS * DAY / 500);
	measure("hourly_30d", "temperature_celsius", QUERY_MEAN, START, end, 2 * HOUR);
	measure("hourly_5y", "temperature_celsius", QUERY_MEAN, five, START, 90 * HOUR);
	measure("daily_5y", "temperature_celsius", QUERY_MEAN, five, START, 4 * DAY);
	history_reader_free(reader);
	return 0;
}
