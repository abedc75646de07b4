/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The syntax of the Prometheus text format 0.0.4 and of OpenMetrics 1.0: heads, samples, escapes.
 * Knows nothing of drives. One thread. */

#include <stdbool.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/field.h"

#include "family.h"

struct text {
	struct buffer *out;
	bool openmetrics;
	const char *const *only; /* families to write, NULL at the end; NULL: all */

	/* The family being written. */
	const char *name, *help;
	enum metric_type type;
	bool headed; /* HELP and TYPE are out */
	char head[METRIC_NAME_MAX + 8]; /* `name_suffix{` */
	size_t head_length;
};

/* Begins a family. False: it is not asked for. Nothing is written before its first sample. */
bool text_family(struct text *t, const char *name, enum metric_type type, const char *help);

/* `name{`, after the family's HELP and TYPE where this is its first sample. Then come the labels,
 * then one of the two ends. */
void text_sample(struct text *t);
void text_end_integer(struct text *t, int64_t n);
void text_end_real(struct text *t, double x);

/* As text_sample(), of a histogram's "_bucket", "_sum" or "_count". */
void text_part(struct text *t, const char *part);

/* A sample without labels. */
void text_bare(struct text *t, int64_t n);

/* `key="value"` with the value escaped, behind a comma where `more`. */
void text_label(struct buffer *out, bool more, const char *key, const char *value);

/* The end of the whole. */
void text_finish(struct text *t);
