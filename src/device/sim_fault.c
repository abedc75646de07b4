/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim_internal.h"

bool sim_fault_active(const struct sim_fault *f, uint64_t elapsed_us)
{
	return elapsed_us >= f->at && elapsed_us < f->until;
}

static bool is_page(const struct sim_fault *f, const struct command *c)
{
	uint32_t instance;

	if (!f->page)
		return c->kind == COMMAND_ADMIN &&
		       (!f->opcode || (f->opcode == c->opcode && f->id == c->id));
	return command_is_for_page(c, f->page, &instance) &&
	       (f->instance < 0 || f->instance == instance);
}

/* Whether the fault is for commands like this one, now. */
static bool is_for(const struct sim_fault *f, uint64_t elapsed_us, const struct command *c)
{
	return sim_fault_active(f, elapsed_us) && is_page(f, c) &&
	       (f->length < 0 || f->length == c->length) &&
	       (f->nsid < 0 || f->nsid == c->nsid) && (f->rae < 0 || f->rae == c->rae);
}

/* Whether it is the turn of the next command that it is for. */
static bool is_its_turn(const struct sim_fault *f)
{
	int64_t nth = f->seen + 1;

	return nth % f->every == 0 && (f->times < 0 || nth / f->every <= f->times);
}

const struct sim_fault *sim_fault_find(const struct sim *s, uint64_t elapsed_us,
				       const struct command *c, unsigned whats)
{
	for (size_t i = 0; i < s->n_faults; i++) {
		const struct sim_fault *f = &s->faults[i];
		if (SIM_BIT(f->what) & whats && is_for(f, elapsed_us, c) && is_its_turn(f))
			return f;
	}
	return NULL;
}

void sim_fault_count(struct sim *s, uint64_t elapsed_us, const struct command *c)
{
	for (size_t i = 0; i < s->n_faults; i++)
		if (is_for(&s->faults[i], elapsed_us, c))
			s->faults[i].seen++;
}
