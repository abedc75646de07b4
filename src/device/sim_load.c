/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "sim_internal.h"

static int identity_set(struct sim *s, const struct ini_place *at, const char *key,
			const char *value)
{
	if (!strcmp(key, "serial"))
		s->has_serial = true;
	return sim_identity_set(&s->drive, sim_page_find(s, &identify_page, 0)->bytes, at, "identity",
				key, value);
}

static int raw_set(struct sim *s, const struct ini_place *at, const char *key, const char *value)
{
	struct sim_page *page;
	const char *what;
	int r = sim_page_split(s, at, "raw", key, &page, &what);

	return r < 0 ? r : sim_page_patch(page, at, what, value);
}

static int page_set(struct sim *s, const struct page *p, uint32_t instance, const struct ini_place *at,
		    const char *key, const char *value)
{
	struct sim_page *page = sim_page_make(s, p, instance);

	return page ? sim_page_set(page, at, key, value)
		    : ini_fail(at, -ENOMEM, "%s", strerror(ENOMEM));
}

/* [kind] or [kind NAME]. */
static bool is_kind(const char *section, const char *kind)
{
	size_t length = strlen(kind);

	return !strncmp(section, kind, length) && (!section[length] || section[length] == ' ');
}

static int section_fail(const struct ini_place *at, const char *section)
{
	return ini_fail(at, -EINVAL,
			"unknown section [%s]; allowed are identity, raw, behaviour, fault and change, "
			"also with a name as [fault 2], and the pages of nvmewatch-metrics(7), as "
			"smart or endurance_group_1", section);
}

static int entry_set(void *userdata, const struct ini_place *at, const char *section,
		     const char *key, const char *value)
{
	struct sim *s = userdata;
	uint32_t instance;
	const struct page *p = page_find_instance(section, &instance);

	if (p && p->command != PAGE_DERIVED)
		return page_set(s, p, instance, at, key, value);
	if (!strcmp(section, "identity"))
		return identity_set(s, at, key, value);
	if (!strcmp(section, "raw"))
		return raw_set(s, at, key, value);
	if (!strcmp(section, "behaviour"))
		return sim_behaviour_set(&s->behaviour, at, key, value);
	if (is_kind(section, "fault"))
		return sim_fault_set(s, at, section, key, value);
	if (is_kind(section, "change"))
		return sim_change_set(s, at, section, key, value);
	return section_fail(at, section);
}

static int sim_new(struct sim **ret)
{
	_cleanup_(sim_freep) struct sim *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	int r = sim_defaults(s);
	if (r < 0)
		return r;
	*ret = TAKE(s);
	return 0;
}

/* Drives of one fleet shall not move in step. FNV-1a. */
static uint64_t seed_of(const char *text)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * UINT64_C(1099511628211);
	return hash;
}

/* A limit of the identify page in degrees Celsius, 0: none. */
static double limit_celsius(const uint8_t *kelvin)
{
	uint64_t k = bytes_get(kelvin, 2);

	return k ? (double)k - 273 : 0;
}

/* What follows from the whole file. */
static void sim_settle(struct sim *s)
{
	const struct sim_page *page = sim_page_find(s, &identify_page, 0);
	uint64_t start = bytes_get(sim_page_find(s, &smart_page, 0)->bytes + 1, 2);
	struct sim_behaviour *b = &s->behaviour;
	uint8_t identify[PAGE_SIZE_MAX];

	sim_page_at(s, page, 0, identify);
	sim_page_overlay(page, identify);
	b->warning_temperature = limit_celsius(identify + 266);
	b->critical_temperature = limit_celsius(identify + 268);
	b->capacity = s->drive.capacity_bytes;
	b->seed = seed_of(s->drive.serial);
	s->state.temperature = start ? (double)start - 273 : b->idle_temperature;
}

int sim_load(const char *path, struct sim **ret, char *error, size_t error_size)
{
	struct ini_place whole = { .file = path, .error = error, .error_size = error_size };
	_cleanup_(sim_freep) struct sim *s = NULL;
	int r = sim_new(&s);

	if (r < 0)
		return ini_fail(&whole, r, "%s", strerror(-r));
	r = ini_read(path, entry_set, s, error, error_size);
	if (r < 0)
		return r;
	if (!s->has_serial)
		return ini_fail(&whole, -EINVAL, "[identity] lacks serial, which may be empty");
	r = sim_behaviour_check(&s->behaviour, &whole);
	if (r == 0)
		r = sim_fault_check(s, &whole);
	if (r == 0)
		r = sim_change_check(s, &whole);
	if (r < 0)
		return r;
	if (sim_defaults_settle(s) < 0)
		return ini_fail(&whole, -ENOMEM, "%s", strerror(ENOMEM));
	sim_settle(s);
	*ret = TAKE(s);
	return 0;
}
