/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "call.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "nvmewatch/cleanup.h"

#define TIMEOUT 5 /* seconds, for each step */

static int call_connect(const char *run_dir, int *ret)
{
	const struct timeval timeout = { .tv_sec = TIMEOUT };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	_cleanup_(closep) int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if ((size_t)snprintf(address.sun_path, sizeof(address.sun_path), "%s/" CONTROL_SOCKET,
			     run_dir) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	/* The time-out for sending is that of connect() too. */
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)) < 0 ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -errno;
	*ret = TAKE_FD(fd);
	return 0;
}

/* 0: *ret is the answer. */
static int call_exchange(int fd, const struct control_request *q, struct control_answer *ret)
{
	ssize_t n;

	if (send(fd, q, sizeof(*q), MSG_NOSIGNAL) < 0)
		return -errno;
	n = recv(fd, ret, sizeof(*ret), MSG_TRUNC);
	if (n < 0)
		return -errno;
	if (n == 0)
		return -ECONNRESET;
	if (n != sizeof(*ret) || ret->version != CONTROL_VERSION || ret->error > 0)
		return -EPROTO;
	return 0;
}

static const char *failure_text(int r)
{
	switch (-r) {
	case ENOENT:
	case ECONNREFUSED: return "nvmewatch-collect is not running";
	case EACCES:
	case EPERM: return "not permitted: run this as root";
	case EAGAIN: return "the collector does not answer";
	case ECONNRESET:
	case EPIPE: return "the collector hung up without an answer";
	case EPROTO: return "the collector is of another version";
	case ENAMETOOLONG: return "paths.run is too long for a socket";
	}
	return strerror(-r);
}

static const char *answer_text(const struct control_request *q, int error)
{
	switch (-error) {
	case ENOENT: return "the collector knows no such drive";
	case EBUSY:
		return q->verb == CONTROL_FORGET ?
			       "the drive is there: only one that is gone can be forgotten" :
			       "the drive is busy";
	case EACCES:
	case EPERM: return "not permitted: run this as root";
	case ENODEV: return "the drive is not there, or another driver has it";
	case EOPNOTSUPP: return "the drive has no such page";
	case EINVAL: return "the collector takes it for no sound request";
	}
	return strerror(-error);
}

int call_collector(const char *run_dir, struct control_request *q, char *error, size_t error_size)
{
	struct control_answer answer = { 0 };
	_cleanup_(closep) int fd = -1;
	int r;

	q->version = CONTROL_VERSION;
	r = call_connect(run_dir, &fd);
	if (r >= 0)
		r = call_exchange(fd, q, &answer);
	if (r < 0) {
		snprintf(error, error_size, "%s (%s/" CONTROL_SOCKET ")", failure_text(r), run_dir);
		return r;
	}
	if (answer.error < 0)
		snprintf(error, error_size, "%s", answer_text(q, answer.error));
	return answer.error;
}
