/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/sim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim_internal.h"

#define LPA_SMART_PER_NAMESPACE 0x01
#define CTRATT_UUID_LIST 0x200

/* The OCP UUID as the list holds it (OCP Datacenter NVMe SSD Specification 2.0, UUID-1). */
static const uint8_t ocp_uuid[16] = {
	0xc1, 0x94, 0xd5, 0x5b, 0xe0, 0x94, 0x47, 0x94, 0xa2, 0x1d, 0x29, 0x99, 0x8f, 0x56, 0xbe, 0x6f,
};

void sim_free(struct sim *s)
{
	if (!s)
		return;
	free(s->pages);
	free(s->faults);
	free(s);
}

static const struct sim_page *sim_page_of(const struct sim *s, const struct page *p)
{
	return &s->pages[page_index(p)];
}

/* The page as it is now, PAGE_SIZE_MAX bytes. */
static void sim_read(const struct sim *s, const struct page *p, uint8_t *bytes)
{
	const struct sim_page *page = sim_page_of(s, p);

	memcpy(bytes, page->bytes, PAGE_SIZE_MAX);
	if (s->behaviour.active)
		sim_report(&s->behaviour, &s->state, p, bytes);
	if (p == &smart_page)
		bytes_put(bytes + 176, 8, bytes_get(bytes + 176, 8) + s->failures);
	sim_page_overlay(page, bytes);
}

void sim_describe(const struct sim *s, struct drive *ret)
{
	uint8_t identify[PAGE_SIZE_MAX];

	/* As sysfs would: the bytes of Identify, whoever wrote them. */
	sim_read(s, &identify_page, identify);
	*ret = s->drive;
	drive_text(s->drive.device, sizeof(ret->device), ret->device, sizeof(ret->device));
	drive_text(s->drive.address, sizeof(ret->address), ret->address, sizeof(ret->address));
	drive_text(s->drive.slot, sizeof(ret->slot), ret->slot, sizeof(ret->slot));
	drive_text(s->drive.transport, sizeof(ret->transport), ret->transport,
		   sizeof(ret->transport));
	drive_text(identify + 4, 20, ret->serial, sizeof(ret->serial));
	drive_text(identify + 24, 40, ret->model, sizeof(ret->model));
	drive_text(identify + 64, 8, ret->firmware, sizeof(ret->firmware));
	drive_text(identify + 768, 256, ret->subsystem_nqn, sizeof(ret->subsystem_nqn));
	ret->vendor = (uint32_t)bytes_get(identify, 2);
	snprintf(ret->state, sizeof(ret->state), "live");
	ret->present = true;
}

/* ---- Commands. ---- */

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
	return sim_page_of(s, &ocp_smart_page)->supported &&
	       bytes_get(identify + 96, 4) & CTRATT_UUID_LIST;
}

static void page_reply(const struct sim *s, const struct page *p, const struct command *c,
		       struct reply *ret)
{
	const struct sim_page *page = sim_page_of(s, p);

	/* Behind the page there are zeros, and what [raw] put there. */
	sim_read(s, p, ret->data);
	ret->length = page->length ? page->length : (uint16_t)c->length;
}

static uint16_t log_check(const struct sim *s, const struct page *p, const struct command *c)
{
	uint8_t identify[PAGE_SIZE_MAX];

	if (!p || !sim_page_of(s, p)->supported)
		return STATUS_INVALID_LOG_PAGE;
	/* Index 1 is the OCP UUID, which has no other page than OCP's (UUID-3, UUID-5). */
	if (c->uuid_index && !(c->uuid_index == 1 && p->ocp && has_uuid_list(s)))
		return STATUS_INVALID_FIELD;
	if (c->nsid == NSID_ALL)
		return 0;
	sim_read(s, &identify_page, identify);
	return p == &smart_page && identify[261] & LPA_SMART_PER_NAMESPACE ? 0
									   : STATUS_INVALID_FIELD;
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

	if (p && sim_page_of(s, p)->supported) {
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

static uint16_t command_execute(const struct sim *s, const struct command *c, struct reply *ret)
{
	if (c->length < 4 || c->length > PAGE_SIZE_MAX || c->length % 4)
		return STATUS_INVALID_FIELD;
	if (c->opcode == OPCODE_GET_LOG_PAGE)
		return get_log_page(s, c, ret);
	if (c->opcode == OPCODE_IDENTIFY)
		return identify(s, c, ret);
	return STATUS_INVALID_OPCODE;
}

/* ---- Faults. ---- */

/* The faults in force for a command, its page's before the whole drive's. */
static struct sim_fault command_fault(const struct sim *s, uint64_t elapsed_us,
				      const struct command *c)
{
	const struct page *p = command_page(c);
	const struct sim_fault *every = &s->faults[page_total()];
	struct sim_fault f = { 0 };

	if (p && sim_fault_active(&s->faults[page_index(p)], elapsed_us))
		f = s->faults[page_index(p)];
	if (!sim_fault_active(every, elapsed_us))
		return f;
	f.status = f.status ? f.status : every->status;
	f.error = f.error ? f.error : every->error;
	f.delay = f.delay ? f.delay : every->delay;
	f.hang |= every->hang;
	f.crash |= every->crash;
	return f;
}

uint64_t sim_delay_us(const struct sim *s, uint64_t elapsed_us, const struct command *c)
{
	struct sim_fault f = command_fault(s, elapsed_us, c);

	return f.hang ? UINT64_MAX : f.delay;
}

bool sim_crashes(const struct sim *s, uint64_t elapsed_us, const struct command *c)
{
	return command_fault(s, elapsed_us, c).crash;
}

void sim_execute(struct sim *s, uint64_t elapsed_us, const struct command *c, struct reply *ret)
{
	struct sim_fault f = command_fault(s, elapsed_us, c);
	int status = f.status;

	ret->error = -f.error;
	ret->status = 0;
	ret->length = 0;
	if (f.error)
		return;
	sim_behaviour_advance(&s->behaviour, &s->state, elapsed_us);
	if (!status)
		status = command_execute(s, c, ret);
	/* A drive logs what it refuses, and counts it. */
	if (status)
		s->failures++;
	ret->status = (uint16_t)(status & STATUS_MASK);
}
