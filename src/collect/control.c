/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "control.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "fleet.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/control.h"
#include "nvmewatch/log.h"
#include "nvmewatch/page.h"
#include "recorder.h"
#include "watch.h"

#define PEERS_MAX 8

struct peer {
	struct control *control;
	sd_event_source *source;
	int fd; /* -1: free */
};

struct control {
	struct collector *collector;
	struct sockaddr_un address;
	sd_event_source *source;
	int fd;
	struct peer peers[PEERS_MAX];
};

static int do_pause(struct collector *c, struct watch *w, const struct control_request *request)
{
	uint64_t seconds = request->seconds;

	if (seconds > CONTROL_PAUSE_MAX)
		return -EINVAL;
	if (seconds)
		log_drive(LOG_NOTICE, watch_drive(w), NULL,
			  "is not read for %llu s, as the administrator asked",
			  (unsigned long long)seconds);
	else
		log_drive(LOG_NOTICE, watch_drive(w), NULL,
			  "is read again, as the administrator asked");
	watch_pause(w, seconds ? clock_mono() + (int64_t)seconds * 1000000 : 0);
	collector_run(c);
	return 0;
}

static int do_forget(struct collector *c, struct watch *w, const struct control_request *request)
{
	(void)request;
	if (watch_drive(w)->present)
		return -EBUSY;
	log_drive(LOG_NOTICE, watch_drive(w), NULL, "is forgotten, as the administrator asked");
	recorder_forget(c->recorder, watch_drive(w)->key);
	fleet_forget(c, w);
	collector_run(c);
	return 0;
}

static int do_read(struct collector *c, struct watch *w, const struct control_request *request)
{
	bool whole = memchr(request->page, 0, sizeof(request->page));
	const struct page *p = whole ? page_find(request->page) : NULL;
	int r = p ? watch_ask(w, p) : -EINVAL;

	if (r < 0)
		return r;
	log_drive(LOG_NOTICE, watch_drive(w), NULL, "page %s is read, as the administrator asked",
		  p->name);
	collector_run(c);
	return 0;
}

static const struct {
	uint32_t verb;
	int (*execute)(struct collector *c, struct watch *w, const struct control_request *request);
} verbs[] = {
	{ CONTROL_PAUSE, do_pause },
	{ CONTROL_FORGET, do_forget },
	{ CONTROL_READ, do_read },
};

int control_execute(struct collector *c, const struct control_request *request, uint32_t uid)
{
	if (uid != 0 && uid != geteuid())
		return -EPERM;
	if (request->version != CONTROL_VERSION || !memchr(request->drive, 0, sizeof(request->drive)))
		return -EINVAL;
	for (size_t i = 0; i < ELEMENTS(verbs); i++) {
		if (verbs[i].verb != request->verb)
			continue;
		struct watch *w = fleet_find(c, request->drive);
		return w ? verbs[i].execute(c, w, request) : -ENOENT;
	}
	return -EINVAL;
}

static void peer_close(struct peer *p)
{
	p->source = sd_event_source_disable_unref(p->source);
	closep(&p->fd);
}

static int on_peer(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct peer *p = userdata;
	struct control_request request;
	struct ucred peer;
	socklen_t size = sizeof(peer);

	(void)source;
	(void)events;
	ssize_t n = recv(fd, &request, sizeof(request), MSG_DONTWAIT | MSG_TRUNC);
	if (n <= 0) {
		peer_close(p);
		return 0;
	}
	struct control_answer answer = { .version = CONTROL_VERSION, .error = -EINVAL };
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		answer.error = -EPERM;
	else if (n == sizeof(request))
		answer.error = control_execute(p->control->collector, &request, peer.uid);
	if (send(fd, &answer, sizeof(answer), MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof(answer))
		peer_close(p);
	return 0;
}

static int on_connect(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct control *ctl = userdata;
	int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)source;
	(void)events;
	for (size_t i = 0; peer >= 0 && i < PEERS_MAX; i++) {
		struct peer *p = &ctl->peers[i];
		if (p->fd >= 0)
			continue;
		p->fd = peer;
		if (sd_event_add_io(ctl->collector->event, &p->source, peer, EPOLLIN, on_peer, p) < 0)
			closep(&p->fd);
		return 0;
	}
	/* More at once than any administrator types. */
	closep(&peer);
	return 0;
}

static int listen_at(struct control *ctl)
{
	ctl->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (ctl->fd < 0)
		return -errno;
	/* What a collector that was killed left behind. */
	unlink(ctl->address.sun_path);
	mode_t mask = umask(0177);
	int r = bind(ctl->fd, (struct sockaddr *)&ctl->address, sizeof(ctl->address)) < 0 ? -errno : 0;
	umask(mask);
	if (r == 0 && listen(ctl->fd, PEERS_MAX) < 0)
		r = -errno;
	return r;
}

int control_start(struct collector *c, struct control **ret)
{
	struct control *ctl = calloc(1, sizeof(*ctl));

	if (!ctl)
		return -ENOMEM;
	ctl->collector = c;
	ctl->fd = -1;
	for (size_t i = 0; i < PEERS_MAX; i++)
		ctl->peers[i] = (struct peer){ .control = ctl, .fd = -1 };
	ctl->address.sun_family = AF_UNIX;
	int n = snprintf(ctl->address.sun_path, sizeof(ctl->address.sun_path), "%s/" CONTROL_SOCKET,
			 c->settings.run_dir);
	int r = n >= (int)sizeof(ctl->address.sun_path) ? -ENAMETOOLONG : listen_at(ctl);
	if (r == 0)
		r = sd_event_add_io(c->event, &ctl->source, ctl->fd, EPOLLIN, on_connect, ctl);
	if (r < 0) {
		control_stop(ctl);
		return r;
	}
	*ret = ctl;
	return 0;
}

void control_stop(struct control *ctl)
{
	if (!ctl)
		return;
	for (size_t i = 0; i < PEERS_MAX; i++)
		peer_close(&ctl->peers[i]);
	sd_event_source_disable_unref(ctl->source);
	if (ctl->fd >= 0)
		unlink(ctl->address.sun_path);
	closep(&ctl->fd);
	free(ctl);
}
