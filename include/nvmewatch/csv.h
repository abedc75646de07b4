/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* CSV as RFC 4180 has it; what is absent is empty. Any thread. */

#include "nvmewatch/buffer.h"
#include "nvmewatch/field.h"

/* A field; quoted where it has to be. NULL is empty. */
void csv_text(struct buffer *out, const char *text);
void csv_value(struct buffer *out, const struct value *v);

/* Between fields, and at the end of a record. */
void csv_next(struct buffer *out);
void csv_end(struct buffer *out);
