/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Small files of certificates, keys and tokens. Their bytes are wiped when they are done with, and
 * never logged. One thread. */

#include <stdbool.h>
#include <stddef.h>

struct secret {
	char *bytes; /* and a NUL */
	size_t length;
};

/* Reads the file that the configuration key names. One that is private is warned about where others
 * than its user can read it. 0, or a negative errno with a message in error[]. */
int secret_read(const char *key, const char *path, bool private, struct secret *ret, char *error,
		size_t error_size);
void secret_done(struct secret *s);
