/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "nvmewatch/archive.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/log.h"
#include "past.h"

/* While not even the spool can be written, so many samples are kept in memory for a better time. Beyond,
 * the oldest are dropped. */
#define SAMPLES_MAX 8192

/* An entry, with what it points to behind it. */
struct sample {
	struct sample *next;
	struct archive_entry entry;
	char key[128];
	char bytes[];
};

struct list {
	struct sample *first, **last;
	size_t length;
};

struct recorder {
	struct list gathered; /* collect's own */
	char boot_id[40];

	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake, ended;
	/* Under the mutex. */
	struct list queue;
	bool flush;    /* samples are to go to disk */
	struct archive_bounds bounds;
	bool stopping, done;
	size_t dropped; /* samples, since that was last logged */
	struct history_memory *memory; /* until collect takes it */
	struct past *past;             /* likewise */
	struct now_store status;
	bool has_status;

	/* The thread's own. */
	struct archive *archive;
	char *path; /* of history.db, for messages */
	char *state_dir, *run_dir;
	bool failing, spool_failing, remembered;
	bool packing; /* a day is being packed, a few drives at a time */
};

static void list_init(struct list *l)
{
	*l = (struct list){ .last = &l->first };
}

static void list_add(struct list *l, struct sample *s)
{
	*l->last = s;
	l->last = &s->next;
	l->length++;
}

static void list_move(struct list *from, struct list *to)
{
	if (from->first) {
		*to->last = from->first;
		to->last = from->last;
		to->length += from->length;
	}
	list_init(from);
}

/* Drops the oldest. Returns how many. */
static size_t list_shorten(struct list *l, size_t length)
{
	size_t dropped = l->length > length ? l->length - length : 0;

	while (l->length > length) {
		struct sample *s = l->first;
		l->first = s->next;
		l->length--;
		free(s);
	}
	if (!l->first)
		list_init(l);
	return dropped;
}

/* ---- The thread. ---- */

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
		log_msg(LOG_ERR, "%s was damaged: it is set aside, and what can be read of it recovered", r->path);
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

static void *recorder_thread(void *userdata)
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

/* ---- Collect. ---- */

static void recorder_free(struct recorder *r)
{
	list_shorten(&r->gathered, 0);
	list_shorten(&r->queue, 0);
	history_memory_free(r->memory);
	past_free(r->past);
	pthread_cond_destroy(&r->wake);
	pthread_cond_destroy(&r->ended);
	pthread_mutex_destroy(&r->mutex);
	archive_free(r->archive);
	free(r->path);
	free(r->state_dir);
	free(r->run_dir);
	free(r);
}

int recorder_new(const char *state_dir, const char *run_dir, struct recorder **ret)
{
	struct recorder *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	list_init(&r->gathered);
	list_init(&r->queue);
	pthread_mutex_init(&r->mutex, NULL);
	pthread_cond_init(&r->wake, NULL);
	pthread_cond_init(&r->ended, NULL);
	boot_id(r->boot_id);
	r->bounds = (struct archive_bounds){ UINT64_MAX, UINT64_MAX, UINT64_MAX, 0 };
	r->path = format_text("%s/history.db", state_dir);
	r->state_dir = strdup(state_dir);
	r->run_dir = strdup(run_dir);
	int code = r->path && r->state_dir && r->run_dir ? archive_new(state_dir, run_dir, &r->archive) : -ENOMEM;
	if (code == 0)
		code = -pthread_create(&r->thread, NULL, recorder_thread, r);
	if (code < 0) {
		recorder_free(r);
		return code;
	}
	*ret = r;
	return 0;
}

void recorder_bound(struct recorder *r, const struct archive_bounds *b)
{
	pthread_mutex_lock(&r->mutex);
	r->bounds = *b;
	pthread_mutex_unlock(&r->mutex);
}

static void hand_over(struct recorder *r, bool flush)
{
	pthread_mutex_lock(&r->mutex);
	list_move(&r->gathered, &r->queue);
	size_t dropped = list_shorten(&r->queue, SAMPLES_MAX);
	r->dropped += dropped;
	r->status.dropped += dropped;
	r->flush = r->flush || flush;
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->mutex);
}

void recorder_push(struct recorder *r)
{
	if (r->gathered.first)
		hand_over(r, false);
}

void recorder_flush(struct recorder *r)
{
	hand_over(r, true);
}

void recorder_stop(struct recorder *r, uint64_t wait_us)
{
	struct timespec until;

	if (!r)
		return;
	recorder_flush(r);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)(wait_us / 1000000);
	pthread_mutex_lock(&r->mutex);
	r->stopping = true;
	pthread_cond_signal(&r->wake);
	int code = 0;
	while (!r->done && code == 0)
		code = pthread_cond_timedwait(&r->ended, &r->mutex, &until);
	bool done = r->done;
	pthread_mutex_unlock(&r->mutex);
	/* A disk that hangs must not hold up the exit; the process ends with its thread. */
	if (!done)
		return;
	pthread_join(r->thread, NULL);
	recorder_free(r);
}

/* ---- Entries ---- */

/* Adds an entry, the time of which is now, with its own copy of what it points to; names are constants or
 * page's. */
static int add(struct recorder *r, const struct archive_entry *e)
{
	size_t name_size = strlen(e->name) + 1;
	struct sample *s = calloc(1, sizeof(*s) + e->size + name_size);

	if (!s)
		return -ENOMEM;
	s->entry = *e;
	snprintf(s->key, sizeof(s->key), "%s", e->key);
	if (e->size)
		memcpy(s->bytes, e->bytes, e->size);
	memcpy(s->bytes + e->size, e->name, name_size);
	s->entry.key = s->key;
	s->entry.bytes = s->bytes;
	s->entry.name = s->bytes + e->size;
	s->entry.boot_id = r->boot_id;
	if (!e->time) {
		s->entry.time = clock_real();
		s->entry.mono = clock_mono();
	}
	list_add(&r->gathered, s);
	return 0;
}

int recorder_drive(struct recorder *r, const struct drive *d)
{
	char bytes[ARCHIVE_DRIVE_SIZE];

	return add(r, &(struct archive_entry){ .what = ARCHIVE_DRIVE, .key = d->key, .name = "",
					       .bytes = bytes, .size = archive_drive_bytes(d, bytes) });
}

int recorder_sample(struct recorder *r, const char *key, const struct page *p, uint32_t instance,
		    int64_t time, int64_t mono, const uint8_t *bytes)
{
	return add(r, &(struct archive_entry){ .what = ARCHIVE_PAGE, .key = key, .name = p->name,
					       .instance = instance, .time = time, .mono = mono,
					       .bytes = bytes, .size = p->size });
}

int recorder_event(struct recorder *r, const char *key, const char *type, const char *detail)
{
	return add(r, &(struct archive_entry){ .what = ARCHIVE_EVENT, .key = key, .name = type,
					       .bytes = detail, .size = strlen(detail) });
}

int recorder_first_seen(struct recorder *r, const char *key, const char *detail, uint64_t within)
{
	return add(r, &(struct archive_entry){ .what = ARCHIVE_FIRST, .key = key, .name = "",
					       .number = clock_real() - (int64_t)within,
					       .bytes = detail, .size = strlen(detail) });
}

int recorder_refuse(struct recorder *r, const struct drive *d, const char *page)
{
	char bytes[ARCHIVE_DRIVE_SIZE];

	return add(r, &(struct archive_entry){ .what = ARCHIVE_REFUSAL, .key = d->key, .name = page,
					       .bytes = bytes, .size = archive_drive_bytes(d, bytes) });
}

int recorder_errors(struct recorder *r, const char *key, uint64_t error_count)
{
	return add(r, &(struct archive_entry){ .what = ARCHIVE_ERRORS, .key = key, .name = "",
					       .number = (int64_t)error_count });
}

int recorder_forget(struct recorder *r, const char *key)
{
	return add(r, &(struct archive_entry){ .what = ARCHIVE_FORGET, .key = key, .name = "" });
}

bool recorder_status(struct recorder *r, struct now_store *ret)
{
	pthread_mutex_lock(&r->mutex);
	*ret = r->status;
	bool known = r->has_status;
	pthread_mutex_unlock(&r->mutex);
	return known;
}

struct history_memory *recorder_take_memory(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	struct history_memory *m = TAKE(r->memory);
	pthread_mutex_unlock(&r->mutex);
	return m;
}

struct past *recorder_take_past(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	struct past *p = TAKE(r->past);
	pthread_mutex_unlock(&r->mutex);
	return p;
}
