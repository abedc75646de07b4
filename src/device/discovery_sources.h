/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* discovery_scan() for one kind of source. */

#include "nvmewatch/discovery.h"

int discovery_linux(const struct settings *s, discovery_fn *fn, void *userdata, char *error,
		    size_t error_size);
int discovery_sim(const struct settings *s, const char *folder, discovery_fn *fn, void *userdata,
		  char *error, size_t error_size);
