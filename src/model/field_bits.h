/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shared by the two directions of a field row, field.c and field_encode.c. */

#include "nvmewatch/field.h"

/* The offset of element `index` in the page. */
unsigned field_at(const struct field *f, unsigned index);

/* The highest value that the field's bits hold; fields over 64 bits count as 64. */
uint64_t field_ones(const struct field *f);
