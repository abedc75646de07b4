/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "refusal.h"

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answer.h"

#define PROBLEM                                                                        \
	"{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"      \
	"\"detail\":\"Too many connections are open already.\"}\n"

/* A fatal alert, internal_error (RFC 8446, 6.2): a 503 would cost us a handshake. */
static const char alert[] = { 21, 3, 3, 0, 2, 2, 80 };

static int answer_write(char *answer, size_t size)
{
	return snprintf(answer, size,
			"HTTP/1.1 503 Service Unavailable\r\n"
			"Content-Type: " TYPE_PROBLEM "\r\n"
			"Content-Length: %zu\r\n"
			"Retry-After: 1\r\n"
			"Connection: close\r\n"
			"\r\n" PROBLEM, sizeof(PROBLEM) - 1);
}

void refusal_send(int fd, bool tls)
{
	char answer[512], unread[4096];
	int length = answer_write(answer, sizeof(answer));

	if (tls)
		(void)!send(fd, alert, sizeof(alert), MSG_DONTWAIT | MSG_NOSIGNAL);
	else
		(void)!send(fd, answer, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
	shutdown(fd, SHUT_WR);
	/* Closing over an unread request would reset the connection and take the answer along. */
	(void)!recv(fd, unread, sizeof(unread), MSG_DONTWAIT);
	close(fd);
}
