/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The resources of the API, one file for each group of them. A handler fills in an answer, problems
 * included, and returns 0 or -ENOMEM. `names` are the variable parts of the path, in its order. */

#include <jansson.h>

#include "answer.h"
#include "request.h"
#include "server.h"
#include "view.h"

int api_drives(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret);
int api_drive(struct server *s, const struct request *q, const char *const *names,
	      struct answer *ret);
int api_page(struct server *s, const struct request *q, const char *const *names,
	     struct answer *ret);
int api_fields(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret);
int api_healthz(struct server *s, const struct request *q, const char *const *names,
		struct answer *ret);
int api_readyz(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret);

/* The documents themselves, NULL without memory. */
json_t *api_drive_summary(const struct view *v, const struct now_drive *d);
json_t *api_drive_document(const struct view *v, const struct now_drive *d);
json_t *api_page_document(const struct view *v, const struct now_drive *d, const struct page *p);
json_t *api_fields_document(const struct page *const *list);

/* The drive of that key in the present publication; else NULL, with *ret a problem and *ret_r what
 * answer_problem() said. */
const struct now_drive *api_find_drive(struct server *s, const char *key, struct view *ret_view,
				       struct answer *ret, int *ret_r);
