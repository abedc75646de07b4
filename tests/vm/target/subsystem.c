/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A drive: made of a file, replaced by another one while it runs, and lost as its file says. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "target.h"

struct subsystem *subsystem_find(struct target *t, const char *name)
{
	for (size_t i = 0; i < t->n_subsystems; i++)
		if (!strcmp(t->subsystems[i].name, name))
			return &t->subsystems[i];
	return NULL;
}

uint64_t subsystem_elapsed(const struct subsystem *s)
{
	return (uint64_t)(clock_mono() - s->power_on);
}

/* Sets the clock for what the drive does by itself. */
static int await_change(struct subsystem *s)
{
	int64_t next = sim_next_change_us(s->sim, subsystem_elapsed(s));

	if (next == INT64_MAX)
		return sd_event_source_set_enabled(s->change, SD_EVENT_OFF);
	int r = sd_event_source_set_time(s->change, (uint64_t)(s->power_on + next));
	return r < 0 ? r : sd_event_source_set_enabled(s->change, SD_EVENT_ONESHOT);
}

/* A reset, or a drive that was pulled, is all the same to a driver: its connections end, and it
 * tries to have new ones until it is let in. */
static int on_change(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct subsystem *s = userdata;

	(void)source;
	(void)usec;
	if (s->admin && sim_presence(s->sim, subsystem_elapsed(s)) != SIM_LIVE)
		connection_drop(s->admin);
	return await_change(s);
}

int subsystem_load(struct target *t, struct subsystem *s, const char *path)
{
	char error[1024];
	struct sim *sim;
	int r = sim_load(path, &sim, error, sizeof(error));

	if (r < 0) {
		fprintf(stderr, "nvme-target: %s\n", error);
		return r;
	}
	sim_free(s->sim);
	s->sim = sim;
	s->power_on = clock_mono();
	request_release(s);
	/* The clock of clock_mono(). */
	if (!s->change)
		r = sd_event_add_time(t->event, &s->change, CLOCK_BOOTTIME, 0, 1000, on_change, s);
	return r < 0 ? r : await_change(s);
}

int subsystem_start(struct target *t, struct subsystem *s, const char *journals, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	_cleanup_(freep) char *journal = NULL;

	s->journal = -1;
	s->name = strndup(base, strcspn(base, "."));
	journal = s->name ? format_text("%s/%s.jsonl", journals, s->name) : NULL;
	if (!journal)
		return -ENOMEM;
	int r = subsystem_load(t, s, path);
	if (r < 0)
		return r;
	s->journal = open(journal, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	return s->journal >= 0 ? 0 : -errno;
}

void subsystem_done(struct subsystem *s)
{
	sd_event_source_disable_unref(s->change);
	sim_free(s->sim);
	closep(&s->journal);
	free(s->name);
}
