/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-daemon.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/parse.h"

#define BACKLOG 511

DEFINE_CLEANUP(struct addrinfo *, freeaddrinfo)

/* "[::1]:9917" and "127.0.0.1:9917"; a bare IPv6 address would leave open where the port begins. */
static int address_split(char *text, char **ret_host, const char **ret_port)
{
	char *colon = strrchr(text, ':');
	bool brackets = text[0] == '[';

	if (!colon || colon == text)
		return -EINVAL;
	*colon = 0;
	if (brackets != (colon[-1] == ']') || (!brackets && strchr(text, ':')))
		return -EINVAL;
	if (brackets)
		colon[-1] = 0;
	*ret_host = text + brackets;
	*ret_port = colon + 1;
	return 0;
}

int listen_parse(const char *text, struct sockaddr_storage *ret, socklen_t *ret_length)
{
	const struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
	};
	_cleanup_(freeaddrinfop) struct addrinfo *found = NULL;
	_cleanup_(freep) char *copy = strdup(text);
	const char *port;
	uint64_t n;
	char *host;

	if (!copy)
		return -ENOMEM;
	/* getaddrinfo() takes "*" too, but for the loopback address. */
	if (address_split(copy, &host, &port) < 0 || !*host || *host == '*' ||
	    parse_uint(port, &n) < 0 || n > UINT16_MAX || getaddrinfo(host, port, &hints, &found))
		return -EINVAL;
	memcpy(ret, found->ai_addr, found->ai_addrlen);
	*ret_length = found->ai_addrlen;
	return 0;
}

int listen_check(const char *text, char *error, size_t error_size)
{
	struct sockaddr_storage address;
	socklen_t length;

	if (listen_parse(text, &address, &length) == 0)
		return 0;
	snprintf(error, error_size, "serve.listen: \"%s\" is not ADDRESS:PORT or "
		 "[IPv6]:PORT with a port from 0 to 65535", text);
	return -EINVAL;
}

int listen_open(const char *text, char *error, size_t error_size)
{
	struct sockaddr_storage address;
	_cleanup_(closep) int fd = -1;
	socklen_t length;
	int r = listen_check(text, error, error_size);

	if (r == 0)
		r = listen_parse(text, &address, &length);
	if (r < 0)
		return r;
	fd = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int)) < 0 ||
	    bind(fd, (struct sockaddr *)&address, length) < 0 || listen(fd, BACKLOG) < 0)
		r = -errno;
	if (r < 0) {
		snprintf(error, error_size, "Cannot listen on %s (serve.listen): %s", text,
			 r == -EADDRINUSE ? "another program listens there" : strerror(-r));
		return r;
	}
	return TAKE_FD(fd);
}

int listen_passed(char *error, size_t error_size)
{
	int n = sd_listen_fds(true);

	if (n < 0)
		snprintf(error, error_size, "The sockets passed by the service manager are "
			 "unusable: %s", strerror(-n));
	for (int i = 0; i < n; i++) {
		if (sd_is_socket(SD_LISTEN_FDS_START + i, AF_UNSPEC, SOCK_STREAM, 1) > 0)
			continue;
		snprintf(error, error_size, "Socket %d passed by the service manager is not a "
			 "listening stream socket", i + 1);
		return -EINVAL;
	}
	return n;
}
