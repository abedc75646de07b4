/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The events in a Persistent Event Log (0Dh), the newest first, each as long as it says. All lengths are
 * the drive's word, and checked against the log's and what is read of it. Pure. */

#include <stddef.h>

#include "nvmewatch/field.h"

#define EVENT_LOG_SIZE 4096 /* bytes that are read */
#define EVENT_FIRST 512     /* where the first is, and the length of the log's header */
#define EVENT_HEADER 24     /* bytes of an event before its vendor's information and its data */

struct persistent_event {
	unsigned at;     /* of its header, in the page */
	unsigned data;   /* of its data */
	unsigned length; /* of that, bytes */
	unsigned end;    /* where the next one is */
};

/* Event `index`, 0 is the newest. False: there is none, or not all of it was read. What cannot be right
 * ends the list. */
bool event_find(const uint8_t *bytes, unsigned index, struct persistent_event *ret);

/* The same, made where the log ends with the one before it; for simulated drives. 0 or -ERANGE. */
int event_make(uint8_t *bytes, unsigned index, struct persistent_event *ret);

/* "thermal_excursion", or NULL. */
const char *event_type_name(uint8_t type);

/* The inverse; -EINVAL: no type is called so. */
int event_type_of(const char *name);

/* What happened, of types whose data say more than the type. False: nothing to tell. */
bool event_detail(const uint8_t *bytes, const struct persistent_event *e, char *ret, size_t size);
