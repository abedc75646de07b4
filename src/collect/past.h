/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How the drives have worn so far, as history tells it: read once, by the recorder's thread, for the
 * collector to go on from. */

#include <stddef.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/wear.h"

struct past {
	struct past_drive {
		char key[128];
		struct wear_sample *samples; /* as they were taken; of no capacity */
		size_t n_samples;
	} *drives;
	size_t n_drives;
};

/* Of the drives that were there within a month up to `now` (microseconds since 1970): a sample for each five
 * minutes of the last day, for each hour of the days before. 0 or a negative errno. */
int past_load(const char *state_dir, const char *run_dir, int64_t now, struct past **ret);
void past_free(struct past *p);
DEFINE_CLEANUP(struct past *, past_free)
