/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* All drives of the host under watch, kept equal to what discovery finds. */

#include "collector.h"

/* Finds the drives, starts to watch each and listens for changes. 0, or a negative errno with a
 * message in error[]. */
int fleet_start(struct collector *c, char *error, size_t error_size);

/* Scans again where that is due: after an event, when a simulated drive changes, and once a minute
 * in case an event was lost. Drops drives that are gone for collect.forget_after. Returns when it
 * wants to be called again (mono). */
int64_t fleet_run(struct collector *c, int64_t now);

/* Drives that history knows and discovery does not find are shown as gone. */
void fleet_remember(struct collector *c, int64_t now);

/* How they have worn, as history tells. */
struct past;
void fleet_remember_wear(struct collector *c, const struct past *past);

/* The watch of that key, or NULL. */
struct watch *fleet_find(const struct collector *c, const char *key);

/* Stops watching a drive and removes it from what is published. */
void fleet_forget(struct collector *c, struct watch *w);

/* Stops watching, waiting for no drive. */
void fleet_stop(struct collector *c);
