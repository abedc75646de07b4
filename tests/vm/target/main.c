/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvme-target PORT JOURNALS CONTROL DRIVE...
 *
 * Serves the drive files on a port of 127.0.0.1 until it is ended; see target.h. Tells systemd when
 * it listens. */

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "nvmewatch/cleanup.h"
#include "target.h"

static void target_done(struct target *t)
{
	for (size_t i = 0; i < t->n_subsystems; i++)
		subsystem_done(&t->subsystems[i]);
	free(t->subsystems);
	sd_event_unref(t->event);
}

static int on_connect(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	int accepted = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

	(void)source;
	(void)events;
	if (accepted >= 0)
		connection_new(userdata, accepted);
	return 0;
}

static int listen_on(struct target *t, const char *port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(port)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(fd, 256) < 0) {
		int r = -errno;
		close(fd);
		return r;
	}
	return sd_event_add_io(t->event, NULL, fd, EPOLLIN, on_connect, t);
}

static int run(struct target *t, char **arguments, size_t n_drives)
{
	int r = sd_event_default(&t->event);

	t->subsystems = calloc(n_drives, sizeof(*t->subsystems));
	if (!t->subsystems)
		return -ENOMEM;
	while (r >= 0 && t->n_subsystems < n_drives) {
		struct subsystem *s = &t->subsystems[t->n_subsystems++];
		r = subsystem_start(t, s, arguments[1], arguments[2 + t->n_subsystems]);
	}
	if (r >= 0)
		r = control_start(t, arguments[2]);
	if (r >= 0)
		r = listen_on(t, arguments[0]);
	if (r < 0)
		return r;
	sd_notify(0, "READY=1");
	return sd_event_loop(t->event);
}

int main(int argc, char **argv)
{
	struct target t = { 0 };

	if (argc < 5) {
		fprintf(stderr, "usage: %s PORT JOURNALS CONTROL DRIVE...\n", argv[0]);
		return 2;
	}
	int r = run(&t, argv + 1, (size_t)argc - 4);
	if (r < 0)
		fprintf(stderr, "nvme-target: %s\n", strerror(-r));
	target_done(&t);
	return r < 0;
}
