/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvmewatch-serve: shows over HTTP what collect has published. Reads two files, writes none. */

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <systemd/sd-daemon.h>

#include "http.h"
#include "listen.h"
#include "nvmewatch/log.h"
#include "nvmewatch/options.h"

#define ERROR_MAX 512
#define LARGE (256 * 1024) /* bytes */

static struct options options = {
	.program = "nvmewatch-serve",
	.description = "Serves the telemetry of this host's NVMe drives over HTTP.",
};

/* What is wrong with where to listen, before anything is tried. */
static int check_listen(const struct settings *s, char *error)
{
	if (!settings_given(s, "serve", "listen"))
		return 0;
	if (sd_listen_fds(false) <= 0)
		return listen_check(s->listen, error, ERROR_MAX);
	snprintf(error, ERROR_MAX, "serve.listen is set, but the service manager passes sockets too: "
				   "remove one of them");
	return -EINVAL;
}

static int sockets_open(struct http *h, const struct settings *s, char *error)
{
	int fd, r = 0, n = listen_passed(error, ERROR_MAX);

	if (n < 0)
		return n;
	if (n == 0) {
		fd = listen_open(s->listen, error, ERROR_MAX);
		r = fd < 0 ? fd : http_listen(h, fd);
	}
	for (int i = 0; i < n && r >= 0; i++)
		r = http_listen(h, SD_LISTEN_FDS_START + i);
	if (r < 0 && !error[0])
		snprintf(error, ERROR_MAX, "Cannot serve a socket: %s", strerror(-r));
	return r;
}

static int on_hangup(sd_event_source *source, const struct signalfd_siginfo *si, void *userdata)
{
	char error[ERROR_MAX];
	struct settings settings;
	int r = options_reload(&options, &settings, error, sizeof(error));

	(void)source, (void)si;
	if (r >= 0) {
		r = server_reload(userdata, &settings, error, sizeof(error));
		settings_done(&settings);
	}
	if (r < 0)
		log_msg(LOG_ERR, "%s; the former configuration stays in force", error);
	else
		log_msg(LOG_INFO, "configuration reloaded");
	return 0;
}

/* The default of a signal source without a handler is to end the loop. */
static int signals_block(sd_event *event, struct server *s)
{
	sigset_t set;
	int r;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	if (signal(SIGPIPE, SIG_IGN) == SIG_ERR || sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	r = sd_event_add_signal(event, NULL, SIGTERM, NULL, NULL);
	if (r >= 0)
		r = sd_event_add_signal(event, NULL, SIGINT, NULL, NULL);
	return r < 0 ? r : sd_event_add_signal(event, NULL, SIGHUP, on_hangup, s);
}

static int serve(struct server *s, char *error)
{
	_cleanup_(sd_event_unrefp) sd_event *event = NULL;
	_cleanup_(http_freep) struct http *http = NULL;
	int r = sd_event_new(&event);

	if (r >= 0)
		r = signals_block(event, s);
	if (r >= 0)
		r = sd_event_set_watchdog(event, true);
	if (r >= 0)
		r = http_new(s, event, &http);
	if (r < 0) {
		snprintf(error, ERROR_MAX, "Cannot set up: %s", strerror(-r));
		return r;
	}
	r = sockets_open(http, &s->settings, error);
	if (r < 0)
		return r;
	sd_notify(false, "READY=1");
	r = sd_event_loop(event);
	if (r < 0)
		snprintf(error, ERROR_MAX, "The event loop failed: %s", strerror(-r));
	sd_notify(false, "STOPPING=1");
	return r;
}

static int run(struct settings *settings)
{
	char error[ERROR_MAX] = "";
	struct server server;
	int r = server_init(&server, settings);

	if (r < 0)
		snprintf(error, sizeof(error), "Cannot set up: %s", strerror(-r));
	else
		r = server_unlock(&server, error, sizeof(error));
	if (r >= 0)
		r = serve(&server, error);
	if (r < 0)
		log_msg(LOG_ERR, "%s", error);
	server_done(&server);
	return r;
}

int main(int argc, char **argv)
{
	char error[ERROR_MAX];
	struct settings settings;

	options.argc = argc;
	options.argv = argv;
	int r = options_read(&options, &settings);
	if (r <= 0)
		return r < 0 ? EX_CONFIG : 0;
	log_open(options.program);
	mallopt(M_MMAP_THRESHOLD, LARGE); /* else what a large answer took would not be given back */
	if (check_listen(&settings, error) < 0) {
		log_msg(LOG_ERR, "%s", error);
		settings_done(&settings);
		return EX_CONFIG;
	}
	return run(&settings) < 0;
}
