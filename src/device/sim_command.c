/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a drive with which nothing is wrong answers. */

#include <stdio.h>
#include <string.h>

#include "nvmewatch/host.h"
#include "sim_internal.h"

#define LPA_SMART_PER_NAMESPACE 0x01

static bool is_supported(const struct sim *s, const struct sim_page *page)
{
	uint8_t scratch[PAGE_SIZE_MAX];

	return sim_page_at(s, page, s->now, scratch);
}

static void add(uint8_t *counter, uint64_t n)
{
	bytes_put(counter, 8, bytes_get(counter, 8) + n);
}

/* What a drive that was pulled, or that the host has reset, counts of it. */
static void losses_put(const struct sim *s, const struct page *p, uint8_t *bytes)
{
	unsigned removals = sim_ended(s, SIM_REMOVE, s->now);

	if (p == &smart_page) {
		add(bytes + 112, removals); /* power cycles */
		add(bytes + 144, removals); /* unsafe shutdowns */
		add(bytes + 176, s->failures);
	} else if (p == &error_information_page) {
		sim_errors_put(s, bytes);
	} else if (p == &ocp_smart_page && removals + sim_ended(s, SIM_RESET, s->now)) {
		bytes_put(bytes + 136, 8, 0); /* unaligned I/O */
	}
}

/* What the kernel makes of the drive's name and id, unless the file says. */
static void block_put(const struct sim *s, uint32_t nsid, uint8_t *bytes)
{
	if (!bytes[HOST_BLOCK_NAME] && s->drive.device[0])
		snprintf((char *)bytes + HOST_BLOCK_NAME, HOST_BLOCK_NAME_SIZE, "%.16sn%u",
			 s->drive.device, nsid);
	if (!bytes[HOST_BLOCK_WWID])
		snprintf((char *)bytes + HOST_BLOCK_WWID, HOST_BLOCK_WWID_SIZE, "eui.%016llx%016x",
			 (unsigned long long)s->behaviour.seed, nsid);
}

/* The firmware that the kernel remembers is that of the last reset. */
static void controller_put(const struct sim *s, uint8_t *bytes)
{
	struct drive d;

	if (bytes[HOST_CONTROLLER_FIRMWARE])
		return;
	sim_describe_at(s, s->now, &d);
	snprintf((char *)bytes + HOST_CONTROLLER_FIRMWARE, HOST_CONTROLLER_FIRMWARE_SIZE, "%.15s",
		 d.firmware);
}

/* The page as it is now, PAGE_SIZE_MAX bytes. */
static void sim_read(const struct sim *s, const struct sim_page *page, uint8_t *bytes)
{
	sim_page_at(s, page, s->now, bytes);
	/* One of several namespaces does all the work. */
	if (s->behaviour.active && page->instance <= 1)
		sim_report(&s->behaviour, &s->state, page->page, bytes);
	losses_put(s, page->page, bytes);
	if (page->page == &block_page)
		block_put(s, page->instance, bytes);
	else if (page->page == &controller_page)
		controller_put(s, bytes);
	sim_mandatory_put(s, page->page, bytes);
	sim_page_overlay(page, bytes);
}

/* The page that a command asks for, NULL: the drive does not have it. */
static const struct sim_page *page_for(const struct sim *s, const struct command *c)
{
	uint32_t instance;

	for (size_t i = 0; i < s->n_pages; i++)
		if (command_is_for_page(c, s->pages[i]->page, &instance) &&
		    instance == s->pages[i]->instance && is_supported(s, s->pages[i]))
			return s->pages[i];
	return NULL;
}

static void page_reply(const struct sim *s, const struct sim_page *page, const struct command *c,
		       struct reply *ret)
{
	/* Behind the page there are zeros, and what [raw] put there. */
	sim_read(s, page, ret->data);
	ret->length = page->length ? page->length : (uint16_t)c->length;
}

/* Whose log page: that of the controller is 0 (as NVMe 1.0 had it) or all namespaces. */
static uint16_t namespace_check(const struct sim *s, const struct page *p, const struct command *c)
{
	uint8_t identify[PAGE_SIZE_MAX];

	if (!c->nsid || c->nsid == NSID_ALL)
		return 0;
	sim_read(s, sim_page_find(s, &identify_page, 0), identify);
	if (c->nsid > bytes_get(identify + 516, 4)) /* NN */
		return STATUS_INVALID_NAMESPACE;
	return p == &smart_page && identify[261] & LPA_SMART_PER_NAMESPACE ? 0
									   : STATUS_INVALID_FIELD;
}

/* A UUID index must be one of the list, and that of who has defined the page (UUID-3, UUID-5). */
static uint16_t uuid_check(const struct sim *s, const struct page *p, const struct command *c)
{
	const struct sim_page *list = sim_page_find(s, &uuid_list_page, 0);
	uint8_t bytes[PAGE_SIZE_MAX];

	if (!c->uuid_index)
		return 0;
	if (!list || !is_supported(s, list) || !p->uuid)
		return STATUS_INVALID_FIELD;
	sim_read(s, list, bytes);
	return uuid_index_of(bytes, p->uuid) == c->uuid_index ? 0 : STATUS_INVALID_FIELD;
}

static uint16_t get_log_page(const struct sim *s, const struct command *c, struct reply *ret)
{
	const struct sim_page *page = page_for(s, c);
	uint16_t status = page ? uuid_check(s, page->page, c) : STATUS_INVALID_LOG_PAGE;

	if (!status)
		status = namespace_check(s, page->page, c);
	if (!status && page->page == &error_information_page && !sim_errors_have(s, c->length))
		status = STATUS_INVALID_FIELD;
	if (!status)
		page_reply(s, page, c, ret);
	return status;
}

static uint16_t other(const struct sim *s, const struct command *c, struct reply *ret)
{
	const struct sim_page *page = page_for(s, c);

	if (!page)
		return STATUS_INVALID_FIELD;
	page_reply(s, page, c, ret);
	return 0;
}

uint16_t sim_command(const struct sim *s, const struct command *c, struct reply *ret)
{
	if (c->length < 4 || c->length > PAGE_SIZE_MAX || c->length % 4)
		return STATUS_INVALID_FIELD;
	if (c->kind == COMMAND_HOST)
		return other(s, c, ret);
	switch (c->opcode) {
	case OPCODE_GET_LOG_PAGE: return get_log_page(s, c, ret);
	case OPCODE_IDENTIFY:
	case OPCODE_GET_FEATURES: return other(s, c, ret);
	}
	return STATUS_INVALID_OPCODE;
}
