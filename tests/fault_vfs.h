/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* SQLite's file system with faults: what is written is recorded, so that the files can be made as a crash or a
 * power cut at any point leaves them; and calls fail. Nothing is really synced, which only takes time. */

#include <stdbool.h>
#include <stddef.h>

/* Becomes the default of all connections from then on. */
void fault_vfs_register(void);

/* Begins a record: files in `from` as they are now are where it starts. Until fault_vfs_stop() each write,
 * truncation, deletion and sync is a point of it. */
void fault_vfs_record(const char *from);
void fault_vfs_stop(void);
size_t fault_vfs_points(void);

/* Notes at the present point what the caller has been promised. */
void fault_vfs_mark(unsigned what, int n);

/* The last such note at or before a point, 0: none. */
int fault_vfs_marked(unsigned what, size_t point);

enum fault_image {
	IMAGE_KILLED,   /* the process was: everything that was written is there */
	IMAGE_SYNCED,   /* the power was: only what was synced */
	IMAGE_PREFIX,   /* ... and a part of what was written since, in order, torn at a sector */
	IMAGE_SCATTERED,/* ... or sectors of it, here and there */
	IMAGES,
};

/* Makes the files in folder `to` as they are after a crash behind a point. After a power cut, files named
 * spool.* are gone. */
void fault_vfs_image(size_t point, enum fault_image how, const char *to);

/* From now on every nth call that reads, writes or syncs a file whose name has `part` in it fails with that
 * code; 0: none. */
void fault_vfs_fail(unsigned nth, int code, const char *part);
