/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* An encoded sheet, as both sheet_encode.c and sheet_decode.c have it:
 *
 *   CRC-32 of all that follows, little-endian
 *   format version, a byte
 *   varints: rows, columns; then for each column its length << 2 | flags
 *   the columns' bytes; none: absent in every row
 *
 * A column: the stream of presences if COLUMN_SPARSE, what its type needs (column_value.h), the stream
 * of the values that are present. */

#include "column_stream.h"
#include "sheet.h"

#define SHEET_FORMAT 1
#define SHEET_CRC_SIZE 4

enum {
	COLUMN_SPARSE = 1 << 0,   /* present in some rows only */
	COLUMN_RELATIVE = 1 << 1, /* what is to be added to SHEET_TIME */
	COLUMN_FLAGS = 2,         /* bits */
};

/* The groups of column's rows in which it is present (NULL: all rows); starts has room for two rows
 * more than there are. The columns that make the groups are one group each. */
void sheet_groups(const struct sheet *s, size_t column, const uint8_t *present, uint32_t *starts,
		  struct groups *ret);

/* Adds SHEET_TIME to the values that are present, or takes it off. */
void sheet_relate(const struct sheet *s, const uint8_t *present, uint64_t *numbers, bool add);
