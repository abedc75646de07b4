/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Who may ask for what. Knows tokens and methods, not resources. One thread. */

#include <stdbool.h>

#include "answer.h"
#include "request.h"
#include "token.h"

/* What a resource is, for those who ask for it. */
struct access {
	bool open;  /* to read without a token */
	bool posts; /* it takes POST */
};

/* 1: go on; 0: *ret says why not (401, 403); or -ENOMEM. */
int access_check(const struct tokens *t, const struct request *q, struct access to,
		 struct answer *ret);
