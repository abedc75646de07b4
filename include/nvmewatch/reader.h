/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One process per controller, seen from collect: spawn it, hand it a command, take its reply.
 * A reader that hangs in the kernel is left alone: nothing here waits for it. Single thread. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/command.h"

struct reader;

/* The reader program of collect.source, found beside the running program or in the package's libexec
 * folder. Kept open so that an upgrade on disk cannot mix versions. Returns a descriptor or a negative
 * errno. */
int reader_program_open(const char *source);

/* Takes the lock of a drive, a file in `folder` named after its controller. The reader process holds
 * it for as long as it exists, also where it hangs in the kernel and cannot be killed, so that no
 * successor adds a second command to a stuck drive. Returns a descriptor, -EBUSY where an earlier
 * reader still exists, or another negative errno. */
int reader_lock(const char *folder, const char *controller);

/* Starts a reader for `target` of `source` ("linux": a device name as nvme0; "sim": a drive file as
 * PATH@MICROSECONDS, powered on at that time (mono); PATH alone is powered on now). lock_fd, of
 * reader_lock(), stays the caller's to close. Returns 0 or a negative errno. */
int reader_spawn(int program_fd, const char *source, const char *target, int lock_fd,
		 struct reader **ret);

/* The socket to watch for EPOLLIN (a reply, or end of file when the reader has died). */
int reader_fd(const struct reader *r);

/* Sends one command without blocking; sets .protocol and .sequence. Returns 0, -EBUSY while one is
 * outstanding, or -EPIPE when the reader is gone. */
int reader_send(struct reader *r, struct command c);

/* Takes a reply. Returns 0; -EAGAIN: none yet; -EPIPE: the reader is gone; -EBADMSG: it broke the
 * protocol. Replies to anything but the last command are -EBADMSG. Behind the answer's length, its data
 * is 0. */
int reader_receive(struct reader *r, struct reply *ret);

/* Closes the socket and kills the process, without waiting for it: SIGCHLD is collect's. */
void reader_free(struct reader *r);
DEFINE_CLEANUP(struct reader *, reader_free)
