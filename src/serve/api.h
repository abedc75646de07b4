/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The resources of the API, one file for each group of them. A handler fills in an answer, problems
 * included, and returns 0 or -ENOMEM. `names` are the variable parts of the path, in its order. */

#include "answer.h"
#include "request.h"
#include "server.h"

int api_drives(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret);
int api_drive(struct server *s, const struct request *q, const char *const *names,
	      struct answer *ret);
int api_page(struct server *s, const struct request *q, const char *const *names,
	     struct answer *ret);
int api_events(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret);
int api_fields(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret);
int api_history(struct server *s, const struct request *q, const char *const *names,
		struct answer *ret);
int api_healthz(struct server *s, const struct request *q, const char *const *names,
		struct answer *ret);
int api_readyz(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret);
