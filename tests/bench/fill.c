/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Feeds the archive as the collector does, with days that pass in seconds, and prints what that has cost:
 *
 *   fill SIM_FOLDER STATE RUN DRIVES DAYS [EVERY FLUSH [WHOLE]]
 *
 * STATE on a disk, RUN on tmpfs. EVERY: seconds between two polls (15); FLUSH: seconds between two flushes
 * (900). WHOLE: times are whole seconds. Prints `name value`, for bench_history.py. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "disk_writes.h"
#include "nvmewatch/archive.h"
#include "nvmewatch/buffer.h"
#include "polls.h"

#define ENTRIES_MAX 64

struct fill {
	struct archive *archive;
	bool whole;
	double put_seconds, flush_seconds, pack_seconds, worst_step_seconds;
	uint64_t values;
	long peak_kib; /* that packing has added to the resident set, at most */
	char shm[4096];
};

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check(int r, const char *what)
{
	if (r >= 0)
		return;
	fprintf(stderr, "fill: %s: %s\n", what, strerror(-r));
	exit(1);
}

/* A number of a file in /proc. */
static long proc_number(const char *path, const char *name)
{
	char line[256];
	long number = 0;
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			number = strtol(line + strlen(name), NULL, 10);
	if (f)
		fclose(f);
	return number;
}

static void forget_peak(void)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "5", 1) != 1)
		perror("/proc/self/clear_refs");
	if (fd >= 0)
		close(fd);
}

/* Texts are not counted: the others have no place for them. */
static unsigned values_of(const struct sample *s)
{
	unsigned n = 0;
	struct value v;

	for (size_t i = 0; i < s->page->n_fields; i++)
		for (unsigned k = 0; k < field_count(&s->page->fields[i]); k++)
			n += page_decode(s->page, &s->page->fields[i], k, s->bytes, &v) == 0 &&
			     (v.type == VALUE_INTEGER || v.type == VALUE_REAL);
	return n;
}

static int64_t rounded(const struct fill *f, int64_t time)
{
	return f->whole ? (time + SECOND / 2) / SECOND * SECOND : time;
}

static void put(void *userdata, const struct sample *found, unsigned n)
{
	struct archive_entry entries[ENTRIES_MAX];
	struct fill *f = userdata;

	for (unsigned i = 0; i < n; i++) {
		f->values += values_of(&found[i]);
		entries[i] = (struct archive_entry){
			.what = ARCHIVE_PAGE, .key = found[i].key, .name = found[i].page->name,
			.instance = found[i].instance, .time = rounded(f, found[i].time),
			.mono = rounded(f, found[i].mono), .boot_id = "6f0c4a52-5a3e-4b1e-9e63-0a4c1d2b7e01",
			.bytes = found[i].bytes, .size = found[i].page->size,
		};
	}
	double before = cpu_seconds();
	check(archive_put(f->archive, entries, n), "put");
	f->put_seconds += cpu_seconds() - before;
}

static void flush(struct fill *f)
{
	double before = cpu_seconds();

	check(archive_flush(f->archive), "flush");
	f->flush_seconds += cpu_seconds() - before;
	disk_writes_count_changes(f->shm);
}

static void pack(struct fill *f)
{
	long resident = proc_number("/proc/self/status", "VmRSS:");
	int r = 1;

	forget_peak();
	while (r > 0) {
		double before = cpu_seconds();
		check(r = archive_pack(f->archive), "pack");
		double spent = cpu_seconds() - before;
		f->pack_seconds += spent;
		f->worst_step_seconds = spent > f->worst_step_seconds ? spent : f->worst_step_seconds;
		disk_writes_count_changes(f->shm);
	}
	long grown = proc_number("/proc/self/status", "VmHWM:") - resident;
	f->peak_kib = grown > f->peak_kib ? grown : f->peak_kib;
}

static void run(struct fill *f, struct polls *s, int64_t days, int64_t period)
{
	while (polls_time(s) < POLLS_START + days * DAY) {
		polls_next(s, put, f);
		if (polls_time(s) % period)
			continue;
		flush(f);
		if (archive_is_due(f->archive, polls_time(s)))
			pack(f);
	}
	pack(f);
}

static void report(const struct fill *f, unsigned drives, unsigned days, const char *state, long written)
{
	_cleanup_(freep) char *path = format_text("%s/history.db", state);
	double millions = (double)f->values / 1e6, share = (double)drives * days * (1 << 20);
	struct stat st = { 0 };

	if (path)
		stat(path, &st);
	printf("values %llu\n", (unsigned long long)f->values);
	printf("file_bytes %lld\n", (long long)st.st_size);
	printf("put_cpu_seconds_per_million %.4f\n", f->put_seconds / millions);
	printf("flush_cpu_seconds_per_million %.4f\n", f->flush_seconds / millions);
	printf("pack_cpu_seconds_per_million %.4f\n", f->pack_seconds / millions);
	printf("pack_worst_step_seconds %.4f\n", f->worst_step_seconds);
	printf("pack_peak_mib %.2f\n", (double)f->peak_kib / 1024);
	printf("sqlite_written_mib_per_drive_day %.4f\n", (double)disk_writes_bytes() / share);
	printf("blocks_written_mib_per_drive_day %.4f\n", (double)disk_writes_block_bytes() / share);
	printf("kernel_written_mib_per_drive_day %.4f\n", (double)written / share);
	printf("resident_mib %.2f\n", (double)proc_number("/proc/self/status", "VmRSS:") / 1024);
}

int main(int argc, char **argv)
{
	struct fill f = { .whole = argc > 8 };
	unsigned drives, days;

	if (argc < 6) {
		fprintf(stderr, "usage: fill SIM_FOLDER STATE RUN DRIVES DAYS [EVERY FLUSH [WHOLE]]\n");
		return 2;
	}
	drives = (unsigned)atoi(argv[4]);
	days = (unsigned)atoi(argv[5]);
	snprintf(f.shm, sizeof(f.shm), "%s/history.db-shm", argv[2]);
	struct polls *s = polls_open(argv[1], drives, argc > 6 ? (unsigned)atoi(argv[6]) : 15);
	if (!s || disk_writes_count(argv[2]) < 0)
		return 1;
	check(archive_new(argv[2], argv[3], &f.archive), "archive");
	long before = proc_number("/proc/self/io", "write_bytes:");
	run(&f, s, days, (argc > 7 ? atoi(argv[7]) : 900) * SECOND);
	archive_free(f.archive);
	report(&f, drives, days, argv[2], proc_number("/proc/self/io", "write_bytes:") - before);
	polls_free(s);
	return 0;
}
