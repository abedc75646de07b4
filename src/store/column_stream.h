/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Numbers by the form that takes fewest bytes: a byte that says which, then what it needs. */

#include "codec_frame.h"
#include "column_predict.h"

/* Appends what g->starts[g->n] numbers become. 0 or -ENOMEM. No numbers are no bytes. */
int stream_put(struct codec *c, const uint64_t *numbers, const struct groups *g, struct buffer *out);

/* The inverse. 0, -ENOMEM or -EUCLEAN. */
int stream_get(struct codec *c, struct intake *in, uint64_t *numbers, const struct groups *g);
