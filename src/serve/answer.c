/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "answer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "json.h"
#include "nvmewatch/drive.h"

#define GZIP (MAX_WBITS + 16)
#define COMPRESS_FROM 1024 /* bytes; below, the header costs more than it saves */
#define GZIP_LEVEL 1 /* the text repeats itself so much that more gains little */

int body_new(struct buffer *bytes, const char *type, struct body **ret)
{
	struct body *b = bytes->failed ? NULL : malloc(sizeof(*b));

	if (!b)
		return -ENOMEM;
	*b = (struct body){
		.references = 1, .data = bytes->data, .length = bytes->length, .type = type,
	};
	*bytes = (struct buffer){ 0 };
	*ret = b;
	return 0;
}

int body_compress(const struct body *b, struct body **ret)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	z_stream z = { .next_in = (Bytef *)b->data, .avail_in = (uInt)b->length };
	int r;

	if (b->length > UINT32_MAX ||
	    deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	out.capacity = deflateBound(&z, b->length);
	out.data = malloc(out.capacity);
	if (!out.data) {
		deflateEnd(&z);
		return -ENOMEM;
	}
	z.next_out = (Bytef *)out.data;
	z.avail_out = (uInt)out.capacity;
	deflate(&z, Z_FINISH); /* cannot run out of deflateBound() */
	out.length = z.total_out;
	deflateEnd(&z);

	/* Kept as long as a publication lives: give back what the bound was too large by. */
	char *shrunk = realloc(out.data, out.length);
	if (shrunk)
		out.data = shrunk;
	r = body_new(&out, b->type, ret);
	if (r < 0)
		return r;
	(*ret)->gzip = true;
	return 0;
}

struct body *body_ref(struct body *b)
{
	b->references++;
	return b;
}

void body_unref(struct body *b)
{
	if (!b || --b->references)
		return;
	free(b->data);
	free(b);
}

int answer_bytes(struct answer *ret, struct buffer *bytes, const char *type)
{
	struct body *body;
	int r = body_new(bytes, type, &body);

	if (r < 0)
		return r;
	*ret = (struct answer){ .status = 200, .body = body };
	return 0;
}

int answer_compress(struct answer *a)
{
	struct body *compressed;
	int r;

	if (a->body->gzip || a->body->length < COMPRESS_FROM)
		return 0;
	r = body_compress(a->body, &compressed);
	if (r < 0)
		return r;
	body_unref(a->body);
	a->body = compressed;
	return 0;
}

static const char *status_title(unsigned status)
{
	switch (status) {
	case 400: return "Bad Request";
	case 401: return "Unauthorized";
	case 403: return "Forbidden";
	case 404: return "Not Found";
	case 405: return "Method Not Allowed";
	case 503: return "Service Unavailable";
	case 504: return "Gateway Timeout";
	}
	return "Internal Server Error";
}

int answer_problem(struct answer *ret, unsigned status, const char *format, ...)
{
	char detail[512], clean[sizeof(detail)];
	va_list args;
	int r;

	/* It may quote what the client sent. */
	va_start(args, format);
	vsnprintf(detail, sizeof(detail), format, args);
	va_end(args);
	drive_text(detail, sizeof(detail), clean, sizeof(clean));

	json_t *problem = json_pack("{ss ss si ss}", "type", "about:blank", "title",
				    status_title(status), "status", (int)status, "detail", clean);
	r = answer_json(ret, problem);
	if (r < 0)
		return r;
	ret->status = status;
	ret->body->type = TYPE_PROBLEM;
	return 0;
}

void answer_done(struct answer *a)
{
	body_unref(a->body);
	*a = (struct answer){ 0 };
}
