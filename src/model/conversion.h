/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Conversions of values that several pages have in common. */

#include "nvmewatch/field.h"

/* Power with its unit: 15:0 value, 17:16 scale (0 not reported, 1 0.0001 W, 2 0.01 W). */
extern const struct field_conversion interval_power;

/* An NVMe timestamp of 8 bytes as seconds since 1970, with milliseconds. One that the host has not set
 * counts from a reset and tells no time of day: absent, as zero and all ones are. */
extern const struct field_conversion timestamp;
