/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One request to the running collector over its control socket. One thread. */

#include <stddef.h>

#include "nvmewatch/control.h"

/* Sends it (.version is set here) and waits a few seconds for the answer. 0: done; else a negative
 * errno, with what it means in error[]. */
int call_collector(const char *run_dir, struct control_request *q, char *error, size_t error_size);
