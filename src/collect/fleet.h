/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* All drives of the host under watch. */

#include "collector.h"

/* Finds the drives and starts to watch each. 0, or a negative errno with a message in error[]. */
int fleet_start(struct collector *c, char *error, size_t error_size);

/* Stops watching, waiting for no drive. */
void fleet_stop(struct collector *c);
