/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/archive.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#include "history_bound.h"
#include "history_recover.h"
#include "nvmewatch/buffer.h"
#include "spool.h"

/* While history.db cannot be written, so much waits on tmpfs: some hours of 64 drives. Beyond, older
 * samples are thinned, again and again, so that what is left spans the whole time. */
#define SPOOL_MAX (UINT64_C(64) << 20)

struct archive {
	char *history_path, *spool_path;
	struct history *history; /* NULL: to be opened at the next try */
	struct spool *spool;
	struct archive_bounds bounds;
	int64_t time, mono;
	bool bounding;   /* all is packed, what is beyond the bounds goes */
	struct bounding run;
	struct recovery *recovery; /* of a damaged history.db, or NULL */
	bool replaced;   /* since it was last asked */
	bool unproven;   /* it was replaced, and nothing was flushed since */
	bool examined;   /* for damage, since the last flush */
	bool exhausted;  /* beyond the bounds, with nothing left to drop until more is packed */
};

int archive_new(const char *state_dir, const char *run_dir, struct archive **ret)
{
	_cleanup_(archive_freep) struct archive *a = calloc(1, sizeof(*a));

	if (!a)
		return -ENOMEM;
	a->bounds = (struct archive_bounds){ UINT64_MAX, UINT64_MAX, UINT64_MAX, 0 };
	a->history_path = format_text("%s/history.db", state_dir);
	a->spool_path = format_text("%s/spool.db", run_dir);
	if (!a->history_path || !a->spool_path)
		return -ENOMEM;
	*ret = TAKE(a);
	return 0;
}

void archive_free(struct archive *a)
{
	if (!a)
		return;
	recovery_free(a->recovery);
	history_close(a->history);
	spool_free(a->spool);
	free(a->history_path);
	free(a->spool_path);
	free(a);
}

void archive_bound(struct archive *a, const struct archive_bounds *b)
{
	a->exhausted = a->exhausted && !memcmp(&a->bounds, b, sizeof(*b));
	a->bounds = *b;
}

void archive_clock(struct archive *a, int64_t time, int64_t mono)
{
	a->time = time;
	a->mono = mono;
}

static int open_spool(struct archive *a)
{
	return a->spool ? 0 : spool_open(a->spool_path, &a->spool);
}

/* What a damaged spool held is lost: it is on no disk. */
static int replace_spool(struct archive *a)
{
	spool_free(a->spool);
	a->spool = NULL;
	return spool_replace(a->spool_path, &a->spool);
}

static int open_history(struct archive *a)
{
	int r = history_open(a->history_path, &a->history);

	if (r == 0 && !a->recovery &&
	    (r = history_recover(a->history, a->history_path, a->time, a->mono, &a->recovery)) < 0) {
		history_close(a->history);
		a->history = NULL;
	}
	return r;
}

static void close_history(struct archive *a)
{
	recovery_free(a->recovery);
	history_close(a->history);
	a->recovery = NULL;
	a->history = NULL;
	a->bounding = false;
}

/* A damaged file makes room for another. Once: where the new one fails likewise, before anything was written to
 * it, it is not the file. */
static int replace_history(struct archive *a)
{
	int r;

	close_history(a);
	if (a->unproven)
		return -EUCLEAN;
	if ((r = history_set_aside(a->history_path, a->time)) < 0)
		return r;
	a->replaced = a->unproven = true;
	return open_history(a);
}

/* Damage may also look like any other error. To look for it takes its time: once, until there was a flush. */
static bool is_damaged(struct archive *a)
{
	if (a->examined)
		return false;
	a->examined = true;
	return history_is_damaged(a->history_path);
}

static int open_both(struct archive *a)
{
	int r = open_spool(a);

	if (r < 0 || a->history)
		return r;
	history_end_set_aside(a->history_path);
	r = open_history(a);
	return r == -EUCLEAN || (r == -EBADFD && is_damaged(a)) ? replace_history(a) : r;
}

/* What is done to history.db: once more, where it was found damaged and replaced. After another failure it is
 * closed: the next try opens it anew, whatever it is by then. */
static int do_to_history(struct archive *a, int (*what)(struct archive *a, void *userdata),
			 void *userdata)
{
	int r = open_both(a);

	if (r == 0)
		r = what(a, userdata);
	if (r == -EBADMSG && replace_spool(a) == 0)
		r = what(a, userdata);
	if (r == -EBADFD && is_damaged(a))
		r = -EUCLEAN;
	if (r == -EUCLEAN && replace_history(a) == 0)
		r = what(a, userdata);
	if (r < 0)
		close_history(a);
	return r;
}

bool archive_was_replaced(struct archive *a)
{
	bool replaced = a->replaced;

	a->replaced = false;
	return replaced;
}

int archive_put(struct archive *a, const struct archive_entry *entries, size_t n)
{
	int r = open_spool(a);

	if (r < 0)
		return r;
	r = spool_put(a->spool, entries, n);
	if (r == -EBADMSG && replace_spool(a) == 0)
		r = spool_put(a->spool, entries, n);
	if (r < 0) {
		spool_free(a->spool);
		a->spool = NULL;
	}
	return r;
}

static int note(struct archive *a, void *userdata)
{
	int64_t seq = 0;
	int r = history_take_notes(a->history, a->spool, &seq);

	(void)userdata;
	if (r == 0)
		/* What stays is known to be taken over, and goes the next time. */
		spool_remove(a->spool, seq, false);
	return r;
}

int archive_note(struct archive *a)
{
	return do_to_history(a, note, NULL);
}

static int flush(struct archive *a, void *userdata)
{
	int64_t seq = 0;
	int r = note(a, userdata);

	if (r == 0)
		r = history_take_samples(a->history, a->spool, &seq);
	if (r < 0)
		return r;
	a->unproven = a->examined = false;
	spool_remove(a->spool, seq, true);
	return 0;
}

int archive_flush(struct archive *a)
{
	return do_to_history(a, flush, NULL);
}

static struct bound_limits limits(const struct archive *a)
{
	struct bound_limits l = { .bounds = a->bounds, .left = UINT64_MAX, .time = a->time,
				 .mono = a->mono };
	struct statvfs disk;

	if (statvfs(a->history_path, &disk) == 0)
		l.left = (uint64_t)disk.f_bavail * disk.f_frsize;
	return l;
}

/* A recovery leaves the disk what is to be left to others. */
static int recover(struct archive *a, const struct bound_limits *l)
{
	int r = history_recover_step(a->recovery, a->history, l->left < l->bounds.min_free);

	if (r == 0) {
		recovery_free(a->recovery);
		a->recovery = NULL;
	}
	return r < 0 ? r : 1;
}

static int pack(struct archive *a, void *userdata)
{
	const struct bound_limits l = limits(a);
	int r;

	(void)userdata;
	if (a->recovery)
		return recover(a, &l);
	r = a->bounding ? 0 : history_pack(a->history);
	if (r != 0)
		return r;
	if (!a->bounding)
		a->run = (struct bounding){ 0 };
	a->bounding = true;
	if ((r = history_bound(a->history, &l, &a->run)) == 0) {
		a->bounding = false;
		history_is_over(a->history, &l, &a->exhausted);
	}
	return r;
}

int archive_pack(struct archive *a)
{
	return do_to_history(a, pack, NULL);
}

bool archive_is_due(struct archive *a, int64_t time)
{
	const struct bound_limits l = limits(a);
	bool due = false;

	if (!a->history)
		return false;
	if (a->recovery)
		return true;
	if (history_is_due(a->history, time / 1000, &due) == 0 && due) {
		a->exhausted = false;
		return true;
	}
	return !a->exhausted && history_is_over(a->history, &l, &due) == 0 && due;
}

int archive_thin(struct archive *a, uint64_t *ret)
{
	uint64_t dropped = 1, all = 0;
	int r = open_spool(a);

	while (r == 0 && dropped) {
		r = spool_thin(a->spool, SPOOL_MAX, &dropped);
		all += r == 0 ? dropped : 0;
	}
	if (r == 0)
		*ret = all;
	return r;
}

static int load(struct archive *a, void *userdata)
{
	return history_load(a->history, userdata);
}

int archive_load(struct archive *a, struct history_memory **ret)
{
	return do_to_history(a, load, ret);
}

/* The numbers of a row. */
static int numbers(sqlite3 *db, const char *sql, int64_t *ret, int n)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(db, sql, &q);

	if (r < 0)
		return r;
	int code = sqlite3_step(q);
	for (int i = 0; code == SQLITE_ROW && i < n; i++)
		ret[i] = sqlite3_column_int64(q, i);
	return sql_errno(code);
}

int archive_status(struct archive *a, struct archive_status *ret)
{
	int64_t file[2] = { 0 }, spooled = 0;
	int r = 0;

	if (a->spool)
		r = numbers(a->spool->db, "SELECT count(*) FROM spool", &spooled, 1);
	if (r == 0 && a->history)
		r = numbers(a->history->db,
			    "SELECT page_count * page_size, ifnull(min("
			    " ifnull((SELECT min(start) FROM packings), 9e18),"
			    " ifnull((SELECT min(start) FROM batches), 9e18)), 0)"
			    " FROM pragma_page_count, pragma_page_size", file, 2);
	if (r < 0)
		return r;
	*ret = (struct archive_status){ .bytes = (uint64_t)file[0], .spooled = (uint64_t)spooled,
					.oldest = file[1] < (int64_t)8e18 ? file[1] : 0 };
	return 0;
}

/* ---- Drives as bytes ---- */

size_t archive_drive_bytes(const struct drive *d, char ret[static ARCHIVE_DRIVE_SIZE])
{
	const char *const texts[] = { d->serial, d->model, d->firmware, d->address };
	size_t used = 0;

	for (size_t i = 0; i < ELEMENTS(texts); i++) {
		size_t length = strlen(texts[i]) + 1;
		if (length > ARCHIVE_DRIVE_SIZE - used)
			break;
		memcpy(ret + used, texts[i], length);
		used += length;
	}
	return used;
}

void archive_drive_parse(const char *key, const void *bytes, size_t size, struct drive *ret)
{
	struct drive d = { .numa_node = -1 };
	const struct {
		char *text;
		size_t size;
	} texts[] = {
		{ d.serial, sizeof(d.serial) }, { d.model, sizeof(d.model) },
		{ d.firmware, sizeof(d.firmware) }, { d.address, sizeof(d.address) },
	};
	const char *at = bytes;

	drive_text(key, strlen(key), d.key, sizeof(d.key));
	for (size_t i = 0; i < ELEMENTS(texts) && size; i++) {
		size_t length = strnlen(at, size);

		drive_text(at, length, texts[i].text, texts[i].size);
		length += length < size;
		at += length;
		size -= length;
	}
	*ret = d;
}
