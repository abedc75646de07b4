/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the tests of vendors' pages share: items put down by hand, and drives that are to be asked or
 * not. */

#include "page_support.h"

/* An item of 12 bytes: id, two reserved bytes, normalized, a reserved byte, raw, a reserved byte. */
static inline void put_item12(uint8_t *bytes, unsigned slot, uint8_t id, uint8_t normalized,
			      const char *raw)
{
	uint8_t *item = bytes + 12 * slot;

	item[0] = id;
	item[3] = normalized;
	put_hex(item, 5, raw);
}

/* An item of 10 bytes: id, normalized, raw, two reserved bytes. */
static inline void put_item10(uint8_t *bytes, unsigned slot, uint8_t id, uint8_t normalized,
			      const char *raw)
{
	uint8_t *item = bytes + 10 * slot;

	item[0] = id;
	item[1] = normalized;
	put_hex(item, 2, raw);
}

struct expected {
	const char *column, *value;
};

static inline void check_values(const struct page *p, const uint8_t *bytes,
				const struct expected *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_value(p, bytes, values[i].column, values[i].value);
}

/* Columns that must not have a value, by their absence from the list. */
static inline unsigned values_present(const struct page *p, const uint8_t *bytes)
{
	unsigned present = 0;
	struct value v;

	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned index = 0; index < field_count(&p->fields[i]); index++)
			present += page_decode(p, &p->fields[i], index, bytes, &v) == 0;
	return present;
}

enum known {
	UNREAD,
	LACKS,
	HAS,
};

/* A drive, as far as what is asked of it goes. */
struct asked_drive {
	uint32_t vendor;
	const char *model;
	enum known identify, logs, uuids, ocp;
	uint8_t lid;         /* in its list of log pages, beside the usual */
	const uint8_t *uuid; /* in its UUID list */
};

static inline const uint8_t *asked_bytes(const void *userdata, const struct page *p, bool *ret_settled)
{
	static uint8_t bytes[PAGE_SIZE_MAX];
	const struct asked_drive *d = userdata;
	enum known known = p == &identify_page	     ? d->identify :
			   p == &supported_logs_page ? d->logs :
			   p == &uuid_list_page	     ? d->uuids :
			   p == &ocp_smart_page	     ? d->ocp : UNREAD;

	*ret_settled = known == LACKS;
	memset(bytes, 0, sizeof(bytes));
	if (p == &supported_logs_page)
		bytes[4 * d->lid] = 1;
	if (p == &uuid_list_page && d->uuid)
		memcpy(bytes + 64 + 16, d->uuid, 16);
	return known == HAS ? bytes : NULL;
}

static inline enum page_presence asked(const struct page *p, const struct asked_drive *d)
{
	const struct page_facts facts = {
		.vendor = d->vendor, .model = d->model, .firmware = "1", .bytes = asked_bytes,
		.userdata = d,
	};

	return page_presence(p, &facts);
}

struct place {
	unsigned offset, size;
	const char *column;
};

/* A number of its own at each place: the first byte counts, the last two tell the place where there are
 * so many. */
static inline uint64_t place_number(const struct place *places, unsigned i)
{
	return places[i].size == 1 ? i + 1 : places[i].size == 2 ? 0x100 + i :
	       UINT64_C(1) << (8 * (places[i].size > 7 ? 7 : places[i].size) - 8) | (i + 1);
}

static inline void put_places(uint8_t *bytes, const struct place *places, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		put_number(bytes, places[i].offset, places[i].size > 8 ? 8 : places[i].size,
			   place_number(places, i));
}

static inline void check_places(const struct page *p, const uint8_t *bytes, const struct place *places,
				unsigned n)
{
	char number[24];

	for (unsigned i = 0; i < n; i++) {
		snprintf(number, sizeof(number), "%" PRIu64, place_number(places, i));
		check_value(p, bytes, places[i].column, number);
	}
}
