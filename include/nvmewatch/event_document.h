/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Events as the API tells them: from the words of a query to a text, for serve and the CLI alike. Any
 * thread, each with a reader of its own. */

#include <stdbool.h>
#include <stdint.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/document.h"
#include "nvmewatch/history_read.h"

#define EVENTS_USUAL 1000
#define EVENTS_MOST 10000

/* As a client gives them; NULL: it does not. */
struct event_words {
	const char *drive, *since, *type, *after, *limit;
};

struct event_question {
	char drive[128], type[64]; /* empty: all */
	int64_t since; /* milliseconds since 1970 */
	int64_t after; /* ids above it */
	uint64_t limit;
	bool onward; /* the first that there are from there on, else the last ones */
	bool known;  /* for the asker to set: the drive is one, whether history knows it or not */
};

/* 0, or -EINVAL with *problem saying what is wrong and what is allowed. Pure. */
int event_question_parse(const struct event_words *words, struct event_question *ret,
			 struct document *problem);

/* Appends the answer, as JSON or CSV. 0; -EINVAL: *problem says why there is none; -ENOMEM; or
 * -ECANCELED. */
int event_document(struct history_reader *r, const struct event_question *q, bool csv,
		   struct buffer *out, struct document *problem);
