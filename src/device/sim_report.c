/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The simulated firmware: it keeps its pages in bytes, at the offsets of the specifications, and
 * knows nothing of the field table that reads them. */

#include <math.h>
#include <string.h>

#include "nvmewatch/host.h"
#include "sim_internal.h"

struct moving {
	uint16_t at;
	uint8_t size;
	bool reported; /* only moves where it started above 0 */
	bool up;       /* counts begun units */
	size_t sum;    /* a double of struct sim_state */
	double unit;
};

#define SUM(member_) .sum = offsetof(struct sim_state, member_)

static const struct moving smart_moving[] = {
	{ 32, 16, .up = true, SUM(host_read), .unit = 512000 },
	{ 48, 16, .up = true, SUM(host_written), .unit = 512000 },
	{ 64, 16, SUM(read_commands), .unit = 1 },
	{ 80, 16, SUM(write_commands), .unit = 1 },
	{ 96, 16, SUM(busy_seconds), .unit = 60 },
	{ 128, 16, SUM(powered_seconds), .unit = 3600 },
	{ 192, 4, SUM(warning_seconds), .unit = 60 },
	{ 196, 4, SUM(critical_seconds), .unit = 60 },
	{ 216, 4, SUM(transitions[0]), .unit = 1 },
	{ 220, 4, SUM(transitions[1]), .unit = 1 },
	{ 224, 4, SUM(throttle_seconds[0]), .unit = 1 },
	{ 228, 4, SUM(throttle_seconds[1]), .unit = 1 },
	{ 232, 8, .reported = true, .up = true, SUM(watt_seconds), .unit = 3600 },
};

static const struct moving ocp_moving[] = {
	{ 0, 16, SUM(media_written), .unit = 1 },
	{ 16, 16, SUM(media_read), .unit = 1 },
	{ 88, 4, SUM(erase_cycles), .unit = 1 },
	{ 92, 4, SUM(erase_cycles), .unit = 1 },
	{ 96, 1, SUM(throttle_events), .unit = 1 },
	{ 224, 8, .reported = true, SUM(erase_cycles), .unit = 1 }, /* version 5 and up */
};

static const struct moving group_moving[] = {
	{ 48, 16, .reported = true, .up = true, SUM(host_read), .unit = 1e9 },
	{ 64, 16, .reported = true, .up = true, SUM(host_written), .unit = 1e9 },
	{ 80, 16, .reported = true, .up = true, SUM(media_written), .unit = 1e9 },
	{ 96, 16, SUM(read_commands), .unit = 1 },
	{ 112, 16, SUM(write_commands), .unit = 1 },
};

/* The block device of a drive whose host does nothing else: 0.1 ms a read, 0.02 ms a write. */
#define STAT(column_) HOST_BLOCK_STAT + HOST_NUMBER * (column_), HOST_NUMBER

static const struct moving block_moving[] = {
	{ STAT(0), SUM(read_commands), .unit = 1 },
	{ STAT(2), SUM(host_read), .unit = 512 },
	{ STAT(3), SUM(read_commands), .unit = 10 },
	{ STAT(4), SUM(write_commands), .unit = 1 },
	{ STAT(6), SUM(host_written), .unit = 512 },
	{ STAT(7), SUM(write_commands), .unit = 50 },
	{ STAT(9), SUM(busy_seconds), .unit = 0.001 },
	{ STAT(10), SUM(read_commands), .unit = 10 },
};

static const struct moving wdc_moving[] = {
	{ 0, 16, SUM(media_written), .unit = 1 },
	{ 16, 16, SUM(media_read), .unit = 1 },
};

/* Of an item: NAND and host writes in units of 32 MiB. */
static const struct {
	uint8_t id;
	size_t sum;
} items_moving[] = {
	{ 0xf4, offsetof(struct sim_state, media_written) },
	{ 0xf5, offsetof(struct sim_state, host_written) },
};

static void move(const struct moving *m, const struct sim_state *st, uint8_t *bytes)
{
	const double *total = (const void *)((const char *)st + m->sum);
	double sum = m->up ? ceil(*total / m->unit) : floor(*total / m->unit);
	unsigned size = m->size > 8 ? 8 : m->size;
	uint64_t most = UINT64_MAX >> (64 - 8 * size), start = bytes_get(bytes + m->at, size), now;

	if (m->reported && !start)
		return;
	/* Counters of drives saturate. */
	if (sum >= 0x1p63 || __builtin_add_overflow(start, (uint64_t)sum, &now) || now > most)
		now = most;
	bytes_put(bytes + m->at, size, now);
}

static void temperatures_put(const struct sim_state *st, uint8_t *bytes)
{
	int64_t start = (int64_t)bytes_get(bytes + 1, 2), now = lround(st->temperature) + 273;

	if (!start)
		return; /* a drive without sensor */
	bytes_put(bytes + 1, 2, (uint64_t)now);
	for (unsigned at = 200; at < 216; at += 2) {
		int64_t sensor = (int64_t)bytes_get(bytes + at, 2);
		if (sensor && sensor + now > start)
			bytes_put(bytes + at, 2, (uint64_t)(sensor + now - start));
	}
}

/* Percentage used follows the bytes written; past 100 % the spare blocks go, one for two. */
static void wear_put(const struct sim_behaviour *b, const struct sim_state *st, uint8_t *bytes)
{
	double worn = b->endurance ? 100 * st->host_written / (double)b->endurance : 0;
	double used = bytes[5] + floor(worn);
	double beyond = used - fmax(bytes[5], 100);

	bytes[5] = (uint8_t)fmin(used, 255);
	if (beyond > 0 && bytes[3] <= 100)
		bytes[3] = (uint8_t)fmax(bytes[3] - floor(beyond / 2), 0);
}

static void warning_put(const struct sim_behaviour *b, const struct sim_state *st, uint8_t *bytes)
{
	if (bytes[4] <= 100 && bytes[3] < bytes[4])
		bytes[0] |= 1 << 0;
	if (b->warning_temperature && st->temperature >= b->warning_temperature)
		bytes[0] |= 1 << 1;
}

/* Interval power: bits 17:16 say 0.0001 W or 0.01 W, or that it is not reported. */
static void power_put(const struct sim_behaviour *b, const struct sim_state *st, uint8_t *bytes)
{
	uint64_t raw = bytes_get(bytes + 240, 4), scale = raw >> 16 & 3;
	double watts = sim_behaviour_power(b, st);

	if (scale != 1 && scale != 2)
		return;
	if (scale == 1 && watts > 6.5)
		scale = 2;
	raw = (uint64_t)lround(watts * (scale == 1 ? 10000 : 100));
	bytes_put(bytes + 240, 4, scale << 16 | raw);
}

static void ocp_put(const struct sim_state *st, uint8_t *bytes)
{
	bytes[97] = (uint8_t)st->level;
	if (bytes[222]) /* highest temperature recorded: version 5 and up */
		bytes[222] = (uint8_t)fmin(fmax(bytes[222], floor(st->hottest)), 255);
}

/* A list of items, whose raw value begins at that byte of it. */
static void items_put(const struct sim_state *st, uint8_t *bytes, unsigned size, unsigned raw)
{
	for (unsigned at = 0; at + size < 512; at += size)
		for (size_t i = 0; i < ELEMENTS(items_moving); i++)
			if (bytes[at] == items_moving[i].id)
				move(&(struct moving){ .at = (uint16_t)(at + raw), .size = 6,
						       .sum = items_moving[i].sum, .unit = 33554432 },
				     st, bytes);
}

/* A bucket's share of the commands, one in a million and a tenth of it in each that is slower. */
static double bucket_share(unsigned bucket)
{
	return 1e-6 / pow(10, bucket);
}

static void bucket_put(uint8_t *counter, double n)
{
	bytes_put(counter, 4, (uint64_t)fmin((double)bytes_get(counter, 4) + floor(n), UINT32_MAX));
}

/* The timer counts 5 minutes; at the threshold the active counters move to the static ones. Those of a
 * window that is over are of the load that such a drive has on average. */
static void latency_put(const struct sim_behaviour *b, const struct sim_state *st, uint8_t *bytes)
{
	double length = 300 * (double)bytes_get(bytes + 4, 2);
	double age = 300 * (double)bytes_get(bytes + 2, 2) + st->powered_seconds;
	double windows = length ? floor(age / length) : 0, since = age - windows * length;
	double part = fmin(since / fmax(st->powered_seconds, 1), 1);

	if (!(bytes[0] & 1))
		return;
	if (windows) {
		memset(bytes + 32, 0, 64);
		memset(bytes + 240, 0, 64);
	}
	bytes_put(bytes + 2, 2, (uint64_t)fmin(floor(since / 300), UINT16_MAX));
	for (unsigned bucket = 0; bucket < 4; bucket++) {
		uint8_t *active = bytes + 32 + 16 * bucket, *last = bytes + 240 + 16 * bucket;
		double share = bucket_share(bucket), half = windows ? share * length / 2 : 0;

		bucket_put(active + 12, share * part * st->read_commands);
		bucket_put(active + 8, share * part * st->write_commands);
		bucket_put(last + 12, half * (double)b->read_iops);
		bucket_put(last + 8, half * (double)b->write_iops);
	}
}

void sim_report(const struct sim_behaviour *b, const struct sim_state *st, const struct page *p,
		uint8_t *bytes)
{
	if (p == &smart_page) {
		for (size_t i = 0; i < ELEMENTS(smart_moving); i++)
			move(&smart_moving[i], st, bytes);
		temperatures_put(st, bytes);
		wear_put(b, st, bytes);
		warning_put(b, st, bytes);
		power_put(b, st, bytes);
	} else if (p == &endurance_group_page) {
		for (size_t i = 0; i < ELEMENTS(group_moving); i++)
			move(&group_moving[i], st, bytes);
	} else if (p == &ocp_smart_page) {
		for (size_t i = 0; i < ELEMENTS(ocp_moving); i++)
			move(&ocp_moving[i], st, bytes);
		ocp_put(st, bytes);
	} else if (p == &block_page) {
		for (size_t i = 0; i < ELEMENTS(block_moving); i++)
			move(&block_moving[i], st, bytes);
	} else if (p == &wdc_smart_page) {
		for (size_t i = 0; i < ELEMENTS(wdc_moving); i++)
			move(&wdc_moving[i], st, bytes);
	} else if (p == &intel_smart_page || p == &memblaze_smart_v2_page) {
		items_put(st, bytes, 12, 5);
	} else if (p == &memblaze_smart_v3_page) {
		items_put(st, bytes, 10, 2);
	} else if (p == &ocp_latency_monitor_page) {
		latency_put(b, st, bytes);
	}
}
