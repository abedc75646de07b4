/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shared by the formats of an export. */

#include "history_read_internal.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/history_export.h"

struct export {
	struct history_reader *reader;
	const struct history_export *what;
	history_text write;
	void *userdata;
	struct buffer text; /* not handed over yet */
};

/* Hands over the text, where there is enough of it, or at the end. 0 or a negative errno. */
int export_write(struct export *e, bool all);

/* Calls back with every sheet of a page's rows, and the key of their drive. */
typedef int (*export_rows)(struct export *e, const struct page *p, const char *key,
			   const struct sheet *rows);
int export_scan(struct export *e, const struct page *p, export_rows callback);

/* Whether a row is within what is exported. */
bool export_has(const struct export *e, const struct sheet *rows, size_t row);

/* The name of a layout's column in an export, NULL: it is left out. */
const char *export_column(const struct page *p, const struct layout *l, size_t column);

int export_csv(struct export *e);
int export_sql(struct export *e);
