/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A drive's reader: started, asked, watched for answers, for silence and for its death. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/log.h"
#include "schedule.h"
#include "watch_internal.h"

#define SETTLE_CHECK 1000000 /* microseconds */
#define LOCK_RETRY 50000
#define FIRST_VALUES 500000
#define DYING 4 /* tries */

static int on_reader(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct watch *w = userdata;

	(void)source;
	(void)fd;
	(void)events;
	w->woken = true;
	collector_run(w->collector);
	return 0;
}

void watch_stop_reader(struct watch *w)
{
	w->reader_source = sd_event_source_disable_unref(w->reader_source);
	reader_free(TAKE(w->reader));
	w->waiting = w->awaited = w->woken = false;
}

static void reader_lost(struct watch *w, int64_t now, const char *what)
{
	uint64_t delay = schedule_restart_delay(w->deaths++);

	if (w->waiting)
		watch_failed(w, FAILURE_READER);
	watch_stop_reader(w);
	w->restart = now + (int64_t)delay;
	if (w->deaths >= DYING)
		watch_set_responding(w, false, "its reader cannot be kept running");
	/* Once per spell. */
	if (w->deaths == 1)
		log_drive(LOG_WARNING, &w->drive, LOG_ID_READER_DIED,
			  "its reader process %s; it is started again in %u s", what,
			  (unsigned)(delay / 1000000));
}

/* The controller is what the lock is about: another one may have taken its device name. */
static int lock_controller(const struct watch *w)
{
	char controller[128];

	snprintf(controller, sizeof(controller), "%s-%s", w->drive.device, w->drive.address);
	return reader_lock(w->collector->settings.run_dir, controller);
}

static void reader_start(struct watch *w, int64_t now)
{
	_cleanup_(closep) int lock = lock_controller(w);

	if (lock == -EBUSY) {
		/* One that was just killed takes a moment; one that hangs in the kernel stays. */
		if (++w->deaths >= DYING)
			watch_set_responding(w, false, "an earlier reader still waits for it");
		w->restart = now + (w->deaths < DYING ? LOCK_RETRY :
				    (int64_t)schedule_restart_delay(w->deaths - DYING));
		return;
	}
	/* The device name may lead to another drive by now. */
	watch_page(w, &identify_page)->due = 0;
	int r = lock < 0 ? lock : reader_spawn(w->collector->reader_program, w->source, w->target,
					       lock, &w->reader);
	/* Without EPOLLIN: only its death wakes the loop, its answers are gathered. */
	if (r == 0)
		r = sd_event_add_io(w->collector->event, &w->reader_source, reader_fd(w->reader), 0,
				    on_reader, w);
	if (r < 0)
		reader_lost(w, now, strerror(-r));
}

static void await(struct watch *w, bool awaited)
{
	if (w->awaited != awaited && w->reader_source)
		sd_event_source_set_io_events(w->reader_source, awaited ? EPOLLIN : 0);
	w->awaited = awaited;
}

/* No answer yet. Returns when to look again. */
static int64_t still_waiting(struct watch *w, int64_t now)
{
	int64_t deadline = w->sent + (int64_t)w->collector->settings.poll_timeout;

	if (now < w->sent + WATCH_GATHER)
		return w->sent + WATCH_GATHER;
	await(w, true);
	if (now < deadline)
		return deadline;
	if (!w->overdue)
		watch_failed(w, FAILURE_TIMEOUT);
	w->overdue = true;
	return INT64_MAX;
}

/* Takes the answer that is there. 0, or as reader_receive(). */
static int take_answer(struct watch *w)
{
	/* One loop, one reply at a time: no need for a copy per drive. */
	static struct reply reply;
	int r = reader_receive(w->reader, &reply);

	if (r < 0)
		return r;
	w->waiting = false;
	/* That a new reader gets its first answer is no proof that it will last. */
	if (w->asked->page->cadence != CADENCE_ATTACH && w->asked->page->command != PAGE_HOST)
		w->deaths = 0;
	await(w, false);
	watch_answered(w, &reply);
	return 0;
}

/* Not live: the kernel is resetting the controller, or has given it up. Nothing is asked meanwhile,
 * and for a reset's usual time nothing is said. Returns when to look again. */
static int64_t settle(struct watch *w, int64_t now)
{
	watch_read_state(w, now);
	if (w->unsettled && now - w->unsettled >= (int64_t)w->collector->settings.poll_timeout)
		watch_set_responding(w, false, w->drive.state);
	return now + SETTLE_CHECK;
}

static int64_t ask(struct watch *w, int64_t now)
{
	struct watch_page *wp;

	do {
		wp = watch_first_due(w, now);
		if (wp->due > now)
			return wp->due;
	} while (!watch_may_ask(w, wp, now));
	if (reader_send(w->reader, watch_command(w, wp)) < 0) {
		reader_lost(w, now, "is gone");
		return w->restart;
	}
	w->waiting = true;
	w->overdue = false;
	w->sent = now;
	return now + WATCH_GATHER;
}

int64_t watch_run(struct watch *w, int64_t now)
{
	if (w->gone || !w->target[0])
		return INT64_MAX;
	if (!w->reader && now >= w->restart)
		reader_start(w, now);
	if (!w->reader)
		return w->restart;
	int r = w->waiting || w->woken ? take_answer(w) : -EAGAIN;
	w->woken = false;
	if (r == -EPIPE || r == -EBADMSG) {
		reader_lost(w, now, r == -EPIPE ? "died" : "broke the protocol");
		return w->restart;
	}
	if (w->waiting)
		return still_waiting(w, now);
	if (now < w->paused)
		return w->paused;
	return w->unsettled ? settle(w, now) : ask(w, now);
}

int64_t watch_first_values(const struct watch *w)
{
	bool waits = w->reader && w->waiting && !watch_page(w, &smart_page)->known;

	return waits ? w->attached + FIRST_VALUES : 0;
}

void watch_publish_drive(struct watch *w)
{
	now_put_drive(w->collector->now, &w->drive);
	w->collector->dirty = true;
}

void watch_set_responding(struct watch *w, bool responding, const char *why)
{
	bool changed = w->drive.responding != responding;

	if (!changed && (responding || !*why || !strcmp(w->drive.reason, why)))
		return;
	w->drive.responding = responding;
	snprintf(w->drive.reason, sizeof(w->drive.reason), "%s", responding ? "" : why);
	watch_publish_drive(w);
	if (!changed) /* another reason is no other spell */
		return;
	if (!responding)
		watch_record_last(w);
	watch_event(w, responding ? "responsive" : "unresponsive", responding ? "" : why);
	if (responding)
		log_drive(LOG_NOTICE, &w->drive, LOG_ID_RESPONSIVE, "answers again");
	else
		log_drive(LOG_WARNING, &w->drive, LOG_ID_UNRESPONSIVE,
			  "does not answer (%s); its values are withdrawn until it does", why);
}

static int watch_init(struct watch *w, struct collector *c, const char *source, const char *target)
{
	unsigned n = page_total();

	w->collector = c;
	w->media_written = WEAR_UNKNOWN;
	w->drive.responding = *target != 0; /* until it fails to */
	w->source = source;
	w->target = strdup(target);
	w->pages = calloc(n, sizeof(*w->pages));
	if (!w->target || !w->pages)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		w->pages[i].page = pages[i];
		w->pages[i].index = i;
		w->pages[i].vacant = pages[i]->selector != SELECT_NOTHING ||
				     pages[i]->command == PAGE_DERIVED;
		w->pages[i].due = w->pages[i].vacant || pages[i]->cadence == CADENCE_ASKED ? INT64_MAX
											   : 0;
	}
	return 0;
}

int watch_new(struct collector *c, const struct drive *drive, const char *source,
	      const char *target, struct watch **ret)
{
	_cleanup_(watch_freep) struct watch *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->drive = *drive;
	w->attached = clock_mono();
	snprintf(w->found_firmware, sizeof(w->found_firmware), "%s", drive->firmware);
	int r = watch_init(w, c, source, target);
	if (r < 0)
		return r;
	watch_take_quirks(w);
	watch_publish_drive(w);
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
	watch_stop_reader(w);
	for (unsigned i = 0; w->pages && i < page_total(); i++)
		watch_free_pages(&w->pages[i]);
	free(w->pages);
	wear_free(w->wear);
	free(w->target);
	free(w);
}
