/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What makers rate their drives for, by the model that a drive reports. Filled from INI files
 * (nvmewatch-drives(5)) whose reading is the caller's:
 *
 *	catalogue_begin(c, path, false);
 *	r = ini_read(path, catalogue_key, c, error, sizeof(error));
 *	r = catalogue_end(c, r, error, sizeof(error));
 *
 * Pure: no I/O, no clock. One thread while it is filled, any afterwards. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/ini.h"

struct catalogue;

/* One entry. What a data sheet does not say is 0 or empty. */
struct rating {
	char entry[64];  /* the section's name */
	char file[64];   /* without its folder */
	unsigned line;   /* of its first key */
	bool site;       /* it is the site's own, not a shipped one */
	char **models;   /* patterns, NULL at the end */
	char family[64];
	char source[192];
	char basis[16];  /* the writes that the rating is for: random, sequential, jesd219, unstated */
	double capacity_bytes;
	double warranty_years;
	double drive_writes_per_day, sequential_drive_writes_per_day;
	double written_bytes; /* over the warranty */
	double throttle_min_celsius, throttle_max_celsius; /* where it begins, and where it is heaviest */
	double active_watts, idle_watts;
	double read_bytes_per_second, write_bytes_per_second;
	double random_read_ios_per_second, random_write_ios_per_second;
	double read_latency_seconds, write_latency_seconds;
	double indirection_unit_bytes;
};

/* The numbers of an entry: keys in the files, columns of the page `rating` with `rated_` in front. */
struct rating_number {
	const char *name;
	size_t offset; /* of the double in struct rating */
	double least, most;
	bool size; /* takes K, M, G, T, P */
};

extern const struct rating_number rating_numbers[];
extern const size_t n_rating_numbers;

double rating_number(const struct rating *r, const struct rating_number *n);

int catalogue_new(struct catalogue **ret);
void catalogue_free(struct catalogue *c);
DEFINE_CLEANUP(struct catalogue *, catalogue_free)

/* What follows is of the file at that path, which is looked at until catalogue_end(). */
void catalogue_begin(struct catalogue *c, const char *path, bool site);

/* An ini_entry_fn, the catalogue is its userdata. */
int catalogue_key(void *c, const struct ini_place *at, const char *section, const char *key,
		  const char *value);

/* The file was read with the result r. Where it failed, or where an entry lacks what it needs, nothing of
 * it counts. Returns r, or -EINVAL with a message in error[]. */
int catalogue_end(struct catalogue *c, int r, char *error, size_t error_size);

size_t catalogue_size(const struct catalogue *c);
const struct rating *catalogue_entry(const struct catalogue *c, size_t index);

/* The entry of a drive of that model and capacity (bytes, 0: not known), or NULL: there is none, or several
 * and nothing to choose by. An entry matches when one of its patterns (glob(7)) matches the whole model
 * and the drive is not larger than the entry's capacity and not smaller than half of it: drives are
 * formatted to less. Of several
 *   - the site's win over the shipped ones,
 *   - then that whose pattern is the most specific: has the most characters that are not *, ? or within [],
 *   - then that with the least capacity that will do,
 *   - then the one read last. */
const struct rating *catalogue_find(const struct catalogue *c, const char *model, uint64_t capacity);

/* Drive writes per day, and bytes in all, that the drive is rated for, from whichever of them the entry has;
 * its own capacity counts where the entry has none. 0: there is no such rating. */
double rating_drive_writes(const struct rating *r);
double rating_written(const struct rating *r, uint64_t capacity);

/* The capacity that a drive write is one of: the entry's, which formatting does not change, else the
 * drive's. r may be NULL. */
double rating_capacity(const struct rating *r, uint64_t capacity);

/* Writes the bytes of rating_page. */
void rating_put(const struct rating *r, const char *model, uint64_t capacity, uint8_t *bytes);
