/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fleet.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/discovery.h"
#include "nvmewatch/log.h"
#include "watch.h"

struct found {
	struct drive drive;
	char *source, *target;
};

struct fleet {
	struct found *found;
	size_t n;
};

static void fleet_done(struct fleet *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->found[i].source);
		free(f->found[i].target);
	}
	free(f->found);
}

static int on_found(void *userdata, const struct drive *d, const char *source, const char *target)
{
	struct fleet *f = userdata;
	struct found *found = reallocarray(f->found, f->n + 1, sizeof(*found));

	if (!found)
		return -ENOMEM;
	f->found = found;
	found[f->n] = (struct found){ *d, strdup(source), strdup(target) };
	f->n++;
	return found[f->n - 1].source && found[f->n - 1].target ? 0 : -ENOMEM;
}

static bool is_unique(const struct fleet *f, size_t i)
{
	for (size_t k = 0; k < f->n; k++)
		if (k != i && !strcmp(f->found[k].drive.serial, f->found[i].drive.serial))
			return false;
	return true;
}

static bool key_is_taken(const struct collector *c, const char *key)
{
	for (size_t i = 0; i < c->n_watches; i++)
		if (!strcmp(watch_drive(c->watches[i])->key, key))
			return true;
	return false;
}

static int start_one(struct collector *c, struct found *found, bool unique)
{
	struct drive *d = &found->drive;

	drive_set_key(d, unique);
	if (d->serial[0] && !unique)
		log_drive(LOG_WARNING, d, LOG_ID_DUPLICATE_SERIAL,
			  "its serial is claimed by another drive: told apart by address");
	if (key_is_taken(c, d->key)) {
		log_drive(LOG_ERR, d, LOG_ID_DUPLICATE_SERIAL,
			  "serial and address are another drive's too: not watched");
		return 0;
	}
	int r = watch_new(c, d, found->source, found->target, &c->watches[c->n_watches]);
	if (r == 0)
		c->n_watches++;
	return r;
}

static int start_all(struct collector *c, struct fleet *f)
{
	int r = 0;

	c->watches = calloc(f->n + 1, sizeof(*c->watches));
	if (!c->watches)
		return -ENOMEM;
	for (size_t i = 0; i < f->n && r == 0; i++)
		r = start_one(c, &f->found[i], is_unique(f, i));
	return r;
}

int fleet_start(struct collector *c, char *error, size_t error_size)
{
	struct fleet f = { 0 };
	int r = discovery_scan(&c->settings, on_found, &f, error, error_size);

	if (r == 0 && (r = start_all(c, &f)) < 0)
		snprintf(error, error_size, "drives cannot be watched: %s", strerror(-r));
	fleet_done(&f);
	if (r == 0)
		log_msg(LOG_INFO, "%zu drives of %s are watched", c->n_watches, c->settings.source);
	return r;
}

void fleet_stop(struct collector *c)
{
	for (size_t i = 0; i < c->n_watches; i++)
		watch_free(c->watches[i]);
	free(c->watches);
	c->watches = NULL;
	c->n_watches = 0;
}
