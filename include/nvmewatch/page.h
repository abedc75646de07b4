/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The pages nvmewatch reads: each is one file of rows under src/model/, listed in page.c.
 * Pure: no I/O, no clock, any thread. */

#include <stddef.h>

#include "nvmewatch/field.h"

#define PAGE_SIZE_MAX 4096

enum page_command {
	PAGE_LOG,      /* Get Log Page, .id is the LID */
	PAGE_IDENTIFY, /* Identify, .id is the CNS value */
};

enum page_cadence {
	CADENCE_SMART,  /* poll.smart */
	CADENCE_OCP,    /* poll.ocp */
	CADENCE_ATTACH, /* once when a drive is found, and after an event */
};

/* Why the bytes of a page are not believed. */
enum page_fault {
	PAGE_SOUND,
	PAGE_WRONG_SIZE,
	PAGE_ALL_ZERO,
	PAGE_WRONG_GUID,
};

struct page {
	const char *name;   /* table, JSON key and `page` label */
	const char *title;  /* for people: the specification's name and section */
	const char *prefix; /* families are nvmewatch_<prefix>_<family> */
	enum page_command command;
	uint8_t id;
	uint16_t size; /* bytes, a multiple of 4 */
	enum page_cadence cadence;
	bool ocp;      /* asked for under the OCP UUID index, recognised by GUID */
	bool history;  /* kept in history.db */
	const uint8_t *guid; /* 16 bytes in wire order, or NULL */
	uint16_t guid_offset;
	uint16_t version_offset; /* u16; 0: the page has no version */
	const struct field *fields;
	size_t n_fields;
};

extern const struct page smart_page, ocp_smart_page, identify_page;

/* Every page, NULL at the end. */
extern const struct page *const pages[];

/* The page of that name, or NULL. */
const struct page *page_find(const char *name);

/* The page's position in pages[]. */
unsigned page_index(const struct page *p);

/* The number of entries in pages[]. */
unsigned page_total(void);

/* The row of that column name and the element it stands for, or NULL. */
const struct field *page_field(const struct page *p, const char *column, unsigned *ret_index);

/* Whether len bytes as a drive returned them are this page. */
enum page_fault page_check(const struct page *p, const uint8_t *bytes, size_t len);

/* A fault as a word for the `reason` label: "size", "zero", "guid". */
const char *page_fault_name(enum page_fault fault);

/* The log page version, 0 where the page has none. */
unsigned page_version(const struct page *p, const uint8_t *bytes);

/* field_decode() for a row of this page: fields newer than the page's version are -ENODATA. */
int page_decode(const struct page *p, const struct field *f, unsigned index, const uint8_t *bytes,
		struct value *ret);

/* How many values of a sound page do not fit into 64 bits, hence are absent. */
unsigned page_overflows(const struct page *p, const uint8_t *bytes);

/* Makes bytes[p->size] a sound page with every value absent or 0: GUID and version set. */
void page_blank(const struct page *p, uint8_t *bytes);
