/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/event_document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/csv.h"
#include "nvmewatch/history_problem.h"
#include "nvmewatch/json.h"

struct event {
	int64_t id, time;
	char *key, *type, *detail; /* key and detail may be NULL */
};

/* The last so many that came, as a ring: at most .room, of which .n are there. */
struct events {
	struct event *ring;
	size_t room, n, next;
	bool onward; /* the first so many, and whether there are .more */
	bool more;
};

static void event_clear(struct event *e)
{
	free(e->key);
	free(e->type);
	free(e->detail);
	*e = (struct event){ 0 };
}

static void events_done(struct events *all)
{
	for (size_t i = 0; i < all->n; i++)
		event_clear(&all->ring[i]);
	free(all->ring);
}

static int copy(const char *text, char **ret)
{
	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

static int on_event(void *userdata, const struct history_event *e)
{
	struct events *all = userdata;
	struct event *to = &all->ring[all->next];

	if (all->onward && all->n == all->room) {
		all->more = true;
		return 0;
	}
	event_clear(to);
	all->next = (all->next + 1) % all->room;
	all->n += all->n < all->room;
	to->id = e->id;
	to->time = e->time;
	if (copy(e->key, &to->key) < 0 || copy(e->type, &to->type) < 0 ||
	    copy(e->detail && e->detail[0] ? e->detail : NULL, &to->detail) < 0)
		return -ENOMEM;
	return 0;
}

static const struct event *event_at(const struct events *all, size_t i)
{
	return &all->ring[all->n < all->room ? i : (all->next + i) % all->room];
}

static void put_json(const struct events *all, struct buffer *out)
{
	buffer_text(out, "{\"events\":[");
	for (size_t i = 0; i < all->n; i++) {
		const struct event *e = event_at(all, i);

		buffer_text(out, i ? ",{\"id\":" : "{\"id\":");
		buffer_integer(out, e->id);
		buffer_text(out, ",\"time\":\"");
		buffer_time(out, e->time * 1000);
		buffer_text(out, "\",\"serial\":");
		json_write_text(e->key, out);
		buffer_text(out, ",\"type\":");
		json_write_text(e->type, out);
		buffer_text(out, ",\"detail\":");
		json_write_text(e->detail, out);
		buffer_text(out, "}");
	}
	buffer_text(out, all->more ? "],\"more\":true}\n" : "],\"more\":false}\n");
}

static void put_csv(const struct events *all, struct buffer *out)
{
	buffer_text(out, "id,time,serial,type,detail");
	csv_end(out);
	for (size_t i = 0; i < all->n; i++) {
		const struct event *e = event_at(all, i);

		buffer_integer(out, e->id);
		csv_next(out);
		buffer_time(out, e->time * 1000);
		csv_next(out);
		csv_text(out, e->key);
		csv_next(out);
		csv_text(out, e->type);
		csv_next(out);
		csv_text(out, e->detail);
		csv_end(out);
	}
}

static int on_drive(void *userdata, const struct history_known_drive *d)
{
	return !strcmp(d->key, userdata);
}

/* Nothing has happened to it; or there is none. */
static int check_drive(struct history_reader *r, const struct event_question *q)
{
	char key[sizeof(q->drive)];

	if (!q->drive[0] || q->known)
		return 0;
	strcpy(key, q->drive);
	int e = history_scan_drives(r, on_drive, key);
	return e == 0 ? -ENOENT : e < 0 ? e : 0;
}

static int scan(struct history_reader *r, const struct event_question *q, struct events *all)
{
	const struct history_events what = {
		.drive = q->drive[0] ? q->drive : NULL, .type = q->type[0] ? q->type : NULL,
		.start = q->since, .end = INT64_MAX, .after = q->after,
		.limit = q->onward ? q->limit + 1 : 0,
	};
	int e = history_scan_events(r, &what, on_event, all);

	return e == 0 && all->n == 0 ? check_drive(r, q) : e;
}

int event_document(struct history_reader *r, const struct event_question *q, bool csv,
		   struct buffer *out, struct document *problem)
{
	_cleanup_(events_done) struct events all = {
		.ring = calloc(q->limit, sizeof(struct event)), .room = q->limit, .onward = q->onward,
	};
	int e = all.ring ? scan(r, q, &all) : -ENOMEM;

	if (e < 0)
		return history_drive_problem(e, q->drive, problem);
	if (csv)
		put_csv(&all, out);
	else
		put_json(&all, out);
	return out->failed ? -ENOMEM : 0;
}
