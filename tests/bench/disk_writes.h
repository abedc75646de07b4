/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What SQLite writes to files whose path begins with a folder's: log and checkpoints included. Once, before
 * the first database is opened. */

#include <stdint.h>

int disk_writes_count(const char *folder);
uint64_t disk_writes_bytes(void);
