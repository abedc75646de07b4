/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/catalogue.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/parse.h"

struct catalogue {
	struct rating **entries;
	size_t n;
	size_t begun; /* entries before the file that is being read */
	const char *path; /* of that file, the caller's */
	bool site;
};

#define NUMBER(name_, least_, most_, size_)                                              \
	{ .name = #name_, .offset = offsetof(struct rating, name_), .least = least_,     \
	  .most = most_, .size = size_ }

const struct rating_number rating_numbers[] = {
	NUMBER(capacity_bytes, 1e9, 1e16, true),
	NUMBER(warranty_years, 1, 20, false),
	NUMBER(drive_writes_per_day, 0.001, 1000, false),
	NUMBER(sequential_drive_writes_per_day, 0.001, 1000, false),
	NUMBER(written_bytes, 1e12, 1e18, true),
	NUMBER(throttle_min_celsius, 30, 150, false),
	NUMBER(throttle_max_celsius, 30, 150, false),
	NUMBER(active_watts, 0.1, 1000, false),
	NUMBER(idle_watts, 0.001, 1000, false),
	NUMBER(read_bytes_per_second, 1e6, 1e12, true),
	NUMBER(write_bytes_per_second, 1e6, 1e12, true),
	NUMBER(random_read_ios_per_second, 1, 1e9, true),
	NUMBER(random_write_ios_per_second, 1, 1e9, true),
	NUMBER(read_latency_seconds, 1e-7, 1, false),
	NUMBER(write_latency_seconds, 1e-7, 1, false),
	NUMBER(indirection_unit_bytes, 512, 1 << 30, true),
};
const size_t n_rating_numbers = ELEMENTS(rating_numbers);

static const char *const bases[] = { "random", "sequential", "jesd219", "unstated" };

static const struct {
	const char *name;
	size_t offset, size;
} texts[] = {
	{ "family", offsetof(struct rating, family), sizeof(((struct rating *)NULL)->family) },
	{ "source", offsetof(struct rating, source), sizeof(((struct rating *)NULL)->source) },
};

double rating_number(const struct rating *r, const struct rating_number *n)
{
	double x;

	memcpy(&x, (const char *)r + n->offset, sizeof(x));
	return x;
}

static void rating_free(struct rating *r)
{
	for (char **p = r->models; p && *p; p++)
		free(*p);
	free(r->models);
	free(r);
}

int catalogue_new(struct catalogue **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

static void drop_from(struct catalogue *c, size_t first)
{
	while (c->n > first)
		rating_free(c->entries[--c->n]);
}

void catalogue_free(struct catalogue *c)
{
	if (!c)
		return;
	drop_from(c, 0);
	free(c->entries);
	free(c);
}

void catalogue_begin(struct catalogue *c, const char *path, bool site)
{
	c->begun = c->n;
	c->site = site;
	c->path = path;
}

/* The file's entry of that name, which its first key makes. */
static struct rating *entry_of(struct catalogue *c, const char *name, unsigned line)
{
	const char *slash = strrchr(c->path, '/');

	for (size_t i = c->begun; i < c->n; i++)
		if (!strcmp(c->entries[i]->entry, name))
			return c->entries[i];
	struct rating **grown = realloc(c->entries, (c->n + 1) * sizeof(struct rating *));
	struct rating *r = calloc(1, sizeof(*r));
	if (grown)
		c->entries = grown;
	if (!grown || !r) {
		free(r);
		return NULL;
	}
	snprintf(r->entry, sizeof(r->entry), "%s", name);
	snprintf(r->file, sizeof(r->file), "%s", slash ? slash + 1 : c->path);
	r->line = line;
	r->site = c->site;
	strcpy(r->basis, "unstated");
	c->entries[c->n++] = r;
	return r;
}

static int add_model(struct rating *r, const char *pattern)
{
	size_t n = 0;

	while (r->models && r->models[n])
		n++;
	char **grown = realloc(r->models, (n + 2) * sizeof(char *));
	if (!grown)
		return -ENOMEM;
	r->models = grown;
	r->models[n + 1] = NULL;
	r->models[n] = strdup(pattern);
	return r->models[n] ? 0 : -ENOMEM;
}

static int set_number(const struct ini_place *at, struct rating *r, const struct rating_number *n,
		      const char *value)
{
	uint64_t whole = 0;
	double x = 0;
	int e = n->size ? parse_quantity(value, &whole) : parse_real(value, &x);

	if (n->size)
		x = (double)whole;
	if (e < 0 || !(x >= n->least && x <= n->most))
		return ini_fail(at, -EINVAL, "%s = %s: must be a number%s from %g to %g", n->name, value,
				n->size ? ", with K, M, G, T or P as need be," : "", n->least, n->most);
	memcpy((char *)r + n->offset, &x, sizeof(x));
	return 0;
}

static int set_basis(const struct ini_place *at, struct rating *r, const char *value)
{
	for (size_t i = 0; i < ELEMENTS(bases); i++)
		if (!strcmp(bases[i], value)) {
			strcpy(r->basis, value);
			return 0;
		}
	return ini_fail(at, -EINVAL, "basis = %s: must be random, sequential, jesd219 or unstated", value);
}

static int set_text(const struct ini_place *at, char *target, size_t size, const char *key,
		    const char *value)
{
	if (!*value || strlen(value) >= size)
		return ini_fail(at, -EINVAL, "%s = %s: must be a text of 1 to %zu characters", key, value,
				size - 1);
	strcpy(target, value);
	return 0;
}

static int refuse_key(const struct ini_place *at, const char *section, const char *key)
{
	_cleanup_(buffer_done) struct buffer known = { 0 };

	for (size_t i = 0; i < n_rating_numbers; i++) {
		buffer_text(&known, ", ");
		buffer_text(&known, rating_numbers[i].name);
	}
	buffer_put(&known, "", 1);
	return ini_fail(at, -EINVAL, "unknown key %s of [%s]; there are family, source, model, basis%s", key,
			section, known.failed ? "" : known.data);
}

int catalogue_key(void *userdata, const struct ini_place *at, const char *section, const char *key,
		  const char *value)
{
	struct rating *r = entry_of(userdata, section, at->line);

	if (!r)
		return -ENOMEM;
	if (!strcmp(key, "model"))
		return *value ? add_model(r, value) : ini_fail(at, -EINVAL, "model = : must be a pattern");
	if (!strcmp(key, "basis"))
		return set_basis(at, r, value);
	for (size_t i = 0; i < ELEMENTS(texts); i++)
		if (!strcmp(key, texts[i].name))
			return set_text(at, (char *)r + texts[i].offset, texts[i].size, key, value);
	for (size_t i = 0; i < n_rating_numbers; i++)
		if (!strcmp(key, rating_numbers[i].name))
			return set_number(at, r, &rating_numbers[i], value);
	return refuse_key(at, section, key);
}

/* What the entry lacks, or NULL. */
static const char *lack_of(const struct rating *r)
{
	bool rated = r->drive_writes_per_day || r->sequential_drive_writes_per_day || r->written_bytes;

	if (!r->models)
		return "model: which drives it is for";
	if (!r->family[0])
		return "family";
	if (!r->source[0])
		return "source: where its figures are from";
	if (rated && !r->warranty_years)
		return "warranty_years: for how long the rating is";
	if (r->written_bytes && !r->capacity_bytes)
		return "capacity_bytes: what written_bytes are the rating of";
	return NULL;
}

int catalogue_end(struct catalogue *c, int r, char *error, size_t error_size)
{
	for (size_t i = c->begun; i < c->n && r >= 0; i++) {
		const struct rating *entry = c->entries[i];
		const struct ini_place at = { c->path, entry->line, error, error_size };

		if (lack_of(entry))
			r = ini_fail(&at, -EINVAL, "[%s] lacks %s", entry->entry, lack_of(entry));
	}
	if (r < 0)
		drop_from(c, c->begun);
	return r;
}

size_t catalogue_size(const struct catalogue *c)
{
	return c->n;
}

const struct rating *catalogue_entry(const struct catalogue *c, size_t index)
{
	return c->entries[index];
}
