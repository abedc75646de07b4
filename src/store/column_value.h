/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How the values of a column become whole numbers, by their type. */

#include "column_stream.h"
#include "sheet.h"

/* REAL: numbers[] holds n doubles' bits. Writes what they were made of, a byte, and leaves in numbers[]
 * what is to be written as a stream. */
void real_put(uint64_t *numbers, size_t n, struct buffer *out);

/* The inverse, before and after the stream is read. False: there is no such form. */
bool real_get(struct intake *in, uint8_t *ret_form);
void real_undo(uint8_t form, uint64_t *numbers, size_t n);

/* TEXT: numbers[] holds n indices. Writes the texts that are used, and leaves in numbers[] the places of
 * these. 0 or -ENOMEM. */
int text_put(struct codec *c, const struct sheet_column *column, uint64_t *numbers, size_t n,
	     struct buffer *out);

/* The inverse: the texts of at most `most` rows. 0, -ENOMEM or -EUCLEAN. */
int text_get(struct codec *c, struct intake *in, size_t most, struct sheet_column *column);
