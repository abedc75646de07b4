/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is said to a client that does not come in, at once and without reading what it wants. */

#include <stdbool.h>

/* Says so, in HTTP or in TLS, and closes the socket. */
void refusal_send(int fd, bool tls);
