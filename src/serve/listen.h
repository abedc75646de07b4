/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where the listening sockets come from: the service manager, or serve.listen. */

#include <stddef.h>
#include <sys/socket.h>

/* Takes "ADDRESS:PORT" or "[IPv6]:PORT" apart; numbers only, nothing is looked up. 0 or -EINVAL. */
int listen_parse(const char *text, struct sockaddr_storage *ret, socklen_t *ret_length);

/* Whether it is one of them. 0, or -EINVAL with a message in error[]. */
int listen_check(const char *text, char *error, size_t error_size);

/* Binds and listens. Returns a descriptor, or a negative errno with a message in error[]. */
int listen_open(const char *text, char *error, size_t error_size);

/* The number of listening stream sockets that the service manager has passed, from descriptor 3
 * on; 0: none. Or a negative errno with a message in error[]. */
int listen_passed(char *error, size_t error_size);
