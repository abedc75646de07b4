/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How collecting goes, and what has happened to a drive. */

#include <string.h>

#include "own_internal.h"

static bool same_error(const struct now_error *a, const struct now_error *b)
{
	return a->page == b->page && !strcmp(a->reason, b->reason);
}

void own_put_errors(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	for (size_t i = 0; i < d->n_errors; i++) {
		const struct now_error *error = &d->errors[i];
		bool again = error->count > INT64_MAX;

		for (size_t n = 0; n < i && !again; n++)
			again = same_error(&d->errors[n], error);
		if (again)
			continue;
		text_label(own_sample(e, l), true, "page", error->page->name);
		text_label(e->text.out, true, "reason", error->reason);
		text_end_integer(&e->text, (int64_t)error->count);
	}
}

/* A damaged file may have a type twice, or no number at all. */
static bool is_sound(const struct now_drive *d, size_t i)
{
	for (size_t n = 0; n < i; n++)
		if (!strcmp(d->events[n].type, d->events[i].type))
			return false;
	return d->events[i].count <= INT64_MAX;
}

static void put_count(struct exposition *e, const struct drive_labels *l, const struct now_event *event)
{
	text_label(own_sample(e, l), true, "type", event->type);
	text_end_integer(&e->text, (int64_t)event->count);
}

void own_put_events(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	for (size_t i = 0; i < d->n_events; i++)
		if (is_sound(d, i))
			put_count(e, l, &d->events[i]);
}

void own_put_event_time(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	for (size_t i = 0; i < d->n_events; i++) {
		if (!is_sound(d, i))
			continue;
		text_label(own_sample(e, l), true, "type", d->events[i].type);
		text_end_real(&e->text, (double)(d->events[i].time / 1000) / 1000);
	}
}

/* Shown whatever its age: it is the age. Pages that are read once, or once an hour, are many, and nothing
 * that an alert would wait for. */
void own_put_last_success(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	char name[PAGE_NAME_MAX];

	for (const struct page *const *p = pages; *p; p++)
		for (const struct now_page *known = view_known(d, *p); known; known = known->more) {
			if (!known->bytes || (*p)->command == PAGE_DERIVED ||
			    ((*p)->cadence >= CADENCE_SLOW && !e->options->full))
				continue;
			page_instance_name(*p, known->instance, name);
			text_label(own_sample(e, l), true, "page", name);
			text_end_real(&e->text, (double)(known->time / 1000) / 1000);
		}
}

/* Of those, only what is lacking. */
void own_put_supported(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	char name[PAGE_NAME_MAX];

	for (const struct page *const *p = pages; *p; p++)
		for (const struct now_page *known = view_known(d, *p); known; known = known->more) {
			if (!known->known || (*p)->command == PAGE_DERIVED ||
			    (known->supported && (*p)->cadence >= CADENCE_SLOW && !e->options->full))
				continue;
			page_instance_name(*p, known->instance, name);
			text_label(own_sample(e, l), true, "page", name);
			text_end_integer(&e->text, known->supported);
		}
}
