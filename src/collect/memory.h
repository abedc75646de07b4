/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What history.db remembers for the collector: which pages a model with a firmware does not have, so
 * that no drive is asked in vain twice, and which drives there were. The recorder's thread reads it,
 * so a slow disk delays nothing: until it is there, pages that a drive may not have wait. */

#include <stdbool.h>
#include <stddef.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/history.h"

/* Whether the drives of that model and firmware are known not to have the page, which is named as
 * page_instance_name() does. m may be NULL. */
bool memory_refuses(const struct history_memory *m, const struct drive *d, const char *page);

/* The number of the newest error log entry of the drive that was dealt with; 0: not known. m may be NULL. */
uint64_t memory_error_count(const struct history_memory *m, const char *key);

/* Adds a refusal; *m may be NULL: it is made. 0 or -ENOMEM. */
int memory_add(struct history_memory **m, const struct drive *d, const char *page);

/* Adds the refusals of `learnt`, which may be NULL: from before history.db could be read. */
void memory_merge(struct history_memory *m, const struct history_memory *learnt);
