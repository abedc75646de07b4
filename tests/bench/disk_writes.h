/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What SQLite writes to files whose path begins with a folder's, log and checkpoints included. */

#include <stdint.h>

/* Once, before the first database is opened. The folder's name must last. 0 or -1. */
int disk_writes_count(const char *folder);

/* Counts the blocks of a file that is mapped, the log's index, as far as they are others than at the last
 * call: the kernel writes these by itself. */
void disk_writes_count_changes(const char *path);

/* The bytes as they were asked for; and of the blocks of 4 KiB in which they lie, each once between two
 * syncs. */
uint64_t disk_writes_bytes(void);
uint64_t disk_writes_block_bytes(void);
