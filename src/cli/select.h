/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The drive that a person means: its serial key, else its device name, else the beginning of one
 * key alone. Pure, any thread. */

#include <jansson.h>

#include "nvmewatch/buffer.h"

/* Looks for it in the API's list of drives. 0, with *ret a borrowed element; -ENOENT, or -ENOTUNIQ,
 * with a message in error that names the candidates. */
int select_drive(const json_t *drives, const char *name, json_t **ret, struct buffer *error);
