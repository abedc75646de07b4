/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Metric families as the field tables make them: every row of every page under the name it is
 * exposed with. Rows of one family are brought together from wherever they stand, so that its HELP
 * and TYPE come once, and a row whose series would collide with an earlier row's is left out.
 * Built once at start, immutable afterwards. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/metric.h"

struct family_row {
	const struct page *page;
	unsigned index; /* of the page in the list, as page_index() in pages[] */
	const struct field *field;
	struct family_row *next; /* of the same family */
};

struct family {
	char name[METRIC_NAME_MAX]; /* without _total or _info */
	enum metric_type type;
	const char *help;
	struct family_row *rows;
};

struct families {
	struct family *items;
	struct family_row *rows; /* of all families */
	size_t n, n_rows;
};

/* The families of the pages (NULL at the end), in their order. 0 or -ENOMEM. */
int families_new(const struct page *const *list, struct families **ret);
void families_free(struct families *f);
DEFINE_CLEANUP(struct families *, families_free)
