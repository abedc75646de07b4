/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sheet.h"

/* Room for so many rows in all, in every column that is loaded. 0 or -ENOMEM. */
int sheet_reserve(struct sheet *s, size_t rows);

/* No rows and no memory for any. */
void sheet_forget(struct sheet *s);

/* The place of a text among the column's, added where it is new; it is mostly the one added last. 0 or
 * -ENOMEM. */
int sheet_intern(struct sheet_column *c, const char *text, int64_t *ret);
