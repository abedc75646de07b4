/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A sheet in few bytes: each column by the form that takes fewest, exact in every case (differences
 * are taken modulo 2^64), each column readable without the others. The layout is not in it. The bytes
 * come from a file, hence are data: damage is -EUCLEAN, never more than that. */

#include "nvmewatch/buffer.h"
#include "sheet.h"

#define SHEET_ROWS_MAX (1u << 20) /* of one encoded sheet */

/* Appends the sheet to *out; what is not loaded counts as absent. Rows of several drives take fewest bytes
 * when they are sorted (sheet_sort()). level: zstd's, 1 to 19; above 12 it costs more than it gains. 0,
 * -ENOMEM or -E2BIG. */
int sheet_encode(const struct sheet *s, int level, struct buffer *out);

/* The inverse. wanted: one flag per column of the layout, NULL: all; the fixed ones are always there.
 * Returns 0, -ENOMEM, -EUCLEAN (damaged), or -EPROTO (of a newer nvmewatch). */
int sheet_decode(const void *data, size_t size, const struct layout *l, const bool *wanted,
		 struct sheet **ret);

/* The same with contexts that are kept from one sheet to the next: of zeros at first, at the end codec_done()
 * (codec_frame.h). To make them is a third of what a column of a day takes. */
struct codec;
int sheet_decode_with(struct codec *c, const void *data, size_t size, const struct layout *l, const bool *wanted,
		      struct sheet **ret);

/* The same into a sheet of that layout that is there, whose rows go and whose memory is used again: for
 * looking at many, one after the other; it saves half the time. On failure it is empty. */
int sheet_decode_into(const void *data, size_t size, const bool *wanted, struct sheet *s);
