/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A request as it came over the wire, taken apart: the path is split before it is decoded, so that
 * a serial number may hold a slash. Knows nothing of sockets. */

#include <stdbool.h>
#include <stddef.h>

#include "nvmewatch/cleanup.h"

#define SEGMENTS_MAX 12
#define PARAMETERS_MAX 16

struct parameter {
	char *key, *value; /* decoded; value "" where there is none */
};

struct request {
	char *text; /* what the rest points into */
	char *segments[SEGMENTS_MAX]; /* of the path, decoded */
	size_t n_segments;
	struct parameter parameters[PARAMETERS_MAX];
	size_t n_parameters;
	const char *method;
	const char *accept, *accept_encoding, *authorization; /* header values, or NULL */
};

/* Takes a request target ("/a/b%2Fc?x=1") apart. 0, -ENOMEM, or -EINVAL: a broken escape, an
 * embedded NUL, or more of it than any route has. The headers are for the caller to fill in. */
int request_parse(const char *target, struct request **ret);
void request_free(struct request *q);
DEFINE_CLEANUP(struct request *, request_free)

/* The value of a query key, or NULL. */
const char *request_parameter(const struct request *q, const char *key);
