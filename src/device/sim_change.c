/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* [change NAME]: what the drive is from a time on. The entries are kept as the file has them, tried
 * once when they are read, and applied whenever somebody looks. */

#include <errno.h>
#include <string.h>

#include "nvmewatch/parse.h"
#include "sim_internal.h"

static struct sim_change *change_of(struct sim *s, const char *section)
{
	for (size_t i = 0; i < s->n_changes; i++)
		if (!strcmp(s->changes[i].section, section))
			return &s->changes[i];
	struct sim_change *more = reallocarray(s->changes, s->n_changes + 1, sizeof(*more));
	if (!more)
		return NULL;
	s->changes = more;
	more += s->n_changes++;
	*more = (struct sim_change){ 0 };
	strcpy(more->section, section);
	return more;
}

/* Whether the entry can be applied, with the message why not. Makes the page it is about. */
static int entry_try(struct sim *s, const struct ini_place *at, const char *section, const char *key,
		     const char *value)
{
	struct drive d = s->drive;
	struct sim_page *about;
	const char *column;

	if (!strchr(key, '.'))
		return sim_identity_set(&d, NULL, at, section, key, value);
	int r = sim_page_split(s, at, section, key, &about, &column);
	if (r < 0)
		return r;
	struct sim_page page = *about;
	uint8_t bytes[PAGE_SIZE_MAX];

	memcpy(bytes, page.bytes, page.page->size);
	page.bytes = bytes;
	return sim_page_set(&page, at, column, value);
}

static int entry_keep(struct sim_change *c, const char *key, const char *value)
{
	struct sim_entry *more = reallocarray(c->entries, c->n + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	c->entries = more;
	more[c->n] = (struct sim_entry){ strdup(key), strdup(value) };
	c->n++;
	return more[c->n - 1].key && more[c->n - 1].value ? 0 : -ENOMEM;
}

int sim_change_set(struct sim *s, const struct ini_place *at, const char *section, const char *key,
		   const char *value)
{
	struct sim_change *c = change_of(s, section);

	if (!c)
		return ini_fail(at, -ENOMEM, "%s", strerror(ENOMEM));
	if (!strcmp(key, "at"))
		return parse_duration(value, &c->at) < 0
			       ? ini_fail(at, -EINVAL, "[%s] at = %s: allowed is a whole number "
					  "with s, m, h or d as 20s", section, value)
			       : 0;
	int r = entry_try(s, at, section, key, value);
	if (r < 0)
		return r;
	if (!strcmp(key, "serial"))
		c->swap = true;
	return entry_keep(c, key, value) < 0 ? ini_fail(at, -ENOMEM, "%s", strerror(ENOMEM)) : 0;
}

int sim_change_check(const struct sim *s, const struct ini_place *at)
{
	for (size_t i = 0; i < s->n_changes; i++) {
		if (!s->changes[i].at)
			return ini_fail(at, -EINVAL, "[%s] lacks at: when things change, as 20s",
					s->changes[i].section);
		if (i && s->changes[i].at < s->changes[i - 1].at)
			return ini_fail(at, -EINVAL,
					"[%s] is earlier than [%s]: changes stand in the order of "
					"their times", s->changes[i].section,
					s->changes[i - 1].section);
	}
	return 0;
}

void sim_change_drive(const struct sim_change *c, struct drive *d)
{
	char error[1];
	const struct ini_place at = { .file = "", .error = error, .error_size = sizeof(error) };

	for (size_t i = 0; i < c->n; i++)
		if (!strchr(c->entries[i].key, '.'))
			sim_identity_set(d, NULL, &at, c->section, c->entries[i].key,
					 c->entries[i].value);
}

void sim_change_page(const struct sim_change *c, struct sim_page *page)
{
	char error[1], name[PAGE_NAME_MAX];
	const struct ini_place at = { .file = "", .error = error, .error_size = sizeof(error) };
	struct drive ignored = { 0 };

	page_instance_name(page->page, page->instance, name);
	for (size_t i = 0; i < c->n; i++) {
		const char *key = c->entries[i].key, *value = c->entries[i].value;
		const char *dot = strchr(key, '.');

		if (!dot && page->page == &identify_page)
			sim_identity_set(&ignored, page->bytes, &at, c->section, key, value);
		else if (dot && strlen(name) == (size_t)(dot - key) && !memcmp(name, key, strlen(name)))
			sim_page_set(page, &at, dot + 1, value);
	}
}

void sim_change_done(struct sim_change *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->entries[i].key);
		free(c->entries[i].value);
	}
	free(c->entries);
}
