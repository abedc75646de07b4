/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where thermal_put() writes and thermal_page reads. */

#define THERMAL_HEADROOM 0  /* 2 bytes: degrees and HEADROOM_BIAS; 0: not known */
#define THERMAL_THROTTLED 2 /* 0 or 1 */
#define THERMAL_REASON 3    /* enum throttle_reason */
#define THERMAL_MAX 4       /* 4 bytes: kelvin, 0: not known */
#define THERMAL_SINCE 8     /* 6 bytes: milliseconds since 1970, 0: it does not throttle */
#define THERMAL_COMPOSITE 16 /* 2 bytes, as in page 02h: kelvin, 0: not known */
#define THERMAL_SENSORS 18   /* 8 of those */
#define THERMAL_SIZE 36

#define HEADROOM_BIAS 1000
