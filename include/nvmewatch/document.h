/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The documents of the API: what serve answers over HTTP, and what the CLI reads from the files
 * itself when no server answers. Made from a view; pure, any thread. */

#include <jansson.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/view.h"

struct document {
	json_t *json; /* NULL: there is a problem, or no memory */
	unsigned status;   /* of HTTP */
	char problem[512]; /* a sentence; empty: none */
};

/* Fills *ret with a problem. */
void document_problem(struct document *ret, unsigned status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void document_done(struct document *d);

/* Every drive in short; one drive with all its pages; one page; the field table. Each fills in *ret,
 * be it with a problem. */
void document_drives(const struct view *v, struct document *ret);
void document_drive(const struct view *v, const char *key, struct document *ret);
void document_page(const struct view *v, const char *key, const char *name, struct document *ret);
void document_fields(const struct page *const *list, struct document *ret);

/* The drive of that key; else NULL, with *ret saying why. */
const struct now_drive *document_find_drive(const struct view *v, const char *key,
					    struct document *ret);

/* What is known of its page of that page_instance_name(), of which there are bytes. */
const struct now_page *document_find_page(const struct view *v, const char *key, const char *name,
					  const struct page **ret_page, struct document *ret);
