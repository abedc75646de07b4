/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "now_internal.h"
#include "now_schema.h"
#include "nvmewatch/now.h"
#include "sql.h"

static void free_instances(struct now_page *first)
{
	struct now_page *page = first->more;

	free((void *)first->bytes);
	while (page) {
		struct now_page *more = page->more;
		free((void *)page->bytes);
		free(page);
		page = more;
	}
}

void now_snapshot_free(struct now_snapshot *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_drives; i++) {
		for (unsigned k = 0; s->drives[i].pages && k < page_total(); k++)
			free_instances(&s->drives[i].pages[k]);
		for (size_t k = 0; k < s->drives[i].n_errors; k++)
			free((void *)s->drives[i].errors[k].reason);
		for (size_t k = 0; k < s->drives[i].n_events; k++)
			free((void *)s->drives[i].events[k].type);
		free(s->drives[i].pages);
		free(s->drives[i].errors);
		free(s->drives[i].events);
	}
	free(s->drives);
	free(s->durations);
	free(s);
}

static int by_key(const void *key, const void *drive)
{
	return strcmp(key, ((const struct now_drive *)drive)->drive.key);
}

const struct now_drive *now_find(const struct now_snapshot *s, const char *key)
{
	if (!s->n_drives)
		return NULL;
	return bsearch(key, s->drives, s->n_drives, sizeof(*s->drives), by_key);
}

/* A column that names something; a NULL is nobody's name. */
static const char *name_of(sqlite3_stmt *q, int column)
{
	const unsigned char *text = sqlite3_column_text(q, column);

	return text ? (const char *)text : "";
}

static int open_publication(const char *path, sqlite3 **ret)
{
	_cleanup_(sqlite3_closep) sqlite3 *db = NULL;
	/* Immutable: no lock is taken and no journal looked for, the file never changes. */
	_cleanup_(freep) char *uri = sql_immutable_uri(path);
	int version;

	if (!uri)
		return -ENOMEM;
	if (access(path, R_OK) < 0)
		return -errno;
	int r = sql_errno(sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI |
					  SQLITE_OPEN_NOMUTEX, NULL));
	if (r == 0)
		r = sql_version(db, &version);
	if (r == 0 && version != NOW_VERSION)
		r = -EUCLEAN;
	/* Read once, from front to back: what was read need not be kept. */
	if (r == 0)
		r = sql_run(db, "PRAGMA cache_size = 16");
	if (r < 0)
		return r;
	*ret = TAKE(db);
	return 0;
}

static int read_publication(sqlite3 *db, struct now_snapshot *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int r = sql_prepare(db, "SELECT version, boot_id, time, mono, cadence FROM publication", &q);

	if (r < 0)
		return r;
	if (sqlite3_step(q) != SQLITE_ROW)
		return -EUCLEAN;
	sql_copy(q, 0, s->version, sizeof(s->version));
	sql_copy(q, 1, s->boot_id, sizeof(s->boot_id));
	s->time = sqlite3_column_int64(q, 2);
	s->mono = sqlite3_column_int64(q, 3);
	s->cadence_us = (uint64_t)sqlite3_column_int64(q, 4);
	return 0;
}

static void read_drive(sqlite3_stmt *q, struct drive *d)
{
	struct {
		char *text;
		size_t size;
	} const texts[] = {
		{ d->key, sizeof(d->key) },
		{ d->serial, sizeof(d->serial) },
		{ d->model, sizeof(d->model) },
		{ d->firmware, sizeof(d->firmware) },
		{ d->device, sizeof(d->device) },
		{ d->transport, sizeof(d->transport) },
		{ d->address, sizeof(d->address) },
		{ d->slot, sizeof(d->slot) },
		{ d->subsystem_nqn, sizeof(d->subsystem_nqn) },
		{ d->state, sizeof(d->state) },
		{ d->reason, sizeof(d->reason) },
	};
	int column = 0;

	for (size_t i = 0; i < ELEMENTS(texts); i++)
		sql_copy(q, column++, texts[i].text, texts[i].size);
	d->numa_node = sqlite3_column_int(q, column++);
	d->vendor = (uint32_t)sqlite3_column_int64(q, column++);
	d->capacity_bytes = (uint64_t)sqlite3_column_int64(q, column++);
	d->present = sqlite3_column_int(q, column++);
	d->lent = sqlite3_column_int(q, column++);
	d->responding = sqlite3_column_int(q, column);
}

static int read_drives(sqlite3 *db, struct now_snapshot *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = sql_prepare(db, "SELECT * FROM drives ORDER BY key", &q);

	if (r < 0)
		return r;
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		struct now_drive *drives = reallocarray(s->drives, s->n_drives + 1, sizeof(*drives));
		if (!drives)
			return -ENOMEM;
		s->drives = drives;
		drives[s->n_drives] = (struct now_drive){
			.pages = calloc(page_total(), sizeof(struct now_page)),
		};
		if (!drives[s->n_drives].pages)
			return -ENOMEM;
		read_drive(q, &drives[s->n_drives++].drive);
	}
	return sql_errno(code);
}

static int read_paths(sqlite3 *db, struct now_snapshot *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = sql_prepare(db, "SELECT * FROM paths ORDER BY drive, device", &q);

	if (r < 0)
		return r;
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		struct now_drive *d = (struct now_drive *)now_find(s, name_of(q, 0));
		if (!d || d->drive.n_paths == DRIVE_PATHS_MAX)
			continue;
		struct drive_path *path = &d->drive.paths[d->drive.n_paths++];
		sql_copy(q, 1, path->device, sizeof(path->device));
		sql_copy(q, 2, path->transport, sizeof(path->transport));
		sql_copy(q, 3, path->address, sizeof(path->address));
		sql_copy(q, 4, path->state, sizeof(path->state));
	}
	return sql_errno(code);
}

static int read_page(sqlite3_stmt *q, const struct page *p, struct now_page *ret)
{
	*ret = (struct now_page){
		.more = ret->more,
		.instance = (uint32_t)sqlite3_column_int64(q, 2),
		.known = true,
		.host = p->command == PAGE_HOST,
		.supported = sqlite3_column_int(q, 3),
		.time = sqlite3_column_int64(q, 4),
		.mono = sqlite3_column_int64(q, 5),
		.cadence_us = (uint64_t)sqlite3_column_int64(q, 6),
	};
	/* The decoder trusts the size, so only a page of a right one goes on. */
	int64_t length = sqlite3_column_int64(q, 7);
	int kept = sqlite3_column_bytes(q, 8);
	if (sqlite3_column_type(q, 8) != SQLITE_BLOB || kept > length || length > p->size ||
	    length < (p->size_min ? p->size_min : p->size))
		return 0;
	uint8_t *bytes = calloc(1, p->size);
	if (!bytes)
		return -ENOMEM;
	if (kept > 0)
		memcpy(bytes, sqlite3_column_blob(q, 8), (size_t)kept);
	ret->bytes = bytes;
	ret->length = (unsigned)length;
	return 0;
}

/* Where the row of that instance goes. NULL: nowhere, it has come already, or no memory. */
static struct now_page *place_for(const struct now_drive *d, const struct page *p, uint32_t instance,
				  int *ret_error)
{
	struct now_page *page = &d->pages[page_index(p)], *place;

	if (!page->known)
		return page;
	while (page->instance < instance && page->more && page->more->instance <= instance)
		page = page->more;
	/* What is there once is there once, whatever a damaged file says. */
	if (p->selector == SELECT_NOTHING || page->instance == instance)
		return NULL;
	place = calloc(1, sizeof(*place));
	if (!place) {
		*ret_error = -ENOMEM;
		return NULL;
	}
	if (page->instance > instance) { /* the array has the first of them */
		*place = *page;
		page->more = place;
		return page;
	}
	place->more = page->more;
	page->more = place;
	return place;
}

static int read_pages(sqlite3 *db, struct now_snapshot *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	/* In no order: the bytes would be sorted, too, in memory, or read from here and there. */
	int code, r = sql_prepare(db, "SELECT * FROM pages", &q);

	if (r < 0)
		return r;
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		const struct now_drive *d = now_find(s, name_of(q, 0));
		const struct page *p = page_find(name_of(q, 1));

		struct now_page *page = !d || !p ? NULL :
			place_for(d, p, (uint32_t)sqlite3_column_int64(q, 2), &r);
		if (page)
			r = read_page(q, p, page);
		if (r < 0)
			return r;
	}
	return sql_errno(code);
}

static int read_errors(sqlite3 *db, struct now_snapshot *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = sql_prepare(db, "SELECT * FROM errors ORDER BY drive, page, reason", &q);

	if (r < 0)
		return r;
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		struct now_drive *d = (struct now_drive *)now_find(s, name_of(q, 0));
		const struct page *p = page_find(name_of(q, 1));
		if (!d || !p)
			continue;
		struct now_error *errors = reallocarray(d->errors, d->n_errors + 1, sizeof(*errors));
		char *reason = strdup(name_of(q, 2));
		if (errors)
			d->errors = errors;
		if (!errors || !reason) {
			free(reason);
			return -ENOMEM;
		}
		errors[d->n_errors++] = (struct now_error){
			p, reason, (uint64_t)sqlite3_column_int64(q, 3)
		};
	}
	return sql_errno(code);
}

static int read_events(sqlite3 *db, struct now_snapshot *s)
{
	_cleanup_(sqlite3_finalizep) sqlite3_stmt *q = NULL;
	int code, r = sql_prepare(db, "SELECT * FROM events ORDER BY drive, type", &q);

	if (r < 0)
		return r;
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		struct now_drive *d = (struct now_drive *)now_find(s, name_of(q, 0));
		if (!d)
			continue;
		struct now_event *events = reallocarray(d->events, d->n_events + 1, sizeof(*events));
		char *type = strdup(name_of(q, 1));
		if (events)
			d->events = events;
		if (!events || !type) {
			free(type);
			return -ENOMEM;
		}
		events[d->n_events++] = (struct now_event){
			type, (uint64_t)sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3)
		};
	}
	return sql_errno(code);
}

int now_read(const char *path, struct now_snapshot **ret)
{
	_cleanup_(sqlite3_closep) sqlite3 *db = NULL;
	_cleanup_(now_snapshot_freep) struct now_snapshot *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	if ((r = open_publication(path, &db)) < 0 || (r = read_publication(db, s)) < 0 || (r = now_self_read(db, s)) < 0 ||
	    (r = read_drives(db, s)) < 0 || (r = read_paths(db, s)) < 0 || (r = read_pages(db, s)) < 0 ||
	    (r = read_errors(db, s)) < 0 || (r = read_events(db, s)) < 0)
		return r;
	*ret = TAKE(s);
	return 0;
}

bool now_is_fresh(int64_t mono, uint64_t cadence_us, int64_t now_mono)
{
	/* What comes from the future is of another boot, or garbage. */
	return mono > 0 && mono <= now_mono && (uint64_t)(now_mono - mono) <= 3 * cadence_us;
}

bool now_page_is_live(const struct now_drive *d, const struct now_page *p, int64_t now_mono)
{
	if (!p->bytes)
		return false;
	if (!p->cadence_us)
		return d->drive.present && d->drive.responding;
	const struct now_page *smart = &d->pages[page_index(&smart_page)];
	if (!d->drive.responding && !p->host && !now_is_fresh(smart->mono, smart->cadence_us, now_mono))
		return false;
	return now_is_fresh(p->mono, p->cadence_us, now_mono);
}

bool now_collector_is_up(const struct now_snapshot *s, const char *boot_id, int64_t now_mono)
{
	return !strcmp(s->boot_id, boot_id) && now_is_fresh(s->mono, s->cadence_us, now_mono);
}
