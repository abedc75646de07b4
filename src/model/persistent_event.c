/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "persistent_event.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"

#define REVISION_SIZE 8 /* of a firmware */

/* How far events go, of what is read. */
static unsigned log_end(const uint8_t *bytes)
{
	uint64_t length = bytes_get(bytes + 8, 8); /* TLL */

	return length < EVENT_LOG_SIZE ? (unsigned)length : EVENT_LOG_SIZE;
}

static unsigned log_first(const uint8_t *bytes)
{
	unsigned header = (unsigned)bytes_get(bytes + 18, 2) + 20; /* LHL */

	return header > EVENT_FIRST ? header : EVENT_FIRST;
}

/* Every event is longer than nothing, so that a walk comes to an end. */
static bool event_read(const uint8_t *bytes, unsigned at, unsigned end, struct persistent_event *ret)
{
	if (at > end || end - at < EVENT_HEADER)
		return false;
	unsigned header = bytes[at + 2] + 3u;
	unsigned vendor = (unsigned)bytes_get(bytes + at + 20, 2);
	unsigned length = (unsigned)bytes_get(bytes + at + 22, 2);
	if (header < EVENT_HEADER || vendor > length || header + length > end - at)
		return false;
	*ret = (struct persistent_event){
		.at = at,
		.data = at + header + vendor,
		.length = length - vendor,
		.end = at + header + length,
	};
	return true;
}

bool event_find(const uint8_t *bytes, unsigned index, struct persistent_event *ret)
{
	unsigned at = log_first(bytes), end = log_end(bytes);

	if (index >= bytes_get(bytes + 4, 4)) /* TNEV */
		return false;
	for (unsigned i = 0; event_read(bytes, at, end, ret); i++) {
		if (i == index)
			return true;
		at = ret->end;
	}
	return false;
}

int event_make(uint8_t *bytes, unsigned index, struct persistent_event *ret)
{
	if (event_find(bytes, index, ret))
		return 0;
	if (index && !event_find(bytes, index - 1, ret))
		return -ERANGE;
	unsigned at = index ? ret->end : log_first(bytes);
	if (bytes_get(bytes + 4, 4) > index || at + EVENT_HEADER > EVENT_LOG_SIZE)
		return -ERANGE;
	memset(bytes + at, 0, EVENT_HEADER);
	bytes[at + 2] = EVENT_HEADER - 3;
	bytes_put(bytes + 4, 4, index + 1);
	bytes_put(bytes + 8, 8, at + EVENT_HEADER);
	return event_find(bytes, index, ret) ? 0 : -ERANGE;
}

/* ---- What happened. ---- */

static unsigned number(const uint8_t *data, unsigned at, unsigned size)
{
	return (unsigned)bytes_get(data + at, size);
}

static void firmware_commit(const uint8_t *data, char *ret, size_t size)
{
	char before[REVISION_SIZE + 1], after[REVISION_SIZE + 1];

	drive_text(data, REVISION_SIZE, before, sizeof(before));
	drive_text(data + 8, REVISION_SIZE, after, sizeof(after));
	snprintf(ret, size, "%s to %s, slot %u, commit action %u, SCT %xh, SC %02xh", before, after,
		 data[17], data[16], data[18], data[19]);
}

static void power_on(const uint8_t *data, char *ret, size_t size)
{
	char firmware[REVISION_SIZE + 1];

	drive_text(data, REVISION_SIZE, firmware, sizeof(firmware));
	snprintf(ret, size, "firmware %s", firmware);
}

static void hardware_error(const uint8_t *data, char *ret, size_t size)
{
	snprintf(ret, size, "code %04xh", number(data, 0, 2));
}

static void format_start(const uint8_t *data, char *ret, size_t size)
{
	snprintf(ret, size, "nsid %u, CDW10 %08xh", number(data, 0, 4), number(data, 8, 4));
}

static void format_done(const uint8_t *data, char *ret, size_t size)
{
	snprintf(ret, size, "nsid %u, format status %02xh, status %04xh", number(data, 0, 4), data[5],
		 number(data, 8, 2));
}

static void sanitize_start(const uint8_t *data, char *ret, size_t size)
{
	snprintf(ret, size, "CDW10 %08xh, CDW11 %08xh", number(data, 4, 4), number(data, 8, 4));
}

static void sanitize_done(const uint8_t *data, char *ret, size_t size)
{
	snprintf(ret, size, "progress %u of 65536, status %u", number(data, 0, 2),
		 number(data, 2, 2) & 7);
}

static void thermal_excursion(const uint8_t *data, char *ret, size_t size)
{
	snprintf(ret, size, "over temperature %u, threshold %u", data[0], data[1]);
}

static const struct {
	uint8_t type;
	const char *name;
	unsigned length; /* bytes of data that .tell looks at */
	void (*tell)(const uint8_t *data, char *ret, size_t size);
} types[] = {
	{ 0x01, "smart_snapshot", 0, NULL },
	{ 0x02, "firmware_commit", 20, firmware_commit },
	{ 0x03, "timestamp_change", 0, NULL },
	{ 0x04, "power_on_or_reset", REVISION_SIZE, power_on },
	{ 0x05, "hardware_error", 2, hardware_error },
	{ 0x06, "namespace_change", 0, NULL },
	{ 0x07, "format_start", 12, format_start },
	{ 0x08, "format_done", 10, format_done },
	{ 0x09, "sanitize_start", 12, sanitize_start },
	{ 0x0a, "sanitize_done", 4, sanitize_done },
	{ 0x0b, "set_feature", 0, NULL },
	{ 0x0c, "telemetry_log_created", 0, NULL },
	{ 0x0d, "thermal_excursion", 2, thermal_excursion },
	{ 0x0e, "sanitize_media_verification", 0, NULL },
	{ 0xde, "vendor_specific", 0, NULL },
	{ 0xdf, "tcg", 0, NULL },
};

const char *event_type_name(uint8_t type)
{
	for (size_t i = 0; i < ELEMENTS(types); i++)
		if (types[i].type == type)
			return types[i].name;
	return NULL;
}

int event_type_of(const char *name)
{
	for (size_t i = 0; i < ELEMENTS(types); i++)
		if (!strcmp(types[i].name, name))
			return types[i].type;
	return -EINVAL;
}

bool event_detail(const uint8_t *bytes, const struct persistent_event *e, char *ret, size_t size)
{
	for (size_t i = 0; i < ELEMENTS(types); i++) {
		if (types[i].type != bytes[e->at] || !types[i].tell || e->length < types[i].length)
			continue;
		types[i].tell(bytes + e->data, ret, size);
		return true;
	}
	return false;
}
