/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* All series of a view, as /metrics shows them: the values of the field tables, and what is known
 * of the drives and of the collector. Pure: no I/O, no clock. */

#include "family.h"
#include "text.h"
#include "nvmewatch/view.h"

struct exposition_options {
	bool openmetrics;        /* OpenMetrics 1.0, else text 0.0.4 */
	bool full;               /* serve.metrics */
	char *const *labels;     /* serve.labels, NULL at the end; NULL: serial alone */
	const char *const *only; /* families asked for, NULL at the end; NULL: all */
};

/* Where one rendering stands. */
struct exposition {
	struct text text;
	const struct view *view;
	const struct exposition_options *options;
	struct buffer labels;  /* the drives' labels, ready-made */
	struct drive_labels {
		size_t at, own, value; /* in .labels: where, and how long without and with extras */
		bool skip; /* a second drive of the same key */
	} *drives;
	int64_t until;
};

/* The block device of a namespace, however long ago it was told. False: unknown. */
bool exposition_namespace(const struct now_drive *d, uint32_t nsid, struct value *ret);

/* Appends the exposition to out. *ret_until is the last moment at which it may be shown: after it
 * some value would have to be withdrawn. 0 or -ENOMEM. */
int exposition_render(const struct families *families, const struct view *v,
		      const struct exposition_options *options, struct buffer *out,
		      int64_t *ret_until);
