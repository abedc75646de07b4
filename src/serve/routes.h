/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* From a request to its answer. Knows nothing of sockets. One thread. */

#include "answer.h"
#include "request.h"
#include "server.h"

/* Answers a request whose target parsed, problems included, or fills in the job that will. 0 or
 * -ENOMEM. */
int routes_answer(struct server *s, const struct request *q, struct answer *ret);
