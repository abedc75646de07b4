/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/archive.h"

#include <errno.h>
#include <string.h>

#include "history_internal.h"
#include "nvmewatch/buffer.h"
#include "spool.h"

/* While history.db cannot be written, so much waits on tmpfs: some hours of 64 drives. Beyond, older
 * samples are thinned, again and again, so that what is left spans the whole time. */
#define SPOOL_MAX (UINT64_C(64) << 20)

struct archive {
	char *history_path, *spool_path;
	struct history *history; /* NULL: to be opened at the next try */
	struct spool *spool;
};

int archive_new(const char *state_dir, const char *run_dir, struct archive **ret)
{
	_cleanup_(archive_freep) struct archive *a = calloc(1, sizeof(*a));

	if (!a)
		return -ENOMEM;
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
	history_close(a->history);
	spool_free(a->spool);
	free(a->history_path);
	free(a->spool_path);
	free(a);
}

static int open_spool(struct archive *a)
{
	return a->spool ? 0 : spool_open(a->spool_path, &a->spool);
}

static int open_both(struct archive *a)
{
	int r = open_spool(a);

	if (r < 0 || a->history)
		return r;
	return history_open(a->history_path, &a->history);
}

/* After a failure history.db is closed: the next try opens it anew, whatever it is by then. */
static int settle(struct archive *a, int r)
{
	if (r < 0) {
		history_close(a->history);
		a->history = NULL;
	}
	return r;
}

int archive_put(struct archive *a, const struct archive_entry *entries, size_t n)
{
	int r = open_spool(a);

	if (r < 0)
		return r;
	r = spool_put(a->spool, entries, n);
	if (r < 0) {
		spool_free(a->spool);
		a->spool = NULL;
	}
	return r;
}

int archive_note(struct archive *a)
{
	int64_t seq;
	int r = open_both(a);

	if (r == 0)
		r = history_take_notes(a->history, a->spool, &seq);
	if (r == 0)
		/* What stays is known to be taken over, and goes the next time. */
		spool_remove(a->spool, seq, false);
	return settle(a, r);
}

int archive_flush(struct archive *a)
{
	int64_t seq;
	int r = archive_note(a);

	if (r < 0)
		return r;
	r = history_take_samples(a->history, a->spool, &seq);
	if (r == 0)
		spool_remove(a->spool, seq, true);
	return settle(a, r);
}

int archive_pack(struct archive *a)
{
	int r = open_both(a);

	return settle(a, r < 0 ? r : history_pack(a->history));
}

bool archive_is_due(struct archive *a, int64_t time)
{
	bool due = false;

	return a->history && history_is_due(a->history, time / 1000, &due) == 0 && due;
}

int archive_thin(struct archive *a, uint64_t *ret)
{
	int r = open_spool(a);

	return r < 0 ? r : spool_thin(a->spool, SPOOL_MAX, ret);
}

int archive_load(struct archive *a, struct history_memory **ret)
{
	int r = open_both(a);

	return settle(a, r < 0 ? r : history_load(a->history, ret));
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
