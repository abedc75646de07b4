/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What can be done to the drives while they run, one line each, to a FIFO:
 *
 *   event NAME 0x020101   an asynchronous event with that dword 0
 *   load NAME FILE        the drive is another from now on, or the same with other faults; what it
 *                         still owes an answer is answered
 *   drop NAME             its connections are lost
 *   mark TEXT             a line in every journal */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target.h"

static int one_drive(struct target *t, const char *verb, const char *name, const char *argument)
{
	struct subsystem *s = subsystem_find(t, name);

	if (!s)
		return -ENOENT;
	if (!strcmp(verb, "event"))
		request_event(s, (uint32_t)strtoul(argument, NULL, 0));
	else if (!strcmp(verb, "load"))
		return subsystem_load(t, s, argument);
	else if (strcmp(verb, "drop") != 0)
		return -EINVAL;
	else if (s->admin)
		connection_drop(s->admin);
	return 0;
}

static int obey(struct target *t, char *line)
{
	char *rest = NULL, *verb = strtok_r(line, " ", &rest), *name = strtok_r(NULL, " ", &rest);

	if (!verb || !name)
		return -EINVAL;
	if (strcmp(verb, "mark") != 0)
		return one_drive(t, verb, name, rest ? rest : "");
	for (size_t i = 0; i < t->n_subsystems; i++)
		journal_mark(&t->subsystems[i], name);
	return 0;
}

static int on_lines(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	char lines[4096], *rest = NULL; /* a line is written in one go */
	ssize_t n = read(fd, lines, sizeof(lines) - 1);

	(void)source;
	(void)events;
	lines[n > 0 ? n : 0] = 0;
	for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *was = strdupa(line);
		int r = obey(userdata, line);
		if (r < 0)
			fprintf(stderr, "nvme-target: \"%s\": %s\n", was, strerror(-r));
	}
	return 0;
}

int control_start(struct target *t, const char *path)
{
	if (mkfifo(path, 0600) < 0 && errno != EEXIST)
		return -errno;
	/* Open for writing too: so it never ends. */
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	int r = sd_event_add_io(t->event, NULL, fd, EPOLLIN, on_lines, t);
	if (r < 0)
		close(fd);
	return r;
}
