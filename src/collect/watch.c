/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A drive's reader: started, watched for answers, for silence and for its death. */

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/discovery.h"
#include "nvmewatch/log.h"
#include "schedule.h"
#include "watch_internal.h"

static void reader_lost(struct watch *w, const char *what);

static int on_reader(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	/* One loop, one reply at a time: no need for a copy per drive. */
	static struct reply reply;
	struct watch *w = userdata;

	(void)source;
	(void)fd;
	(void)events;
	int r = reader_receive(w->reader, &reply);
	if (r == -EAGAIN)
		return 0;
	if (r < 0) {
		reader_lost(w, r == -EBADMSG ? "broke the protocol" : "died");
		return 0;
	}
	w->waiting = false;
	w->deaths = 0;
	watch_answered(w, &reply);
	watch_next(w);
	return 0;
}

static void reader_start(struct watch *w)
{
	int r = reader_spawn(w->collector->reader_program, w->source, w->target, &w->reader);

	if (r == 0)
		r = sd_event_add_io(w->collector->event, &w->reader_source, reader_fd(w->reader),
				    EPOLLIN, on_reader, w);
	if (r < 0)
		reader_lost(w, strerror(-r));
}

static void reader_stop(struct watch *w)
{
	w->reader_source = sd_event_source_disable_unref(w->reader_source);
	reader_free(TAKE(w->reader));
}

static void reader_lost(struct watch *w, const char *what)
{
	uint64_t delay = schedule_restart_delay(w->deaths++);

	reader_stop(w);
	w->restart = clock_mono() + (int64_t)delay;
	if (w->waiting)
		watch_failed(w, FAILURE_READER);
	w->waiting = false;
	log_drive(LOG_WARNING, &w->drive, LOG_ID_READER_DIED,
		  "its reader process %s; it is started again in %u s", what,
		  (unsigned)(delay / 1000000));
	watch_next(w);
}

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct watch *w = userdata;

	(void)source;
	(void)usec;
	if (w->waiting) {
		watch_failed(w, FAILURE_TIMEOUT);
		return 0;
	}
	if (!w->reader && clock_mono() >= w->restart)
		reader_start(w);
	watch_next(w);
	return 0;
}

void watch_publish_drive(struct watch *w)
{
	now_put_drive(w->collector->now, &w->drive);
	publication_request(w->collector);
}

void watch_set_responding(struct watch *w, bool responding, const char *why)
{
	if (w->drive.responding == responding)
		return;
	w->drive.responding = responding;
	if (responding)
		log_drive(LOG_NOTICE, &w->drive, LOG_ID_RESPONSIVE, "answers again");
	else
		log_drive(LOG_WARNING, &w->drive, LOG_ID_UNRESPONSIVE,
			  "does not answer (%s); its values are withdrawn until it does", why);
	watch_publish_drive(w);
}

static int watch_init(struct watch *w, struct collector *c, const char *source, const char *target)
{
	unsigned n = page_total();

	w->collector = c;
	w->drive.responding = true; /* until it fails to */
	w->phase = schedule_phase(w->drive.key, c->boot_id);
	w->source = strdup(source);
	w->target = strdup(target);
	w->pages = calloc(n, sizeof(*w->pages));
	w->recorded = calloc(n, sizeof(*w->recorded));
	if (!w->source || !w->target || !w->pages || !w->recorded)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		w->pages[i].page = pages[i];
		w->pages[i].bytes = malloc(pages[i]->size);
		if (!w->pages[i].bytes)
			return -ENOMEM;
	}
	return collector_timer(c, on_timer, w, &w->timer);
}

int watch_new(struct collector *c, const struct drive *drive, const char *source,
	      const char *target, struct watch **ret)
{
	_cleanup_(watch_freep) struct watch *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->drive = *drive;
	int r = watch_init(w, c, source, target);
	if (r < 0)
		return r;
	watch_publish_drive(w);
	reader_start(w);
	watch_next(w);
	*ret = TAKE(w);
	return 0;
}

const struct drive *watch_drive(const struct watch *w)
{
	return &w->drive;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	reader_stop(w);
	sd_event_source_disable_unref(w->timer);
	for (unsigned i = 0; w->pages && i < page_total(); i++)
		free(w->pages[i].bytes);
	free(w->pages);
	free(w->recorded);
	free(w->source);
	free(w->target);
	free(w);
}
