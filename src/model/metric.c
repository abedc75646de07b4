/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/metric.h"

#include <stdio.h>
#include <string.h>

const char *metric_suffix(enum metric_type type)
{
	switch (type) {
	case METRIC_COUNTER: return "_total";
	case METRIC_INFO: return "_info";
	case METRIC_GAUGE:
	case METRIC_HISTOGRAM: break;
	}
	return "";
}

bool metric_exists(const struct field *f)
{
	return f->kind != FIELD_INFO && field_value_type(f) != VALUE_TEXT;
}

enum metric_type metric_type_of(const struct field *f)
{
	return f->kind == FIELD_COUNTER ? METRIC_COUNTER : METRIC_GAUGE;
}

void metric_family(const struct page *p, const struct field *f, char ret[static METRIC_NAME_MAX])
{
	snprintf(ret, METRIC_NAME_MAX, "nvmewatch_%s_%s", p->prefix, field_family(f));
}

bool metric_name(const struct page *p, const struct field *f, char ret[static METRIC_NAME_MAX])
{
	if (!metric_exists(f))
		return false;
	metric_family(p, f, ret);
	size_t length = strlen(ret);
	snprintf(ret + length, METRIC_NAME_MAX - length, "%s", metric_suffix(metric_type_of(f)));
	return true;
}
