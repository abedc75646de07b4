/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The recorder's thread: from the queue into the spool, from there into history.db, and what it tells back. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/log.h"
#include "past.h"
#include "recorder_internal.h"

static void count_dropped(struct recorder *r, size_t n)
{
	pthread_mutex_lock(&r->mutex);
	r->dropped += n;
	r->status.dropped += n;
	pthread_mutex_unlock(&r->mutex);
}

/* An event of history's own, which is on disk with the next. */
static void note_dropped(struct recorder *r, size_t n)
{
	char detail[80];
	struct archive_entry e = { .what = ARCHIVE_EVENT, .key = "", .name = "history_dropped",
				   .time = clock_real(), .mono = clock_mono(), .boot_id = r->boot_id,
				   .bytes = detail };

	e.size = (size_t)snprintf(detail, sizeof(detail), "%zu samples: history could not be written", n);
	archive_put(r->archive, &e, 1);
}

/* Says so, once, when there is a database to go on with. */
static void log_dropped(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	size_t n = r->dropped;
	r->dropped = 0;
	pthread_mutex_unlock(&r->mutex);
	if (!n)
		return;
	log_msg(LOG_ERR, "%zu samples are not in %s: it could not be written for too long", n, r->path);
	note_dropped(r, n);
}

static void log_outcome(struct recorder *r, int code)
{
	if (code < 0 && !r->failing)
		log_msg(LOG_ERR, "%s cannot be written (%s): history waits, live values go on",
			r->path, code == -EPROTO ? "it is of a newer nvmewatch" :
			code == -EUCLEAN ? "it is damaged, or no database" : strerror(-code));
	else if (code == 0 && r->failing)
		log_msg(LOG_NOTICE, "%s is written again", r->path);
	r->failing = code < 0;
	if (code == 0)
		log_dropped(r);
}

/* Puts the list into the spool and empties it. What does not fit there stays in it. True: something
 * of it is to be on disk at once. */
static bool spool_list(struct recorder *r, struct list *l)
{
	_cleanup_(freep) struct archive_entry *entries = calloc(l->length + 1, sizeof(*entries));
	bool urgent = false;
	size_t n = 0;
	int code = entries ? 0 : -ENOMEM;

	for (const struct sample *s = l->first; s && entries; s = s->next) {
		urgent = urgent || s->entry.what != ARCHIVE_PAGE;
		entries[n++] = s->entry;
	}
	if (code == 0 && n)
		code = archive_put(r->archive, entries, n);
	if (code < 0 && !r->spool_failing)
		log_msg(LOG_ERR, "what is sampled cannot be kept in paths.run (%s): history waits in memory",
			strerror(-code));
	r->spool_failing = code < 0;
	if (code < 0)
		count_dropped(r, list_shorten(l, SAMPLES_MAX));
	else
		list_shorten(l, 0);
	return urgent;
}

/* Where it cannot be read, the past is not known: wear is counted from now on. */
static void remember_past(struct recorder *r)
{
	struct past *past = NULL;

	if (past_load(r->state_dir, r->run_dir, clock_real(), &past) < 0)
		return;
	pthread_mutex_lock(&r->mutex);
	r->past = past;
	pthread_mutex_unlock(&r->mutex);
}

/* Once: what the database knew before this process wrote to it, but for what the former one left. */
static int remember(struct recorder *r)
{
	struct history_memory *m = NULL;
	int code = r->remembered ? 0 : archive_load(r->archive, &m);

	if (code < 0 || !m)
		return code;
	r->remembered = true;
	pthread_mutex_lock(&r->mutex);
	r->memory = m;
	pthread_mutex_unlock(&r->mutex);
	/* Which takes its time, and nothing waits for it. */
	remember_past(r);
	return 0;
}

static void thin(struct recorder *r)
{
	uint64_t dropped = 0;

	if (archive_thin(r->archive, &dropped) == 0 && dropped)
		count_dropped(r, dropped);
}

static void note_status(struct recorder *r, int code)
{
	struct archive_status found = { 0 };
	bool known = archive_status(r->archive, &found) == 0;

	pthread_mutex_lock(&r->mutex);
	r->has_status = true;
	r->status.errors += code < 0;
	if (code == 0)
		r->status.last_write = clock_real();
	if (known) {
		r->status.spooled = found.spooled;
		/* While it cannot be opened, it is what it was. */
		r->status.bytes = found.bytes ? found.bytes : r->status.bytes;
		r->status.oldest = found.oldest ? found.oldest * 1000 : r->status.oldest;
	}
	pthread_mutex_unlock(&r->mutex);
}

static void log_replaced(struct recorder *r)
{
	if (archive_was_replaced(r->archive))
		log_msg(LOG_ERR, "%s was damaged: it is set aside, and what can be read of it recovered",
			r->path);
}

static void write_history(struct recorder *r, bool flush)
{
	int code;

	archive_clock(r->archive, clock_real(), clock_mono());
	code = flush ? archive_flush(r->archive) : archive_note(r->archive);

	if (code == 0)
		code = remember(r);
	if (code == 0 && r->packing) {
		code = archive_pack(r->archive);
		r->packing = code > 0;
		code = code > 0 ? 0 : code;
	} else if (code == 0 && flush) {
		r->packing = archive_is_due(r->archive, clock_real());
	}
	log_replaced(r);
	log_outcome(r, code);
	if (code < 0) {
		r->packing = false;
		thin(r);
	}
	note_status(r, code);
}

void *recorder_thread(void *userdata)
{
	struct recorder *r = userdata;
	bool flush = true; /* what the last process left */
	struct list l;

	list_init(&l);
	pthread_mutex_lock(&r->mutex);
	for (;;) {
		bool stopping = r->stopping;
		flush = flush || r->flush || stopping;
		r->flush = false;
		list_move(&r->queue, &l);
		archive_bound(r->archive, &r->bounds);
		pthread_mutex_unlock(&r->mutex);
		if (spool_list(r, &l) || flush || r->packing)
			write_history(r, flush);
		flush = false;
		pthread_mutex_lock(&r->mutex);
		if (stopping)
			break;
		if (!r->queue.first && !r->flush && !r->stopping && !r->packing)
			pthread_cond_wait(&r->wake, &r->mutex);
	}
	pthread_mutex_unlock(&r->mutex);
	list_shorten(&l, 0);
	archive_free(TAKE(r->archive));
	pthread_mutex_lock(&r->mutex);
	r->done = true;
	pthread_cond_signal(&r->ended);
	pthread_mutex_unlock(&r->mutex);
	return NULL;
}
