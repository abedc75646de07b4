/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Every poll.ocp the drives of each model are compared with each other (peers.h). */

#include <stdbool.h>
#include <stdint.h>

struct collector;

/* Does so when it is time, once the drives have answered: not while `answers` are about to come. It wakes
 * nobody for that. */
void compare_run(struct collector *c, int64_t now, bool answers);
