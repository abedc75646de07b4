/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How a drive is doing, in one word and the reasons for it: what the API and the status metric
 * show, decided in one place. Pure, any thread. */

#include <stdint.h>

#include "nvmewatch/drive.h"

enum health_status {
	HEALTH_OK,
	HEALTH_WARNING,
	HEALTH_CRITICAL,
	HEALTH_UNKNOWN, /* nothing fresh to judge by */
};

#define HEALTH_STATUSES 4
#define HEALTH_REASONS_MAX 16

struct health {
	enum health_status status;
	const char *reasons[HEALTH_REASONS_MAX]; /* gravest first; static, or of the drive */
	unsigned n_reasons;
};

/* smart: the bytes of a fresh SMART page, or NULL where there are none. */
void health_assess(const uint8_t *smart, const struct drive *d, struct health *ret);

/* "ok", "warning", "critical", "unknown". */
const char *health_status_name(enum health_status status);
