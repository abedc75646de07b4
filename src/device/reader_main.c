/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvmewatch-reader, nvmewatch-reader-sim: the process that talks to one drive. It is started by
 * nvmewatch-collect with a socket as descriptor 3, executes what the allow-list lets through, one
 * command at a time, and ends when the socket closes. It has no memory of its own and no other
 * descriptor, so a drive that hangs it, or firmware that crashes it, costs that drive alone.
 *
 * There are as many as there are drives. The one for drives of the kernel knows bytes only: without the
 * field table, whose pointers the loader would have to settle in each of them, it takes half the memory. */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/cleanup.h"
#include "reader_fd.h"
#include "source.h"

static void confine(const char *target)
{
	const char *slash = strrchr(target, '/'), *base = slash ? slash + 1 : target;
	const struct rlimit none = { 0, 0 };
	char name[16]; /* all that ps(1) shows */

	/* nvme10 is nvmewatch:10. */
	snprintf(name, sizeof(name), "nvmewatch:%.5s", base + (strncmp(base, "nvme", 4) ? 0 : 4));
	prctl(PR_SET_NAME, name);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	/* Hung, it would not see its socket close when collect is killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &none);
	close_range(READER_LOCK_FD + 1, ~0U, 0);
}

static void serve(const struct source *source, void *drive, const struct command *c,
		  struct reply *reply)
{
	int64_t start = clock_mono();

	reply->error = 0;
	reply->status = 0;
	reply->length = 0;
	reply->sequence = c->sequence;
	if (c->protocol != COMMAND_PROTOCOL || !command_allowed(c))
		reply->error = -EPERM;
	else
		source->execute(drive, c, reply);
	reply->duration_us = (uint32_t)(clock_mono() - start);
}

int reader_main(const struct source *source, int argc, char **argv)
{
	static struct reply reply;
	struct command command;
	void *drive;

	if (argc != 3 || strcmp(argv[1], source->name) != 0) {
		fprintf(stderr, "nvmewatch-reader is started by nvmewatch-collect\n");
		return 2;
	}
	confine(argv[2]);
	if (source->open(argv[2], &drive) < 0)
		return 1;
	for (;;) {
		ssize_t n = recv(READER_FD, &command, sizeof(command), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof(command))
			return n != 0;
		serve(source, drive, &command, &reply);
		size_t length = REPLY_HEADER + reply.length;
		if (send(READER_FD, &reply, length, MSG_NOSIGNAL) != (ssize_t)length)
			return 1;
	}
}
