/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "token.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "secret.h"

#define BLANK " \t\r\n"
#define SCHEME "bearer"

/* The file's only word: what can stand in a header, no control character and nothing beyond ASCII. */
static int token_parse(const struct secret *file, struct token *ret)
{
	const char *begin = file->bytes + strspn(file->bytes, BLANK);
	size_t length = strcspn(begin, BLANK);
	const char *rest = begin + length;

	if (!length || length > TOKEN_MAX || rest + strspn(rest, BLANK) != file->bytes + file->length)
		return -EINVAL;
	for (size_t i = 0; i < length; i++)
		if (begin[i] < '!' || begin[i] > '~')
			return -EINVAL;
	*ret = (struct token){ .wanted = true };
	memcpy(ret->text, begin, length);
	return 0;
}

static int token_read(const char *key, const char *path, struct token *ret, char *error,
		      size_t error_size)
{
	struct secret file;
	int r;

	*ret = (struct token){ 0 };
	if (!path[0])
		return 0;
	r = secret_read(key, path, true, &file, error, error_size);
	if (r < 0)
		return r;
	r = token_parse(&file, ret);
	secret_done(&file);
	if (r < 0)
		snprintf(error, error_size, "%s: %s does not hold one word of at most %d printable "
			 "characters", key, path, TOKEN_MAX);
	return r;
}

int tokens_read(const struct settings *s, struct tokens *ret, char *error, size_t error_size)
{
	struct tokens t;
	int r = token_read("serve.read_token_file", s->read_token_file, &t.read, error, error_size);

	if (r >= 0)
		r = token_read("serve.admin_token_file", s->admin_token_file, &t.admin, error,
			       error_size);
	if (r >= 0)
		*ret = t;
	explicit_bzero(&t, sizeof(t));
	return r;
}

void tokens_done(struct tokens *t)
{
	explicit_bzero(t, sizeof(*t));
}

bool token_matches(const struct token *t, const char *authorization)
{
	char given[TOKEN_MAX] = { 0 };
	volatile unsigned char different = 0;

	if (!authorization || strncasecmp(authorization, SCHEME " ", sizeof(SCHEME)))
		return false;
	authorization += sizeof(SCHEME);
	authorization += strspn(authorization, BLANK);
	size_t length = strcspn(authorization, BLANK);
	if (authorization[length + strspn(authorization + length, BLANK)] || length > TOKEN_MAX)
		return false;
	memcpy(given, authorization, length);
	for (size_t i = 0; i < TOKEN_MAX; i++)
		different |= (unsigned char)(given[i] ^ t->text[i]);
	explicit_bzero(given, sizeof(given));
	return !different && t->wanted;
}
