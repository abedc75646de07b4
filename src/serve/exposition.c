/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "exposition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own.h"

static const char *drive_label(const struct drive *d, const char *name)
{
	const struct {
		const char *name, *value;
	} known[] = {
		{ "device", d->device }, { "model", d->model }, { "firmware", d->firmware },
		{ "slot", d->slot }, { "address", d->address },
	};

	for (size_t i = 0; i < ELEMENTS(known); i++)
		if (!strcmp(known[i].name, name))
			return known[i].value;
	return "";
}

/* Every drive's labels are escaped once and copied into each of its series. */
static int labels_prepare(struct exposition *e)
{
	const struct now_snapshot *s = e->view->snapshot;

	e->drives = calloc(s->n_drives ? s->n_drives : 1, sizeof(*e->drives));
	if (!e->drives)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_drives; i++) {
		const struct drive *d = &s->drives[i].drive;
		struct drive_labels *l = &e->drives[i];

		l->skip = i > 0 && !strcmp(s->drives[i - 1].drive.key, d->key);
		l->at = e->labels.length;
		text_label(&e->labels, false, "serial", d->key);
		l->own = e->labels.length - l->at;
		for (char *const *label = e->options->labels; label && *label; label++) {
			const char *value = drive_label(d, *label);

			if (value[0])
				text_label(&e->labels, true, *label, value);
		}
		l->value = e->labels.length - l->at;
	}
	return e->labels.failed ? -ENOMEM : 0;
}

static void put_number_label(struct buffer *out, const char *label, int64_t number)
{
	buffer_put(out, ",", 1);
	buffer_text(out, label);
	buffer_put(out, "=\"", 2);
	buffer_integer(out, number);
	buffer_put(out, "\"", 1);
}

bool exposition_namespace(const struct now_drive *d, uint32_t nsid, struct value *ret)
{
	const struct now_page *block = view_instance(d, &block_page, nsid);
	unsigned index;

	return block && block->bytes &&
	       page_decode(&block_page, page_field(&block_page, "name", &index), 0, block->bytes,
			   ret) == 0;
}

/* Which of several. Namespaces go by the name of their block device, where it is known. */
static void put_instance(struct buffer *out, const struct page *p, uint32_t instance,
			 const struct now_drive *d)
{
	struct value name;

	if (p->selector == SELECT_NSID && exposition_namespace(d, instance, &name))
		text_label(out, true, p->instance, name.text);
	else
		put_number_label(out, p->instance, instance);
}

static void put_value(struct exposition *e, const struct family_row *row, const struct now_page *known,
		      unsigned index, const struct now_drive *d, const struct drive_labels *l,
		      const struct value *v)
{
	const struct field *f = row->field;
	struct buffer *out = e->text.out;

	text_sample(&e->text);
	buffer_put(out, e->labels.data + l->at, l->value);
	if (row->page->selector != SELECT_NOTHING)
		put_instance(out, row->page, known->instance, d);
	if (f->labels) {
		buffer_put(out, ",", 1);
		buffer_text(out, f->labels);
	}
	if (f->label)
		put_number_label(out, f->label, (int64_t)f->first + index);
	if (v->type == VALUE_INTEGER)
		text_end_integer(&e->text, v->integer);
	else
		text_end_real(&e->text, v->real);
}

static void put_row(struct exposition *e, const struct family_row *row, const struct now_drive *d,
		    const struct drive_labels *l)
{
	const struct now_page *known = &d->pages[row->index];
	struct value v;

	if (!known->known || (row->field->full && !e->options->full))
		return;
	for (; known; known = known->more) {
		const uint8_t *bytes = view_live(e->view, d, known);

		for (unsigned index = 0; bytes && index < field_count(row->field); index++)
			if (view_decode(d, row->page, row->field, index, bytes, &v) == 0)
				put_value(e, row, known, index, d, l, &v);
	}
}

static void put_family(struct exposition *e, const struct family *family)
{
	const struct now_snapshot *s = e->view->snapshot;

	if (!text_family(&e->text, family->name, family->type, family->help))
		return;
	for (size_t i = 0; i < s->n_drives; i++) {
		const struct family_row *row = e->drives[i].skip ? NULL : family->rows;

		for (; row; row = row->next)
			put_row(e, row, &s->drives[i], &e->drives[i]);
	}
}

/* The earliest moment at which something shown here would have to go. */
static int64_t page_until(const struct view *v, const struct now_drive *d,
			  const struct now_page *known, int64_t until)
{
	for (; known; known = known->more) {
		int64_t end = view_live(v, d, known) ? view_page_until(known) : INT64_MAX;

		if (end < until)
			until = end;
	}
	return until;
}

static int64_t view_until(const struct view *v)
{
	int64_t until = view_collector_until(v);

	for (size_t i = 0; i < v->snapshot->n_drives; i++)
		for (unsigned p = 0; p < page_total(); p++)
			until = page_until(v, &v->snapshot->drives[i],
					   &v->snapshot->drives[i].pages[p], until);
	return until;
}

static int put_drives(struct exposition *e, const struct families *families)
{
	int r = labels_prepare(e);

	if (r < 0)
		return r;
	own_put_drives(e);
	for (size_t i = 0; i < families->n; i++)
		put_family(e, &families->items[i]);
	e->until = view_until(e->view);
	return 0;
}

int exposition_render(const struct families *families, const struct view *v,
		      const struct exposition_options *options, struct buffer *out,
		      int64_t *ret_until)
{
	struct exposition e = {
		.text = { .out = out, .openmetrics = options->openmetrics, .only = options->only },
		.view = v,
		.options = options,
		.until = v->mono, /* a down collector may be back at once */
	};
	int r = 0;

	own_put_process(&e);
	if (v->up)
		r = put_drives(&e, families);
	text_finish(&e.text);
	buffer_done(&e.labels);
	free(e.drives);
	if (r < 0)
		return r;
	if (out->failed)
		return -ENOMEM;
	*ret_until = e.until;
	return 0;
}
