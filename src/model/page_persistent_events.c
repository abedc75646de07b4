/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Persistent Event Log, log page 0Dh (NVMe Base 2.3, 5.2.12.1.14): its header and the newest events, as
 * many as fit into what is read. The drive writes the log down for whoever reads it, in a context of which
 * there is one, so it is read only when asked for (CADENCE_ASKED). Events are found by walking from the
 * first: the rows have the places that they would have if no event had data; the conversions walk. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conversion.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"
#include "persistent_event.h"

#define SHOWN 8

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_capability(facts, "lpa", 4);
}

/* The event that a row's place is of, and where in its header the value lies. */
static unsigned row_index(unsigned at, unsigned *ret_offset)
{
	*ret_offset = (at - EVENT_FIRST) % EVENT_HEADER;
	return (at - EVENT_FIRST) / EVENT_HEADER;
}

static int number_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	struct persistent_event e;
	unsigned offset, index = row_index(at, &offset);

	if (!event_find(bytes, index, &e))
		return -ENODATA;
	ret->integer = (int64_t)bytes_get(bytes + e.at + offset, f->size);
	ret->type = VALUE_INTEGER;
	return 0;
}

static int number_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	struct persistent_event e;
	unsigned offset, index = row_index(at, &offset);

	if (v->type != VALUE_INTEGER)
		return -EINVAL;
	if (v->integer < 0 || v->integer >> 8 * f->size)
		return -ERANGE;
	int r = event_make(bytes, index, &e);
	if (r == 0)
		bytes_put(bytes + e.at + offset, f->size, (uint64_t)v->integer);
	return r;
}

static int time_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	struct persistent_event e;
	unsigned offset, index = row_index(at, &offset);

	return event_find(bytes, index, &e) ? timestamp.decode(f, bytes, e.at + offset, ret) : -ENODATA;
}

static int time_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	struct persistent_event e;
	unsigned offset, index = row_index(at, &offset);

	if (v->type == VALUE_TEXT)
		return -EINVAL;
	int r = v->type == VALUE_ABSENT && !event_find(bytes, index, &e) ? 1 : event_make(bytes, index, &e);
	return r ? (r < 0 ? r : 0) : timestamp.encode(f, v, bytes, e.at + offset);
}

static int type_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	struct persistent_event e;
	unsigned offset, index = row_index(at, &offset);

	(void)f;
	const char *name = event_find(bytes, index, &e) ? event_type_name(bytes[e.at]) : NULL;
	if (!name)
		return -ENODATA;
	snprintf(ret->text, sizeof(ret->text), "%s", name);
	ret->type = VALUE_TEXT;
	return 0;
}

static int type_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	int type = v->type == VALUE_TEXT ? event_type_of(v->text) : -EINVAL;
	const struct value raw = { .type = VALUE_INTEGER, .integer = type };

	return type < 0 ? type : number_encode(f, &raw, bytes, at);
}

static int detail_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	struct persistent_event e;
	unsigned offset, index = row_index(at, &offset);

	(void)f;
	if (!event_find(bytes, index, &e) || !event_detail(bytes, &e, ret->text, sizeof(ret->text)))
		return -ENODATA;
	ret->type = VALUE_TEXT;
	return 0;
}

/* A text for people does not lead back to an event's data; those are set as bytes. */
static int detail_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	(void)f;
	(void)v;
	(void)bytes;
	(void)at;
	return -EINVAL;
}

static const struct field_conversion event_number = {
	.decode = number_decode, .encode = number_encode,
};
static const struct field_conversion event_time = {
	.decode = time_decode, .encode = time_encode, .real = true,
};
static const struct field_conversion event_type = { .decode = type_decode, .encode = type_encode };
static const struct field_conversion event_text = { .decode = detail_decode, .encode = detail_encode };

#define EVENT(offset_, size_, name_, type_, conversion_, help_)                          \
	{ .name = "event_" name_, .type = type_, .offset = EVENT_FIRST + offset_, .size = size_, \
	  .count = SHOWN, .first = 1, .stride = EVENT_HEADER, .label = "event",          \
	  .conversion = &conversion_, .help = help_ }

static const struct field fields[] = {
	{ .name = "events", .offset = 4, .size = 4, .help = "Number of events in the log." },
	{ .name = "log_size_bytes", .offset = 8, .size = 8, .max = INT64_MAX,
	  .help = "Size of the whole log." },
	{ .name = "log_page_version", .offset = 16, .size = 1,
	  .help = "Log revision, 1 of NVMe 1.4, 2 of 2.0, 3 of 2.3." },
	{ .name = "timestamp_seconds", .offset = 20, .size = 8, .conversion = &timestamp,
	  .help = "When the log was written down, absent where the host has not set the time." },
	{ .name = "power_on_seconds", .offset = 28, .size = 16, .mul = 3600,
	  .help = "Time powered on when the log was written down, in whole hours." },
	{ .name = "power_cycles", .offset = 44, .size = 8, .max = INT64_MAX,
	  .help = "Power cycles when the log was written down." },
	{ .name = "generation", .offset = 372, .size = 2, .since = 2,
	  .help = "Generation number, another one each time the log is written down anew." },
	{ .name = "context_exists", .offset = 374, .size = 4, .shift = 18, .bits = 1, .since = 2,
	  .help = "1 where there was a reporting context already when the log was asked for." },
	EVENT(0, 1, "type", FIELD_ASCII, event_type,
	      "What an event is, 1 is the newest; absent where the type is unknown."),
	EVENT(0, 1, "type_raw", FIELD_NUMBER, event_number, "Its type as a number."),
	EVENT(1, 1, "revision", FIELD_NUMBER, event_number, "Revision of its type."),
	EVENT(4, 2, "controller", FIELD_NUMBER, event_number, "Controller id it belongs to."),
	EVENT(6, 8, "timestamp_seconds", FIELD_NUMBER, event_time,
	      "When it happened, absent where the host had not set the time."),
	EVENT(22, 2, "detail", FIELD_ASCII, event_text,
	      "What its data say, of firmware, power, hardware, format, sanitize and temperature."),
};

const struct page persistent_events_page = {
	.name = "persistent_events",
	.title = "Persistent Event Log (log page 0Dh)",
	.prefix = "drive",
	.command = PAGE_LOG,
	.id = 0x0d,
	.lsp = 1,
	.size = EVENT_LOG_SIZE,
	.cadence = CADENCE_ASKED,
	.version_offset = 16,
	.version_size = 1,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
