/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* /metrics. A rendering is kept until there is a new publication, or until the first of its values
 * would have to be withdrawn, and answers every scrape in between. */

#include <stdint.h>

#include "answer.h"
#include "request.h"

struct server;

struct metrics_cache {
	uint64_t generation; /* of the publication the bodies show */
	struct rendering {
		struct body *body; /* NULL: not rendered */
		struct body *compressed;
		int64_t until;
	} renderings[2]; /* text, OpenMetrics */
};

int metrics_answer(struct server *s, const struct request *q, struct answer *ret);

void metrics_cache_done(struct metrics_cache *c);
