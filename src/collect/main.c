/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvmewatch-collect: watches every NVMe drive of the host, publishes the latest values as now.db
 * and records them in history.db. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "collector.h"
#include "control.h"
#include "fleet.h"
#include "memory.h"
#include "nvmewatch/archive.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/catalogue.h"
#include "nvmewatch/log.h"
#include "nvmewatch/options.h"
#include "nvmewatch/privilege.h"
#include "nvmewatch/reader.h"
#include "ratings.h"
#include "recorder.h"
#include "schedule.h"
#include "watch.h"

#define LAST_WRITE 1000000 /* microseconds that the exit gives history */

static struct options options = {
	.program = "nvmewatch-collect",
	.description = "Reads every NVMe drive of this host and publishes what they report.",
};

/* Source and paths are what the running readers and files stand for: they stay until a restart. */
static bool needs_restart(const struct settings *a, const struct settings *b)
{
	return strcmp(a->source, b->source) || strcmp(a->run_dir, b->run_dir) ||
	       strcmp(a->state_dir, b->state_dir);
}

static void bound_history(struct collector *c)
{
	const struct archive_bounds b = {
		.keep_raw = c->settings.keep_raw, .keep_rollup = c->settings.keep_rollup,
		.max_size = c->settings.max_size, .min_free = c->settings.min_free,
	};

	recorder_bound(c->recorder, &b);
}

static int on_hangup(sd_event_source *source, const struct signalfd_siginfo *si, void *userdata)
{
	struct collector *c = userdata;
	struct settings s;
	char error[512];

	(void)source;
	(void)si;
	if (options_reload(&options, &s, error, sizeof(error)) < 0) {
		log_msg(LOG_ERR, "%s; the former configuration stays in force", error);
		return 0;
	}
	if (needs_restart(&c->settings, &s)) {
		log_msg(LOG_ERR, "collect.source, paths.run and paths.state change with a restart only; the former "
				 "configuration stays in force");
		settings_done(&s);
		return 0;
	}
	settings_done(&c->settings);
	c->settings = s;
	ratings_load(c);
	for (size_t i = 0; i < c->n_watches; i++)
		watch_reschedule(c->watches[i]);
	bound_history(c);
	c->rescan = 0; /* other drives may be wanted */
	collector_run(c);
	log_msg(LOG_INFO, "configuration reloaded");
	return 0;
}

static int make_folder(const char *path)
{
	if (mkdir(path, 0755) == 0 || errno == EEXIST)
		return 0;
	int r = -errno;
	log_msg(LOG_ERR, "folder %s cannot be made: %s (see paths.* in nvmewatch.conf(5))", path,
		strerror(-r));
	return r;
}

/* Two collectors on one folder would take each other's readers and publications. */
static int lock_folder(const char *folder)
{
	_cleanup_(freep) char *path = format_text("%s/collect.lock", folder);
	int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd; /* for as long as this process lives */
	int r = path ? -errno : -ENOMEM;
	if (r == -EWOULDBLOCK)
		log_msg(LOG_ERR, "another nvmewatch-collect works in %s (paths.run)", folder);
	else
		log_msg(LOG_ERR, "no file can be made in %s (paths.run): %s", folder, strerror(-r));
	closep(&fd);
	return r;
}

static int open_program(struct collector *c)
{
	c->reader_program = reader_program_open(c->settings.source);
	if (c->reader_program < 0)
		log_msg(LOG_ERR, "the reader program is neither beside this one nor in %s: %s",
			PKGLIBEXECDIR, strerror(-c->reader_program));
	return c->reader_program < 0 ? c->reader_program : 0;
}

/* Signals come through the loop; children are reaped by the kernel, for nobody waits for them. */
static int take_signals(struct collector *c)
{
	sd_event *e = c->event;
	sigset_t set;
	int r;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	signal(SIGCHLD, SIG_IGN);
	if ((r = sd_event_add_signal(e, NULL, SIGTERM, NULL, NULL)) < 0 ||
	    (r = sd_event_add_signal(e, NULL, SIGINT, NULL, NULL)) < 0)
		return r;
	return sd_event_add_signal(e, NULL, SIGHUP, on_hangup, c);
}

/* Once, before each of the drives says what came of it. */
static void check_privileges(const struct settings *s)
{
	if (!strcmp(s->source, "linux") && privilege_lacks_admin())
		log_msg(LOG_WARNING, "CAP_SYS_ADMIN is missing: the kernel refuses the drives' log "
				     "pages without it. Run nvmewatch-collect as root with that "
				     "capability, as its unit does (container: --cap-add SYS_ADMIN)");
}

static int start(struct collector *c)
{
	char error[512], boot[40];
	int r;

	check_privileges(&c->settings);
	boot_id(boot);
	c->phase = schedule_phase(boot);
	if ((r = make_folder(c->settings.run_dir)) < 0 ||
	    (r = make_folder(c->settings.state_dir)) < 0 ||
	    (r = lock_folder(c->settings.run_dir)) < 0 || (r = open_program(c)) < 0)
		return r;
	if ((r = sd_event_new(&c->event)) < 0 || (r = take_signals(c)) < 0 ||
	    (r = sd_event_set_watchdog(c->event, true)) < 0 ||
	    (r = collector_start(c)) < 0 || (r = publication_start(c)) < 0 ||
	    (r = recorder_new(c->settings.state_dir, c->settings.run_dir, &c->recorder)) < 0) {
		log_msg(LOG_ERR, "cannot start: %s", strerror(-r));
		return r;
	}
	bound_history(c);
	ratings_load(c);
	if ((r = fleet_start(c, error, sizeof(error))) < 0) {
		log_msg(LOG_ERR, "%s", error);
		return r;
	}
	/* Without it the drives are read all the same. */
	if ((r = control_start(c, &c->control)) < 0)
		log_msg(LOG_WARNING, "no control socket in %s: %s", c->settings.run_dir, strerror(-r));
	collector_run(c);
	return 0;
}

static void stop(struct collector *c)
{
	control_stop(c->control);
	fleet_stop(c);
	recorder_stop(c->recorder, LAST_WRITE);
	sd_event_source_unref(c->timer);
	sd_event_unref(c->event);
	history_memory_free(c->memory);
	catalogue_free(c->catalogue);
	now_free(c->now);
	free(c->now_path);
	if (c->reader_program > 0)
		close(c->reader_program);
	settings_done(&c->settings);
}

int main(int argc, char **argv)
{
	static struct collector c;

	log_open("nvmewatch-collect");
	options.argc = argc;
	options.argv = argv;
	int r = options_read(&options, &c.settings);
	if (r <= 0)
		return r < 0 ? EX_CONFIG : 0;
	r = start(&c);
	if (r == 0) {
		sd_notifyf(0, "READY=1\nSTATUS=%zu drives", c.n_watches);
		r = sd_event_loop(c.event);
		sd_notify(0, "STOPPING=1");
	}
	stop(&c);
	return r < 0;
}
