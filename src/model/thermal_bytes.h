/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where thermal_put() and trend_put() write and thermal_page reads. */

#define THERMAL_HEADROOM 0  /* 2 bytes: degrees and HEADROOM_BIAS; 0: not known */
#define THERMAL_THROTTLED 2 /* 0 or 1 */
#define THERMAL_REASON 3    /* enum throttle_reason */
#define THERMAL_MAX 4       /* 4 bytes: kelvin, 0: not known */
#define THERMAL_SINCE 8     /* 6 bytes: milliseconds since 1970, 0: it does not throttle */
#define THERMAL_COMPOSITE 16 /* 2 bytes, as in page 02h: kelvin, 0: not known */
#define THERMAL_SENSORS 18   /* 8 of those */
#define THERMAL_RISE 36       /* 4 bytes: degrees per second by RISE_SCALE, and RISE_BIAS; 0: not known */
#define THERMAL_TO_WARNING 40 /* 4 bytes: seconds and 1; 0: it will not be so hot */
#define THERMAL_SIZE 44

#define HEADROOM_BIAS 1000
#define RISE_SCALE 10000
#define RISE_BIAS 10000000
