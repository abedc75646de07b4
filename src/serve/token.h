/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The tokens that requests have to bring (RFC 6750, "Authorization: Bearer TOKEN"). One thread. */

#include <stdbool.h>
#include <stddef.h>

#include "nvmewatch/settings.h"

#define TOKEN_MAX 512

struct token {
	bool wanted;
	char text[TOKEN_MAX]; /* zero to the end; may fill it */
};

struct tokens {
	struct token read;  /* for every GET but /healthz */
	struct token admin; /* for POST */
};

/* Reads serve.read_token_file and serve.admin_token_file. 0, or a negative errno with a message in
 * error[]. */
int tokens_read(const struct settings *s, struct tokens *ret, char *error, size_t error_size);
void tokens_done(struct tokens *t);

/* Whether the value of an Authorization header, or NULL, brings the token. Takes the same time
 * however much of it is right. */
bool token_matches(const struct token *t, const char *authorization);
