/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a drive with which nothing is wrong answers. */

#include <string.h>

#include "sim_internal.h"

#define LPA_SMART_PER_NAMESPACE 0x01
#define CTRATT_UUID_LIST 0x200

/* The OCP UUID as the list holds it (OCP Datacenter NVMe SSD Specification 2.0, UUID-1). */
static const uint8_t ocp_uuid[16] = {
	0xc1, 0x94, 0xd5, 0x5b, 0xe0, 0x94, 0x47, 0x94, 0xa2, 0x1d, 0x29, 0x99, 0x8f, 0x56, 0xbe, 0x6f,
};

static bool is_supported(const struct sim *s, const struct page *p)
{
	struct sim_page scratch;

	return sim_page_at(s, p, s->now, &scratch)->supported;
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
	} else if (p == &ocp_smart_page && removals + sim_ended(s, SIM_RESET, s->now)) {
		bytes_put(bytes + 136, 8, 0); /* unaligned I/O */
	}
}

/* The page as it is now, PAGE_SIZE_MAX bytes. */
static void sim_read(const struct sim *s, const struct page *p, uint8_t *bytes)
{
	struct sim_page scratch;
	const struct sim_page *page = sim_page_at(s, p, s->now, &scratch);

	memcpy(bytes, page->bytes, PAGE_SIZE_MAX);
	if (s->behaviour.active)
		sim_report(&s->behaviour, &s->state, p, bytes);
	losses_put(s, p, bytes);
	sim_page_overlay(page, bytes);
}

/* The page that a command asks for, or NULL. */
static const struct page *command_page(const struct command *c)
{
	for (unsigned i = 0; pages[i]; i++)
		if (pages[i]->id == c->id &&
		    c->opcode == (pages[i]->command == PAGE_LOG ? OPCODE_GET_LOG_PAGE
								: OPCODE_IDENTIFY))
			return pages[i];
	return NULL;
}

static bool has_uuid_list(const struct sim *s)
{
	uint8_t identify[PAGE_SIZE_MAX];

	sim_read(s, &identify_page, identify);
	return is_supported(s, &ocp_smart_page) &&
	       bytes_get(identify + 96, 4) & CTRATT_UUID_LIST;
}

static void page_reply(const struct sim *s, const struct page *p, const struct command *c,
		       struct reply *ret)
{
	const struct sim_page *page = &s->pages[page_index(p)];

	/* Behind the page there are zeros, and what [raw] put there. */
	sim_read(s, p, ret->data);
	ret->length = page->length ? page->length : (uint16_t)c->length;
}

/* Whose log page: that of the controller is 0 (as NVMe 1.0 had it) or all namespaces. */
static uint16_t namespace_check(const struct sim *s, const struct page *p, const struct command *c)
{
	uint8_t identify[PAGE_SIZE_MAX];

	if (!c->nsid || c->nsid == NSID_ALL)
		return 0;
	sim_read(s, &identify_page, identify);
	if (c->nsid > bytes_get(identify + 516, 4)) /* NN */
		return STATUS_INVALID_NAMESPACE;
	return p == &smart_page && identify[261] & LPA_SMART_PER_NAMESPACE ? 0
									   : STATUS_INVALID_FIELD;
}

static uint16_t log_check(const struct sim *s, const struct page *p, const struct command *c)
{
	if (!p || !is_supported(s, p))
		return STATUS_INVALID_LOG_PAGE;
	/* Index 1 is the OCP UUID, which has no other page than OCP's (UUID-3, UUID-5). */
	if (c->uuid_index && !(c->uuid_index == 1 && p->ocp && has_uuid_list(s)))
		return STATUS_INVALID_FIELD;
	return namespace_check(s, p, c);
}

static uint16_t get_log_page(const struct sim *s, const struct command *c, struct reply *ret)
{
	const struct page *p = command_page(c);
	uint16_t status = log_check(s, p, c);

	if (!status)
		page_reply(s, p, c, ret);
	return status;
}

static uint16_t identify(const struct sim *s, const struct command *c, struct reply *ret)
{
	const struct page *p = command_page(c);

	if (p && is_supported(s, p)) {
		page_reply(s, p, c, ret);
		return 0;
	}
	if (c->id != CNS_UUID_LIST || !has_uuid_list(s))
		return STATUS_INVALID_FIELD;
	ret->length = (uint16_t)c->length;
	memset(ret->data, 0, sizeof(ret->data));
	memcpy(ret->data + 32 + 16, ocp_uuid, sizeof(ocp_uuid));
	return 0;
}

uint16_t sim_command(const struct sim *s, const struct command *c, struct reply *ret)
{
	if (c->length < 4 || c->length > PAGE_SIZE_MAX || c->length % 4)
		return STATUS_INVALID_FIELD;
	if (c->opcode == OPCODE_GET_LOG_PAGE)
		return get_log_page(s, c, ret);
	if (c->opcode == OPCODE_IDENTIFY)
		return identify(s, c, ret);
	return STATUS_INVALID_OPCODE;
}
