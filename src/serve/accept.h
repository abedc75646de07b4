/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Content negotiation (RFC 9110, 12.5): what a client's Accept and Accept-Encoding allow. A header
 * may be NULL. Pure. */

#include <stdbool.h>

/* Whether OpenMetrics 1.0 is at least as welcome as the text format. */
bool accept_openmetrics(const char *accept);

/* Whether CSV is asked for by name, and at least as welcome as JSON. */
bool accept_csv(const char *accept);

/* Whether gzip is allowed, and not less welcome than the plain body. */
bool accept_gzip(const char *accept_encoding);
