/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "nvmewatch/buffer.h"
#include "reader_fd.h"

struct reader {
	int fd;
	int pid_fd; /* the process itself, whoever gets its number later */
	uint32_t sequence;
	bool busy;
};

/* Moves a descriptor out of the way of those that are overwritten in the child. */
static int above_reader_fds(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, READER_LOCK_FD + 1);
	int r = high < 0 ? -errno : high;

	close(fd);
	return r;
}

int reader_program_open(const char *source)
{
	const char *name = !strcmp(source, "linux") ? "nvmewatch-reader" : "nvmewatch-reader-sim";
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));
	char *base = n > 0 && n < (ssize_t)sizeof(path) ? memrchr(path, '/', (size_t)n) : NULL;

	if (base && base + 1 + strlen(name) < path + sizeof(path)) {
		strcpy(base + 1, name);
		int fd = open(path, O_PATH | O_CLOEXEC);
		if (fd >= 0)
			return above_reader_fds(fd);
	}
	snprintf(path, sizeof(path), "%s/%s", PKGLIBEXECDIR, name);
	int fd = open(path, O_PATH | O_CLOEXEC);
	return fd >= 0 ? above_reader_fds(fd) : -errno;
}

static int socket_pair(int ret[static 2])
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	if (fcntl(fds[0], F_SETFL, O_NONBLOCK) < 0) {
		int r = -errno;
		close(fds[0]);
		close(fds[1]);
		return r;
	}
	fds[1] = above_reader_fds(fds[1]);
	if (fds[1] < 0) {
		close(fds[0]);
		return fds[1];
	}
	memcpy(ret, fds, sizeof(fds));
	return 0;
}

static int spawn_on(int program_fd, const char *source, const char *target, int fd, int lock_fd,
		    pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	char program[32];
	char *const argv[] = { (char *)"nvmewatch-reader", (char *)source, (char *)target, NULL };
	char *const environment[] = { NULL };

	snprintf(program, sizeof(program), "/proc/self/fd/%d", program_fd);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd, READER_FD);
	posix_spawn_file_actions_adddup2(&actions, lock_fd, READER_LOCK_FD);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	int r = posix_spawn(ret, program, &actions, &attributes, argv, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return -r;
}

int reader_lock(const char *folder, const char *controller)
{
	_cleanup_(freep) char *path = format_text("%s/%s.lock", folder, controller);
	_cleanup_(closep) int fd = -1;

	if (!path)
		return -ENOMEM;
	for (char *p = path + strlen(folder) + 1; *p; p++)
		if (*p == '/')
			*p = '_';
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	/* Of the open file, which the reader inherits: ours goes, its stays. */
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EBUSY : -errno;
	return above_reader_fds(TAKE_FD(fd));
}

int reader_spawn(int program_fd, const char *source, const char *target, int lock_fd,
		 struct reader **ret)
{
	_cleanup_(freep) struct reader *r = calloc(1, sizeof(*r));
	int fds[2] = { -1, -1 };
	pid_t pid;

	if (!r)
		return -ENOMEM;
	int code = socket_pair(fds);
	if (code < 0)
		return code;
	code = spawn_on(program_fd, source, target, fds[1], lock_fd, &pid);
	close(fds[1]);
	if (code < 0) {
		close(fds[0]);
		return code;
	}
	r->fd = fds[0];
	/* Where it has ended already there is nothing to be killed. */
	r->pid_fd = pidfd_open(pid, 0);
	*ret = TAKE(r);
	return 0;
}

int reader_fd(const struct reader *r)
{
	return r->fd;
}

int reader_send(struct reader *r, struct command c)
{
	if (r->busy)
		return -EBUSY;
	c.protocol = COMMAND_PROTOCOL;
	c.sequence = r->sequence + 1;
	if (send(r->fd, &c, sizeof(c), MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof(c))
		return -EPIPE;
	r->sequence = c.sequence;
	r->busy = true;
	return 0;
}

int reader_receive(struct reader *r, struct reply *ret)
{
	ssize_t n = recv(r->fd, ret, sizeof(*ret), MSG_DONTWAIT);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? -EAGAIN : -EPIPE;
	if (n == 0)
		return -EPIPE;
	/* A reader is a process next to a drive: its answers are data like any other. */
	if ((size_t)n < REPLY_HEADER || (size_t)n != REPLY_HEADER + ret->length || !r->busy ||
	    ret->sequence != r->sequence || ret->error > 0)
		return -EBADMSG;
	r->busy = false;
	memset(ret->data + ret->length, 0, sizeof(ret->data) - ret->length);
	return 0;
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	close(r->fd);
	if (r->pid_fd >= 0) {
		pidfd_send_signal(r->pid_fd, SIGKILL, NULL, 0);
		close(r->pid_fd);
	}
	free(r);
}
