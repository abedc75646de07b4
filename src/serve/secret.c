/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/log.h"

#define SECRET_MAX ((off_t)1 << 20) /* a bundle of all public authorities is a quarter of that */

static int fail(const char *key, const char *path, int r, const char *what, char *error,
		size_t error_size)
{
	snprintf(error, error_size, "%s: %s %s", key, path, what);
	return r;
}

/* A group may be how we are let in, but only where the file is not ours anyway. */
static bool readable_by_others(const struct stat *st)
{
	return st->st_mode & S_IROTH || (st->st_mode & S_IRGRP && st->st_uid == geteuid());
}

static int read_all(int fd, size_t length, struct secret *s)
{
	s->bytes = calloc(1, length + 1);
	if (!s->bytes)
		return -ENOMEM;
	while (s->length < length) {
		ssize_t n = read(fd, s->bytes + s->length, length - s->length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		s->length += (size_t)n;
	}
	return 0;
}

int secret_read(const char *key, const char *path, bool private, struct secret *ret, char *error,
		size_t error_size)
{
	/* Whatever it is, opening must not wait. */
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct secret s = { 0 };
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0) {
		r = -errno;
		return fail(key, path, r, strerror(-r), error, error_size);
	}
	if (!S_ISREG(st.st_mode) || st.st_size > SECRET_MAX)
		return fail(key, path, -EINVAL, "is not a file of at most 1 MiB", error, error_size);
	r = read_all(fd, (size_t)st.st_size, &s);
	if (r < 0) {
		secret_done(&s);
		return fail(key, path, r, strerror(-r), error, error_size);
	}
	if (private && readable_by_others(&st))
		log_msg(LOG_WARNING, "%s: %s can be read by others than its user (mode %04o)", key,
			path, (unsigned)st.st_mode & 07777);
	*ret = s;
	return 0;
}

void secret_done(struct secret *s)
{
	if (s->bytes)
		explicit_bzero(s->bytes, s->length);
	free(s->bytes);
	*s = (struct secret){ 0 };
}
