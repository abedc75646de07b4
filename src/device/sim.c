/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Commands and what goes wrong with them. */

#include "nvmewatch/sim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim_internal.h"

void sim_keep_names(struct sim *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_pages; i++)
		if (s->pages[i]->page == &identify_page)
			s->pages[kept++] = s->pages[i];
		else
			sim_page_free(s->pages[i]);
	s->n_pages = kept;
}

void sim_set_device(struct sim *s, const char *device)
{
	if (!s->drive.device[0])
		snprintf(s->drive.device, sizeof(s->drive.device), "%s", device);
}

void sim_free(struct sim *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_changes; i++)
		sim_change_done(&s->changes[i]);
	free(s->changes);
	free(s->faults);
	for (size_t i = 0; i < s->n_pages; i++)
		sim_page_free(s->pages[i]);
	free(s->pages);
	free(s);
}

uint64_t sim_delay_us(const struct sim *s, uint64_t elapsed_us, const struct command *c)
{
	const struct sim_fault *f =
		sim_fault_find(s, elapsed_us, c, SIM_BIT(SIM_DELAY) | SIM_BIT(SIM_HANG));
	uint64_t end, loss = sim_next_loss(s, elapsed_us);

	if (!f)
		return 0;
	if (f->what == SIM_HANG || __builtin_add_overflow(elapsed_us, f->argument, &end))
		end = f->until;
	if (loss < end)
		end = loss;
	return end == UINT64_MAX ? UINT64_MAX : end - elapsed_us;
}

bool sim_crashes(const struct sim *s, uint64_t elapsed_us, const struct command *c)
{
	return sim_fault_find(s, elapsed_us, c, SIM_BIT(SIM_CRASH));
}

/* Other bytes every time, and the same in every run (splitmix64). */
static void garbage_put(const struct sim *s, uint8_t *bytes, size_t size)
{
	uint64_t state = s->behaviour.seed ^ s->now;

	for (size_t i = 0; i < size; i++) {
		uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
		z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		bytes[i] = (uint8_t)(z ^ z >> 31);
	}
}

static void bytes_spoil(const struct sim *s, const struct command *c, struct reply *ret)
{
	const struct sim_fault *f =
		sim_fault_find(s, s->now, c, SIM_BIT(SIM_GARBAGE) | SIM_BIT(SIM_ZERO) |
						     SIM_BIT(SIM_TRUNCATE));

	if (!f)
		return;
	if (f->what == SIM_GARBAGE)
		garbage_put(s, ret->data, ret->length);
	else if (f->what == SIM_ZERO)
		memset(ret->data, 0, ret->length);
	else if (f->argument < ret->length)
		ret->length = (uint16_t)f->argument;
}

/* Lives up to that time, if need be as one drive after the other. */
static void sim_advance(struct sim *s, uint64_t elapsed_us)
{
	for (size_t i = 0; i < s->n_changes; i++) {
		const struct sim_change *c = &s->changes[i];
		if (!c->swap || c->at <= s->now || c->at > elapsed_us)
			continue;
		sim_behaviour_advance(&s->behaviour, &s->state, c->at);
		sim_behaviour_forget(&s->state);
		s->failures = 0;
	}
	sim_behaviour_advance(&s->behaviour, &s->state, elapsed_us);
	s->now = elapsed_us > s->now ? elapsed_us : s->now;
}

/* The errno of the ioctl, 0 where the command gets to the drive. */
static int sim_errno(const struct sim *s, const struct sim_fault *f, const struct command *c)
{
	if (f && f->what == SIM_ERRNO)
		return -(int)f->argument;
	switch (sim_presence(s, s->now)) {
	case SIM_GONE: return -ENODEV;
	case SIM_RESETTING: return c->kind == COMMAND_HOST ? 0 : -EAGAIN;
	case SIM_LIVE: break;
	}
	return 0;
}

/* The status with its flag bits: real drives set DNR on what they refuse. */
static uint16_t sim_answer(struct sim *s, const struct sim_fault *f, const struct command *c,
			   struct reply *ret)
{
	uint16_t status = f ? (uint16_t)f->argument : sim_command(s, c, ret);

	if (!status)
		status = sim_events_take(s, c, ret);
	if (status)
		return f ? status : status | STATUS_DNR;
	bytes_spoil(s, c, ret);
	return 0;
}

void sim_execute(struct sim *s, uint64_t elapsed_us, const struct command *c, struct reply *ret)
{
	sim_advance(s, elapsed_us);
	const struct sim_fault *f =
		sim_fault_find(s, s->now, c, SIM_BIT(SIM_STATUS) | SIM_BIT(SIM_ERRNO));

	ret->length = 0;
	ret->error = sim_errno(s, f, c);
	if (f)
		sim_events_fail(s, c, f->what == SIM_STATUS ? (uint16_t)f->argument : 0);
	s->status = ret->error ? 0 : sim_answer(s, f, c, ret);
	ret->status = s->status & STATUS_MASK;
	/* A drive logs what it refuses, and counts it; what the host lacks is none of its business. */
	if (s->status) {
		if (c->kind == COMMAND_ADMIN)
			sim_errors_note(s);
		ret->length = 0;
	}
	sim_fault_count(s, s->now, c);
}

uint16_t sim_wire_status(const struct sim *s)
{
	return s->status;
}
