/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Vendors' log pages that are a list of items in no fixed order, each with an id in its first byte;
 * id 0 is a free slot. A row names the item (struct field .item) and the place in it.
 *
 * A page that uses the macros says first how its items are laid out: ITEM_SIZE (bytes), ITEM_NORMAL
 * (where the normalized value stands), ITEM_RAW (where the raw value begins), and ITEM_BY, which ends
 * every help text. */

#include <stddef.h>

#include "nvmewatch/field.h"

#define ITEMS_END 511 /* what the items may fill; byte 511 is a version, where there is one */
#define ITEM_SIZE_MAX 12

/* `size_` bytes of the raw value, from its byte `at_` on. */
#define ITEM(id_, at_, size_)                                                            \
	.item = (id_), .item_size = ITEM_SIZE, .offset = ITEM_RAW + (at_), .size = (size_)

/* The vendor's own rating of an item: 100 when new, falling to 0. */
#define ITEM_NORMALIZED(id_, name_, help_)                                               \
	{ .name = name_ "_normalized_ratio", .kind = FIELD_GAUGE, .item = (id_),         \
	  .item_size = ITEM_SIZE, .offset = ITEM_NORMAL, .size = 1, .div = 100, .max = 100, \
	  .full = true, .help = help_ ", normalized" ITEM_BY }

/* An item whose raw value is one number of 48 bits, and its rating. */
#define ITEM_ROWS(kind_, full_, id_, name_, help_)                                       \
	{ .name = name_, .kind = kind_, ITEM(id_, 0, 6), .full = full_, .help = help_ ITEM_BY }, \
	ITEM_NORMALIZED(id_, name_, help_)
#define ITEM_COUNT(id_, name_, help_) ITEM_ROWS(FIELD_COUNTER, true, id_, name_, help_)
#define ITEM_CORE(id_, name_, help_) ITEM_ROWS(FIELD_COUNTER, false, id_, name_, help_)
#define ITEM_GAUGE(id_, name_, help_) ITEM_ROWS(FIELD_GAUGE, true, id_, name_, help_)

/* Where the item of that id begins, in bytes from the start of the page, or -ENOENT. */
int items_find(const uint8_t *bytes, unsigned item_size, uint8_t id);

/* field_encode() of a row with .item: into its item, else into the first free slot. What has no other
 * way to be absent takes its item away. -ERANGE also where no slot is free. */
int items_encode(const struct field *f, unsigned index, const struct value *v, uint8_t *bytes);

/* Whether more slots hold items that the rows know than items that they do not. */
bool items_fit(const struct field *fields, size_t n, const uint8_t *bytes);
