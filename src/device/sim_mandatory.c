/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Features and log pages that every drive has, and those that its Identify Controller says it has: what
 * the file leaves out is as in a drive that nobody has configured. Bytes at the offsets of the
 * specifications. */

#include <errno.h>
#include <string.h>

#include "sim_internal.h"

#define SENSORS 8

/* The page as the drive has it at power-on. NULL: no memory. */
static uint8_t *give(struct sim *s, const struct page *p, uint32_t instance, bool *ret_new)
{
	struct sim_page *page = sim_page_find(s, p, instance);

	*ret_new = !page || !page->supported;
	page = sim_page_make(s, p, instance);
	if (!page)
		return NULL;
	page->supported = true;
	return page->bytes;
}

/* The composite temperature's upper limit is WCTEMP to begin with, all others are off. */
static int thresholds_settle(struct sim *s, const uint8_t *identify, uint32_t sensor)
{
	uint64_t limit = sensor ? 0 : bytes_get(identify + 266, 2);
	bool is_new;
	uint8_t *over = give(s, &over_temperature_threshold_page, sensor, &is_new);

	if (!over)
		return -ENOMEM;
	if (is_new)
		bytes_put(over, 2, limit ? limit : 0xffff);
	return give(s, &under_temperature_threshold_page, sensor, &is_new) ? 0 : -ENOMEM;
}

/* What Identify Controller says it has: switched off, or never used. */
static int optional_settle(struct sim *s, const uint8_t *identify)
{
	const struct {
		bool has;
		const struct page *page;
	} optional[] = {
		{ identify[265] & 1, &apst_page },               /* APSTA */
		{ identify[322] & 1, &thermal_management_page }, /* HCTMA */
		{ identify[256] >> 4 & 1, &self_test_page },     /* OACS */
		{ bytes_get(identify + 328, 4), &sanitize_page }, /* SANICAP */
	};
	bool is_new;

	for (size_t i = 0; i < ELEMENTS(optional); i++)
		if (optional[i].has && !give(s, optional[i].page, 0, &is_new))
			return -ENOMEM;
	return 0;
}

static int features_settle(struct sim *s, const uint8_t *identify, const uint8_t *smart)
{
	bool is_new;
	int r = thresholds_settle(s, identify, 0);

	for (unsigned i = 0; r == 0 && i < SENSORS; i++)
		if (bytes_get(smart + 200 + 2 * i, 2))
			r = thresholds_settle(s, identify, i + 1);
	if (r == 0 && (!give(s, &power_management_page, 0, &is_new) ||
		       !give(s, &async_event_configuration_page, 0, &is_new)))
		r = -ENOMEM;
	return r < 0 ? r : optional_settle(s, identify);
}

static int slots_settle(struct sim *s)
{
	bool is_new;
	uint8_t *slots = give(s, &firmware_slots_page, 0, &is_new);

	if (!slots)
		return -ENOMEM;
	if (!(slots[0] & 7))
		slots[0] |= 1; /* AFI: slot 1 runs */
	return 0;
}

static int errors_settle(struct sim *s)
{
	bool is_new;
	uint8_t *log = give(s, &error_information_page, 0, &is_new);

	if (log && is_new)
		memset(log, 0, PAGE_SIZE_MAX);
	return log ? 0 : -ENOMEM;
}

/* Those of the list, in blocks of 512 bytes. */
static int namespaces_settle(struct sim *s)
{
	const struct sim_page *list = sim_page_find(s, &namespaces_page, 0);
	uint64_t nsid;

	for (unsigned i = 0; i < 1024 && (nsid = bytes_get(list->bytes + 4 * i, 4)); i++) {
		bool is_new;
		uint8_t *bytes = give(s, &namespace_page, (uint32_t)nsid, &is_new);
		if (!bytes)
			return -ENOMEM;
		if (is_new)
			bytes[128 + 2] = 9; /* LBADS of format 0 */
	}
	return 0;
}

int sim_mandatory_settle(struct sim *s)
{
	const uint8_t *identify = sim_page_find(s, &identify_page, 0)->bytes;
	const uint8_t *smart = sim_page_find(s, &smart_page, 0)->bytes;
	int r = features_settle(s, identify, smart);

	if (r == 0)
		r = slots_settle(s);
	if (r == 0)
		r = errors_settle(s);
	if (r == 0)
		r = sim_events_settle(s, identify);
	return r < 0 ? r : namespaces_settle(s);
}

/* The slot in use holds the firmware that Identify tells of. */
static void slots_put(const uint8_t *identify, uint8_t *bytes)
{
	if (bytes[0] & 7)
		memcpy(bytes + 8 * (bytes[0] & 7), identify + 64, 8);
}

/* What the file does not say of its size is the whole drive: NSZE, NCAP, NUSE. */
static void namespace_put(const struct sim *s, uint8_t *bytes)
{
	unsigned format = (bytes[26] & 0xfu) | (bytes[26] >> 1 & 0x30u); /* FLBAS */
	unsigned shift = bytes[128 + 4 * format + 2];
	struct drive d;

	sim_describe_at(s, s->now, &d);
	for (unsigned at = 0; at < 24; at += 8)
		if (shift < 64 && !bytes_get(bytes + at, 8))
			bytes_put(bytes + at, 8, d.capacity_bytes >> shift);
}

void sim_mandatory_put(const struct sim *s, const struct page *p, uint8_t *bytes)
{
	uint8_t identify[PAGE_SIZE_MAX];

	if (p == &namespace_page) {
		namespace_put(s, bytes);
	} else if (p == &firmware_slots_page) {
		sim_page_at(s, sim_page_find(s, &identify_page, 0), s->now, identify);
		slots_put(identify, bytes);
	}
}
