/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* now.db in a folder of its own, with two drives. */

#include "file_support.h"
#include "nvmewatch/now.h"

#define CADENCE 15000000
#define TIME INT64_C(1796050000000000)
#define MONO INT64_C(3600000000)

static uint8_t smart_bytes[512], identify_bytes[4096];

static inline struct drive drive_named(const char *key)
{
	struct drive d = {
		.model = "A \"model\" with \\ and \xc3\xb6", .firmware = "FW1", .device = "nvme0",
		.transport = "pcie", .address = "0000:3b:00.0", .slot = "7", .state = "live",
		.reason = "no answer",
		.subsystem_nqn = "nqn.2019-08.org:x", .numa_node = -1, .vendor = 0xffffffff,
		.capacity_bytes = INT64_MAX, .present = true, .lent = true, .responding = true,
	};

	snprintf(d.key, sizeof(d.key), "%s", key);
	snprintf(d.serial, sizeof(d.serial), "%s", key);
	return d;
}

/* Two drives, added in the wrong order, the first with two pages and an error. */
static inline struct now *now_filled(void)
{
	struct now *n = NULL;
	struct drive a = drive_named("S1"), b = drive_named("S2");

	ck_assert_int_eq(now_new(CADENCE, &n), 0);
	for (unsigned i = 0; i < sizeof(identify_bytes); i++)
		identify_bytes[i] = smart_bytes[i % 512] = (uint8_t)(i * 7 + i / 256);
	ck_assert_int_eq(now_put_drive(n, &b), 0);
	ck_assert_int_eq(now_put_drive(n, &a), 0);
	ck_assert_int_eq(
		now_put_page(n, "S1", &smart_page, 0, TIME - 1, MONO - 1, CADENCE, smart_bytes, 512), 0);
	ck_assert_int_eq(
		now_put_page(n, "S1", &identify_page, 0, TIME - 2, MONO - 2, 0, identify_bytes, 4096), 0);
	ck_assert_int_eq(now_put_support(n, "S1", &ocp_smart_page, 0, false), 0);
	ck_assert_int_eq(now_add_error(n, "S1", &ocp_smart_page, "refused"), 0);
	return n;
}

static inline struct now_snapshot *snapshot_of(struct now *n, const char *path)
{
	struct now_snapshot *s = NULL;

	ck_assert_int_eq(now_publish(n, path, TIME, MONO), 0);
	ck_assert_int_eq(now_read(path, &s), 0);
	return s;
}
