/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a row of the field table is called as a Prometheus series: one place for the exposition, the
 * API and the manual. Pure, any thread. */

#include <stdbool.h>

#include "nvmewatch/page.h"

#define METRIC_NAME_MAX 160

enum metric_type {
	METRIC_GAUGE,
	METRIC_COUNTER, /* name ends in _total */
	METRIC_INFO,    /* name ends in _info */
	METRIC_HISTOGRAM, /* names end in _bucket, _sum and _count */
};

/* "_total", "_info" or "". */
const char *metric_suffix(enum metric_type type);

/* Whether the row has a series at all. */
bool metric_exists(const struct field *f);

/* The type of a row that has one. */
enum metric_type metric_type_of(const struct field *f);

/* The name of the row's family, without suffix. */
void metric_family(const struct page *p, const struct field *f, char ret[static METRIC_NAME_MAX]);

/* The name its samples are exposed with, suffix included. False: the row has no series. */
bool metric_name(const struct page *p, const struct field *f, char ret[static METRIC_NAME_MAX]);
