/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the verbs that look back share. One thread. */

#include "cli.h"
#include "nvmewatch/document.h"
#include "nvmewatch/history_read.h"

#define MOMENT_MAX 64

/* The time as the API takes it: a duration is so long ago, all else stays what it is, NULL too. */
const char *past_moment(const char *text, char ret[static MOMENT_MAX]);

/* Appends a key of a query, unless it has no value. */
void past_put_key(struct buffer *path, const char *key, const char *value);

/* Opens this host's history. 0, or a negative errno after saying why. */
int past_open(struct cli *c, struct history_reader **ret);

/* What came of a document, said where it is a failure: a problem is one of data or of the host, not of
 * usage. */
int past_said(int r, const struct document *problem);
