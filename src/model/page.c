/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/page.h"

#include <errno.h>
#include <string.h>

/* In the order in which they are read from a new drive: identify says what else may be asked. */
const struct page *const pages[] = {
	&identify_page,
	&smart_page,
	&ocp_smart_page,
	NULL,
};

const struct page *page_find(const char *name)
{
	for (const struct page *const *p = pages; *p; p++)
		if (!strcmp((*p)->name, name))
			return *p;
	return NULL;
}

unsigned page_index(const struct page *p)
{
	unsigned i = 0;

	while (pages[i] != p)
		i++;
	return i;
}

unsigned page_total(void)
{
	return sizeof(pages) / sizeof(pages[0]) - 1;
}

static bool begins_with(const char *text, const char *start)
{
	while (*start && *text == *start)
		text++, start++;
	return !*start;
}

const struct field *page_field(const struct page *p, const char *column, unsigned *ret_index)
{
	char name[FIELD_COLUMN_MAX];

	for (size_t i = 0; i < p->n_fields; i++) {
		const struct field *f = &p->fields[i];

		if (!begins_with(column, f->name))
			continue;
		for (unsigned n = 0; n < field_count(f); n++) {
			field_column(f, n, name);
			if (!strcmp(name, column)) {
				*ret_index = n;
				return f;
			}
		}
	}
	return NULL;
}

static bool all_zero(const uint8_t *bytes, size_t length)
{
	return !bytes[0] && !memcmp(bytes, bytes + 1, length - 1);
}

enum page_fault page_check(const struct page *p, const uint8_t *bytes, size_t length)
{
	if (length != p->size)
		return PAGE_WRONG_SIZE;
	if (all_zero(bytes, length))
		return PAGE_ALL_ZERO;
	if (p->guid && memcmp(bytes + p->guid_offset, p->guid, 16))
		return PAGE_WRONG_GUID;
	return PAGE_SOUND;
}

const char *page_fault_name(enum page_fault fault)
{
	switch (fault) {
	case PAGE_WRONG_SIZE: return "size";
	case PAGE_ALL_ZERO: return "zero";
	case PAGE_WRONG_GUID: return "guid";
	case PAGE_SOUND: break;
	}
	return "none";
}

unsigned page_version(const struct page *p, const uint8_t *bytes)
{
	return p->version_offset ? (unsigned)bytes_get(bytes + p->version_offset, 2) : 0;
}

int page_decode(const struct page *p, const struct field *f, unsigned index, const uint8_t *bytes,
		struct value *ret)
{
	if (f->since > page_version(p, bytes)) {
		ret->type = VALUE_ABSENT;
		return -ENODATA;
	}
	return field_decode(f, index, bytes, ret);
}

unsigned page_overflows(const struct page *p, const uint8_t *bytes)
{
	struct value v;
	unsigned n = 0;

	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned index = 0; index < field_count(&p->fields[i]); index++)
			n += field_may_overflow(&p->fields[i]) &&
			     page_decode(p, &p->fields[i], index, bytes, &v) == -ERANGE;
	return n;
}

static unsigned newest_version(const struct page *p)
{
	unsigned version = 2; /* the oldest in the field: OCP 1.0 */

	for (size_t i = 0; i < p->n_fields; i++)
		if (p->fields[i].since > version)
			version = p->fields[i].since;
	return version;
}

void page_blank(const struct page *p, uint8_t *bytes)
{
	static const struct value absent = { .type = VALUE_ABSENT };

	memset(bytes, 0, p->size);
	/* What has no "not reported" stays 0. */
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned index = 0; index < field_count(&p->fields[i]); index++)
			(void)field_encode(&p->fields[i], index, &absent, bytes);
	if (p->guid)
		memcpy(bytes + p->guid_offset, p->guid, 16);
	if (p->version_offset)
		bytes_put(bytes + p->version_offset, 2, newest_version(p));
}
