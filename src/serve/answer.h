/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is sent back: a status and a body. Bodies are counted, since one rendering of the metrics
 * answers many requests. Knows nothing of sockets. One thread. */

#include <stdbool.h>
#include <stddef.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"

#define TYPE_JSON "application/json"
#define TYPE_PROBLEM "application/problem+json"
#define TYPE_BYTES "application/octet-stream"

struct body {
	unsigned references;
	char *data;
	size_t length;
	const char *type; /* Content-Type */
	bool gzip;        /* data is compressed */
};

struct job;

struct answer {
	unsigned status; /* of HTTP */
	struct body *body; /* a reference */
	const char *allow; /* for 405: the methods that are */
	const char *vary;  /* NULL: Accept-Encoding alone */
	const char *challenge; /* for 401: WWW-Authenticate */
	const char *retry_after; /* for 503: seconds, or NULL */
	struct job *job; /* what is to make it, see work.h; else NULL. Then there is no body */
};

/* Makes a body of the buffer's bytes, which are left empty. 0 or -ENOMEM. */
int body_new(struct buffer *bytes, const char *type, struct body **ret);

/* The same body compressed. 0 or -ENOMEM. */
int body_compress(const struct body *b, struct body **ret);

struct body *body_ref(struct body *b);
void body_unref(struct body *b);
DEFINE_CLEANUP(struct body *, body_unref)

/* Fills *ret with 200 and the buffer's bytes. 0 or -ENOMEM. */
int answer_bytes(struct answer *ret, struct buffer *bytes, const char *type);

/* Fills *ret with an RFC 9457 problem document. 0 or -ENOMEM. */
int answer_problem(struct answer *ret, unsigned status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Compresses the body, where that is worth it. 0 or -ENOMEM. */
int answer_compress(struct answer *a);

void answer_done(struct answer *a);
