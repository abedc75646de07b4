/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a failure of history means to who asked for it. Pure, any thread. */

#include <stddef.h>

#include "nvmewatch/document.h"

/* Of history_reader_open(): fills in *problem and returns -EINVAL; -ENOMEM and -ECANCELED stay what
 * they are. */
int history_problem(int r, struct document *problem);

/* The same of a scan for that drive. */
int history_drive_problem(int r, const char *drive, struct document *problem);

/* Copies the key of a drive. 0, or -EINVAL with *problem: it is longer than any drive's. */
int history_copy_key(const char *key, char *ret, size_t size, struct document *problem);
