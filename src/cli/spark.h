/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Numbers as a short line of bars. Pure, any thread. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "nvmewatch/buffer.h"

#define SPARK_WIDTH 40

struct spark {
	const json_t *least, *greatest; /* of the numbers; NULL: there is none */
};

/* Looks at an array; what is no number in it counts as absent. */
void spark_look(const json_t *values, struct spark *ret);

/* Appends at most SPARK_WIDTH bars, each the mean of its part of the array, a blank where there is
 * none. */
void spark_draw(const json_t *values, const struct spark *s, bool utf8, struct buffer *out);
