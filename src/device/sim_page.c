/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/parse.h"
#include "sim_internal.h"

static int value_parse(const struct field *f, const char *text, struct value *ret)
{
	*ret = (struct value){ .type = VALUE_ABSENT };
	if (!strcmp(text, "absent"))
		return 0;

	ret->type = field_value_type(f);
	if (ret->type == VALUE_INTEGER)
		return parse_int(text, &ret->integer);
	if (ret->type == VALUE_REAL)
		return parse_real(text, &ret->real);
	if (strlen(text) > FIELD_TEXT_MAX)
		return -ERANGE;
	strcpy(ret->text, text);
	return 0;
}

/* The numbers that a row without conversion can encode. */
static void number_range(const struct field *f, double *ret_low, double *ret_high)
{
	double bits = f->bits ? f->bits : f->size * 8;
	double mul = (double)(f->mul ? f->mul : 1) / (double)(f->div ? f->div : 1);
	double high = f->max ? (double)f->max : exp2(fmin(bits, 63)) - 1;

	*ret_low = ((double)f->min + (double)f->bias) * mul;
	*ret_high = fmin((high + (double)f->bias) * mul, 0x1p63);
}

static void field_allowed(const struct field *f, struct buffer *b)
{
	double low, high;

	if (f->conversion) {
		buffer_text(b, f->conversion->real ? "a number" : "a number or text");
		buffer_text(b, " that the field holds");
	} else if (f->type == FIELD_NUMBER) {
		number_range(f, &low, &high);
		buffer_printf(b, "a %snumber from %.15g to %.15g", f->div ? "" : "whole ", low,
			      high);
	} else if (f->type == FIELD_HEX || f->type == FIELD_HEX_LE) {
		buffer_printf(b, "%u lower-case hexadecimal digits", 2u * f->size);
	} else {
		buffer_printf(b, "a text of at most %u bytes", (unsigned)f->size);
	}
	buffer_put(b, "", 1);
}

static int value_fail(const struct field *f, const struct page *p, const struct ini_place *at,
		      const char *column, const char *value, int code)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };

	field_allowed(f, &b);
	if (b.failed)
		return -ENOMEM;
	if (!strcmp(value, "absent"))
		return ini_fail(at, code, "[%s] %s cannot be absent; allowed is %s", p->name,
				column, b.data);
	return ini_fail(at, code, "[%s] %s = %s: allowed is %s", p->name, column, value, b.data);
}

static int column_fail(const struct page *p, const struct ini_place *at, const char *column)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };

	for (size_t i = 0; i < p->n_fields; i++) {
		const struct field *f = &p->fields[i];
		buffer_printf(&b, "%s%s", i ? ", " : "", f->name);
		if (f->count)
			buffer_printf(&b, "_%u to _%u", f->first, f->first + f->count - 1u);
	}
	buffer_put(&b, "", 1);
	if (b.failed)
		return -ENOMEM;
	return ini_fail(at, -EINVAL, "[%s] has no field \"%s\"; allowed are %s", p->name, column,
			b.data);
}

struct sim_page *sim_page_find(const struct sim *s, const struct page *p, uint32_t instance)
{
	for (size_t i = 0; i < s->n_pages; i++)
		if (s->pages[i]->page == p && s->pages[i]->instance == instance)
			return s->pages[i];
	return NULL;
}

struct sim_page *sim_page_make(struct sim *s, const struct page *p, uint32_t instance)
{
	struct sim_page *page = sim_page_find(s, p, instance);

	if (page)
		return page;
	struct sim_page **more = reallocarray(s->pages, s->n_pages + 1, sizeof(*more));
	if (!more)
		return NULL;
	s->pages = more;
	page = calloc(1, sizeof(*page));
	if (!page)
		return NULL;
	*page = (struct sim_page){ .page = p, .instance = instance, .bytes = malloc(p->size) };
	if (!page->bytes) {
		free(page);
		return NULL;
	}
	page_blank(p, page->bytes);
	more[s->n_pages++] = page;
	return page;
}

void sim_page_free(struct sim_page *page)
{
	free(page->bytes);
	free(page->patch);
	free(page);
}

int sim_page_set(struct sim_page *page, const struct ini_place *at, const char *column,
		 const char *value)
{
	const struct page *p = page->page;
	struct value v;
	unsigned index;
	const struct field *f = page_field(p, column, &index);

	if (!f)
		return column_fail(p, at, column);
	int r = value_parse(f, value, &v);
	if (!r)
		r = field_encode(f, index, &v, page->bytes);
	if (r < 0)
		return value_fail(f, p, at, column, value, r);
	page->supported = true;
	return 0;
}

static int length_set(struct sim_page *page, const struct page *p, const struct ini_place *at,
		      const char *value)
{
	uint64_t length;

	if (parse_uint(value, &length) < 0 || length < 1 || length > PAGE_SIZE_MAX)
		return ini_fail(at, -ERANGE, "[raw] %s.length = %s: allowed is 1 to %d bytes",
				p->name, value, PAGE_SIZE_MAX);
	page->length = (uint16_t)length;
	return 0;
}

int sim_page_patch(struct sim_page *page, const struct ini_place *at, const char *what,
		   const char *value)
{
	const struct page *p = page->page;
	size_t room = page->length > p->size ? page->length : p->size, n;
	uint64_t offset;

	page->supported = true;
	if (!strcmp(what, "length"))
		return length_set(page, p, at, value);
	if (parse_uint(what, &offset) < 0)
		return ini_fail(at, -EINVAL,
				"[raw] %s.%s: allowed are an offset, as %s.1 or %s.0x1, and %s.length",
				p->name, what, p->name, p->name, p->name);
	if (offset >= room)
		return ini_fail(at, -ERANGE, "[raw] %s.%s: the page has offsets 0 to %zu", p->name,
				what, room - 1);
	if (!page->patch && !(page->patch = calloc(1, sizeof(*page->patch))))
		return ini_fail(at, -ENOMEM, "%s", strerror(ENOMEM));
	int r = parse_hex(value, page->patch->bytes + offset, room - offset, &n);
	if (r == -ERANGE)
		return ini_fail(at, r, "[raw] %s.%s: more than the %zu bytes up to the page's end",
				p->name, what, room - offset);
	if (r < 0)
		return ini_fail(at, r, "[raw] %s.%s = %s: allowed are hexadecimal bytes, as 09 01",
				p->name, what, value);
	memset(page->patch->mask + offset, 0xff, n);
	return 0;
}

void sim_page_overlay(const struct sim_page *page, uint8_t *bytes)
{
	for (unsigned i = 0; page->patch && i < PAGE_SIZE_MAX; i++)
		if (page->patch->mask[i])
			bytes[i] = page->patch->bytes[i];
}

static int split_fail(const struct ini_place *at, const char *section, const char *key)
{
	return ini_fail(at, -EINVAL, "[%s] \"%s\" names no page; allowed are those of "
			"nvmewatch-metrics(7) with a dot behind, as smart. or endurance_group_1.",
			section, key);
}

int sim_page_split(struct sim *s, const struct ini_place *at, const char *section, const char *key,
		   struct sim_page **ret_page, const char **ret_what)
{
	const char *dot = strchr(key, '.');
	char name[PAGE_NAME_MAX];
	uint32_t instance;

	if (!dot || (size_t)(dot - key) >= sizeof(name))
		return split_fail(at, section, key);
	snprintf(name, sizeof(name), "%.*s", (int)(dot - key), key);
	const struct page *p = page_find_instance(name, &instance);
	if (!p)
		return split_fail(at, section, key);
	struct sim_page *page = sim_page_make(s, p, instance);
	if (!page)
		return ini_fail(at, -ENOMEM, "%s", strerror(ENOMEM));
	*ret_page = page;
	*ret_what = dot + 1;
	return 0;
}
