/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One GET over HTTP, with short time-outs. The only user of libcurl. One thread. */

#include <stdbool.h>
#include <stddef.h>

#include "nvmewatch/buffer.h"

#define FETCH_ERROR_MAX 256

/* How a server is talked to. */
struct fetch_way {
	bool local; /* this host's: no proxy of the environment comes in between */
	const char *certificate; /* a file: who has that is the server, whatever its name. NULL: the
				  * authorities of the system say who is */
	const char *token; /* NULL: none */
	const char *accept; /* the type that is wanted, NULL: whatever there is */
	long seconds; /* for all of it; 0: a few */
};

/* Appends the body that URL answers with. Returns the status of HTTP; a negative errno, with what
 * went wrong in error[], where there was no answer. */
int fetch(const char *url, const struct fetch_way *way, struct buffer *ret,
	  char error[static FETCH_ERROR_MAX]);
