/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The clocks, in one place: everything else is given "now". Any thread. */

#include <stdint.h>

/* Microseconds since 1970 (CLOCK_REALTIME), and since boot, suspend included (CLOCK_BOOTTIME). */
int64_t clock_real(void);
int64_t clock_mono(void);

/* The kernel's id of this boot, empty where it cannot be read. */
void boot_id(char ret[static 40]);
