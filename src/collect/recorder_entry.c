/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is recorded, as entries of the archive. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/boot.h"
#include "recorder_internal.h"

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
