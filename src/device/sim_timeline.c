/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* When the drive is there, and as which. Pure: nothing here depends on the commands so far. */

#include <stdio.h>
#include <string.h>

#include "sim_internal.h"

enum sim_presence sim_presence(const struct sim *s, uint64_t elapsed_us)
{
	enum sim_presence presence = SIM_LIVE;

	for (size_t i = 0; i < s->n_faults; i++) {
		const struct sim_fault *f = &s->faults[i];
		if (!sim_fault_active(f, elapsed_us))
			continue;
		if (f->what == SIM_REMOVE)
			return SIM_GONE;
		if (f->what == SIM_RESET)
			presence = SIM_RESETTING;
	}
	return presence;
}

bool sim_is_present(const struct sim *s, uint64_t elapsed_us)
{
	return sim_presence(s, elapsed_us) != SIM_GONE;
}

/* Whether the fault takes the drive away from the kernel for a time. */
static bool is_loss(const struct sim_fault *f)
{
	return f->what == SIM_RESET || f->what == SIM_REMOVE;
}

/* When the kernel last initialised the controller, which is when it read its names. */
static uint64_t initialised(const struct sim *s, uint64_t elapsed_us)
{
	uint64_t last = 0;

	for (size_t i = 0; i < s->n_faults; i++)
		if (is_loss(&s->faults[i]) && s->faults[i].until <= elapsed_us &&
		    s->faults[i].until > last)
			last = s->faults[i].until;
	return last;
}

bool sim_page_at(const struct sim *s, const struct sim_page *page, uint64_t elapsed_us, uint8_t *ret)
{
	struct sim_page then = *page;

	memset(ret, 0, PAGE_SIZE_MAX);
	memcpy(ret, page->bytes, page->page->size);
	then.bytes = ret;
	for (size_t i = 0; i < s->n_changes && s->changes[i].at <= elapsed_us; i++)
		sim_change_page(&s->changes[i], &then);
	return then.supported;
}

/* The names that the kernel reads from the bytes of Identify, whoever wrote them. */
static void identify_describe(const struct sim *s, uint64_t elapsed_us, struct drive *ret)
{
	const struct sim_page *page = sim_page_find(s, &identify_page, 0);
	uint8_t bytes[PAGE_SIZE_MAX];

	sim_page_at(s, page, elapsed_us, bytes);
	sim_page_overlay(page, bytes);
	drive_text(bytes + 4, 20, ret->serial, sizeof(ret->serial));
	drive_text(bytes + 24, 40, ret->model, sizeof(ret->model));
	drive_text(bytes + 64, 8, ret->firmware, sizeof(ret->firmware));
	drive_text(bytes + 768, 256, ret->subsystem_nqn, sizeof(ret->subsystem_nqn));
	ret->vendor = (uint32_t)bytes_get(bytes, 2);
}

/* A text of the drive file as sysfs would show it. */
static void text_trim(char *text, size_t size)
{
	char copy[64] = ""; /* zeros to its end: drive_text() drops NULs in front, too */

	snprintf(copy, sizeof(copy), "%s", text);
	drive_text(copy, sizeof(copy), text, size);
}

void sim_describe_at(const struct sim *s, uint64_t elapsed_us, struct drive *ret)
{
	enum sim_presence presence = sim_presence(s, elapsed_us);

	*ret = s->drive;
	for (size_t i = 0; i < s->n_changes && s->changes[i].at <= elapsed_us; i++)
		sim_change_drive(&s->changes[i], ret);
	text_trim(ret->device, sizeof(ret->device));
	text_trim(ret->address, sizeof(ret->address));
	text_trim(ret->slot, sizeof(ret->slot));
	text_trim(ret->transport, sizeof(ret->transport));
	identify_describe(s, initialised(s, elapsed_us), ret);
	ret->present = presence != SIM_GONE;
	snprintf(ret->state, sizeof(ret->state), "%s",
		 presence == SIM_GONE ? "" : presence == SIM_RESETTING ? "resetting" : "live");
}

void sim_describe(const struct sim *s, struct drive *ret)
{
	sim_describe_at(s, 0, ret);
}

static uint64_t earlier(uint64_t a, uint64_t b, uint64_t after)
{
	return b > after && b < a ? b : a;
}

uint64_t sim_next_loss(const struct sim *s, uint64_t elapsed_us)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = 0; i < s->n_faults; i++)
		if (is_loss(&s->faults[i]))
			next = earlier(next, s->faults[i].at, elapsed_us);
	return next;
}

int64_t sim_next_change_us(const struct sim *s, uint64_t elapsed_us)
{
	uint64_t next = sim_next_loss(s, elapsed_us);

	for (size_t i = 0; i < s->n_faults; i++)
		if (is_loss(&s->faults[i]))
			next = earlier(next, s->faults[i].until, elapsed_us);
	for (size_t i = 0; i < s->n_changes; i++)
		next = earlier(next, s->changes[i].at, elapsed_us);
	return next > INT64_MAX ? INT64_MAX : (int64_t)next;
}

unsigned sim_ended(const struct sim *s, enum sim_what what, uint64_t elapsed_us)
{
	uint64_t since = 0;
	unsigned n = 0;

	for (size_t i = 0; i < s->n_changes && s->changes[i].at <= elapsed_us; i++)
		if (s->changes[i].swap)
			since = s->changes[i].at;
	for (size_t i = 0; i < s->n_faults; i++) {
		const struct sim_fault *f = &s->faults[i];
		n += f->what == what && f->at && f->until >= since && f->until <= elapsed_us;
	}
	return n;
}
