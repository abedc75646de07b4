/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Differences with a sign as small numbers without one: divided by the unit that they all are multiples
 * of (counters of 512000 bytes, hours in seconds), then either the sign as the lowest bit, or counted
 * from the least of them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unit {
	uint64_t unit; /* 1 and more */
	bool based;    /* counted from .least, which is divided already; else zigzag */
	uint64_t least;
};

/* The greatest unit and the least number, both of n numbers. */
void unit_find(const uint64_t *numbers, size_t n, struct unit *ret);

void unit_apply(const struct unit *u, const uint64_t *numbers, uint64_t *ret, size_t n);
void unit_undo(const struct unit *u, uint64_t *numbers, size_t n);
