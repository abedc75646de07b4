/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Jobs that answer from history: each opens it anew, and is done with it before anything is sent. */

#include "nvmewatch/buffer.h"
#include "nvmewatch/document.h"
#include "nvmewatch/history_read.h"

#include "request.h"
#include "server.h"

struct history_job {
	struct job job;
	char *state_dir, *run_dir;
	bool csv;
	void *question; /* owned */
	void (*free_question)(void *question);
	/* In a thread: appends the answer. As event_document(). */
	int (*write)(struct history_reader *r, const void *question, bool csv, struct buffer *out,
		     struct document *problem);
};

/* Whether it is a drive of this host now, of which history may not have heard yet. */
bool history_job_knows(struct server *s, const char *drive);

/* Has the answer to a question, which is taken over, made by a job. 0 or -ENOMEM. */
int history_job_answer(struct server *s, const struct request *q, void *question,
		       void (*free_question)(void *question),
		       int (*write)(struct history_reader *r, const void *question, bool csv,
				    struct buffer *out, struct document *problem),
		       struct answer *ret);
