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

/* A damaged file may have a page twice, or more commands than there can be. */
static bool is_sound_duration(const struct now_snapshot *s, size_t i)
{
	uint64_t total = 0;

	for (size_t n = 0; n < i; n++)
		if (s->durations[n].page == s->durations[i].page)
			return false;
	for (unsigned b = 0; b <= NOW_DURATION_BOUNDS; b++)
		if (__builtin_add_overflow(total, s->durations[i].counts[b], &total))
			return false;
	return total <= INT64_MAX;
}

static void put_duration(struct text *t, const struct now_duration *d)
{
	static const char *const bounds[] = { "0.001", "0.01", "0.1", "1.0", "10.0", "+Inf" };
	uint64_t total = 0;

	for (unsigned b = 0; b <= NOW_DURATION_BOUNDS; b++) {
		total += d->counts[b];
		text_part(t, "_bucket");
		text_label(t->out, false, "page", d->page->name);
		text_label(t->out, true, "le", bounds[b]);
		text_end_integer(t, (int64_t)total);
	}
	text_part(t, "_sum");
	text_label(t->out, false, "page", d->page->name);
	text_end_real(t, (double)d->sum_us / 1000000);
	text_part(t, "_count");
	text_label(t->out, false, "page", d->page->name);
	text_end_integer(t, (int64_t)total);
}

void own_put_durations(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	const struct now_snapshot *s = e->view->up ? e->view->snapshot : NULL;

	(void)d, (void)l;
	for (size_t i = 0; s && i < s->n_durations; i++)
		if (is_sound_duration(s, i))
			put_duration(&e->text, &s->durations[i]);
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
