/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which entry of the catalogue is a drive's, and what it says of it. */

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/catalogue.h"
#include "nvmewatch/page.h"

#define TOLERANCE 1.03 /* 3.84 TB drives have 3.840755982336 */
#define DAYS 365

static unsigned specificity(const char *pattern)
{
	unsigned n = 0;

	for (const char *c = pattern; c && *c; c++) {
		/* A ']' that comes first is one of the class. */
		const char *end = *c == '[' && c[1] ? strchr(c + 2, ']') : NULL;

		if (end)
			c = end;
		else
			n += *c != '*' && *c != '?';
	}
	return n;
}

/* The most specific pattern that matches, or NULL. */
static const char *pattern_of(const struct rating *r, const char *model)
{
	const char *best = NULL;

	for (char **p = r->models; p && *p; p++)
		if (fnmatch(*p, model, FNM_NOESCAPE) == 0 && (!best || specificity(*p) > specificity(best)))
			best = *p;
	return best;
}

static bool fits(const struct rating *r, uint64_t capacity)
{
	return !r->capacity_bytes || !capacity ||
	       ((double)capacity <= r->capacity_bytes * TOLERANCE &&
		(double)capacity >= r->capacity_bytes / 2);
}

/* Above 0: a is the better one for the model. 0: only their capacities tell. */
static int compare(const struct rating *a, const struct rating *b, const char *model)
{
	if (a->site != b->site)
		return a->site - b->site;
	return (int)specificity(pattern_of(a, model)) - (int)specificity(pattern_of(b, model));
}

static bool is_smaller(const struct rating *a, const struct rating *b)
{
	return a->capacity_bytes && (!b->capacity_bytes || a->capacity_bytes <= b->capacity_bytes);
}

const struct rating *catalogue_find(const struct catalogue *c, const char *model, uint64_t capacity)
{
	const struct rating *best = NULL;
	bool unclear = false;

	for (size_t i = 0; c && i < catalogue_size(c); i++) {
		const struct rating *r = catalogue_entry(c, i);
		if (!pattern_of(r, model) || !fits(r, capacity))
			continue;
		int better = best ? compare(r, best, model) : 1;
		if (better > 0)
			unclear = false;
		else if (better == 0 && !capacity && r->capacity_bytes != best->capacity_bytes)
			unclear = true;
		if (better > 0 || (better == 0 && (r->capacity_bytes == best->capacity_bytes ||
						   is_smaller(r, best))))
			best = r;
	}
	return unclear ? NULL : best;
}

double rating_capacity(const struct rating *r, uint64_t capacity)
{
	return r && r->capacity_bytes ? r->capacity_bytes : (double)capacity;
}

double rating_drive_writes(const struct rating *r)
{
	if (r->drive_writes_per_day)
		return r->drive_writes_per_day;
	return r->written_bytes ? r->written_bytes / r->capacity_bytes / r->warranty_years / DAYS : 0;
}

double rating_written(const struct rating *r, uint64_t capacity)
{
	return r->written_bytes ? r->written_bytes : r->drive_writes_per_day *
		rating_capacity(r, capacity) * r->warranty_years * DAYS;
}

static void put(uint8_t *bytes, const char *column, const struct value *v)
{
	unsigned index;
	const struct field *f = page_field(&rating_page, column, &index);

	/* What does not fit stays absent. */
	if (f)
		(void)field_encode(f, index, v, bytes);
}

static void put_text(uint8_t *bytes, const char *column, const char *text)
{
	struct value v = { .type = VALUE_TEXT };

	snprintf(v.text, sizeof(v.text), "%s", text);
	put(bytes, column, &v);
}

static void put_number(uint8_t *bytes, const char *name, double x)
{
	struct value v = { .type = VALUE_REAL, .real = x };
	char column[FIELD_COLUMN_MAX];

	snprintf(column, sizeof(column), "rated_%s", name);
	if (x)
		put(bytes, column, &v);
}

void rating_put(const struct rating *r, const char *model, uint64_t capacity, uint8_t *bytes)
{
	page_blank(&rating_page, bytes);
	put_text(bytes, "entry", r->entry);
	put_text(bytes, "file", r->file);
	put_text(bytes, "origin", r->site ? "site" : "shipped");
	put_text(bytes, "pattern", pattern_of(r, model));
	put_text(bytes, "family", r->family);
	put_text(bytes, "source", r->source);
	if (rating_drive_writes(r))
		put_text(bytes, "basis", r->basis);
	for (size_t i = 0; i < n_rating_numbers; i++)
		put_number(bytes, rating_numbers[i].name, rating_number(r, &rating_numbers[i]));
	/* One follows from the other. */
	put_number(bytes, "drive_writes_per_day", rating_drive_writes(r));
	put_number(bytes, "written_bytes", rating_written(r, capacity));
}
