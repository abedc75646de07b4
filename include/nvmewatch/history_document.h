/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A page's history as the API tells it: from the words of a query to a text, for serve and the CLI
 * alike. Any thread, each with a reader of its own. */

#include "nvmewatch/buffer.h"
#include "nvmewatch/document.h"
#include "nvmewatch/history_query.h"

#define HISTORY_USUAL_MS INT64_C(86400000) /* from start to end */
#define HISTORY_TEXT_MAX (15u << 20)       /* bytes of an answer */

/* As a client gives them; NULL: it does not. */
struct history_words {
	const char *drive, *page, *fields, *start, *end, *step, *agg;
};

struct history_question {
	char drive[128];
	struct query query;
	char (*names)[FIELD_COLUMN_MAX]; /* what .query.columns points to */
	const char **columns;
	bool known; /* for the asker to set: the drive is one, whether history knows it or not */
};

/* now_ms: milliseconds since 1970. 0; -EINVAL with *problem saying what is wrong and what is allowed;
 * or -ENOMEM. Pure. */
int history_question_parse(const struct history_words *words, int64_t now_ms,
			   struct history_question **ret, struct document *problem);
void history_question_free(struct history_question *q);
DEFINE_CLEANUP(struct history_question *, history_question_free)

/* That there are too many points or values, and which step would do. */
void history_too_large(const struct query *q, struct document *problem);

/* Appends the answer, as JSON or CSV. 0; -EINVAL: *problem says why there is none; -ENOMEM; or
 * -ECANCELED. */
int history_document(struct history_reader *r, const struct history_question *q, bool csv,
		     struct buffer *out, struct document *problem);

/* The text of a result. 0, -EFBIG (above HISTORY_TEXT_MAX) or -ENOMEM. Pure. */
int history_write_json(const struct history_question *q, const struct query_result *result,
		       struct buffer *out);
int history_write_csv(const struct query_result *result, struct buffer *out);
